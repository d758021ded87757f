//! A cheating server between players and the real server.

use super::cheat::Cheat;
use super::cheater::{Cheater, Forwarded};
use super::ledger::{Content, Ledger};
use serde_json::Value;
use std::io::{ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio_tungstenite::tungstenite::{self, Error, Message, WebSocket};

/// Time to wait for one side before turning to the other.
const TURN: Duration = Duration::from_millis(2);

/// Table that cheats in one way.
pub(crate) struct Proxy {
    pub(crate) address: String,
    /// Signatures and log of the table.
    pub(crate) ledger: Arc<Mutex<Ledger>>,
}

impl Proxy {
    /// Proxy in front of this server.
    pub(crate) fn start(server: &str, cheat: Cheat) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address").to_string();
        let ledger = Arc::new(Mutex::new(Ledger::new(server, cheat)));
        let (server, shared) = (server.to_owned(), Arc::clone(&ledger));
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let (server, ledger) = (server.clone(), Arc::clone(&shared));
                std::thread::spawn(move || serve(stream, &server, &ledger, cheat));
            }
        });
        Self { address, ledger }
    }

    /// Number of finished games.
    pub(super) fn ended(&self) -> u64 {
        self.ledger().ended
    }

    /// Returns true if the server has counted a player as too late since the last call.
    pub(super) fn was_late(&self) -> bool {
        std::mem::take(&mut self.ledger().late)
    }

    fn ledger(&self) -> MutexGuard<'_, Ledger> {
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Serves a connection until either side ends it.
fn serve(mut stream: TcpStream, server: &str, ledger: &Arc<Mutex<Ledger>>, cheat: Cheat) {
    let mut head = [0; 512];
    let length = stream.peek(&mut head).unwrap_or_default();
    let head = String::from_utf8_lossy(&head[..length]).into_owned();
    // A browser may open a connection before it has a request.
    let Some(path) = head.split(' ').nth(1) else {
        return;
    };
    if path.starts_with("/ws") {
        let client = tungstenite::accept(stream).expect("a WebSocket");
        return relay(client, server, Cheater::new(Arc::clone(ledger), cheat));
    }
    let mut request = [0; 4096];
    let _ = stream.read(&mut request);
    let mut ledger = ledger.lock().unwrap_or_else(PoisonError::into_inner);
    let (status, Content { kind, body }) = match ledger.serve(path) {
        Some(found) => ("200 OK", found),
        None => ("404 Not Found", Content::default()),
    };
    let length = body.len();
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\n\
         Connection: close\r\n\r\n"
    );
    // Fails if the client has disconnected.
    let _ = stream.write_all(&[head.as_bytes(), &body].concat());
}

fn relay(mut client: WebSocket<TcpStream>, server: &str, mut cheater: Cheater) {
    let stream = TcpStream::connect(server).expect("the server");
    stream.set_nodelay(true).expect("an option");
    let opened = tungstenite::client(format!("ws://{server}/ws"), stream);
    let (mut server, _) = opened.expect("a WebSocket");
    for socket in [&client, &server] {
        let stream = socket.get_ref();
        stream.set_read_timeout(Some(TURN)).expect("an option");
        stream.set_nodelay(true).expect("an option");
    }
    while let (Ok(request), Ok(message)) = (try_receive(&mut client), try_receive(&mut server)) {
        let answers = [
            request.map(|request| cheater.request(request)),
            message.map(|message| cheater.message(message)),
        ];
        for said in answers.into_iter().flatten() {
            if !send(said, &mut client, &mut server) {
                return;
            }
        }
    }
}

/// Next message, if one has arrived.
fn try_receive(socket: &mut WebSocket<TcpStream>) -> Result<Option<Value>, Error> {
    match socket.read() {
        Ok(Message::Text(text)) => Ok(serde_json::from_str(&text).ok()),
        Ok(Message::Close(_)) => Err(Error::ConnectionClosed),
        Ok(_) => Ok(None),
        Err(Error::Io(error))
            if [ErrorKind::WouldBlock, ErrorKind::TimedOut].contains(&error.kind()) =>
        {
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

fn send(
    said: Forwarded,
    client: &mut WebSocket<TcpStream>,
    server: &mut WebSocket<TcpStream>,
) -> bool {
    let to = |socket: &mut WebSocket<TcpStream>, messages: Vec<Value>| {
        let mut messages = messages.into_iter();
        messages.all(|message| socket.send(Message::text(message.to_string())).is_ok())
    };
    to(client, said.to_client) && to(server, said.to_server)
}
