//! Log of a running table, and the signals that a table gets.
#![cfg(target_os = "linux")]

use super::Server;
use super::server::answer;
use crate::support::Sandbox;
use serde_json::Value;
use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Time limit for a record to be written.
const PATIENCE: Duration = Duration::from_secs(20);

/// Starts a table without a terminal. The shell runs `before` before the program.
fn start(sandbox: &Sandbox, before: &str, arguments: &[&str]) -> Server {
    let serve = "serve --listen 127.0.0.1:0 --bots 0";
    let run = format!(
        "{before}exec {} {serve} {}",
        env!("CARGO_BIN_EXE_war"),
        arguments.join(" ")
    );
    Server::run(wrap(sandbox, "setsid").args(["sh", "-c", &run]))
}

/// Creates a command that runs the program: with its environment, in the sandbox.
fn wrap(sandbox: &Sandbox, command: &str) -> Command {
    let program = sandbox.command(&[]);
    let mut command = Command::new(command);
    command
        .current_dir(sandbox.path(""))
        .env_clear()
        .env("PATH", "/usr/bin:/bin")
        .envs(
            program
                .get_envs()
                .filter_map(|(name, value)| Some((name, value?))),
        );
    command
}

/// Moves the only log away, as a program that rotates logs does. Returns its name.
fn move_log(sandbox: &Sandbox) -> String {
    // Another thread writes the records.
    wait_until("an open table", || {
        sandbox.logs().concat().contains("INFO open")
    });
    let mut names = log_names(sandbox);
    assert_eq!(names.len(), 1, "{names:?}");
    let name = names.remove(0);
    let log = sandbox.path("logs").join(&name);
    fs::rename(&log, sandbox.path("moved.log")).expect("a log");
    name
}

fn log_names(sandbox: &Sandbox) -> Vec<String> {
    let entries = fs::read_dir(sandbox.path("logs")).expect("the logs");
    let names = entries.map(|entry| entry.expect("a file").file_name().into_string());
    let mut names: Vec<_> = names.map(|name| name.expect("UTF-8")).collect();
    names.sort();
    names
}

