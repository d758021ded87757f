//! A running server.

use super::line::Line;
use super::said;
use crate::crowd;
use crate::support::Place;
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

/// A server in a place of its own, killed at the end.
pub(crate) struct Server {
    child: Child,
    pub(crate) address: String,
    /// Where the operator asks; empty where it is switched off.
    pub(crate) admin: String,
    pub(crate) opening: String,
    /// Kept open, so that the server may print.
    output: BufReader<ChildStdout>,
}

impl Server {
    pub(crate) fn start(place: &Place, options: &[&str]) -> Self {
        Self::start_at(place, "127.0.0.1:0", options)
    }

    pub(crate) fn start_at(place: &Place, address: &str, options: &[&str]) -> Self {
        // At a port that was chosen, the operator's own is 1000 above by default: another test may
        // have it.
        let is_chosen = !address.ends_with(":0");
        let operator: &[&str] = if is_chosen && !options.contains(&"--admin") {
            &["--admin", "127.0.0.1:0"]
        } else {
            &[]
        };
        let arguments = [&["serve", "--listen", address], options, operator].concat();
        // Nobody here waits for people who come by.
        Self::run(place.command(&arguments).env("WAR_TABLE_HOUSE_AFTER", "1"))
    }

    /// A server started with this command.
    pub(crate) fn run(command: &mut Command) -> Self {
        crowd::join();
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the server");
        let mut output = BufReader::new(child.stdout.take().expect("its output"));
        let mut opening = String::new();
        for _ in 0..4 {
            output.read_line(&mut opening).expect("text");
        }
        let mut addresses = opening.split("http://").skip(1);
        let mut address = || addresses.next()?.split('/').next().map(str::to_owned);
        let (address, admin) = (address(), address().unwrap_or_default());
        let Some(address) = address else {
            let mut errors = String::new();
            let mut stderr = child.stderr.take().expect("its errors");
            stderr.read_to_string(&mut errors).expect("text");
            panic!("the table did not open: {opening}{errors}");
        };
        Self {
            child,
            address,
            admin,
            opening,
            output,
        }
    }

    /// Ends the server as a crash does.
    pub(crate) fn kill(&mut self) {
        self.child.kill().expect("it runs");
        self.child.wait().expect("it ends");
    }

    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    pub(super) fn pid(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn signal(&self, name: &str) {
        let pid = self.child.id().to_string();
        let sent = Command::new("kill").args(["-s", name, &pid]).status();
        assert!(sent.expect("kill").success());
    }

    /// Waits for an orderly end, and returns the exit code and the messages.
    pub(crate) fn end(&mut self) -> (i32, String) {
        let (code, last, errors) = self.outcome();
        assert_eq!(last, "the table is closed\n");
        (code, errors)
    }

    /// Waits for the end: the exit code, what was printed last, and the messages.
    pub(crate) fn outcome(&mut self) -> (i32, String, String) {
        let mut errors = String::new();
        let mut stderr = self.child.stderr.take().expect("one end");
        stderr.read_to_string(&mut errors).expect("text");
        let mut last = String::new();
        self.output.read_to_string(&mut last).expect("text");
        let status = self.child.wait().expect("it ends");
        (status.code().unwrap_or(-1), last, errors)
    }

    /// The resident memory, in kilobytes.
    pub(super) fn memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()));
        let status = status.expect("Linux");
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let number = line.expect("a size").split_whitespace().next();
        number
            .and_then(|number| number.parse().ok())
            .expect("a number")
    }

    pub(crate) fn connect(&self) -> Line {
        Line::open(&self.address, "/ws", &[]).expect("a connection")
    }

    /// A connection that said `hello`.
    pub(crate) fn player(&self, name: &str) -> (Line, Value) {
        let mut line = self.connect();
        line.say(said::hello(name));
        let welcome = line.hear();
        assert_eq!(welcome["type"], "welcome");
        (line, welcome)
    }

    /// An HTTP request: the head of the response, and its body.
    pub(crate) fn get(&self, path: &str) -> (String, String) {
        get(&self.address, path)
    }

    /// What the operator gets: the head of the response, and its body.
    pub(crate) fn admin(&self, path: &str) -> (String, String) {
        get(&self.admin, path)
    }

    /// Waits until there is such a line among the metrics.
    pub(super) fn until_metric(&self, line: &str) {
        let until = Instant::now() + Duration::from_secs(60);
        loop {
            let (_, metrics) = self.admin("/metrics");
            if metrics.lines().any(|known| known == line) {
                return;
            }
            assert!(Instant::now() < until, "{line} in\n{metrics}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn get(address: &str, path: &str) -> (String, String) {
    let request = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    let response = answer(address, &request);
    let (head, body) = response.split_once("\r\n\r\n").expect("a head");
    (head.to_owned(), body.to_owned())
}

/// All that comes back for these bytes.
pub(super) fn answer(address: &str, request: &str) -> String {
    let mut stream = TcpStream::connect(address).expect("a connection");
    stream.write_all(request.as_bytes()).expect("a request");
    let mut response = Vec::new();
    stream.read_to_end(&mut response).expect("a response");
    String::from_utf8_lossy(&response).into_owned()
}
