
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

CREATE TABLE outbox (
    number INTEGER PRIMARY KEY, player INTEGER NOT NULL, seq INTEGER NOT NULL, body TEXT NOT NULL,
    UNIQUE (player, seq)
) STRICT;

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

CREATE TABLE leaf (
    number INTEGER PRIMARY KEY, hash BLOB NOT NULL, game INTEGER NOT NULL, body TEXT NOT NULL
) STRICT;
CREATE INDEX leaf_of_game ON leaf (game);
CREATE TABLE settlement (
    game INTEGER PRIMARY KEY, engine TEXT NOT NULL, lang TEXT NOT NULL,
    renderer INTEGER NOT NULL, printed INTEGER NOT NULL, blake3 BLOB NOT NULL,
    digest BLOB NOT NULL
) STRICT;

ALTER TABLE player ADD COLUMN name_is_fixed INTEGER NOT NULL DEFAULT 0;
ALTER TABLE player ADD COLUMN standing TEXT NOT NULL DEFAULT 'welcome';
ALTER TABLE player ADD COLUMN first_seq INTEGER NOT NULL DEFAULT 1;
ALTER TABLE outbox ADD COLUMN at INTEGER;
ALTER TABLE about ADD COLUMN dated INTEGER NOT NULL DEFAULT 0;
UPDATE about SET dated = unixepoch() * 1000;

ALTER TABLE waiting ADD COLUMN meeting TEXT;
ALTER TABLE player ADD COLUMN watchable INTEGER NOT NULL DEFAULT 0;

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

ALTER TABLE outbox ADD COLUMN in_reply_to TEXT;
ALTER TABLE about ADD COLUMN secret BLOB;
UPDATE about SET secret = randomblob(32);

CREATE TABLE friend_link (
    number INTEGER PRIMARY KEY, player INTEGER NOT NULL, id BLOB NOT NULL UNIQUE,
    kind TEXT NOT NULL, secret_hash BLOB NOT NULL
) STRICT;
CREATE INDEX friend_link_of_player ON friend_link (player);

CREATE TABLE seat (player INTEGER PRIMARY KEY, game INTEGER NOT NULL) STRICT;
CREATE INDEX player_of_house ON player (id) WHERE house;
INSERT INTO seat SELECT seats.value, event.game FROM event, json_each(body, '$.matched.seats') AS seats
    WHERE event.game IN (SELECT game FROM running);
DROP TABLE running;

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

CREATE TABLE leaf (
    number INTEGER PRIMARY KEY, hash BLOB NOT NULL, game INTEGER NOT NULL, body TEXT NOT NULL
) STRICT;
CREATE INDEX leaf_of_game ON leaf (game);
CREATE TABLE settlement (
    game INTEGER PRIMARY KEY, engine TEXT NOT NULL, lang TEXT NOT NULL,
    renderer INTEGER NOT NULL, printed INTEGER NOT NULL, blake3 BLOB NOT NULL,
    digest BLOB NOT NULL
) STRICT;
ALTER TABLE outbox RENAME TO kept_together;
CREATE TABLE outbox (
    number INTEGER PRIMARY KEY, player INTEGER NOT NULL, seq INTEGER NOT NULL, body TEXT NOT NULL,
    UNIQUE (player, seq)
) STRICT;

INSERT INTO outbox (player, seq, body)
    SELECT player, seq, body FROM kept_together ORDER BY player, seq;
DROP TABLE kept_together;

ALTER TABLE player ADD COLUMN name_is_fixed INTEGER NOT NULL DEFAULT 0;
ALTER TABLE player ADD COLUMN standing TEXT NOT NULL DEFAULT 'welcome';
ALTER TABLE player ADD COLUMN first_seq INTEGER NOT NULL DEFAULT 1;
ALTER TABLE outbox ADD COLUMN at INTEGER;
ALTER TABLE about ADD COLUMN dated INTEGER NOT NULL DEFAULT 0;
UPDATE about SET dated = unixepoch() * 1000;

ALTER TABLE waiting ADD COLUMN meeting TEXT;
ALTER TABLE player ADD COLUMN watchable INTEGER NOT NULL DEFAULT 0;

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

ALTER TABLE outbox ADD COLUMN in_reply_to TEXT;
ALTER TABLE about ADD COLUMN secret BLOB;
UPDATE about SET secret = randomblob(32);

CREATE TABLE friend_link (
    number INTEGER PRIMARY KEY, player INTEGER NOT NULL, id BLOB NOT NULL UNIQUE,
    kind TEXT NOT NULL, secret_hash BLOB NOT NULL
) STRICT;
CREATE INDEX friend_link_of_player ON friend_link (player);
