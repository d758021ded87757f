//! Answers of commands to signals; `docs/reference/exit-and-error-codes.md` has the same table.
#![cfg(target_os = "linux")]

use super::running::RunningProgram;
use crate::support::Sandbox;
use std::process::Stdio;
use std::thread;
use std::time::Duration;

/// Commands that run until a signal comes: without an answer to their input, or for hours.
const COMMANDS: [&[&str]; 7] = [
    &["--scenario", "five_players_large", "--journal", "game.json"],
    &["simulate", "--games", "1e12"],
    &["enumerate", "4x4", "--yes"],
    &["replay", "-"],
    &["journal", "check", "-"],
    &["journal", "show", "-"],
    &["stats", "-"],
];

/// Signals that end a command, with its exit code.
const ENDING: [(&str, i32); 6] = [
    ("HUP", 3),
    ("INT", 3),
    ("TERM", 3),
    ("USR1", 3),
    ("USR2", 3),
    ("QUIT", 130),
];

/// Signals that a command survives.
const SURVIVED: [&str; 4] = ["PIPE", "XFSZ", "TSTP", "CONT"];

fn start(sandbox: &Sandbox, arguments: &[&str]) -> RunningProgram {
    let mut command = sandbox.command(arguments);
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut running = RunningProgram::start(&mut command);
    running.wait_until_signals_are_caught();
    running
}

#[test]
fn every_long_command_ends_with_a_code_when_a_signal_asks_it_to() {
    thread::scope(|scope| {
        for arguments in COMMANDS {
            for (signal, code) in ENDING {
                scope.spawn(move || {
                    let sandbox = Sandbox::new();
                    let mut running = start(&sandbox, arguments);
                    running.signal(signal);
                    let run = running.wait_unread();
                    assert_eq!(run.code, code, "{arguments:?} after {signal}: {run:?}");
                });
            }
        }
    });
}

#[test]
fn other_signals_do_not_end_a_command() {
    thread::scope(|scope| {
        for arguments in COMMANDS {
            scope.spawn(move || {
                let sandbox = Sandbox::new();
                let mut running = start(&sandbox, arguments);
                for signal in SURVIVED {
                    running.signal(signal);
                    thread::sleep(Duration::from_millis(20));
                }
                running.signal("INT");
                let run = running.wait_unread();
                assert_eq!(run.code, 3, "{arguments:?}: {run:?}");
            });
        }
    });
}
