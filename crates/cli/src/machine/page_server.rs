//! Server of one page on this machine, for a browser that can't read the user's files.
//!
//! Browsers in a sandbox see neither the temporary directory nor each of the user's own.

use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{Builder, sleep};
use std::time::Duration;
use war::support::hex::Hex;

/// Time in which a browser must send its request or take the next part of the page. A browser may
/// connect early, and ask only when it needs the page.
const PATIENCE: Duration = Duration::from_secs(60);

/// Time in which a browser must close the connection after the page.
const CLOSING_TIME: Duration = Duration::from_secs(2);

/// Maximum size of the head of a request, in bytes.
const MAX_HEAD_SIZE: usize = 1 << 16;

/// Page at an address that nobody can guess, until a browser has got it.
pub(crate) struct PageServer {
    address: String,
    fetched: Receiver<()>,
}

/// Served page and its path.
struct ServedPage {
    path: String,
    page: String,
}

impl PageServer {
    /// Serves a page on a free port of the loopback interface.
    ///
    /// # Errors
    ///
    /// If no port or no thread is available.
    pub(crate) fn start(page: String) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let path = format!("/{}/", Hex::<16>::new(rand::random()));
        let address = format!("http://{}{path}", listener.local_addr()?);
        let served = Arc::new(ServedPage { path, page });
        let (sender, fetched) = channel();
        let accept = move || accept_browsers(&listener, &served, &sender);
        Builder::new().name("page".to_owned()).spawn(accept)?;
        Ok(Self { address, fetched })
    }

    /// Address of the page.
    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    /// Waits at most this long. Returns true once a browser has got the page.
    pub(crate) fn is_fetched_within(&self, time: Duration) -> bool {
        match self.fetched.recv_timeout(time) {
            Ok(()) => true,
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => false,
        }
    }
}

/// Answers each connection in a thread of its own: one without a request must not block others.
fn accept_browsers(listener: &TcpListener, served: &Arc<ServedPage>, fetched: &Sender<()>) {
    for stream in listener.incoming() {
        let Ok(stream) = stream else {
            sleep(Duration::from_millis(50));
            continue;
        };
        let (served, fetched) = (Arc::clone(served), fetched.clone());
        let answer = move || {
            if let Ok(true) = served.answer(stream) {
                // Nobody waits any more once another request got the page.
                let _ = fetched.send(());
            }
        };
        // Without a thread, the connection is closed, and the browser may try again.
        let _ = Builder::new().name("browser".to_owned()).spawn(answer);
    }
}

impl ServedPage {
    /// Answers a request. Returns true if the browser got the page.
    fn answer(&self, mut stream: TcpStream) -> io::Result<bool> {
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        let head = read_head(&mut stream)?;
        let mut words = head.split(' ');
        let is_page = |target| target == Some(self.path.as_str());
        let is_fetched = match (words.next(), is_page(words.next())) {
            (Some("GET"), true) => {
                stream.write_all(self.head().as_bytes())?;
                stream.write_all(self.page.as_bytes())?;
                true
            }
            (Some("HEAD"), true) => {
                stream.write_all(self.head().as_bytes())?;
                false
            }
            _ => {
                const NOT_FOUND: &str =
                    "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
                stream.write_all(NOT_FOUND.as_bytes())?;
                false
            }
        };
        close(&stream);
        Ok(is_fetched)
    }

    /// Head of the answer that has the page. The browser may keep the page to go back to it.
    fn head(&self) -> String {
        format!(
            "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {}\r\n\
             Cache-Control: private, max-age=86400\r\nReferrer-Policy: no-referrer\r\n\
             X-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n",
            self.page.len()
        )
    }
}

/// Reads the head of a request.
fn read_head(stream: &mut TcpStream) -> io::Result<String> {
    let (mut head, mut part) = (Vec::new(), [0; 4096]);
    while !head.windows(4).any(|end| end == b"\r\n\r\n") {
        let length = stream.read(&mut part)?;
        if length == 0 || head.len() > MAX_HEAD_SIZE {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        head.extend_from_slice(&part[..length]);
    }
    Ok(String::from_utf8_lossy(&head).into_owned())
}

/// Ends an answer and waits until the browser has taken it: the process may end right after.
fn close(mut stream: &TcpStream) {
    // The browser may be gone already.
    let _ = stream.shutdown(std::net::Shutdown::Write);
    let _ = stream.set_read_timeout(Some(CLOSING_TIME));
    let _ = stream.read(&mut [0; 64]);
}

#[cfg(test)]
mod tests {
    use super::PageServer;
    use std::io::{Read, Write};
    use std::net::TcpStream;
    use std::time::Duration;

    const PAGE: &str = "<!doctype html>\n<p>żółw</p>";

    fn connect(server: &PageServer) -> (TcpStream, String) {
        let rest = server.address().strip_prefix("http://").expect("a scheme");
        let (host, path) = rest.split_once('/').expect("a path");
        assert!(host.starts_with("127.0.0.1:"), "{host}");
        (
            TcpStream::connect(host).expect("a server"),
            format!("/{path}"),
        )
    }

    /// Answer to this request, in which `PATH` stands for that of the page.
    fn ask(server: &PageServer, request: &str) -> String {
        let (mut stream, path) = connect(server);
        let request = request.replace("PATH", &path);
        write!(stream, "{request} HTTP/1.1\r\nHost: a\r\n\r\n").expect("a request");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        answer
    }

    #[test]
    fn only_a_request_for_the_page_uses_it_up() {
        let soon = Duration::from_millis(20);
        let server = PageServer::start(PAGE.to_owned()).expect("a port");
        // Connections without a request, and one that is closed, as browsers open them in advance.
        let _early = (connect(&server), connect(&server));
        drop(connect(&server));
        for other in ["GET /favicon.ico", "GET /", "GET PATHa", "POST PATH", "a"] {
            let answer = ask(&server, other);
            assert!(answer.starts_with("HTTP/1.1 404 "), "{other}: {answer}");
        }
        let (head, body) = (ask(&server, "HEAD PATH"), "\r\n\r\n");
        assert!(
            head.starts_with("HTTP/1.1 200 ") && head.ends_with(body),
            "{head}"
        );
        assert!(!server.is_fetched_within(soon));
        let answer = ask(&server, "GET PATH");
        let (head, body) = answer.split_once("\r\n\r\n").expect("a head");
        assert_eq!(body, PAGE);
        for line in [
            "Content-Type: text/html; charset=utf-8",
            "Content-Length: 30",
        ] {
            assert!(head.lines().any(|found| found == line), "{head}");
        }
        assert!(server.is_fetched_within(Duration::from_secs(60)));
    }

    #[test]
    fn each_page_has_another_address() {
        let [first, second] = [(); 2].map(|()| PageServer::start(PAGE.to_owned()).expect("a port"));
        let [(_, first), (_, second)] = [connect(&first), connect(&second)];
        assert_ne!(first, second);
        // 128 bits between two slashes.
        assert_eq!(first.len(), 34);
    }
}
