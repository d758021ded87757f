//! Schema of the database, and its migrations.

/// Tables of the log, and of the settlements of its games' journals.
macro_rules! log {
    () => {
        "
CREATE TABLE leaf (
    number INTEGER PRIMARY KEY, hash BLOB NOT NULL, game INTEGER NOT NULL, body TEXT NOT NULL
) STRICT;
CREATE INDEX leaf_of_game ON leaf (game);
CREATE TABLE settlement (
    game INTEGER PRIMARY KEY, engine TEXT NOT NULL, lang TEXT NOT NULL,
    renderer INTEGER NOT NULL, printed INTEGER NOT NULL, blake3 BLOB NOT NULL,
    digest BLOB NOT NULL
) STRICT;
"
    };
}

/// Table of messages in the order of writing, not by player: a batch writes to many players, and in
/// this order it changes few pages.
macro_rules! outbox {
    () => {
        "
CREATE TABLE outbox (
    number INTEGER PRIMARY KEY, player INTEGER NOT NULL, seq INTEGER NOT NULL, body TEXT NOT NULL,
    UNIQUE (player, seq)
) STRICT;
"
    };
}

/// Columns for operators' decisions about players, the number of each player's first stored
/// message, and the time since which messages are stored with a time. Messages stored by earlier
/// versions have no time, and count as sent when the store got this version of the schema.
macro_rules! player_status {
    () => {
        "
ALTER TABLE player ADD COLUMN name_is_fixed INTEGER NOT NULL DEFAULT 0;
ALTER TABLE player ADD COLUMN standing TEXT NOT NULL DEFAULT 'welcome';
ALTER TABLE player ADD COLUMN first_seq INTEGER NOT NULL DEFAULT 1;
ALTER TABLE outbox ADD COLUMN at INTEGER;
ALTER TABLE about ADD COLUMN dated INTEGER NOT NULL DEFAULT 0;
UPDATE about SET dated = unixepoch() * 1000;
"
    };
}

/// Columns for the opponent that a waiting player wants, and for players who allow others to watch.
macro_rules! opponents {
    () => {
        "
ALTER TABLE waiting ADD COLUMN meeting TEXT;
ALTER TABLE player ADD COLUMN watchable INTEGER NOT NULL DEFAULT 0;
"
    };
}

/// Tables of finished games for each of their players except the house, of statistics by the ranks
/// of a player's cards, and of the ladder, with the last rated day.
macro_rules! finished {
    () => {
        "
CREATE TABLE finished (
    player INTEGER NOT NULL, at INTEGER NOT NULL, game INTEGER NOT NULL, kind TEXT NOT NULL,
    opponent INTEGER NOT NULL, yours TEXT NOT NULL, theirs TEXT NOT NULL, cards TEXT,
    their_cards TEXT, tokens INTEGER NOT NULL, balance INTEGER NOT NULL, public INTEGER NOT NULL,
    PRIMARY KEY (player, at, game)
) STRICT, WITHOUT ROWID;
CREATE INDEX finished_by_time ON finished (at);
CREATE TABLE figure (
    player INTEGER NOT NULL, kind TEXT NOT NULL, hand TEXT NOT NULL, games INTEGER NOT NULL,
    won INTEGER NOT NULL, folded INTEGER NOT NULL, tokens INTEGER NOT NULL,
    PRIMARY KEY (player, kind, hand)
) STRICT, WITHOUT ROWID;
CREATE TABLE rating (
    span TEXT NOT NULL, player INTEGER NOT NULL, rating INTEGER NOT NULL,
    deviation INTEGER NOT NULL, volatility INTEGER NOT NULL, games INTEGER NOT NULL,
    day INTEGER NOT NULL, PRIMARY KEY (span, player)
) STRICT, WITHOUT ROWID;
CREATE INDEX rating_by_rank ON rating (span, rating DESC, player) WHERE games >= 20;
ALTER TABLE about ADD COLUMN rated INTEGER;
"
    };
}

/// Column for the request that a message answers, and the secret of the store.
macro_rules! replies {
    () => {
        "
ALTER TABLE outbox ADD COLUMN in_reply_to TEXT;
ALTER TABLE about ADD COLUMN secret BLOB;
UPDATE about SET secret = randomblob(32);
"
    };
}

/// Table of friend links.
macro_rules! links {
    () => {
        "
CREATE TABLE friend_link (
    number INTEGER PRIMARY KEY, player INTEGER NOT NULL, id BLOB NOT NULL UNIQUE,
    kind TEXT NOT NULL, secret_hash BLOB NOT NULL
) STRICT;
CREATE INDEX friend_link_of_player ON friend_link (player);
"
    };
}

/// Version of the schema. A file with a newer version is refused.
pub(super) const SCHEMA_VERSION: u32 = 8;
/// First version with the finished games of each player.
pub(super) const FIRST_VERSION_WITH_GAMES: u32 = 6;
/// Application ID of `SQLite` for card tables: the letters W, a, r and T.
pub(super) const APPLICATION_ID: u32 = 0x5761_7254;

