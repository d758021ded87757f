//! Disk failures while the table is open.

use super::raw_client::RawClient;
use super::{Server, client_requests, dealt};
use crate::durability::SpiedSandbox;
use crate::support::{Run, Sandbox};
use serde_json::Value;
use std::fs;
use std::process::{Command, Stdio};
use tokio_tungstenite::tungstenite::Message;

/// Settings that allow many players at once.
const CROWD: [&str; 6] = [
    "--bots",
    "0",
    "--new-players",
    "1000000",
    "--rate",
    "100000",
];

/// Number of players sufficient to fill the small disk.
const PLAYERS_TO_FILL_DISK: u32 = 2_000;

/// Size of the small disk.
const ROOM: &str = "3m";

/// Command for a program with a small disk in the folder `disk`, whose contents are copied to
/// `kept` at the end.
///
/// None if this system allows no private mounts.
pub(super) fn on_small_disk(sandbox: &Sandbox, arguments: &[&str]) -> Option<Command> {
    for directory in ["disk", "kept"] {
        fs::create_dir(sandbox.path(directory)).expect("a directory");
    }
    let mount = format!("mount -t tmpfs -o size={ROOM},mode=700 none disk");
    let script =
        format!("{mount} || exit 99; \"$0\" \"$@\"; code=$?; cp -a disk/. kept/; exit $code");
    // Users other than root need a user namespace. For root, a mount namespace is enough where user
    // namespaces are forbidden.
    let ways = [
        &["--user", "--map-root-user", "--mount", "--pid"][..],
        &["--mount", "--pid"],
    ];
    let run = |way: &[&str], script: &str| {
        let mut command = Command::new("unshare");
        command.args(way).args(["--fork", "--kill-child"]);
        command.args(["sh", "-c", script]).stdin(Stdio::null());
        command.current_dir(sandbox.path(""));
        command
    };
    let works = |way: &&&[&str]| {
        let tried = run(way, &mount).output();
        tried.is_ok_and(|tried| tried.status.success())
    };
    let Some(way) = ways.iter().find(works) else {
        eprintln!("NOT TESTED: this system lets nobody mount a disk of their own");
        return None;
    };
    let program = sandbox.command(arguments);
    let mut command = run(way, &script);
    command.arg(program.get_program()).args(arguments);
    command.env_clear();
    let set = program.get_envs();
    command.envs(set.filter_map(|(name, value)| Some((name, value?))));
    Some(command)
}

/// Players who were welcomed before the disk failed.
struct WelcomedPlayers {
    players: Vec<(String, Value)>,
}

/// Has Ann decide in a game, and adds players one by one until one is not answered. The disk fails
/// once some have come.
fn until_nobody_is_answered(server: &Server, fail: impl FnOnce()) -> WelcomedPlayers {
    let [mut ann, _bob] = dealt(server, "single-card-game");
    ann.send(ann.decision("d", "play"));
    ann.receive_until("decided");
    let mut players = Vec::new();
    let mut fail = Some(fail);
    for number in 0..PLAYERS_TO_FILL_DISK {
        if number == 5
            && let Some(fail) = fail.take()
        {
            fail();
        }
        let name = format!("Player {number}");
        match welcome(server, &name) {
            Some(welcome) => players.push((name, welcome)),
            None => return WelcomedPlayers { players },
        }
    }
    panic!("the disk is never full");
}

/// Welcome of a new player. None if the store fails, which is reported or ends the connection.
fn welcome(server: &Server, name: &str) -> Option<Value> {
    let mut client = RawClient::open(&server.address, "/ws", &[]).ok()?;
    let hello = Message::text(client_requests::hello(name).to_string());
    client.0.send(hello).ok()?;
    let heard = client.try_receive().ok()?;
    if heard["type"] == "welcome" {
        return Some(heard);
    }
    assert_eq!(heard["code"], "unavailable", "{heard}");
    None
}

