use super::SqliteStore;
use crate::room::{
    AccessToken, Activity, Meeting, Player, PlayerId, RequestId, RoomEvent, Standing, Timeouts,
};
use crate::server::store::{
    Answer, Claim, KeptAnswer, MessageRange, Reader, Registration, Store, SweepPosition, TokenHash,
    Transaction,
};
use rusqlite::{Connection, StatementStatus};
use std::collections::BTreeSet;
use std::fs;
use war::support::hex::Hex;
use war::tokens::{Kind, Name, TokenEvent};

fn player(name: &str) -> Player {
    Player {
        name: Name::new(name).expect("a name"),
        balance: 1000,
        seq: 0,
        house: false,
        name_is_fixed: false,
        standing: Standing::Welcome,
        watchable: false,
        activity: Activity::Free,
    }
}

/// Keeps an answer to a request that is named as all of them are.
fn keep_answer(transaction: &mut dyn Transaction, player: u64, at: u64) {
    let request = RequestId::new("r").expect("an id");
    let answer = Answer {
        digest: Hex::new([1; 16]),
        messages: MessageRange::new(1, 1),
        refusal: None,
    };
    let kept = transaction.keep_answer(&KeptAnswer {
        player: PlayerId(player),
        request: &request,
        answer,
        at,
    });
    kept.expect("a store");
}

fn is_answered(transaction: &dyn Transaction, player: u64) -> bool {
    let request = RequestId::new("r").expect("an id");
    let answer = transaction.answer(PlayerId(player), &request);
    answer.expect("a store").is_some()
}

#[test]
fn what_is_committed_is_synced() {
    let place = tempfile::tempdir().expect("a directory");
    let store = SqliteStore::open(&place.path().join("table.db")).expect("a store");
    let pragma = |name: &str| -> String {
        let value = store
            .connection
            .pragma_query_value(None, name, |row| row.get(0));
        let value: rusqlite::types::Value = value.expect("a setting");
        format!("{value:?}")
    };
    // As SQLite numbers them: 0 is OFF, 1 NORMAL, 2 FULL.
    assert_eq!(pragma("synchronous"), "Integer(2)");
    assert_eq!(pragma("journal_mode"), "Text(\"wal\")");
    // A negative number is one of kilobytes: 64 megabytes.
    assert_eq!(pragma("cache_size"), format!("Integer(-{})", 64 * 1024));
    // In pages of 4 kilobytes: 64 megabytes too.
    assert_eq!(pragma("page_size"), "Integer(4096)");
    assert_eq!(
        pragma("wal_autocheckpoint"),
        format!("Integer({})", 16 * 1024)
    );
}

#[test]
fn the_events_of_many_games_are_found_by_their_index_with_one_plan() {
    let place = tempfile::tempdir().expect("a directory");
    let store = SqliteStore::open(&place.path().join("table.db")).expect("a store");
    let sql = "SELECT body FROM event WHERE game = ?1 ORDER BY id";
    let explained = format!("EXPLAIN QUERY PLAN {sql}");
    let plan = store
        .connection
        .query_row(&explained, [1], |row| row.get(3));
    let plan: String = plan.expect("a plan");
    assert!(plan.contains("USING INDEX event_of_game"), "{plan}");
    let mut statement = store.connection.prepare(sql).expect("a statement");
    for game in 1..=3 {
        let mut rows = statement.query([game]).expect("a store");
        assert!(rows.next().expect("a store").is_none());
    }
    assert_eq!(statement.get_status(StatementStatus::RePrepare), 0);
}

#[test]
fn access_tokens_are_not_in_the_files() {
    let place = tempfile::tempdir().expect("a directory");
    let bytes: [u8; 32] = std::array::from_fn(|at| 200 - u8::try_from(at).expect("small"));
    let token = AccessToken::new(Hex::new(bytes));
    let store = SqliteStore::open(&place.path().join("table.db")).expect("a store");
    let mut transaction = store.begin().expect("a store").expect("nobody else");
    let (id, ann) = (PlayerId(1), player("Ann"));
    transaction
        .register(&Registration {
            id,
            player: &ann,
            token: TokenHash::of(&token),
        })
        .expect("a new player");
    transaction.commit().expect("a store");
    let mut transaction = store.begin().expect("a store").expect("nobody else");
    let found = transaction.player_with_token(&TokenHash::of(&token));
    assert_eq!(found.expect("a store"), Some(id));
    let claimed = transaction.claim(&BTreeSet::from([id]));
    assert_eq!(claimed.expect("a store"), [(id, Claim::Ours(ann))]);
    let mut read = Vec::new();
    for file in fs::read_dir(place.path()).expect("a directory") {
        read.extend(fs::read(file.expect("a file").path()).expect("its bytes"));
    }
    let holds = |part: &[u8]| read.windows(part.len()).any(|window| window == part);
    assert!(holds(b"Ann"), "the player is in the files");
    assert!(!holds(&bytes));
    assert!(!holds(Hex::new(bytes).to_string().as_bytes()));
}

