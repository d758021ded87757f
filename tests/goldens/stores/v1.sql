
CREATE SCHEMA war;

CREATE TABLE war.about (
    one boolean DEFAULT true NOT NULL,
    id text NOT NULL,
    version integer NOT NULL,
    min_version integer NOT NULL,
    rooms integer NOT NULL,
    public_key bytea,
    secret bytea NOT NULL,
    CONSTRAINT about_one_check CHECK (one)
);

CREATE TABLE war.batch (
    room integer NOT NULL,
    seq bigint NOT NULL,
    epoch bigint NOT NULL,
    at bigint NOT NULL
);

CREATE TABLE war.event (
    room integer NOT NULL,
    seq bigint NOT NULL,
    part integer NOT NULL,
    at bigint NOT NULL,
    game bigint,
    body text NOT NULL
);

CREATE TABLE war.leaf (
    room integer NOT NULL,
    seq bigint NOT NULL,
    part integer NOT NULL,
    game bigint NOT NULL,
    hash bytea NOT NULL,
    body text NOT NULL,
    number bigint
);

CREATE TABLE war.ledger (
    room integer NOT NULL,
    seq bigint NOT NULL,
    part integer NOT NULL,
    debit bigint NOT NULL,
    credit bigint NOT NULL,
    tokens bigint NOT NULL,
    CONSTRAINT ledger_tokens_check CHECK ((tokens > 0))
);

CREATE TABLE war.node (
    address text NOT NULL,
    beat bigint NOT NULL
);

CREATE TABLE war.numbers (
    of text NOT NULL,
    next bigint NOT NULL
);

CREATE TABLE war.outbox (
    player bigint NOT NULL,
    seq bigint NOT NULL,
    body text NOT NULL
);

CREATE TABLE war.player (
    id bigint NOT NULL,
    token bytea NOT NULL,
    name text NOT NULL,
    balance bigint NOT NULL,
    seq bigint NOT NULL,
    house boolean NOT NULL,
    room integer
)
WITH (fillfactor='60');

CREATE TABLE war.request (
    player bigint NOT NULL,
    id text NOT NULL,
    at bigint NOT NULL,
    room integer NOT NULL,
    digest bytea NOT NULL,
    first bigint NOT NULL,
    last bigint NOT NULL,
    refusal text
);

CREATE TABLE war.room (
    id integer NOT NULL,
    owner text,
    pid integer,
    epoch bigint DEFAULT 0 NOT NULL,
    beat bigint DEFAULT 0 NOT NULL,
    next_seq bigint DEFAULT 1 NOT NULL,
    "time" bigint DEFAULT 0 NOT NULL
)
WITH (fillfactor='10');

CREATE TABLE war.seat (
    player bigint NOT NULL,
    room integer NOT NULL,
    game bigint NOT NULL
);

CREATE TABLE war.settlement (
    game bigint NOT NULL,
    engine text NOT NULL,
    lang text NOT NULL,
    renderer bigint NOT NULL,
    printed bigint NOT NULL,
    blake3 bytea NOT NULL,
    digest bytea NOT NULL
);

CREATE TABLE war.waiting (
    player bigint NOT NULL,
    room integer NOT NULL,
    kind text NOT NULL,
    since bigint NOT NULL,
    seed_hash bytea
);

INSERT INTO war.about VALUES (true, '3b2c5368dfb7441b8ad589aea979b455', 1, 1, 1, '\xec73604da70444977c6d1844de2b8aaeeca7f15e15bdad41ce4045eaa1eb0bf0', '\x8b26928902cd5a2f714317983f60adf89ff99e548bfa297425f23cec2e86bc37');

