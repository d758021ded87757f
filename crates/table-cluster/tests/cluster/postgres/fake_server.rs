//! Server that passes for PostgreSQL until its client should notice.

#![allow(
    dead_code,
    reason = "the tests of the program need some of it, those of the store others"
)]

use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::Duration;

/// Code of a request for TLS.
const TLS_REQUEST: [u8; 4] = 80_877_103_u32.to_be_bytes();

/// Login that a server asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Login {
    ClearPassword,
    Md5Password,
}

impl Login {
    /// Message that asks for the login.
    fn message(self) -> Vec<u8> {
        match self {
            Self::ClearPassword => vec![b'R', 0, 0, 0, 8, 0, 0, 0, 3],
            Self::Md5Password => vec![b'R', 0, 0, 0, 12, 0, 0, 0, 5, 1, 2, 3, 4],
        }
    }
}

/// Directory of the certificates for tests, which are for `localhost` and `127.0.0.1`.
pub(crate) fn certificates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/tls")
}

/// Running server.
pub(crate) struct FakeServer {
    pub(crate) port: u16,
    /// Messages of each connection, up to its end.
    received: Receiver<Vec<u8>>,
}

impl FakeServer {
    /// Starts a server without TLS.
    pub(crate) fn start(login: Login) -> Self {
        Self::start_with(login, None)
    }

    /// Starts a server with the certificate for `localhost`.
    pub(crate) fn start_with_tls(login: Login) -> Self {
        let file = |name: &str| certificates().join(name);
        let key = PrivateKeyDer::from_pem_file(file("server.key")).expect("a key");
        let certificate = CertificateDer::from_pem_file(file("server.pem")).expect("a file");
        let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .expect("protocols")
            .with_no_client_auth()
            .with_single_cert(vec![certificate], key);
        Self::start_with(login, Some(Arc::new(config.expect("a key that fits"))))
    }

    fn start_with(login: Login, tls: Option<Arc<ServerConfig>>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let (sender, received) = mpsc::channel();
        thread::spawn(move || {
            for stream in listener.incoming() {
                let (stream, sender, tls) =
                    (stream.expect("a connection"), sender.clone(), tls.clone());
                thread::spawn(move || accept(stream, login, tls, &sender));
            }
        });
        Self { port, received }
    }

    /// Waits for the end of a connection; returns its messages.
    pub(crate) fn received(&self) -> Vec<u8> {
        let received = self.received.recv_timeout(Duration::from_secs(10));
        received.expect("a connection")
    }
}

/// Serves a connection, and reports what its client sent.
fn accept(
    mut stream: TcpStream,
    login: Login,
    tls: Option<Arc<ServerConfig>>,
    sender: &Sender<Vec<u8>>,
) {
    let mut messages = Vec::new();
    let read = || -> io::Result<()> {
        if read_startup(&mut stream, &mut messages)? != TLS_REQUEST {
            return ask(stream, login, &mut messages);
        }
        let Some(tls) = tls else {
            stream.write_all(b"N")?;
            read_startup(&mut stream, &mut messages)?;
            return ask(stream, login, &mut messages);
        };
        stream.write_all(b"S")?;
        let tls = ServerConnection::new(tls).expect("a connection");
        let mut stream = StreamOwned::new(tls, stream);
        read_startup(&mut stream, &mut messages)?;
        ask(stream, login, &mut messages)
    };
    // The client may leave at any moment.
    let _ = read();
    // The test may have ended.
    let _ = sender.send(messages);
}

/// Reads the first message of a client; returns the code in it.
fn read_startup(stream: &mut impl Read, messages: &mut Vec<u8>) -> io::Result<[u8; 4]> {
    let mut head = [0; 8];
    stream.read_exact(&mut head)?;
    let [a, b, c, d, code @ ..] = head;
    let mut rest = vec![0; u32::from_be_bytes([a, b, c, d]) as usize - head.len()];
    stream.read_exact(&mut rest)?;
    messages.extend(head.iter().chain(&rest));
    Ok(code)
}

/// Asks for the login, and reads to the end.
fn ask(mut stream: impl Read + Write, login: Login, messages: &mut Vec<u8>) -> io::Result<()> {
    stream.write_all(&login.message())?;
    stream.flush()?;
    let mut byte = [0];
    while stream.read(&mut byte)? > 0 {
        messages.push(byte[0]);
    }
    Ok(())
}
