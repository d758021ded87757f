//! The table's log: its contents, and the players' knowledge of it.

use super::raw_client::RawClient;
use super::server::journal_path;
use super::{Server, client_requests};
use crate::support::Sandbox;
use ed25519_dalek::VerifyingKey;
use rusqlite::Connection;
use serde_json::Value;
use std::time::{Duration, Instant};
use war::replay::verify;
use war::support::hex::Hex;
use war_table::log::{
    DAY_LEAF, GameEnd, GameStart, TableId, Tile, TileLevel, hash_leaf, is_start_signature,
};

/// Field of a message, parsed from hexadecimal digits.
fn digits<const N: usize>(field: &Value) -> Hex<N> {
    let digits = field.as_str().expect("a text");
    digits.parse().expect("digits")
}

/// Leaf of a game's start, built by one of its players from messages.
fn start(started: &Value, player: &Value) -> GameStart {
    let opponent = &started["opponent"]["player"];
    let players = match started["seat"].as_u64() {
        Some(1) => [player, opponent],
        _ => [opponent, player],
    };
    GameStart {
        game: started["game_id"].as_u64().expect("a number"),
        rules: format!("{}/2", started["game"].as_str().expect("a game")),
        players: players.map(|player| player.as_u64().expect("a number")),
        commitment: digits(&started["commitment"]),
        seed_hashes: [0, 1].map(|seat| digits(&started["seed_hashes"][seat])),
        time_ms: started["time_ms"].as_u64().expect("a time"),
    }
}

/// Leaf of a game's end.
fn end(result: &Value) -> GameEnd {
    GameEnd {
        game: result["game_id"].as_u64().expect("a number"),
        digest: digits(&result["digest"]),
        time_ms: result["time_ms"].as_u64().expect("a time"),
    }
}

/// Two players.
pub(super) fn players(server: &Server) -> [RawClient; 2] {
    ["Ann", "Bob"].map(|name| server.player(name).0)
}

/// Plays a game of two players. Returns the first player's start and result.
pub(crate) fn play(players: &mut [RawClient; 2], id: &str) -> (Value, Value) {
    for client in players.iter_mut() {
        client.send(client_requests::choose(id, "single-card-game"));
    }
    let started = players.each_mut().map(|client| {
        let started = client.receive_until("started").pop().expect("a game");
        client.send(client_requests::open(&format!("{id}-seed"), &started, id));
        started
    });
    for client in players.iter_mut() {
        let dealt = client.receive_until("dealt").pop().expect("cards");
        client.send(client_requests::decide(
            &format!("{id}-fold"),
            &dealt,
            "fold",
        ));
    }
    let results = players
        .each_mut()
        .map(|client| client.receive_until("result").pop());
    let ([started, _], [result, _]) = (started, results);
    (started, result.expect("a result"))
}

/// Leaves in the store, in order: number, hash and text.
pub(crate) fn leaves(sandbox: &Sandbox) -> Vec<(u64, [u8; 32], String)> {
    let store = Connection::open(sandbox.path("table.db")).expect("a store");
    let sql = "SELECT number, hash, body FROM leaf ORDER BY number";
    let mut statement = store.prepare(sql).expect("a table");
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)));
    let rows = rows.expect("rows").collect::<Result<_, _>>();
    rows.expect("leaves")
}