INSERT INTO war.batch VALUES (0, 1, 1, 1795363760321);
INSERT INTO war.batch VALUES (0, 2, 1, 1795363760564);
INSERT INTO war.batch VALUES (0, 3, 1, 1795363760568);
INSERT INTO war.batch VALUES (0, 5, 1, 1795363760570);
INSERT INTO war.batch VALUES (0, 6, 1, 1795363760572);
INSERT INTO war.batch VALUES (0, 7, 1, 1795363760574);
INSERT INTO war.batch VALUES (0, 8, 1, 1795363760576);
INSERT INTO war.batch VALUES (0, 9, 1, 1795363760576);
INSERT INTO war.batch VALUES (0, 10, 1, 1795363760579);
INSERT INTO war.batch VALUES (0, 11, 1, 1795363760579);
INSERT INTO war.batch VALUES (0, 12, 1, 1795363760582);
INSERT INTO war.batch VALUES (0, 13, 1, 1795363760583);
INSERT INTO war.batch VALUES (0, 14, 1, 1795363760585);
INSERT INTO war.batch VALUES (0, 15, 1, 1795363760585);
INSERT INTO war.batch VALUES (0, 16, 1, 1795363760587);

INSERT INTO war.event VALUES (0, 1, 0, 1795363760321, NULL, '{"joined":{"player":1,"house":true}}');
INSERT INTO war.event VALUES (0, 2, 0, 1795363760564, NULL, '{"joined":{"player":2,"house":false}}');
INSERT INTO war.event VALUES (0, 3, 0, 1795363760568, NULL, '{"joined":{"player":3,"house":false}}');
INSERT INTO war.event VALUES (0, 5, 0, 1795363760570, NULL, '{"joined":{"player":4,"house":false}}');
INSERT INTO war.event VALUES (0, 6, 0, 1795363760572, NULL, '{"chose":{"player":2,"kind":"single-card-game","at":250,"seed_hash":"72cd6e8422c407fb6d098690f1130b7ded7ec2f7f5e1d30bd9d521f015363793"}}');
INSERT INTO war.event VALUES (0, 7, 0, 1795363760574, 1, '{"matched":{"game":1,"kind":"single-card-game","seats":[2,3],"seed_hashes":["72cd6e8422c407fb6d098690f1130b7ded7ec2f7f5e1d30bd9d521f015363793","75877bb41d393b5fb8455ce60ecd8dda001d06316496b14dfa7f895656eeca4a"],"secret":"5d7cedd667e00c72aa72421896b0fee4dc4bfa9f4e7a273cc85f88408d171a1e","due":5253}}');
INSERT INTO war.event VALUES (0, 8, 0, 1795363760576, 1, '{"played":{"game":1,"seats":[2,3],"event":{"opened":{"seat":1,"seed":"0101010101010101010101010101010101010101010101010101010101010101"}},"due":null}}');
INSERT INTO war.event VALUES (0, 9, 0, 1795363760576, 1, '{"played":{"game":1,"seats":[2,3],"event":{"opened":{"seat":2,"seed":"0202020202020202020202020202020202020202020202020202020202020202"}},"due":null}}');
INSERT INTO war.event VALUES (0, 9, 1, 1795363760576, 1, '{"played":{"game":1,"seats":[2,3],"event":{"dealt":{"hands":[["8h"],["8c"]]}},"due":30255}}');
INSERT INTO war.event VALUES (0, 10, 0, 1795363760579, 1, '{"played":{"game":1,"seats":[2,3],"event":{"decided":{"seat":1,"decision":"play","timed_out":false}},"due":null}}');
INSERT INTO war.event VALUES (0, 11, 0, 1795363760579, 1, '{"played":{"game":1,"seats":[2,3],"event":{"decided":{"seat":2,"decision":"fold","timed_out":false}},"due":null}}');
INSERT INTO war.event VALUES (0, 11, 1, 1795363760579, 1, '{"played":{"game":1,"seats":[2,3],"event":{"settled":{"deltas":[3,-3]}},"due":null}}');
INSERT INTO war.event VALUES (0, 12, 0, 1795363760582, NULL, '{"chose":{"player":3,"kind":"double-card-game","at":261,"seed_hash":"648aa5c579fb30f38af744d97d6ec840c7a91277a499a0d780f3e7314eca090b"}}');
INSERT INTO war.event VALUES (0, 13, 0, 1795363760583, 2, '{"matched":{"game":2,"kind":"double-card-game","seats":[3,2],"seed_hashes":["648aa5c579fb30f38af744d97d6ec840c7a91277a499a0d780f3e7314eca090b","9f4fb68f3e1dac82202f9aa581ce0bbf1f765df0e9ac3c8c57e20f685abab8ed"],"secret":"40a5bd5029457c94b367f0785d58b227833a2fcde40f31a0f5b3c2742d127260","due":5262}}');
INSERT INTO war.event VALUES (0, 14, 0, 1795363760585, 2, '{"played":{"game":2,"seats":[3,2],"event":{"opened":{"seat":1,"seed":"0303030303030303030303030303030303030303030303030303030303030303"}},"due":null}}');
INSERT INTO war.event VALUES (0, 15, 0, 1795363760585, 2, '{"played":{"game":2,"seats":[3,2],"event":{"opened":{"seat":2,"seed":"0404040404040404040404040404040404040404040404040404040404040404"}},"due":null}}');
INSERT INTO war.event VALUES (0, 15, 1, 1795363760585, 2, '{"played":{"game":2,"seats":[3,2],"event":{"dealt":{"hands":[["As","8c"],["Td","5c"]]}},"due":30263}}');
INSERT INTO war.event VALUES (0, 16, 0, 1795363760587, NULL, '{"chose":{"player":4,"kind":"single-card-game","at":265,"seed_hash":"8c0cc17a04942cc4f8e0fe0b302606d3108860c126428ba2ceeb5f9ed41c2b05"}}');

