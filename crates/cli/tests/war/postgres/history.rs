//! Past games, as every node shows them, and as older nodes left them.

use super::Database;
use super::nodes::Nodes;
use crate::table::RawClient;
use crate::table::client_requests;
use crate::table::history::{figures, games, meet, settle};
use crate::table::ladder::{check_standings, ladder, play_games_won_by_folds};
use crate::table::leaving::{assert_closed, join, leave};
use crate::table::spectators::{begin, open, sit_down, watch};
use serde_json::{Value, json};
use war_table_cluster::PostgresTable;

/// Ann and Bob at different nodes, after playing both kinds of games in turn. Each kind is played
/// in its own room.
fn played_games() -> (Nodes, [RawClient; 2]) {
    let nodes = Nodes::start(Database::new(), 2);
    let client = |(node, name): (usize, &str)| {
        let client = RawClient::open(&nodes.all[node].server.address, "/ws", &[]);
        let mut client = client.expect("a connection");
        client.send(client_requests::hello(name));
        assert_eq!(client.receive()["type"], "welcome");
        client
    };
    let mut clients = [(0, "Ann"), (1, "Bob")].map(client);
    for (name, game, decisions) in [
        ("a", "single-card-game", ["fold", "fold"]),
        ("b", "double-card-game", ["play", "fold"]),
        ("c", "single-card-game", ["fold", "play"]),
        ("d", "double-card-game", ["play", "play"]),
    ] {
        meet(&mut clients, name, game);
        settle(&mut clients, name, decisions);
    }
    (nodes, clients)
}

#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn past_games_of_all_rooms_are_listed_in_order() {
    let (_nodes, mut clients) = played_games();
    for client in &mut clients {
        let all = games(client, None, 100);
        let mut balance = 1_000;
        let kinds: Vec<_> = all.iter().rev().map(|game| game["game"].clone()).collect();
        let (one, two) = ("single-card-game", "double-card-game");
        assert_eq!(kinds, [one, two, one, two]);
        for game in all.iter().rev() {
            balance += game["delta"].as_i64().expect("a number");
            assert_eq!(game["balance"], balance, "{game}");
        }
        let page = games(client, all[1]["game_id"].as_u64(), 1);
        assert_eq!(page, all[2..3]);
        let total = &figures(client)["total"];
        assert_eq!(
            (&total["games"], &total["tokens"]),
            (&4.into(), &(balance - 1_000).into())
        );
    }
}

#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn games_of_all_rooms_can_be_watched_from_every_node() {
    let nodes = Nodes::start(Database::new(), 2);
    let client = |node: usize, name: &str, watchable: bool| {
        let client = RawClient::open(&nodes.all[node].server.address, "/ws", &[]);
        sit_down(client.expect("a connection"), name, watchable)
    };
    let mut clients = [
        client(0, "Ann", true),
        client(1, "Bob", true),
        client(1, "Cid", true),
        client(0, "Dan", true),
    ];
    let [ann, bob, cid, dan] = &mut clients;
    let (one, _) = begin([ann, bob], "a", "single-card-game");
    let (other, _) = begin([cid, dan], "b", "double-card-game");
    let mut both = vec![one.clone(), other];
    both.sort_by_key(|game| std::cmp::Reverse(game.as_u64()));
    for node in 0..2 {
        let mut zoe = client(node, &format!("Zoe {node}"), false);
        let seen = open(&mut zoe, 2);
        let games: Vec<_> = seen.iter().map(|game| game["game_id"].clone()).collect();
        assert_eq!(games, both, "node {node}");
        assert_eq!(watch(&mut zoe, Some(&one)).len(), 1, "node {node}");
    }
    drop(client(0, "Bob", false));
    let mut zoe = client(1, "Zoe 1", false);
    open(&mut zoe, 1);
    assert_eq!(watch(&mut zoe, Some(&one)), [] as [Value; 0]);
}

#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn a_forgotten_player_is_gone_from_every_node() {
    let (nodes, clients) = played_games();
    let client = |node: usize| {
        let client = RawClient::open(&nodes.all[node].server.address, "/ws", &[]);
        client.expect("a connection")
    };
    let mut second = client(1);
    join(&mut second, "Ann");
    let [ann, mut bob] = clients;
    leave(ann);
    assert_closed(&mut second);
    assert_ne!(games(&mut bob, None, 1)[0]["opponent"]["name"], "Ann");
    for node in 0..2 {
        let mut client = client(node);
        client.send(client_requests::hello("Ann"));
        let refused = client.receive();
        assert_eq!(refused["code"], "banned", "{refused}");
    }
}

