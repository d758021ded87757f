//! The daily duel, as every node serves it.

use super::Database;
use super::moves::until;
use super::nodes::Nodes;
use crate::table::daily::{commitment, day};
use serde_json::Value;
use war::support::hex::Hex;
use war_table::log::hash_leaf;

#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn every_node_serves_the_same_duels() {
    let nodes = Nodes::start(Database::new(), 2);
    let sql = nodes.database.sql();
    until(|| sql.number("SELECT count(*) FROM war.leaf WHERE number = 0") == 1);
    let secret = sql.rows("SELECT secret FROM war.about")[0].get::<_, Vec<u8>>(0);
    let secret = secret.try_into().expect("32 bytes");
    // As if the table had been open for three days, and closed on one of them.
    let rated = day(-1).start().as_millis() / 86_400_000;
    sql.run(&format!("UPDATE war.about SET rated = {rated}"));
    for (number, ahead) in [(1, -2), (2, 0)] {
        let body = commitment(secret, day(ahead), day(ahead - 1).start().as_millis(), None);
        let hash = Hex::new(*hash_leaf(body.to_string().as_bytes()).bytes());
        sql.run(&format!(
            "INSERT INTO war.leaf (room, seq, part, game, hash, body, number)
             VALUES (-1, {number}, 0, 0, '\\x{hash}', '{body}', {number})"
        ));
    }
    let duel = |node: usize, path: &str| -> Value {
        let (head, body) = nodes.all[node].server.get(path);
        assert!(head.starts_with("HTTP/1.1 200"), "{path}: {head}");
        serde_json::from_str(&body).expect("JSON")
    };
    let today = duel(0, "/daily.json");
    assert_eq!((&today["leaf"], today.get("seed")), (&2.into(), None));
    assert_eq!(duel(1, "/daily.json"), today);
    let earlier = format!("/daily/{}.json", day(-2));
    let over = duel(0, &earlier);
    assert_eq!(over["leaf"], 1);
    assert!(over["seed"].is_string(), "{over}");
    assert_eq!(duel(1, &earlier), over);
}