INSERT INTO war.leaf VALUES (0, 7, 0, 1, '\x10c5a0c415285266c25064c1a5880dafba1b6ca6266ae3840036eb5f00b8be17', 'war-table start/1
1
single-card-game/2
2 3
8fef5b164eabe356f11737b1b837f472715bf8de321d0af5716f9408808fecc6
72cd6e8422c407fb6d098690f1130b7ded7ec2f7f5e1d30bd9d521f015363793
75877bb41d393b5fb8455ce60ecd8dda001d06316496b14dfa7f895656eeca4a
1795363760574
', NULL);
INSERT INTO war.leaf VALUES (0, 11, 0, 1, '\x56b883f429c837c1cdf73258abede6a6b9260c1ebf80238b3c72f47fa5528a05', 'war-table end/1
1
9963ffd4928064a30a54095ea9417f23
1795363760579
', NULL);
INSERT INTO war.leaf VALUES (0, 13, 0, 2, '\x41eac82bfb8654824bf9e4dcbb919d9d715f3d697f12f6ac57599480000267d0', 'war-table start/1
2
double-card-game/2
3 2
d9d4c7d01bd6034cbcb058ab128a7e68ad54a19d1813a0ed124c5f410265ffbb
648aa5c579fb30f38af744d97d6ec840c7a91277a499a0d780f3e7314eca090b
9f4fb68f3e1dac82202f9aa581ce0bbf1f765df0e9ac3c8c57e20f685abab8ed
1795363760583
', NULL);

INSERT INTO war.ledger VALUES (0, 1, 0, 0, 1, 1000);
INSERT INTO war.ledger VALUES (0, 2, 0, 0, 2, 1000);
INSERT INTO war.ledger VALUES (0, 3, 0, 0, 3, 1000);
INSERT INTO war.ledger VALUES (0, 5, 0, 0, 4, 1000);
INSERT INTO war.ledger VALUES (0, 11, 1, 3, 2, 3);

INSERT INTO war.node VALUES ('127.0.0.1:18766 4b34766e', 2);

INSERT INTO war.numbers VALUES ('players', 8193);
INSERT INTO war.numbers VALUES ('games', 8193);

INSERT INTO war.outbox VALUES (2, 1, '{"seq":1,"type":"waiting","game":"single-card-game"}');
INSERT INTO war.outbox VALUES (2, 2, '{"seq":2,"type":"started","game_id":1,"game":"single-card-game","seat":1,"opponent":{"player":3,"house":false},"seed_hashes":["72cd6e8422c407fb6d098690f1130b7ded7ec2f7f5e1d30bd9d521f015363793","75877bb41d393b5fb8455ce60ecd8dda001d06316496b14dfa7f895656eeca4a"],"commitment":"8fef5b164eabe356f11737b1b837f472715bf8de321d0af5716f9408808fecc6","time_ms":1795363760574,"table":"3b2c5368dfb7441b8ad589aea979b455","signature":"340c0ec7cc310e7e0c60dd528ee00aad50ed0ab379946cfed1270f408edb074a23221f79ebb8829828b5c0e91069594cc387b227c847963c9968f3ac840ee70d","deadline_ms":1795363765574,"left_ms":5000}');
INSERT INTO war.outbox VALUES (3, 1, '{"seq":1,"type":"started","game_id":1,"game":"single-card-game","seat":2,"opponent":{"player":2,"house":false},"seed_hashes":["72cd6e8422c407fb6d098690f1130b7ded7ec2f7f5e1d30bd9d521f015363793","75877bb41d393b5fb8455ce60ecd8dda001d06316496b14dfa7f895656eeca4a"],"commitment":"8fef5b164eabe356f11737b1b837f472715bf8de321d0af5716f9408808fecc6","time_ms":1795363760574,"table":"3b2c5368dfb7441b8ad589aea979b455","signature":"340c0ec7cc310e7e0c60dd528ee00aad50ed0ab379946cfed1270f408edb074a23221f79ebb8829828b5c0e91069594cc387b227c847963c9968f3ac840ee70d","deadline_ms":1795363765574,"left_ms":5000}');
INSERT INTO war.outbox VALUES (2, 3, '{"seq":3,"type":"seeded","game_id":1}');
INSERT INTO war.outbox VALUES (2, 4, '{"seq":4,"type":"dealt","game_id":1,"deal":1,"cards":["8h"],"deadline_ms":1795363790576,"left_ms":30000}');
INSERT INTO war.outbox VALUES (3, 2, '{"seq":2,"type":"seeded","game_id":1}');
INSERT INTO war.outbox VALUES (3, 3, '{"seq":3,"type":"dealt","game_id":1,"deal":1,"cards":["8c"],"deadline_ms":1795363790576,"left_ms":30000}');
INSERT INTO war.outbox VALUES (2, 5, '{"seq":5,"type":"decided","game_id":1,"deal":1,"decision":"play","timed_out":false}');
INSERT INTO war.outbox VALUES (3, 4, '{"seq":4,"type":"opponent_decided","game_id":1,"deal":1}');
INSERT INTO war.outbox VALUES (2, 6, '{"seq":6,"type":"opponent_decided","game_id":1,"deal":1}');
INSERT INTO war.outbox VALUES (2, 7, '{"seq":7,"type":"result","game_id":1,"outcome":"won","delta":3,"balance":1003,"decisions":{"yours":"play","theirs":"fold"},"reveal":{"seed":"5d7cedd667e00c72aa72421896b0fee4dc4bfa9f4e7a273cc85f88408d171a1e","client_seeds":["0101010101010101010101010101010101010101010101010101010101010101","0202020202020202020202020202020202020202020202020202020202020202"],"seed_hashes":["72cd6e8422c407fb6d098690f1130b7ded7ec2f7f5e1d30bd9d521f015363793","75877bb41d393b5fb8455ce60ecd8dda001d06316496b14dfa7f895656eeca4a"],"deals":1},"digest":"9963ffd4928064a30a54095ea9417f23","time_ms":1795363760579}');
INSERT INTO war.outbox VALUES (3, 5, '{"seq":5,"type":"decided","game_id":1,"deal":1,"decision":"fold","timed_out":false}');
INSERT INTO war.outbox VALUES (3, 6, '{"seq":6,"type":"result","game_id":1,"outcome":"lost","delta":-3,"balance":997,"decisions":{"yours":"fold","theirs":"play"},"reveal":{"seed":"5d7cedd667e00c72aa72421896b0fee4dc4bfa9f4e7a273cc85f88408d171a1e","client_seeds":["0101010101010101010101010101010101010101010101010101010101010101","0202020202020202020202020202020202020202020202020202020202020202"],"seed_hashes":["72cd6e8422c407fb6d098690f1130b7ded7ec2f7f5e1d30bd9d521f015363793","75877bb41d393b5fb8455ce60ecd8dda001d06316496b14dfa7f895656eeca4a"],"deals":1},"digest":"9963ffd4928064a30a54095ea9417f23","time_ms":1795363760579}');
INSERT INTO war.outbox VALUES (3, 7, '{"seq":7,"type":"waiting","game":"double-card-game"}');
INSERT INTO war.outbox VALUES (2, 8, '{"seq":8,"type":"started","game_id":2,"game":"double-card-game","seat":2,"opponent":{"player":3,"house":false},"seed_hashes":["648aa5c579fb30f38af744d97d6ec840c7a91277a499a0d780f3e7314eca090b","9f4fb68f3e1dac82202f9aa581ce0bbf1f765df0e9ac3c8c57e20f685abab8ed"],"commitment":"d9d4c7d01bd6034cbcb058ab128a7e68ad54a19d1813a0ed124c5f410265ffbb","time_ms":1795363760583,"table":"3b2c5368dfb7441b8ad589aea979b455","signature":"6c6a4dec8e3600e804ad00487e217a22d4e794d17bd29a0bfeb006e15981929dd50c08d96671910db908748e96772cb7fbad13d85317306d0d451246d431680a","deadline_ms":1795363765583,"left_ms":5000}');
INSERT INTO war.outbox VALUES (3, 8, '{"seq":8,"type":"started","game_id":2,"game":"double-card-game","seat":1,"opponent":{"player":2,"house":false},"seed_hashes":["648aa5c579fb30f38af744d97d6ec840c7a91277a499a0d780f3e7314eca090b","9f4fb68f3e1dac82202f9aa581ce0bbf1f765df0e9ac3c8c57e20f685abab8ed"],"commitment":"d9d4c7d01bd6034cbcb058ab128a7e68ad54a19d1813a0ed124c5f410265ffbb","time_ms":1795363760583,"table":"3b2c5368dfb7441b8ad589aea979b455","signature":"6c6a4dec8e3600e804ad00487e217a22d4e794d17bd29a0bfeb006e15981929dd50c08d96671910db908748e96772cb7fbad13d85317306d0d451246d431680a","deadline_ms":1795363765583,"left_ms":5000}');
INSERT INTO war.outbox VALUES (3, 9, '{"seq":9,"type":"seeded","game_id":2}');
INSERT INTO war.outbox VALUES (2, 9, '{"seq":9,"type":"seeded","game_id":2}');
INSERT INTO war.outbox VALUES (2, 10, '{"seq":10,"type":"dealt","game_id":2,"deal":1,"cards":["Td","5c"],"deadline_ms":1795363790585,"left_ms":30000}');
INSERT INTO war.outbox VALUES (3, 10, '{"seq":10,"type":"dealt","game_id":2,"deal":1,"cards":["As","8c"],"deadline_ms":1795363790585,"left_ms":30000}');
INSERT INTO war.outbox VALUES (4, 1, '{"seq":1,"type":"waiting","game":"single-card-game"}');

INSERT INTO war.player VALUES (1, '\xfa5959daf82a41171e21b5c3025c8f3232cd09dfce2935f8027689129831794b', 'House 1', 1000, 0, true, 0);
INSERT INTO war.player VALUES (2, '\xb007165d3698077d7143bbd5e664fd2b5f815d66c5d902f7ee9e764fbd9d34f3', 'Ann', 1003, 10, false, 0);
INSERT INTO war.player VALUES (3, '\xaef2fb052a140d9f02f8b58ffe64704ee508dc489f622ad60659f9d0cd850458', 'Bob', 997, 10, false, 0);
INSERT INTO war.player VALUES (4, '\x0f1c335944b9e7da3348510a89fd61bb9f6456cbbd46279dbee74c2aaebffe78', 'Eve', 1000, 1, false, 0);

INSERT INTO war.request VALUES (2, 'r2', 250, 0, '\x68f536a51d4e7af3859483df0eec9b83', 1, 1, NULL);
INSERT INTO war.request VALUES (3, 'r2', 253, 0, '\x1848c3208540084ff2fd010b5e85bdf1', 1, 1, NULL);
INSERT INTO war.request VALUES (2, 'r3', 255, 0, '\x65450e506362fd3c477523a0697b82b4', 3, 3, NULL);
INSERT INTO war.request VALUES (3, 'r3', 255, 0, '\xade3d4ee9cb0ba01bcb081b154ad9dd4', 2, 3, NULL);
INSERT INTO war.request VALUES (2, 'r4', 257, 0, '\xa261dcdb2bbd53269e8b08fd1b79fde5', 5, 5, NULL);
INSERT INTO war.request VALUES (3, 'r4', 257, 0, '\x9a5e4710566479f16c441f84ae37dd7e', 5, 6, NULL);
INSERT INTO war.request VALUES (3, 'r5', 261, 0, '\x12f0d07c1746b2d718fbcb3da53e104c', 7, 7, NULL);
INSERT INTO war.request VALUES (2, 'r5', 262, 0, '\x8243ba3536b32c8121c850f761b8469d', 8, 8, NULL);
INSERT INTO war.request VALUES (3, 'r6', 263, 0, '\x31f2dfbd43823743a4b005c3c9fd3e1e', 9, 9, NULL);
INSERT INTO war.request VALUES (2, 'r6', 263, 0, '\xb706ff896dab410bd9a468500ab3eb6a', 9, 10, NULL);
INSERT INTO war.request VALUES (4, 'r2', 265, 0, '\x59a2dbebb26238cc7796a3c7b344c476', 1, 1, NULL);

INSERT INTO war.room VALUES (0, '127.0.0.1:18766 4b34766e', 12540, 1, 17, 17, 240);

INSERT INTO war.seat VALUES (2, 0, 2);
INSERT INTO war.seat VALUES (3, 0, 2);

INSERT INTO war.settlement VALUES (1, 'war 0.1.0', 'en', 1, 722, '\x0993934eb3a3cda7100182bfa51e0f8e77ed39ad2b7a6152ff5a7ef4cce63d98', '\x9963ffd4928064a30a54095ea9417f23');

INSERT INTO war.waiting VALUES (4, 0, 'single-card-game', 265, '\x8c0cc17a04942cc4f8e0fe0b302606d3108860c126428ba2ceeb5f9ed41c2b05');

ALTER TABLE ONLY war.about
    ADD CONSTRAINT about_pkey PRIMARY KEY (one);

ALTER TABLE ONLY war.batch
    ADD CONSTRAINT batch_pkey PRIMARY KEY (room, seq);

ALTER TABLE ONLY war.event
    ADD CONSTRAINT event_pkey PRIMARY KEY (room, seq, part);

ALTER TABLE ONLY war.leaf
    ADD CONSTRAINT leaf_number_key UNIQUE (number);

ALTER TABLE ONLY war.leaf
    ADD CONSTRAINT leaf_pkey PRIMARY KEY (room, seq, part);

ALTER TABLE ONLY war.ledger
    ADD CONSTRAINT ledger_pkey PRIMARY KEY (room, seq, part, debit);

ALTER TABLE ONLY war.node
    ADD CONSTRAINT node_pkey PRIMARY KEY (address);

ALTER TABLE ONLY war.numbers
    ADD CONSTRAINT numbers_pkey PRIMARY KEY (of);

ALTER TABLE ONLY war.outbox
    ADD CONSTRAINT outbox_pkey PRIMARY KEY (player, seq);

ALTER TABLE ONLY war.player
    ADD CONSTRAINT player_pkey PRIMARY KEY (id);

ALTER TABLE ONLY war.player
    ADD CONSTRAINT player_token_key UNIQUE (token);

ALTER TABLE ONLY war.request
    ADD CONSTRAINT request_pkey PRIMARY KEY (player, id);

ALTER TABLE ONLY war.room
    ADD CONSTRAINT room_pkey PRIMARY KEY (id);

ALTER TABLE ONLY war.seat
    ADD CONSTRAINT seat_pkey PRIMARY KEY (player);

ALTER TABLE ONLY war.settlement
    ADD CONSTRAINT settlement_pkey PRIMARY KEY (game);

ALTER TABLE ONLY war.waiting
    ADD CONSTRAINT waiting_pkey PRIMARY KEY (player);

CREATE INDEX event_of_game ON war.event USING btree (game) WHERE (game IS NOT NULL);

CREATE INDEX leaf_of_game ON war.leaf USING btree (game);

CREATE INDEX leaf_without_number ON war.leaf USING btree (room, seq, part) WHERE (number IS NULL);

CREATE INDEX player_of_house ON war.player USING btree (room) WHERE house;

CREATE INDEX request_by_age ON war.request USING btree (room, at);