#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn settings_hold_on_every_node() {
    let nodes = Nodes::start(Database::new(), 2);
    let client = |node: usize| {
        let client = RawClient::open(&nodes.all[node].server.address, "/ws", &[]);
        let mut client = client.expect("a connection");
        let mut hello = client_requests::hello("Ann");
        hello["protocol"] = json!(4);
        client.send(hello);
        let welcome = client.receive();
        (client, welcome)
    };
    let (mut ann, _) = client(0);
    for (node, name) in [(1, "Zoe"), (0, "Eva")] {
        ann.send(json!({"type": "settings", "id": name, "name": name, "watchable": true}));
        let settings = ann.receive();
        assert_eq!(
            (&settings["type"], &settings["name"]),
            (&json!("settings"), &json!(name))
        );
        let (other, welcome) = client(node);
        assert_eq!(
            (&welcome["name"], &welcome["watchable"]),
            (&json!(name), &json!(true))
        );
        ann = other;
    }
}

#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn the_owner_of_the_first_room_rates_for_all_nodes() {
    let nodes = Nodes::start(Database::new(), 2);
    let client = |node: usize, name: &str| {
        let client = RawClient::open(&nodes.all[node].server.address, "/ws", &[]);
        let mut client = client.expect("a connection");
        client.send(client_requests::hello(name));
        assert_eq!(client.receive()["type"], "welcome");
        client
    };
    let mut clients = [client(0, "Ann"), client(1, "Bob")];
    play_games_won_by_folds(&mut clients, 24);
    let sql = nodes.database.sql();
    sql.run(
        "CREATE TEMP TABLE days AS SELECT game, 86400000 * (13 - (row_number() OVER (
             ORDER BY min(at)) - 1) / 6) AS back FROM war.finished GROUP BY game;
         UPDATE war.event SET at = at - back FROM days WHERE event.game = days.game;
         UPDATE war.finished SET at = at - back FROM days WHERE finished.game = days.game;",
    );
    let seen = clients.each_mut().map(|client| ladder(client, "ever"));
    for (seen, own) in seen.iter().zip([0, 1]) {
        assert_eq!(seen["own"], seen["top"][own], "{seen}");
        assert_eq!(seen["own"]["games"], 20, "{seen}");
    }
    assert_eq!(seen[0]["top"], seen[1]["top"]);
    assert_eq!(seen[0]["top"][0]["name"], "Ann");
    let verified = crate::support::Sandbox::new();
    let url = nodes.database.url();
    verified
        .war(&["table", "verify", "--store", &url])
        .exits_with(0);
    let ann = seen[0]["own"]["player"].to_string();
    let run = verified.war(&["table", "export", &ann, "--store", &url]);
    check_standings(&run.exits_with(0).stdout);
    sql.run("UPDATE war.rating SET games = games + 1 WHERE span = 'month'");
    let run = verified.war(&["table", "verify", "--store", &url]);
    run.exits_with(1).reports("in the ladder does not follow");
}

#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn games_settled_by_older_nodes_are_kept_like_any_other() {
    let (nodes, mut clients) = played_games();
    let looks = |clients: &mut [RawClient; 2]| {
        clients.each_mut().map(|client| {
            let counted = figures(client);
            (
                games(client, None, 100),
                counted["total"].clone(),
                counted["hands"].clone(),
            )
        })
    };
    let before: [(Vec<Value>, Value, Value); 2] = looks(&mut clients);
    let sql = nodes.database.sql();
    let last = sql.number("SELECT max(game) FROM war.finished");
    for lost in [0, last] {
        // The store is as if nodes that don't keep past games had settled the games from `lost` on.
        sql.run(&format!("DELETE FROM war.finished WHERE game >= {lost}"));
        sql.run("DELETE FROM war.figure; UPDATE war.about SET games_kept = false");
        PostgresTable::open(nodes.database.address(), None).expect("a store");
        assert_eq!(sql.number("SELECT games_kept::int FROM war.about"), 1);
        let after = looks(&mut clients);
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
