//! Games that are over, as every node shows them, and as those are kept that older nodes settled.

use super::Database;
use super::nodes::Nodes;
use crate::table::Line;
use crate::table::leaving::{comes, is_closed, leaves};
use crate::table::looking_back::{figures, games, meet, settle};
use crate::table::rated::{ladder, stands, won_by_folds};
use crate::table::said;
use crate::table::watched::{begin, open, sits, watch};
use serde_json::Value;
use war_table_cluster::PostgresTable;

/// Ann and Bob at different nodes, who have played both kinds of games by turns: each kind is
/// played in a room of its own.
fn evening() -> (Nodes, [Line; 2]) {
    let nodes = Nodes::start(Database::new(), 2);
    let line = |(node, name): (usize, &str)| {
        let line = Line::open(&nodes.all[node].server.address, "/ws", &[]);
        let mut line = line.expect("a connection");
        line.say(said::hello(name));
        assert_eq!(line.hear()["type"], "welcome");
        line
    };
    let mut lines = [(0, "Ann"), (1, "Bob")].map(line);
    for (name, game, decisions) in [
        ("a", "single-card-game", ["fold", "fold"]),
        ("b", "double-card-game", ["play", "fold"]),
        ("c", "single-card-game", ["fold", "play"]),
        ("d", "double-card-game", ["play", "play"]),
    ] {
        meet(&mut lines, name, game);
        settle(&mut lines, name, decisions);
    }
    (nodes, lines)
}

#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn games_of_all_rooms_are_looked_back_on_in_order() {
    let (_nodes, mut lines) = evening();
    for line in &mut lines {
        let all = games(line, None, 100);
        let mut balance = 1_000;
        let kinds: Vec<_> = all.iter().rev().map(|game| game["game"].clone()).collect();
        let (one, two) = ("single-card-game", "double-card-game");
        assert_eq!(kinds, [one, two, one, two]);
        for game in all.iter().rev() {
            balance += game["delta"].as_i64().expect("a number");
            assert_eq!(game["balance"], balance, "{game}");
        }
        let page = games(line, all[1]["game_id"].as_u64(), 1);
        assert_eq!(page, all[2..3]);
        let total = &figures(line)["total"];
        assert_eq!(
            (&total["games"], &total["tokens"]),
            (&4.into(), &(balance - 1_000).into())
        );
    }
}

#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn games_of_all_rooms_are_watched_from_every_node() {
    let nodes = Nodes::start(Database::new(), 2);
    let line = |node: usize, name: &str, watchable: bool| {
        let line = Line::open(&nodes.all[node].server.address, "/ws", &[]);
        sits(line.expect("a connection"), name, watchable)
    };
    let mut lines = [
        line(0, "Ann", true),
        line(1, "Bob", true),
        line(1, "Cid", true),
        line(0, "Dan", true),
    ];
    let [ann, bob, cid, dan] = &mut lines;
    let (one, _) = begin([ann, bob], "a", "single-card-game");
    let (other, _) = begin([cid, dan], "b", "double-card-game");
    let mut both = vec![one.clone(), other];
    both.sort_by_key(|game| std::cmp::Reverse(game.as_u64()));
    for node in 0..2 {
        let mut zoe = line(node, &format!("Zoe {node}"), false);
        let seen = open(&mut zoe, 2);
        let games: Vec<_> = seen.iter().map(|game| game["game_id"].clone()).collect();
        assert_eq!(games, both, "node {node}");
        assert_eq!(watch(&mut zoe, Some(&one)).len(), 1, "node {node}");
    }
    drop(line(0, "Bob", false));
    let mut zoe = line(1, "Zoe 1", false);
    open(&mut zoe, 1);
    assert_eq!(watch(&mut zoe, Some(&one)), [] as [Value; 0]);
}

