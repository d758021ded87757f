//! Games that are stored after their day was rated, because the clock of a node was set back or is
//! slow: each of them invalidates the ladder.

use crate::postgres::{self, begin, join};
use std::time::Duration;
use war::tokens::Kind;
use war_table::ladder::{LadderUpdate, Standing, start_of_day};
use war_table::protocol::{FinalAction, LadderPeriod, PlayerId};
use war_table::room::PlayerGameRecord;
use war_table::server::store::{SqliteStore, Store, StoreReader};

/// Stores a game of two players that ended on this day.
fn play(store: &dyn Store, game: u64, day: u64) {
    let kept = |player, opponent, tokens| PlayerGameRecord {
        player: PlayerId(player),
        game,
        at: start_of_day(day).saturating_add(Duration::from_millis(game)),
        kind: Kind::Single,
        opponent: PlayerId(opponent),
        yours: FinalAction::Fold,
        theirs: FinalAction::Play,
        cards: None,
        their_cards: None,
        tokens,
        balance: 1_000,
        is_public: true,
    };
    let mut transaction = begin(store);
    for game in [kept(1, 2, -3), kept(2, 1, 3)] {
        transaction.save_game(&game).expect("a game");
    }
    transaction.commit().expect("a store that works");
}

/// Stores a ladder with a standing for each of these players.
fn rate(store: &dyn Store, previous_day: Option<u64>, day: u64, players: &[u64]) {
    let standing = Standing {
        rating: 1_500_000_000_000,
        deviation: 350_000_000_000,
        volatility: 60_000_000,
        games: 1,
        day,
    };
    let players = players.iter();
    let standings = players.map(|id| (LadderPeriod::Ever, PlayerId(*id), standing));
    let rated = LadderUpdate {
        previous_day,
        day,
        standings: standings.collect(),
    };
    let mut transaction = begin(store);
    transaction.save_ladder(&rated).expect("a ladder");
    transaction.commit().expect("a store that works");
}

/// Checks that a game of a rated day invalidates the ladder, and that outdated ladders are not
/// saved.
fn check(store: &dyn Store, reader: &dyn StoreReader) {
    let has = || {
        let standings = reader
            .standings(LadderPeriod::Ever)
            .expect("a store that works");
        let players = standings.iter();
        let players = players.map(|(id, standing)| (id.0, standing.day));
        let day = reader.rated_day().expect("a store that works");
        (day, players.collect::<Vec<_>>())
    };
    join(store, &[1, 2], true);
    play(store, 1, 100);
    rate(store, None, 100, &[1, 2]);
    assert_eq!(has(), (Some(100), vec![(1, 100), (2, 100)]));
    play(store, 2, 101);
    // Not saved: this ladder was computed before day 100 was rated.
    rate(store, None, 101, &[1]);
    assert_eq!(has(), (Some(100), vec![(1, 100), (2, 100)]));
    rate(store, Some(100), 101, &[1]);
    assert_eq!(has(), (Some(101), vec![(1, 101), (2, 100)]));
    play(store, 3, 100);
    assert_eq!(has().0, None, "its day was rated without it");
    rate(store, Some(101), 102, &[1]);
    assert_eq!(has(), (None, vec![(1, 101), (2, 100)]));
    rate(store, None, 101, &[2]);
    assert_eq!(has(), (Some(101), vec![(2, 101)]));
}

#[test]
fn a_file_discards_a_ladder_when_a_game_of_its_days_arrives_late() {
    let place = tempfile::tempdir().expect("a directory");
    let store = SqliteStore::open(&place.path().join("table.db")).expect("a store");
    let reader = store.open_reader().expect("a store");
    check(&store, &reader);
}

#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn a_database_discards_a_ladder_when_a_game_of_its_days_arrives_late() {
    let database = postgres::Database::new();
    let table = postgres::open_one(&database);
    check(&*postgres::take(&table, 0, "a"), &table.create_reader());
}
