//! A machine whose disk fails while the table is open.

use super::line::Line;
use super::{Server, dealt, said};
use crate::durability::Spied;
use crate::support::{Place, Run};
use serde_json::Value;
use std::fs;
use std::process::{Command, Stdio};
use tokio_tungstenite::tungstenite::Message;

/// Settings under which many players may come at once.
const CROWD: [&str; 6] = [
    "--bots",
    "0",
    "--new-players",
    "1000000",
    "--rate",
    "100000",
];

/// How many players make the disk full that a test makes.
const MANY: u32 = 2_000;

/// The room on the small disk.
const ROOM: &str = "3m";

/// A command run where `disk` is small; what is on it is copied to `kept` at the end.
///
/// There is none where this system lets nobody mount a disk of their own.
pub(super) fn on_small_disk(place: &Place, arguments: &[&str]) -> Option<Command> {
    for directory in ["disk", "kept"] {
        fs::create_dir(place.path(directory)).expect("a directory");
    }
    let mount = format!("mount -t tmpfs -o size={ROOM},mode=700 none disk");
    let script =
        format!("{mount} || exit 99; \"$0\" \"$@\"; code=$?; cp -a disk/. kept/; exit $code");
    // A user of their own for those who are not root; for root, where such users are not allowed,
    // mounts of their own are enough.
    let ways = [
        &["--user", "--map-root-user", "--mount", "--pid"][..],
        &["--mount", "--pid"],
    ];
    let run = |way: &[&str], script: &str| {
        let mut command = Command::new("unshare");
        command.args(way).args(["--fork", "--kill-child"]);
        command.args(["sh", "-c", script]).stdin(Stdio::null());
        command.current_dir(place.path(""));
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
    let program = place.command(arguments);
    let mut command = run(way, &script);
    command.arg(program.get_program()).args(arguments);
    command.env_clear();
    let set = program.get_envs();
    command.envs(set.filter_map(|(name, value)| Some((name, value?))));
    Some(command)
}

/// What players were told before the disk failed: Ann's decision, and who came.
struct Told {
    players: Vec<(String, Value)>,
}

/// Lets Ann decide in a game, and then players come one by one until one is not answered; when
/// some are there, the disk fails.
fn until_nobody_is_answered(server: &Server, fail: impl FnOnce()) -> Told {
    let [mut ann, _bob] = dealt(server, "single-card-game");
    ann.say(ann.decision("d", "play"));
    ann.until("decided");
    let mut players = Vec::new();
    let mut fail = Some(fail);
    for number in 0..MANY {
        if number == 5
            && let Some(fail) = fail.take()
        {
            fail();
        }
        let name = format!("Player {number}");
        match welcomed(server, &name) {
            Some(welcome) => players.push((name, welcome)),
            None => return Told { players },
        }
    }
    panic!("the disk is never full");
}

/// What a new player is welcomed with; where the store fails they hear that, or nothing.
fn welcomed(server: &Server, name: &str) -> Option<Value> {
    let mut line = Line::open(&server.address, "/ws", &[]).ok()?;
    let hello = Message::text(said::hello(name).to_string());
    line.0.send(hello).ok()?;
    let heard = line.try_hear().ok()?;
    if heard["type"] == "welcome" {
        return Some(heard);
    }
    assert_eq!(heard["code"], "unavailable", "{heard}");
    None
}

/// Checks that a store has all that players were told.
fn has_all(place: &Place, store: &str, told: &Told) {
    let server = Server::start(place, &[&CROWD[..], &["--store", store]].concat());
    assert!(told.players.len() >= 5, "hardly anyone came");
    for (name, welcome) in &told.players {
        let again = server.player(name).1;
        for field in ["player", "balance"] {
            assert_eq!(again[field], welcome[field], "{name}");
        }
    }
    // Had Ann's decision been lost, both would fold.
    let [mut ann, mut bob] = ["Ann", "Bob"].map(|name| server.player(name).0);
    for line in [&mut ann, &mut bob] {
        line.say(r#"{"type": "resume", "id": "r", "after": 0}"#);
        line.until("dealt");
    }
    bob.say(bob.decision("d", "fold"));
    let result = ann.until("result").pop().expect("a result");
    assert_eq!(result["delta"], 3, "{result}");
}

/// How a server ends whose disk fails: it says why, and nothing of an orderly end.
fn ends_with_its_disk(server: &mut Server, reason: &str) {
    let (code, last, errors) = server.outcome();
    assert_eq!((code, last.as_str()), (4, ""), "{errors}");
    let told = format!("the store failed: {reason}\n");
    assert!(errors.contains(&told), "{told} in {errors}");
    assert!(errors.contains("nothing unsaved was confirmed"), "{errors}");
}

#[test]
fn a_disk_that_is_full_ends_the_table_and_nothing_answered_is_lost() {
    let place = Place::new();
    let options = ["serve", "--listen", "127.0.0.1:0"];
    let store = ["--store", "sqlite:disk/table.db"];
    let options = [&options[..], &CROWD, &store].concat();
    let Some(mut command) = on_small_disk(&place, &options) else {
        return;
    };
    let mut server = Server::run(&mut command);
    let told = until_nobody_is_answered(&server, || ());
    ends_with_its_disk(&mut server, "no space left on the device");
    has_all(&place, "sqlite:kept/table.db", &told);
}

#[test]
fn a_disk_that_can_only_be_read_ends_the_table_and_nothing_answered_is_lost() {
    const EROFS: u32 = 30;
    let spied = Spied::new();
    let options = ["serve", "--listen", "127.0.0.1:0"];
    let mut server = Server::run(&mut spied.command(&[&options[..], &CROWD].concat()));
    let told = until_nobody_is_answered(&server, || spied.fail_with(EROFS));
    assert_eq!(told.players.len(), 5, "nobody is answered from then on");
    ends_with_its_disk(&mut server, "the file system is read-only");
    has_all(&spied.place, "sqlite:table.db", &told);
}

// By itself the signal that comes with it would end the program without a word.
#[test]
fn a_file_that_may_not_grow_ends_the_table_and_nothing_answered_is_lost() {
    let place = Place::new();
    let mut server = Server::start(&place, &CROWD);
    let log = place.path("table.db-wal");
    let told = until_nobody_is_answered(&server, || {
        let most = fs::metadata(&log).expect("a log").len();
        let pid = server.pid().to_string();
        let limit = ["--pid", &pid, &format!("--fsize={most}")];
        Run::of(Command::new("prlimit").args(limit)).ends_with(0);
    });
    assert_eq!(told.players.len(), 5, "nobody is answered from then on");
    ends_with_its_disk(&mut server, "Error code 778: disk I/O error");
    has_all(&place, "sqlite:table.db", &told);
}