#[test]
fn a_player_can_build_both_leaves_of_a_game_from_messages() {
    let sandbox = Sandbox::new();
    let mut server = Server::start(&sandbox, &["--bots", "0"]);
    let (ann, welcome) = server.player("Ann");
    let mut players = [ann, server.player("Bob").0];
    let table: TableId = digits(&welcome["table"]);
    let key: Hex<32> = digits(&welcome["key"]);
    let key = VerifyingKey::from_bytes(key.bytes()).expect("a key");
    let (mut expected, mut places) = (Vec::new(), Vec::new());
    for game in 1..=3 {
        let (started, result) = play(&mut players, &game.to_string());
        assert_eq!(started["table"], welcome["table"]);
        let start = start(&started, &welcome["player"]);
        let signature = started["signature"].as_str().expect("a signature");
        assert!(is_start_signature(&table, &start, signature, &key));
        let other = GameStart {
            game: 7,
            ..start.clone()
        };
        assert!(!is_start_signature(&table, &other, signature, &key));
        places.extend([0, 1].map(|leaf| result["leaves"][leaf].as_u64()));
        expected.push(start.to_string());
        let end = end(&result);
        expected.push(end.to_string());
        let (_, journal) = server.get(&journal_path(&sandbox, game));
        let judged = verify(journal.as_bytes()).expect("memory is read");
        assert_eq!(judged.end().expect("an end").digest, end.digest);
    }
    server.kill();
    let stored = leaves(&sandbox);
    let games = stored
        .iter()
        .filter(|(_, _, text)| !text.starts_with(DAY_LEAF));
    let (numbers, texts): (Vec<_>, Vec<_>) =
        games.map(|(number, _, text)| (Some(*number), text)).unzip();
    assert_eq!(texts, expected.iter().collect::<Vec<_>>());
    assert_eq!(numbers, places);
    for (index, (number, hash, text)) in stored.iter().enumerate() {
        assert_eq!(*number, index as u64);
        assert_eq!(hash, hash_leaf(text.as_bytes()).bytes());
    }
    // Table id and key stay the same after a restart.
    let server = Server::start(&sandbox, &["--bots", "0"]);
    let (_, again) = server.player("Cid");
    for field in ["table", "key"] {
        assert_eq!(again[field], welcome[field]);
    }
}

#[test]
fn a_journal_stays_as_it_was_made_at_the_end_of_the_game() {
    let sandbox = Sandbox::new();
    let mut server = Server::start(&sandbox, &["--bots", "0"]);
    let mut players = players(&server);
    let (_, result) = play(&mut players, "one");
    let (_, journal) = server.get(&journal_path(&sandbox, 1));
    server.kill();
    let engine = env!("CARGO_PKG_VERSION");
    assert!(journal.contains(engine), "{journal}");
    // The game is marked as played by an earlier program, with other screens.
    let store = Connection::open(sandbox.path("table.db")).expect("a store");
    let set = "UPDATE settlement SET engine = 'war 0.0.1', printed = 42";
    store.execute(set, []).expect("a store");
    drop(store);
    let server = Server::start(&sandbox, &["--bots", "0"]);
    let (_, other) = server.get(&journal_path(&sandbox, 1));
    assert!(other.contains("\"engine\":\"war 0.0.1\""), "{other}");
    assert!(other.contains("\"bytes\":42"), "{other}");
    assert_eq!(digits::<16>(&result["digest"]), end(&result).digest);
}

/// Exit code and result of `war log verify` for a table.
pub(crate) fn verified(sandbox: &Sandbox, server: &Server, options: &[&str]) -> (i32, Value) {
    let address = format!("http://{}/log", server.address);
    let arguments = [&["log", "verify", &address, "--result", "json"], options].concat();
    let output = sandbox.command(&arguments).output().expect("a program");
    let result = serde_json::from_slice(&output.stdout).unwrap_or_default();
    (output.status.code().unwrap_or(-1), result)
}

/// The checkpoint with this many leaves besides those of daily duels, which is published within
/// seconds. A table commits to a daily duel when it starts, and at midnight.
pub(crate) fn checkpoint(server: &Server, leaves: usize) -> String {
    let until = Instant::now() + Duration::from_secs(60);
    loop {
        let (_, checkpoint) = server.get("/log/checkpoint");
        let size = size_of(&checkpoint);
        if size >= leaves && size - day_leaves(server, size) == leaves {
            return checkpoint;
        }
        assert!(Instant::now() < until, "{checkpoint}");
        std::thread::sleep(Duration::from_millis(100));
    }
}

/// Number of leaves in the log of a checkpoint.
pub(crate) fn size_of(checkpoint: &str) -> usize {
    let size = checkpoint.lines().nth(1).expect("a size");
    size.parse().expect("a number")
}

/// Number of commitments to daily duels among the first leaves of a log.
fn day_leaves(server: &Server, size: usize) -> usize {
    let bundle = |index| Tile::new(TileLevel::Entries, index, size as u64);
    let texts = (0..).map_while(bundle).map(|bundle| {
        let (_, leaves) = server.get(&format!("/log/{bundle}"));
        leaves.matches(DAY_LEAF).count()
    });
    texts.sum()
}