/// Checks that a store contains everything that the server confirmed to players.
fn assert_complete(sandbox: &Sandbox, store: &str, told: &WelcomedPlayers) {
    let server = Server::start(sandbox, &[&CROWD[..], &["--store", store]].concat());
    assert!(told.players.len() >= 5, "hardly anyone came");
    for (name, welcome) in &told.players {
        let again = server.player(name).1;
        for field in ["player", "balance"] {
            assert_eq!(again[field], welcome[field], "{name}");
        }
    }
    // Without Ann's decision, both would fold.
    let [mut ann, mut bob] = ["Ann", "Bob"].map(|name| server.player(name).0);
    for client in [&mut ann, &mut bob] {
        client.send(r#"{"type": "resume", "id": "r", "after": 0}"#);
        client.receive_until("dealt");
    }
    bob.send(bob.decision("d", "fold"));
    let result = ann.receive_until("result").pop().expect("a result");
    assert_eq!(result["delta"], 3, "{result}");
}

/// Checks the end of a server whose disk fails: it reports the reason, and no orderly shutdown.
fn assert_ends_with_disk(server: &mut Server, reason: &str) {
    let (code, last, errors) = server.outcome();
    assert_eq!((code, last.as_str()), (4, ""), "{errors}");
    let told = format!("the store failed: {reason}\n");
    assert!(errors.contains(&told), "{told} in {errors}");
    assert!(errors.contains("nothing unsaved was confirmed"), "{errors}");
}

#[test]
fn a_full_disk_ends_the_table_and_loses_nothing_acknowledged() {
    let sandbox = Sandbox::new();
    let options = ["serve", "--listen", "127.0.0.1:0"];
    let store = ["--store", "sqlite:disk/table.db"];
    let options = [&options[..], &CROWD, &store].concat();
    let Some(mut command) = on_small_disk(&sandbox, &options) else {
        return;
    };
    let mut server = Server::run(&mut command);
    let told = until_nobody_is_answered(&server, || ());
    assert_ends_with_disk(&mut server, "no space left on the device");
    assert_complete(&sandbox, "sqlite:kept/table.db", &told);
}

#[test]
fn a_read_only_disk_ends_the_table_and_loses_nothing_acknowledged() {
    const EROFS: u32 = 30;
    let spied = SpiedSandbox::new();
    let options = ["serve", "--listen", "127.0.0.1:0"];
    let mut server = Server::run(&mut spied.command(&[&options[..], &CROWD].concat()));
    let told = until_nobody_is_answered(&server, || spied.fail_with(EROFS));
    assert_eq!(told.players.len(), 5, "nobody is answered from then on");
    assert_ends_with_disk(&mut server, "the file system is read-only");
    assert_complete(&spied.sandbox, "sqlite:table.db", &told);
}

#[test]
fn a_disk_that_loses_its_locks_ends_the_table_and_loses_nothing_acknowledged() {
    const ENOLCK: u32 = 37;
    let spied = SpiedSandbox::new();
    let options = ["serve", "--listen", "127.0.0.1:0"];
    let mut server = Server::run(&mut spied.command(&[&options[..], &CROWD].concat()));
    let told = until_nobody_is_answered(&server, || spied.fail_with(ENOLCK));
    assert_eq!(told.players.len(), 5, "nobody is answered from then on");
    let reason = "the file system no longer locks files: No locks available (os error 37)";
    assert_ends_with_disk(&mut server, reason);
    assert_complete(&spied.sandbox, "sqlite:table.db", &told);
}

// The signal sent at the limit would kill the program by default, without a message.
#[test]
fn a_file_size_limit_ends_the_table_and_loses_nothing_acknowledged() {
    let sandbox = Sandbox::new();
    let mut server = Server::start(&sandbox, &CROWD);
    let log = sandbox.path("table.db-wal");
    let told = until_nobody_is_answered(&server, || {
        let most = fs::metadata(&log).expect("a log").len();
        let pid = server.pid().to_string();
        let limit = ["--pid", &pid, &format!("--fsize={most}")];
        Run::of(Command::new("prlimit").args(limit)).exits_with(0);
    });
    assert_eq!(told.players.len(), 5, "nobody is answered from then on");
    assert_ends_with_disk(&mut server, "Error code 778: disk I/O error");
    assert_complete(&sandbox, "sqlite:table.db", &told);
}