#[test]
fn old_answers_are_forgotten_but_not_of_players_who_wait_or_play() {
    let place = tempfile::tempdir().expect("a directory");
    let store = SqliteStore::open(&place.path().join("table.db")).expect("a store");
    let mut transaction = store.begin().expect("a store").expect("nobody else");
    for (id, at) in [(1, 99), (2, 100), (3, 99)] {
        keep_answer(&mut *transaction, id, at);
    }
    let waits = RoomEvent::Chose {
        player: PlayerId(3),
        kind: Kind::Single,
        at: 0,
        seed_hash: None,
        with: Meeting::Anyone,
    };
    transaction.record(&waits, 0).expect("a store");
    let next = transaction.forget_answers(100, None).expect("a store");
    assert_eq!(next, None::<SweepPosition>, "all were looked at");
    let left = [1, 2, 3].map(|id| is_answered(&*transaction, id));
    assert_eq!(left, [false, true, true]);
}

#[test]
fn answers_are_looked_at_in_parts_until_one_is_not_old() {
    let place = tempfile::tempdir().expect("a directory");
    let store = SqliteStore::open(&place.path().join("table.db")).expect("a store");
    let mut transaction = store.begin().expect("a store").expect("nobody else");
    for (id, at) in [(1, 98), (2, 99), (3, 100)] {
        keep_answer(&mut *transaction, id, at);
    }
    transaction.commit().expect("a store");
    let sql = "UPDATE request SET number = 20001 * number WHERE player > 1";
    store.connection.execute(sql, []).expect("a store");
    let mut transaction = store.begin().expect("a store").expect("nobody else");
    let next = transaction.forget_answers(99, None).expect("a store");
    assert_eq!(next, None, "the next one is not old");
    assert!(!is_answered(&*transaction, 1));
    let next = transaction.forget_answers(100, None).expect("a store");
    assert_eq!(next, None, "it was looked at");
    assert!(!is_answered(&*transaction, 2));
    keep_answer(&mut *transaction, 4, 0);
    let next = transaction.forget_answers(101, Some(SweepPosition(0)));
    assert_eq!(next.expect("a store"), Some(SweepPosition(20_000)));
    assert!(is_answered(&*transaction, 3));
    let next = transaction.forget_answers(101, Some(SweepPosition(60_000)));
    assert_eq!(next.expect("a store"), None);
    let left = [3, 4].map(|id| is_answered(&*transaction, id));
    assert_eq!(left, [false, false]);
}

#[test]
fn the_ledger_makes_the_balances() {
    let place = tempfile::tempdir().expect("a directory");
    let store = SqliteStore::open(&place.path().join("table.db")).expect("a store");
    let mut transaction = store.begin().expect("a store").expect("nobody else");
    let seats = [1, 2].map(PlayerId);
    for id in seats {
        let joined = RoomEvent::Joined {
            player: id,
            name: None,
            house: false,
        };
        transaction.record(&joined, 0).expect("a store");
    }
    for deltas in [[3, -3], [-20, 20], [-1, -1]] {
        let played = RoomEvent::Played {
            game: 1,
            seats,
            event: TokenEvent::Settled { deltas },
            due: None,
        };
        transaction.record(&played, 0).expect("a store");
    }
    transaction.commit().expect("a store");
    let sql = "SELECT coalesce(sum(iif(credit = ?1, tokens, -tokens)), 0) FROM ledger \
               WHERE ?1 IN (credit, debit)";
    let balance = |account: u64| -> i64 {
        let sum = store.connection.query_row(sql, [account], |row| row.get(0));
        sum.expect("a sum")
    };
    // The bank gave 1000 tokens to each, and got one of each.
    assert_eq!([0, 1, 2].map(balance), [-1998, 982, 1016]);
}

#[test]
fn a_store_that_is_closed_is_one_file_even_while_it_is_read() {
    let place = tempfile::tempdir().expect("a directory");
    let path = place.path().join("table.db");
    let store = SqliteStore::open(&path).expect("a store");
    let reader = store.reader().expect("a reader");
    assert_eq!(reader.messages(PlayerId(1), 0).expect("a store"), []);
    let mut transaction = store.begin().expect("a store").expect("nobody else");
    let renamed = RoomEvent::Renamed {
        player: PlayerId(1),
        name: player("Zoë O'Hara").name,
    };
    transaction.record(&renamed, 0).expect("a store");
    transaction.commit().expect("a store");
    Box::new(store).close().expect("a store");
    let bytes = fs::read(&path).expect("a file");
    assert!(bytes.windows(6).any(|window| window == b"O'Hara"));
}

#[test]
fn only_a_store_that_is_busy_is_waited_for() {
    let place = tempfile::tempdir().expect("a directory");
    let store = SqliteStore::open(&place.path().join("table.db")).expect("a store");
    let begun = store.begin().expect("a store").expect("nobody else");
    assert!(store.begin().is_err(), "it waits for itself");
    drop(begun);
    assert!(matches!(store.begin(), Ok(Some(_))));
}

#[test]
fn a_damaged_store_is_not_filled_with_empty_tables() {
    let place = tempfile::tempdir().expect("a directory");
    let path = place.path().join("table.db");
    let file = Connection::open(&path).expect("a database");
    let sql = "PRAGMA application_id = 0x57617254; CREATE TABLE other (id INTEGER);";
    file.execute_batch(sql).expect("a table");
    drop(file);
    let timeouts = Timeouts {
        decide: 1,
        seeds: 1,
    };
    let store = SqliteStore::open(&path);
    assert!(store.and_then(|store| store.room(timeouts)).is_err());
}
