//! Invariants of a table in a database after any faults of its nodes.

use super::cluster::Sql;
use super::nodes::Nodes;
use crate::table::game_log;
use serde_json::Value;

/// Queries on a database, each with its name, whose counts have to be zero. An owner's heartbeat
/// uses up the number of a batch without adding a row, so a gap in the batches doesn't show that a
/// batch is missing. A gap in a player's messages shows that a message is missing.
const ZERO_COUNTS: [(&str, &str); 8] = [
    (
        "somebody was folded, or lost for a seed that was not opened in time",
        "SELECT count(*) FROM war.outbox \
         WHERE body LIKE '%\"timed_out\":true%' OR body LIKE '%\"forfeited\"%'",
    ),
    (
        "the ledger and a balance differ",
        "SELECT count(*) FROM war.player WHERE balance <> (SELECT \
         coalesce(sum(CASE WHEN credit = player.id THEN tokens ELSE -tokens END), 0) \
         FROM war.ledger WHERE player.id IN (credit, debit))",
    ),
    (
        "a message is missing, or one too many",
        "SELECT count(*) FROM war.player LEFT JOIN (SELECT player, count(*) AS sent, \
         min(seq) AS first, max(seq) AS last FROM war.outbox GROUP BY player) AS told \
         ON told.player = player.id WHERE player.seq <> coalesce(sent, 0) \
         OR player.seq <> coalesce(last, 0) OR first <> 1",
    ),
    (
        "an epoch goes back",
        "SELECT count(*) FROM (SELECT epoch - lag(epoch) OVER (PARTITION BY room ORDER BY seq) \
         AS step FROM war.batch) AS steps WHERE step < 0",
    ),
    (
        "something is not of a batch",
        "SELECT count(*) FROM (SELECT room, seq FROM war.event UNION SELECT room, seq \
         FROM war.ledger UNION SELECT room, seq FROM war.leaf EXCEPT SELECT room, seq \
         FROM war.batch) AS stray",
    ),
    (
        "a batch is of no epoch that there was",
        "SELECT count(*) FROM war.batch JOIN war.room ON id = room \
         WHERE batch.epoch > room.epoch OR seq >= next_seq",
    ),
    ("a game has not ended", "SELECT count(*) FROM war.seat"),
    ("somebody waits", "SELECT count(*) FROM war.waiting"),
];

/// Checks all invariants of a store.
#[track_caller]
pub(super) fn hold_in(sql: &Sql) {
    for (what, count) in ZERO_COUNTS {
        assert_eq!(sql.number(count), 0, "{what}: {count}");
    }
}

/// Checks a store against the messages that players received.
#[track_caller]
pub(super) fn hold_for(sql: &Sql, players: &[Value]) {
    for player in players {
        let own = |field: &str| player[field].as_i64().expect("a number");
        let row = sql.rows(&format!(
            "SELECT balance, seq, name FROM war.player WHERE id = {}",
            own("player")
        ));
        assert_eq!(row[0].get::<_, i64>(0), own("balance"), "{player}");
        assert_eq!(row[0].get::<_, i64>(1), own("seq"), "{player}");
        let name: String = row[0].get(2);
        assert_eq!(player["name"], name);
        let namesakes = format!("SELECT count(*) FROM war.player WHERE name = '{name}'");
        assert_eq!(sql.number(&namesakes), 1, "{player} came twice");
    }
    let sides = players
        .iter()
        .filter_map(|player| player["games"].as_array());
    let sides: usize = sides.map(Vec::len).sum();
    let settled = sql.number("SELECT count(*) FROM war.settlement");
    assert_eq!(settled * 2, i64::try_from(sides).expect("few"), "games");
}

/// Checks the log and the journals of the last games with the program's own
/// commands.
#[track_caller]
pub(super) fn hold_for_all(nodes: &Nodes, journals: i64) {
    let node = &nodes.all[0];
    let sql = nodes.database.sql();
    let games = sql.number("SELECT count(*) FROM war.settlement");
    game_log::checkpoint(&node.server, usize::try_from(2 * games).expect("some"));
    let (code, result) = game_log::verified(&node.sandbox, &node.server, &[]);
    let ended = [&result["games"], &result["ended"]].map(Value::as_i64);
    assert_eq!((code, ended), (0, [Some(games); 2]), "{result}");
    let games = sql.rows(&format!(
        "SELECT game FROM war.settlement ORDER BY game DESC LIMIT {journals}"
    ));
    for game in games {
        let game: i64 = game.get(0);
        let (_, journal) = node.server.get(&nodes.database.journal_path(game));
        node.sandbox.write("game.json", journal);
        let replayed = node.sandbox.war(&["replay", "game.json"]);
        assert_eq!(replayed.code, 0, "game {game}: {}", replayed.stderr);
        assert!(replayed.stderr.contains("VERIFIED"), "{}", replayed.stderr);
    }
}