#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn who_is_forgotten_is_gone_from_every_node() {
    let (nodes, lines) = evening();
    let line = |node: usize| {
        let line = Line::open(&nodes.all[node].server.address, "/ws", &[]);
        line.expect("a connection")
    };
    let mut second = line(1);
    comes(&mut second, "Ann");
    let [ann, mut bob] = lines;
    leaves(ann);
    is_closed(&mut second);
    assert_ne!(games(&mut bob, None, 1)[0]["opponent"]["name"], "Ann");
    for node in 0..2 {
        let mut line = line(node);
        let welcome = comes(&mut line, "Ann");
        assert_eq!(welcome["balance"], 1000, "{welcome}");
        assert_eq!(games(&mut line, None, 1), [] as [Value; 0]);
        leaves(line);
    }
}

#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn the_owner_of_the_first_room_rates_for_all_nodes() {
    let nodes = Nodes::start(Database::new(), 2);
    let line = |node: usize, name: &str| {
        let line = Line::open(&nodes.all[node].server.address, "/ws", &[]);
        let mut line = line.expect("a connection");
        line.say(said::hello(name));
        assert_eq!(line.hear()["type"], "welcome");
        line
    };
    let mut lines = [line(0, "Ann"), line(1, "Bob")];
    won_by_folds(&mut lines, 24);
    let sql = nodes.database.sql();
    sql.run(
        "CREATE TEMP TABLE days AS SELECT game, 86400000 * (13 - (row_number() OVER (
             ORDER BY min(at)) - 1) / 6) AS back FROM war.finished GROUP BY game;
         UPDATE war.event SET at = at - back FROM days WHERE event.game = days.game;
         UPDATE war.finished SET at = at - back FROM days WHERE finished.game = days.game;",
    );
    let seen = lines.each_mut().map(|line| ladder(line, "ever"));
    for (seen, own) in seen.iter().zip([0, 1]) {
        assert_eq!(seen["own"], seen["top"][own], "{seen}");
        assert_eq!(seen["own"]["games"], 20, "{seen}");
    }
    assert_eq!(seen[0]["top"], seen[1]["top"]);
    assert_eq!(seen[0]["top"][0]["name"], "Ann");
    let verified = crate::support::Place::new();
    let url = nodes.database.url();
    verified
        .war(&["table", "verify", "--store", &url])
        .ends_with(0);
    let ann = seen[0]["own"]["player"].to_string();
    let run = verified.war(&["table", "export", &ann, "--store", &url]);
    stands(&run.ends_with(0).stdout);
    sql.run("UPDATE war.rating SET games = games + 1 WHERE span = 'month'");
    let run = verified.war(&["table", "verify", "--store", &url]);
    run.ends_with(1).tells("in the ladder does not follow");
}

#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn games_that_older_nodes_settled_are_kept_as_if_they_had_kept_them() {
    let (nodes, mut lines) = evening();
    let looks = |lines: &mut [Line; 2]| {
        lines.each_mut().map(|line| {
            let counted = figures(line);
            (
                games(line, None, 100),
                counted["total"].clone(),
                counted["hands"].clone(),
            )
        })
    };
    let before: [(Vec<Value>, Value, Value); 2] = looks(&mut lines);
    let sql = nodes.database.sql();
    let last = sql.number("SELECT max(game) FROM war.finished");
    for lost in [0, last] {
        // As if the games from this one on had been settled by nodes that keep none.
        sql.run(&format!("DELETE FROM war.finished WHERE game >= {lost}"));
        sql.run("DELETE FROM war.figure; UPDATE war.about SET games_kept = false");
        PostgresTable::open(nodes.database.address(), None).expect("a store");
        assert_eq!(sql.number("SELECT games_kept::int FROM war.about"), 1);
        let after = looks(&mut lines);
        for (before, after) in before.iter().zip(&after) {
            assert_eq!(before.0, after.0, "{lost}");
            if lost == 0 {
                assert_eq!((&before.1, &before.2), (&after.1, &after.2));
            } else {
                assert_eq!(after.1["games"], 1, "only what is missing is added");
            }
        }
    }
}