pub(super) const CREATE_TABLES: &str = concat!(
    "
CREATE TABLE player (
    id INTEGER PRIMARY KEY, token BLOB NOT NULL UNIQUE, name TEXT NOT NULL,
    balance INTEGER NOT NULL, seq INTEGER NOT NULL, house INTEGER NOT NULL
) STRICT;
CREATE TABLE event (
    id INTEGER PRIMARY KEY, at INTEGER NOT NULL, game INTEGER, body TEXT NOT NULL
) STRICT;
CREATE INDEX event_of_game ON event (game) WHERE game IS NOT NULL;
CREATE TABLE ledger (
    id INTEGER PRIMARY KEY, event INTEGER NOT NULL, debit INTEGER NOT NULL,
    credit INTEGER NOT NULL, tokens INTEGER NOT NULL CHECK (tokens > 0)
) STRICT;
",
    outbox!(),
    "
CREATE TABLE request (
    number INTEGER PRIMARY KEY, player INTEGER NOT NULL, id TEXT NOT NULL, at INTEGER NOT NULL,
    digest BLOB NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL, refusal TEXT,
    UNIQUE (player, id)
) STRICT;
CREATE TABLE waiting (
    player INTEGER PRIMARY KEY, kind TEXT NOT NULL, since INTEGER NOT NULL, seed_hash BLOB
) STRICT;
CREATE TABLE seat (player INTEGER PRIMARY KEY, game INTEGER NOT NULL) STRICT;
CREATE INDEX player_of_house ON player (id) WHERE house;
CREATE TABLE about (
    only INTEGER PRIMARY KEY CHECK (only = 1), id TEXT NOT NULL, time INTEGER NOT NULL
) STRICT;
INSERT INTO about (only, id, time) VALUES (1, lower(hex(randomblob(16))), 0);
",
    log!(),
    player_status!(),
    opponents!(),
    finished!(),
    replies!(),
    links!()
);

/// Migrations from each version to the next, from the first version on.
pub(super) const MIGRATIONS: [&str; 7] = [
    ADD_SEATS,
    ADD_TABLE_TIME,
    SORT_OUTBOX,
    ADD_STATUS,
    ADD_OPPONENTS_AND_GAMES,
    ADD_REPLIES_AND_SECRET,
    ADD_LINKS,
];

/// Migration from version 1, which had no table of seats.
const ADD_SEATS: &str = "
CREATE TABLE seat (player INTEGER PRIMARY KEY, game INTEGER NOT NULL) STRICT;
CREATE INDEX player_of_house ON player (id) WHERE house;
INSERT INTO seat SELECT seats.value, event.game FROM event, json_each(body, '$.matched.seats') AS seats
    WHERE event.game IN (SELECT game FROM running);
DROP TABLE running;
";

/// Migration from version 2, which measured time by the wall clock, and had no log, no seeds of
/// players and no stored refusals. The table's time continues from the wall clock of the last
/// event, so that deadlines stay as far away as they were then.
const ADD_TABLE_TIME: &str = concat!(
    "
CREATE TABLE about (
    only INTEGER PRIMARY KEY CHECK (only = 1), id TEXT NOT NULL, time INTEGER NOT NULL
) STRICT;
INSERT INTO about (only, id, time) VALUES (
    1, lower(hex(randomblob(16))), coalesce((SELECT at FROM event ORDER BY id DESC LIMIT 1), 0)
);
UPDATE waiting SET since = min(since, (SELECT time FROM about));
UPDATE request SET at = min(at, (SELECT time FROM about));
ALTER TABLE waiting ADD COLUMN seed_hash BLOB;
ALTER TABLE request ADD COLUMN refusal TEXT;
",
    log!()
);

/// Migration from version 3, which stored messages by player.
const SORT_OUTBOX: &str = concat!(
    "ALTER TABLE outbox RENAME TO kept_together;",
    outbox!(),
    "
INSERT INTO outbox (player, seq, body)
    SELECT player, seq, body FROM kept_together ORDER BY player, seq;
DROP TABLE kept_together;
"
);

/// Migration from version 4, in which operators could neither rename nor ban players.
const ADD_STATUS: &str = player_status!();

/// Migration from version 5, in which players could neither choose opponents nor watch games, and
/// finished games were not stored for their players: their records are computed from the events.
const ADD_OPPONENTS_AND_GAMES: &str = concat!(opponents!(), finished!());

/// Migration from version 6, in which messages did not name the requests that they answer, and
/// journals were found by the number of the game alone.
const ADD_REPLIES_AND_SECRET: &str = replies!();

/// Migration from version 7, which had no friend links.
const ADD_LINKS: &str = links!();

#[cfg(test)]
mod tests {
    use super::{CREATE_TABLES, MIGRATIONS};

    // Existing stores have these tables, and programs of other versions read them.
    #[test]
    fn the_schema_is_frozen() {
        let frozen = include_str!("../../../../../../tests/surface/sqlite.sql");
        assert_eq!([CREATE_TABLES, &MIGRATIONS.concat()].concat(), frozen);
    }
}
