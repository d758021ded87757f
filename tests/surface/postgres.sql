
CREATE TABLE war.about (
    one boolean PRIMARY KEY DEFAULT true CHECK (one), id text NOT NULL, version int NOT NULL,
    min_version int NOT NULL, rooms int NOT NULL, public_key bytea, secret bytea NOT NULL
);
CREATE TABLE war.room (
    id int PRIMARY KEY, owner text, pid int, epoch bigint NOT NULL DEFAULT 0,
    beat bigint NOT NULL DEFAULT 0, next_seq bigint NOT NULL DEFAULT 1,
    time bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 10);
CREATE TABLE war.node (address text PRIMARY KEY, beat bigint NOT NULL);
CREATE TABLE war.numbers (of text PRIMARY KEY, next bigint NOT NULL);
INSERT INTO war.numbers (of, next) VALUES ('players', 1), ('games', 1);
CREATE TABLE war.player (
    id bigint PRIMARY KEY, token bytea NOT NULL UNIQUE, name text NOT NULL,
    balance bigint NOT NULL, seq bigint NOT NULL, house boolean NOT NULL, room int
) WITH (fillfactor = 60);
CREATE INDEX player_of_house ON war.player (room) WHERE house;
CREATE TABLE war.batch (
    room int, seq bigint, epoch bigint NOT NULL, at bigint NOT NULL, PRIMARY KEY (room, seq)
);
CREATE TABLE war.event (
    room int, seq bigint, part int, at bigint NOT NULL, game bigint, body text NOT NULL,
    PRIMARY KEY (room, seq, part)
);
CREATE INDEX event_of_game ON war.event (game) WHERE game IS NOT NULL;
CREATE TABLE war.ledger (
    room int, seq bigint, part int, debit bigint, credit bigint NOT NULL,
    tokens bigint NOT NULL CHECK (tokens > 0), PRIMARY KEY (room, seq, part, debit)
);
CREATE TABLE war.outbox (
    player bigint, seq bigint, body text NOT NULL, PRIMARY KEY (player, seq)
);
CREATE TABLE war.request (
    player bigint, id text, at bigint NOT NULL, room int NOT NULL, digest bytea NOT NULL,
    first bigint NOT NULL, last bigint NOT NULL, refusal text, PRIMARY KEY (player, id)
);
CREATE INDEX request_by_age ON war.request (room, at);
CREATE TABLE war.waiting (
    player bigint PRIMARY KEY, room int NOT NULL, kind text NOT NULL, since bigint NOT NULL,
    seed_hash bytea
);
CREATE TABLE war.seat (player bigint PRIMARY KEY, room int NOT NULL, game bigint NOT NULL);
CREATE TABLE war.leaf (
    room int, seq bigint, part int, game bigint NOT NULL, hash bytea NOT NULL, body text NOT NULL,
    number bigint UNIQUE, PRIMARY KEY (room, seq, part)
);
CREATE INDEX leaf_of_game ON war.leaf (game);
CREATE INDEX leaf_without_number ON war.leaf (room, seq, part) WHERE number IS NULL;
CREATE TABLE war.settlement (
    game bigint PRIMARY KEY, engine text NOT NULL, lang text NOT NULL, renderer bigint NOT NULL,
    printed bigint NOT NULL, blake3 bytea NOT NULL, digest bytea NOT NULL
);

ALTER TABLE war.player
    ADD COLUMN name_is_fixed boolean NOT NULL DEFAULT false,
    ADD COLUMN standing text NOT NULL DEFAULT 'welcome',
    ADD COLUMN first_seq bigint NOT NULL DEFAULT 1;
ALTER TABLE war.outbox ADD COLUMN at bigint;
ALTER TABLE war.about ADD COLUMN dated bigint NOT NULL DEFAULT 0;
UPDATE war.about SET dated = (extract(epoch FROM now()) * 1000)::bigint;
CREATE TABLE war.inbox (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(), at timestamptz NOT NULL DEFAULT now(),
    room int, ask text NOT NULL, taken boolean NOT NULL DEFAULT false, answer text
);
CREATE INDEX player_of_the_house ON war.player (id) WHERE house;
DROP INDEX war.player_of_house;
ALTER TABLE war.node ADD COLUMN version int NOT NULL DEFAULT 1;
ALTER TABLE war.room
    ADD COLUMN version int NOT NULL DEFAULT 1, ADD COLUMN versioned bigint NOT NULL DEFAULT 0;

ALTER TABLE war.waiting ADD COLUMN meeting text;
ALTER TABLE war.player ADD COLUMN watchable boolean NOT NULL DEFAULT false;
CREATE TABLE war.finished (
    player bigint, at bigint, game bigint, kind text NOT NULL, opponent bigint NOT NULL,
    yours text NOT NULL, theirs text NOT NULL, cards text, their_cards text,
    tokens bigint NOT NULL, balance bigint NOT NULL, public boolean NOT NULL,
    PRIMARY KEY (player, at, game)
);
CREATE INDEX finished_by_time ON war.finished (at);
CREATE TABLE war.figure (
    player bigint, kind text, hand text, games bigint NOT NULL, won bigint NOT NULL,
    folded bigint NOT NULL, tokens bigint NOT NULL, PRIMARY KEY (player, kind, hand)
) WITH (fillfactor = 60);
CREATE TABLE war.rating (
    span text, player bigint, rating bigint NOT NULL, deviation bigint NOT NULL,
    volatility bigint NOT NULL, games bigint NOT NULL, day bigint NOT NULL,
    PRIMARY KEY (span, player)
);
CREATE INDEX rating_by_rank ON war.rating (span, rating DESC, player) WHERE games >= 20;
ALTER TABLE war.about
    ADD COLUMN games_kept boolean NOT NULL DEFAULT false, ADD COLUMN rated bigint;

ALTER TABLE war.node
    ADD COLUMN here bigint NOT NULL DEFAULT 0, ADD COLUMN running bigint NOT NULL DEFAULT 0,
    ADD COLUMN waiting_single bigint NOT NULL DEFAULT 0,
    ADD COLUMN waiting_double bigint NOT NULL DEFAULT 0;

ALTER TABLE war.outbox ADD COLUMN in_reply_to text;
ALTER TABLE war.about ADD COLUMN cluster bigint;
