//! A running server.

use super::client_requests;
use super::raw_client::RawClient;
use crate::crowd;
use crate::support::Sandbox;
use rusqlite::Connection;
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};
use war_table::server::store::StoreSecret;

/// Running server, which is killed when dropped.
pub(crate) struct Server {
    child: Child,
    pub(crate) address: String,
    /// Address for the operator. Empty if there is none.
    pub(crate) admin: String,
    pub(crate) opening: String,
    /// Standard output of the server, kept open so that the server can print.
    output: BufReader<ChildStdout>,
}

impl Server {
    pub(crate) fn start(sandbox: &Sandbox, options: &[&str]) -> Self {
        Self::start_at(sandbox, "127.0.0.1:0", options)
    }

    pub(crate) fn start_at(sandbox: &Sandbox, address: &str, options: &[&str]) -> Self {
        // By default the operator's port is 1000 above the players', and another test may use it.
        let is_chosen = !address.ends_with(":0");
        let operator: &[&str] = if is_chosen && !options.contains(&"--admin") {
            &["--admin", "127.0.0.1:0"]
        } else {
            &[]
        };
        let arguments = [&["serve", "--listen", address], options, operator].concat();
        // No people come by in tests, so the house need not wait for them.
        Self::run(
            sandbox
                .command(&arguments)
                .env("WAR_TABLE_HOUSE_AFTER", "1"),
        )
    }

    /// Starts a server with this command.
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

    /// Kills the server, as in a crash.
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

    /// Waits for an orderly shutdown, and returns the exit code and the messages.
    pub(crate) fn end(&mut self) -> (i32, String) {
        let (code, last, errors) = self.outcome();
        assert_eq!(last, "the table is closed\n");
        (code, errors)
    }

    /// Waits for the exit. Returns the exit code, the last output, and the messages.
    pub(crate) fn outcome(&mut self) -> (i32, String, String) {
        let mut errors = String::new();
        let mut stderr = self.child.stderr.take().expect("one end");
        stderr.read_to_string(&mut errors).expect("text");
        let mut last = String::new();
        self.output.read_to_string(&mut last).expect("text");
        let status = self.child.wait().expect("it ends");
        (status.code().unwrap_or(-1), last, errors)
    }

    /// Resident memory in kilobytes.
    pub(super) fn memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()));
        let status = status.expect("Linux");
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let number = line.expect("a size").split_whitespace().next();
        number
            .and_then(|number| number.parse().ok())
            .expect("a number")
    }

    pub(crate) fn connect(&self) -> RawClient {
        RawClient::open(&self.address, "/ws", &[]).expect("a connection")
    }

    /// Connection that has sent `hello` in version 2 of the protocol, and the welcome.
    pub(crate) fn player(&self, name: &str) -> (RawClient, Value) {
        self.player_in_version(name, 2)
    }

    /// Connection that has sent `hello` in this version of the protocol, and the welcome.
    pub(crate) fn player_in_version(&self, name: &str, version: u32) -> (RawClient, Value) {
        let mut client = self.connect();
        let mut hello = client_requests::hello(name);
        hello["protocol"] = version.into();
        client.send(hello);
        let welcome = client.receive();
        assert_eq!(welcome["type"], "welcome");
        (client, welcome)
    }

    /// HTTP response at the players' address: head and body.
    pub(crate) fn get(&self, path: &str) -> (String, String) {
        get(&self.address, path, "")
    }

    /// HTTP response at the operator's address: head and body.
    pub(crate) fn admin(&self, path: &str) -> (String, String) {
        get(&self.admin, path, "")
    }

    /// Waits until the metrics contain this line.
    pub(super) fn wait_for_metric(&self, line: &str) {
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
        // Fails if the server has already ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// HTTP response to a request with these further header lines: head and body.
pub(super) fn get(address: &str, path: &str, headers: &str) -> (String, String) {
    let head = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n");
    let response = answer(address, &format!("{head}{headers}\r\n"));
    let (head, body) = response.split_once("\r\n\r\n").expect("a head");
    (head.to_owned(), body.to_owned())
}

/// Path of a game's journal at the table with its store in this sandbox.
pub(crate) fn journal_path(sandbox: &Sandbox, game: u64) -> String {
    let store = Connection::open(sandbox.path("table.db")).expect("a store");
    let secret = store.query_row("SELECT secret FROM about", [], |row| row.get(0));
    let address = StoreSecret::new(secret.expect("a secret")).journal_address(game);
    format!("/games/{address}/journal.json")
}

/// The complete response to these bytes.
pub(super) fn answer(address: &str, request: &str) -> String {
    let mut stream = TcpStream::connect(address).expect("a connection");
    stream.write_all(request.as_bytes()).expect("a request");
    let mut response = Vec::new();
    stream.read_to_end(&mut response).expect("a response");
    String::from_utf8_lossy(&response).into_owned()
}