#[test]
fn the_log_of_a_table_verifies_even_after_crashes() {
    let sandbox = Sandbox::new();
    let mut server = Server::start(&sandbox, &["--bots", "0"]);
    let (code, result) = verified(&sandbox, &server, &[]);
    assert_eq!(
        (code, &result["games"]),
        (0, &serde_json::json!(0)),
        "{result}"
    );
    let mut size = 0;
    for game in 1..=3_usize {
        let mut players = players(&server);
        play(&mut players, &format!("game-{game}"));
        let checkpoint = checkpoint(&server, 2 * game);
        server.kill();
        server = Server::start(&sandbox, &["--bots", "0"]);
        sandbox.write("seen.txt", &checkpoint);
        let (code, result) = verified(&sandbox, &server, &["--with", "seen.txt"]);
        assert_eq!(code, 0, "{result}");
        assert_eq!(result["games"], game, "{result}");
        assert_eq!(result["ended"], game, "{result}");
        size = size_of(&checkpoint);
        assert_eq!(result["with"], size, "{result}");
    }
    let (head, _) = server.get(&format!("/log/tile/0/000.p/{size}"));
    assert!(head.starts_with("HTTP/1.1 200"), "{head}");
    assert!(head.to_lowercase().contains("immutable"), "{head}");
    // Midnight may add a leaf.
    let longer = format!("/log/tile/0/000.p/{}", size + 2);
    for missing in ["/log/tile/0/000", &longer, "/log/tile/9/x"] {
        let (head, _) = server.get(missing);
        assert!(head.starts_with("HTTP/1.1 404"), "{missing}: {head}");
    }
}

#[test]
fn a_changed_or_incomplete_store_is_detected() {
    let sandbox = Sandbox::new();
    let mut server = Server::start(&sandbox, &["--bots", "0"]);
    let mut players = players(&server);
    for game in 1..=2 {
        play(&mut players, &format!("game-{game}"));
    }
    sandbox.write("seen.txt", checkpoint(&server, 4));
    server.kill();
    // Moves everything from the write-ahead log into the store's main file.
    let store = Connection::open(sandbox.path("table.db")).expect("a store");
    let checkpoint = "PRAGMA wal_checkpoint(TRUNCATE)";
    store
        .query_row(checkpoint, [], |_| Ok(()))
        .expect("a store");
    drop(store);
    let harms = [
        // The text of a leaf is changed, or the stored hash of a leaf.
        (
            "UPDATE leaf SET body = replace(body, 'end', 'End') WHERE number = 2",
            "WL202",
        ),
        (
            "UPDATE leaf SET hash = zeroblob(32) WHERE number = 1",
            "WL202",
        ),
        // The last leaves are missing, as after a restored backup.
        ("DELETE FROM leaf WHERE number > 1", "WL207"),
    ];
    for (harm, code) in harms {
        let whole = std::fs::read(sandbox.path("table.db")).expect("a store");
        let store = Connection::open(sandbox.path("table.db")).expect("a store");
        store.execute(harm, []).expect("a change");
        drop(store);
        let mut server = Server::start(&sandbox, &["--bots", "0"]);
        let (exit, result) = verified(&sandbox, &server, &["--with", "seen.txt"]);
        assert_ne!(exit, 0, "{harm}");
        assert_eq!(result["code"], code, "{harm}: {result}");
        server.kill();
        for beside in ["-wal", "-shm"] {
            let _ = std::fs::remove_file(sandbox.path(&format!("table.db{beside}")));
        }
        std::fs::write(sandbox.path("table.db"), whole).expect("a store");
    }
}

#[test]
fn a_journal_is_signed_with_the_table_s_key() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &["--bots", "0"]);
    let mut players = players(&server);
    play(&mut players, "one");
    for (path, file) in [
        (journal_path(&sandbox, 1), "game.json"),
        (
            format!("{}.minisig", journal_path(&sandbox, 1)),
            "game.json.minisig",
        ),
        ("/log/key".to_owned(), "table.pub"),
    ] {
        let (head, body) = server.get(&path);
        assert!(head.starts_with("HTTP/1.1 200"), "{path}: {head}");
        sandbox.write(file, &body);
    }
    let arguments = [
        "journal",
        "verify",
        "game.json",
        "--public-key",
        "table.pub",
    ];
    sandbox.war(&arguments).exits_with(0);
    let (head, _) = server.get(&format!("{}.minisig", journal_path(&sandbox, 2)));
    assert!(head.starts_with("HTTP/1.1 404"), "{head}");
}
