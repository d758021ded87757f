//! Verification of a whole store.

use super::{Cluster, Database, open};
use std::fmt::Write as _;
use std::fs;
use std::sync::Arc;
use war::support::hex::Hex;
use war_table::log::{GameEnd, GameStart, Leaf, hash_leaf};
use war_table::operator::{CheckPosition, OperatorAnswer, OperatorRequest, StoreFault};
use war_table::server::answer_inspection;
use war_table_cluster::PostgresReader;

/// Number of games, and of players: many more than the parts of a verification.
const GAMES: u64 = 450;

/// Checks the whole store; returns the faults.
fn verify(reader: &PostgresReader) -> Vec<StoreFault> {
    let mut faults = Vec::new();
    let mut next = Some(CheckPosition::FIRST);
    while let Some(from) = next {
        let answer = answer_inspection(reader, &OperatorRequest::Verify(from));
        let answer = answer.expect("a store that works");
        let Some(OperatorAnswer::Checked(checked)) = answer else {
            panic!("{answer:?}");
        };
        faults.extend(checked.faults);
        next = checked.next;
    }
    faults
}

fn leaves(game: u64) -> [Leaf; 2] {
    let start = GameStart {
        game,
        rules: "single-card-game/2".to_owned(),
        players: [1, 2],
        commitment: Hex::new([1; 32]),
        seed_hashes: [Hex::new([2; 32]); 2],
        time_ms: 1,
    };
    let end = GameEnd {
        game,
        digest: Hex::new([7; 16]),
        time_ms: 2,
    };
    [Leaf::Start(start), Leaf::End(end)]
}

// Each statement waits for the database once more, so a statement for each game or player would make
// the verification of a large store slow.
#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn a_store_is_verified_with_a_few_statements() {
    let cluster = Arc::new(Cluster::start("-c log_statement=all"));
    let database = Database::of(Arc::clone(&cluster));
    drop(open(&database));
    let sql = database.sql();
    sql.run(&format!(
        "INSERT INTO war.player (id, token, name, balance, seq, house)
             SELECT id, sha256(id::text::bytea), 'Ann', 0, 0, false FROM generate_series(1, {GAMES}) AS id;
         INSERT INTO war.batch SELECT 0, game, 1, 1 FROM generate_series(1, {GAMES}) AS game;
         INSERT INTO war.event SELECT 0, game, 0, 1, game,
                 CASE WHEN game % 2 = 0 THEN 'no' ELSE '{{\"withdrew\":{{\"player\":1}}}}' END
             FROM generate_series(1, {GAMES}) AS game;
         INSERT INTO war.settlement SELECT game, 'war', 'en', 1, 1, decode(repeat('07', 32), 'hex'),
                 decode(repeat('07', 16), 'hex') FROM generate_series(1, {GAMES}) AS game;"
    ));
    let mut inserts = String::new();
    for (number, leaf) in (0..).zip((1..=GAMES).flat_map(leaves)) {
        let body = leaf.to_string();
        let hash = Hex::new(*hash_leaf(body.as_bytes()).bytes());
        let row = format!("0, {number}, 0, 1, decode('{hash}', 'hex'), '{body}', {number}");
        write!(inserts, "INSERT INTO war.leaf VALUES ({row});").expect("a string");
    }
    sql.run(&inserts);
    let reader = PostgresReader::open(database.address()).expect("a store");
    let log = || fs::read_to_string(cluster.path("log")).expect("a log");
    let before = log().len();
    let faults = verify(&reader);
    let statements = log()[before..].matches("LOG:  ").count();
    assert!(statements < 100, "{statements} statements");
    // Each game has an event that is not its start, and no journal; the end of each is logged.
    let is_fault = |fault: StoreFault| faults.contains(&fault);
    for game in 1..=GAMES {
        assert!(is_fault(StoreFault::Journal(game)), "{game}");
        assert!(is_fault(StoreFault::Leaf(2 * game - 2)), "{game}");
        assert!(!is_fault(StoreFault::Leaf(2 * game - 1)), "{game}");
    }
}