#[track_caller]
fn wait_until(what: &str, is_so: impl Fn() -> bool) {
    let since = Instant::now();
    while !is_so() {
        assert!(since.elapsed() < PATIENCE, "{what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_table_without_a_terminal_reopens_its_log_on_a_hangup() {
    for signal in ["HUP", "USR1"] {
        let sandbox = Sandbox::new();
        let mut server = start(&sandbox, "", &[]);
        let name = move_log(&sandbox);
        server.signal(signal);
        let log = sandbox.path("logs").join(&name);
        wait_until(signal, || {
            fs::read_to_string(&log).is_ok_and(|log| log.contains("INFO log reopened"))
        });
        server.signal("TERM");
        assert_eq!(server.end().0, 0);
        let moved = sandbox.read("moved.log");
        assert!(moved.contains("INFO open"), "{moved}");
        assert!(!moved.contains("closed"), "{moved}");
        let log = fs::read_to_string(log).expect("a log");
        assert!(log.contains("INFO closed"), "{log}");
    }
}

#[test]
fn a_table_under_nohup_ignores_a_hangup() {
    let sandbox = Sandbox::new();
    let mut server = start(&sandbox, "trap '' HUP; ", &[]);
    move_log(&sandbox);
    server.signal("HUP");
    server.signal("TERM");
    assert_eq!(server.end().0, 0);
    assert_eq!(log_names(&sandbox), [""; 0], "the log was opened again");
    assert!(sandbox.read("moved.log").contains("INFO closed"));
}

#[test]
fn other_signals_to_a_table_do_nothing() {
    let sandbox = Sandbox::new();
    let mut server = start(&sandbox, "", &[]);
    for signal in ["USR2", "PIPE", "XFSZ", "TSTP", "CONT"] {
        server.signal(signal);
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(server.get("/").0.starts_with("HTTP/1.1 200"), "it is gone");
    server.signal("INT");
    assert_eq!(server.end().0, 0);
}

#[test]
fn a_quit_signal_ends_a_table_at_once() {
    let sandbox = Sandbox::new();
    let mut server = start(&sandbox, "", &[]);
    server.signal("QUIT");
    let (code, last, errors) = server.outcome();
    assert_eq!(code, 130, "{last}");
    assert!(!errors.contains("panicked"), "{errors}");
    assert!(!sandbox.path("core").exists(), "a core dump has the key");
}

#[test]
fn a_table_closes_in_order_when_its_terminal_is_closed() {
    let sandbox = Sandbox::new();
    let serve = "serve --listen 127.0.0.1:0 --bots 0 --admin off";
    let run = format!("exec {} {serve}", env!("CARGO_BIN_EXE_war"));
    let mut terminal = wrap(&sandbox, "script");
    terminal
        .args(["-qec", &run, "/dev/null"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped());
    let mut terminal = terminal.spawn().expect("a terminal");
    let logs = || sandbox.logs().concat();
    wait_until("an open table", || logs().contains("INFO open"));
    terminal.kill().expect("a terminal");
    terminal.wait().expect("a terminal");
    wait_until("a closed table", || logs().contains("INFO closed"));
}

#[test]
fn a_log_can_go_to_standard_output() {
    let sandbox = Sandbox::new();
    sandbox.write("war.toml", "[log]\nformat = \"json\"\n");
    let arguments = [
        "serve",
        "--listen",
        "127.0.0.1:0",
        "--admin",
        "off",
        "--log",
        "stdout",
    ];
    let mut command = sandbox.command(&arguments);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut table = command.spawn().expect("the program");
    let mut first = String::new();
    let mut stdout = std::io::BufReader::new(table.stdout.take().expect("its output"));
    std::io::BufRead::read_line(&mut stdout, &mut first).expect("a record");
    let pid = table.id().to_string();
    let sent = Command::new("kill").args(["-s", "TERM", &pid]).status();
    assert!(sent.expect("kill").success());
    let mut rest = String::new();
    std::io::Read::read_to_string(&mut stdout, &mut rest).expect("records");
    let ended = table.wait_with_output().expect("an end");
    assert_eq!(ended.status.code(), Some(0));
    let records: Vec<Value> = [first, rest]
        .concat()
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON on each line"))
        .collect();
    assert!(
        records.iter().any(|record| record["msg"] == "open"),
        "{records:?}"
    );
    assert_eq!(records[records.len() - 1]["msg"], "closed");
    let notes = String::from_utf8(ended.stderr).expect("UTF-8");
    assert!(
        notes.contains("note: the table is open: http://"),
        "{notes}"
    );
    assert!(!sandbox.path("logs").exists(), "there is a file too");
}

// Anybody who reaches the operator's port can cause these warnings.
#[test]
fn repeated_warnings_are_counted() {
    let sandbox = Sandbox::new();
    let mut server = start(&sandbox, "", &[]);
    for _ in 0..100 {
        let request = format!(
            "POST /operator HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\
             Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{{}}",
            server.admin
        );
        let answer = answer(&server.admin, &request);
        assert!(answer.starts_with("HTTP/1.1 401"), "{answer}");
    }
    server.signal("TERM");
    assert_eq!(server.end().0, 0);
    let log = sandbox.logs().concat();
    assert_eq!(log.matches("WARN not an operator").count(), 10, "{log}");
    assert!(
        log.contains("WARN repeated, message: not an operator, times: 90"),
        "{log}"
    );
}

#[test]
fn a_full_log_continues_in_another_file() {
    let sandbox = Sandbox::new();
    let trace = "[log]\nlevel = \"trace\"\n";
    sandbox.write("war.toml", trace);
    let game = ["5", "large", "--seed", "7"];
    sandbox.war(&game).exits_with(0);
    let [whole] = &sandbox.logs()[..] else {
        panic!("several logs");
    };
    fs::remove_dir_all(sandbox.path("logs")).expect("the logs");
    sandbox.write("war.toml", format!("{trace}rotate_mb = 1\n"));
    sandbox.war(&game).exits_with(0);
    let parts = sandbox.logs();
    let lengths: Vec<_> = parts.iter().map(String::len).collect();
    assert_eq!(lengths.len(), 3, "{lengths:?}");
    let full = 1_000_000..1_001_000;
    assert!(
        lengths[..2].iter().all(|length| full.contains(length)),
        "{lengths:?}"
    );
    assert_eq!(
        untimed(&parts.concat()),
        untimed(whole),
        "records are missing"
    );
}

/// Lines of a log without their times.
fn untimed(log: &str) -> Vec<&str> {
    let lines = log
        .lines()
        .map(|line| &line["2026-01-01 00:00:00.000 ".len()..]);
    lines.collect()
}
