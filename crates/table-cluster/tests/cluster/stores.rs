//! Laws for every kind of store. The main law: a room that is committed step by step and then
//! loaded equals the original room.

use crate::postgres;
use std::collections::BTreeSet;
use std::time::Duration;
use war::support::hex::Hex;
use war::tokens::{Decision, Kind, Name, Secret, commitment};
use war_table::log::{GameEnd, Leaf};
use war_table::protocol::{AccessToken, Message, NumberedMessage, PlayerId, Refusal, RequestId};
use war_table::room::{
    Activity, Command, Effects, NumberPool, OpponentChoice, Order, Player, PlayerStatus, Room,
    RoomEvent, Timeouts,
};
use war_table::server::store::{
    Answer, AnswerRecord, Claim, Damage, FriendLinkRecord, LeafPosition, MessageRange,
    Registration, SqliteStore, Store, StoreError, StoredMessage, TokenHash, Transaction,
};
use war_table::time::{TableTime, WallTime};
use war_table_world::store::{Fault, MemoryStore, StoreCall};

const TIMEOUTS: Timeouts = Timeouts {
    decide: Duration::from_secs(30),
    seeds: Duration::from_secs(5),
};

/// Law that every store obeys. The first argument is the name of the store's kind.
type Law = fn(&'static str, &dyn Store);

/// Checks a law with a store, and closes the store.
fn check(law: Law, kind: &'static str, store: Box<dyn Store>) {
    law(kind, &*store);
    store.close().expect("a store that works");
}

fn in_memory(law: Law) {
    check(law, "memory", Box::new(MemoryStore::new()));
}

/// Checks a law with a room of a table in memory that several nodes share.
fn in_shared_memory(law: Law) {
    let room = postgres::take(&MemoryStore::new().table(), 0, "a");
    check(law, "shared memory", room);
}

fn in_a_file(law: Law) {
    let place = tempfile::tempdir().expect("a directory");
    let file = SqliteStore::open(&place.path().join("table.db")).expect("a store");
    check(law, "file", Box::new(file));
}

/// Checks a law with a room of a table in a database.
fn in_a_database(law: Law) {
    let database = postgres::Database::new();
    let room = postgres::take(&postgres::open(&database), 1, "a");
    check(law, "database", room);
}

/// Tests a law with each kind of store.
macro_rules! with_each_store {
    ($($law:ident),+) => {
        $(mod $law {
            #[test]
            fn in_memory() {
                super::in_memory(super::$law);
            }

            #[test]
            fn in_shared_memory() {
                super::in_shared_memory(super::$law);
            }

            #[test]
            fn in_a_file() {
                super::in_a_file(super::$law);
            }

            #[test]
            #[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
            fn in_a_database() {
                super::in_a_database(super::$law);
            }
        })+
    };
}

with_each_store!(
    a_reopened_room_is_the_same,
    a_store_keeps_players_and_their_messages,
    a_store_keeps_operators_actions_on_players,
    old_messages_are_removed_up_to_the_end_of_a_game,
    a_log_keeps_its_leaves_in_order,
    a_store_keeps_friend_links,
    uncommitted_changes_are_discarded,
    old_answers_are_forgotten
);

fn begin(store: &dyn Store) -> Box<dyn Transaction + '_> {
    let transaction = store.begin().expect("a store that works");
    transaction.expect("nobody else writes")
}

/// Token hash of a player of these tests.
fn token(player: PlayerId) -> TokenHash {
    let byte = u8::try_from(player.0).expect("few players");
    TokenHash::from_token(&AccessToken::new(Hex::new([byte; 32])))
}

/// Applies a command to a room, and commits the effects like the hub.
fn commit(room: &mut Room, store: &dyn Store, command: &Command, now: u64) {
    let effects = room
        .step(command, TableTime::from_millis(now))
        .expect("what may be done");
    commit_as(&effects, room, store, now, |to, sent| {
        format!("{} to {to}", sent.seq)
    });
}

/// Message with this number and body, of which every other one answers a request.
fn stored_message(seq: u64, body: String) -> StoredMessage {
    let answered = (seq % 2 == 1).then(|| format!("r{seq}"));
    StoredMessage {
        seq,
        body,
        in_reply_to: answered.and_then(|id| RequestId::new(&id)),
    }
}

/// Commits the effects of a command on a room. `form` writes the body of each message.
fn commit_as(
    effects: &Effects,
    room: &Room,
    store: &dyn Store,
    now: u64,
    form: impl Fn(PlayerId, &NumberedMessage) -> String,
) {
    let mut transaction = begin(store);
    for event in &effects.events {
        if let RoomEvent::Joined { player: id, .. } = event {
            let player = room.player(*id).expect("a player who joined");
            let token = token(*id);
            let id = *id;
            let registration = Registration { id, player, token };
            transaction.register(&registration).expect("a new player");
        }
        transaction
            .record(event, WallTime::from_millis(now))
            .expect("an event");
    }
    for (to, sent) in &effects.messages {
        transaction
            .save_message(*to, &stored_message(sent.seq, form(*to, sent)))
            .expect("a new message");
        let player = room.player(*to).expect("a player");
        transaction.save_player(*to, player).expect("a player");
    }
    transaction.commit().expect("a store that works");
}

/// Friend link of player 1.
const FRIEND: OpponentChoice = OpponentChoice::Friend {
    link: Hex::new([5; 8]),
    inviter: PlayerId(1),
};

/// Commands, with their times, for a table with five people and the house.
fn evening() -> Vec<(u64, Command)> {
    let name = |name: &str| Name::new(name).expect("a name");
    let join = |text: &str, house| Command::Join {
        name: name(text),
        house,
    };
    let choose = |player, kind, byte: u8| Command::Choose {
        player: PlayerId(player),
        kind,
        opponent: OpponentChoice::Anyone,
        seed_hash: Some(commitment(&Hex::new([100 + byte; 32]))),
        secret: Secret::new(Hex::new([byte; 32])),
    };
    let meet = |player, opponent| Command::Choose {
        player: PlayerId(player),
        kind: Kind::Single,
        opponent,
        seed_hash: Some(commitment(&Hex::new([109; 32]))),
        secret: Secret::new(Hex::new([9; 32])),
    };
    let game_1_again = OpponentChoice::Rematch {
        game: 1,
        opponent: PlayerId(4),
    };
    let decide = |player, game, decision| Command::Decide {
        player: PlayerId(player),
        game,
        deal: 1,
        decision,
    };
    let cancel = |player, kind| Command::Cancel {
        player: PlayerId(player),
        kind,
    };
    let seed = |player, game, byte: u8| Command::Seed {
        player: PlayerId(player),
        game,
        value: Hex::new([100 + byte; 32]),
    };
    vec![
        (0, join("Ann", false)),
        (0, join("House 1", true)),
        (2, join("Carl", false)),
        (3, join("Dora", false)),
        (4, join("Eve", false)),
        (5, choose(1, Kind::Single, 1)),
        (6, choose(3, Kind::Double, 2)),
        (7, choose(4, Kind::Single, 3)),
        (8, cancel(3, Kind::Double)),
        (9, seed(1, 1, 1)),
        (10, choose(3, Kind::Double, 4)),
        (11, choose(2, Kind::Double, 5)),
        (1_005, choose(5, Kind::Single, 6)),
        (1_006, seed(4, 1, 3)),
        (1_008, decide(1, 1, Decision::Fold)),
        (1_009, seed(3, 2, 4)),
        (1_011, seed(2, 2, 5)),
        (1_012, decide(4, 1, Decision::Play)),
        // Nobody opens a seed in the game that this choice starts.
        (1_013, choose(1, Kind::Single, 7)),
        (1_014, decide(3, 2, Decision::Fold)),
        (1_015, decide(2, 2, Decision::Fold)),
        (6_012, Command::Tick),
        (6_013, Command::Tick),
        (40_000, Command::Tick),
        (80_000, Command::Tick),
        // A player who waits for a friend may choose the game again.
        (80_000, meet(1, FRIEND)),
        (80_000, meet(1, FRIEND)),
        (80_000, cancel(1, Kind::Single)),
        (
            80_001,
            meet(1, OpponentChoice::Invitation(Hex::new([7; 16]))),
        ),
        (80_002, meet(3, game_1_again)),
        (80_003, cancel(3, Kind::Single)),
        (80_004, cancel(1, Kind::Single)),
        (80_005, meet(4, OpponentChoice::Anyone)),
        (80_006, cancel(4, Kind::Single)),
    ]
}

/// Room without its free players, which a store need not load. If `anew` is true, also resets the
/// numbers of new players and games: a shared store assigns new ones whenever a room is loaded.
fn busy(mut room: Room, anew: bool) -> Room {
    if anew {
        *room.player_numbers_mut() = NumberPool::from_first(1);
        *room.game_numbers_mut() = NumberPool::from_first(1);
    }
    let players: Vec<_> = room.players().map(|(id, _)| id).collect();
    for id in players {
        room.dismiss(id);
    }
    room
}

fn a_reopened_room_is_the_same(kind: &str, store: &dyn Store) {
    let mut room = Room::new(
        TIMEOUTS,
        NumberPool::from_first(1),
        NumberPool::from_first(1),
    );
    for (now, command) in evening() {
        commit(&mut room, store, &command, now);
        let opened = store.room(TIMEOUTS).expect("a store that works");
        assert!(
            opened.next_game_number() >= room.next_game_number(),
            "{kind}"
        );
        let anew = store.is_shared() || kind == "shared memory";
        assert_eq!(
            busy(opened, anew),
            busy(room.clone(), anew),
            "{kind}: {now} {command:?}"
        );
    }
    assert_eq!(
        (room.running_count(), room.waiting_count()),
        (0, 0),
        "all were played"
    );
    let house = store
        .room(TIMEOUTS)
        .expect("a store that works")
        .find_free_house_player();
    assert_eq!(house, Some(PlayerId(2)), "{kind}");
}

fn a_store_keeps_players_and_their_messages(kind: &str, store: &dyn Store) {
    let mut room = Room::new(
        TIMEOUTS,
        NumberPool::from_first(1),
        NumberPool::from_first(1),
    );
    for (now, command) in evening() {
        commit(&mut room, store, &command, now);
    }
    let mut transaction = begin(store);
    let balances = room.players().map(|(_, player)| player.balance);
    assert!(balances.into_iter().any(|balance| balance != 1_000));
    for (id, player) in room.players() {
        assert_eq!(player.activity, Activity::Free);
        assert_eq!(transaction.player(id).ok().as_ref(), Some(player), "{kind}");
        let claimed = transaction.claim(&BTreeSet::from([id]));
        let ours = vec![(id, Claim::Granted(player.clone()))];
        assert_eq!(claimed.expect("a store that works"), ours, "{kind}");
        let sent = |range| transaction.messages(id, range).expect("a store that works");
        let all: Vec<_> = (1..=player.seq)
            .map(|seq| stored_message(seq, format!("{seq} to {}", id.0)))
            .collect();
        assert_eq!(sent(MessageRange::new(0, u64::MAX)), all, "{kind}");
        assert_eq!(sent(MessageRange::new(2, 3)), all[1..3], "{kind}");
        assert_eq!(sent(MessageRange::new_after(2, 3)), all[2..3], "{kind}");
        assert_eq!(sent(MessageRange::new(3, 2)), [], "{kind}");
        let found = transaction.player_with_token(&token(id));
        let theirs = (!player.house).then_some(id);
        assert_eq!(found.expect("a store that works"), theirs, "{kind}");
    }
    let nobody = transaction.player(PlayerId(6));
    assert!(
        matches!(nobody, Err(StoreError::Damaged(Damage::Player))),
        "{kind}"
    );
    let unknown = transaction.player_with_token(&token(PlayerId(6)));
    assert_eq!(unknown.expect("a store that works"), None, "{kind}");
}

fn a_store_keeps_operators_actions_on_players(kind: &str, store: &dyn Store) {
    let mut room = Room::new(
        TIMEOUTS,
        NumberPool::from_first(1),
        NumberPool::from_first(1),
    );
    for (now, command) in evening() {
        commit(&mut room, store, &command, now);
    }
    let [one, other, third] = [1, 3, 4].map(PlayerId);
    let orders = [
        Order::Rename {
            player: one,
            name: Name::new("Zoë").expect("a name"),
        },
        Order::Ban { player: one },
        Order::Forget { player: other },
        Order::Ban { player: third },
        Order::Readmit { player: third },
    ];
    let mut transaction = begin(store);
    for order in &orders {
        let effects = room
            .execute_order(order, TableTime::from_millis(90_000))
            .expect("what may be done");
        for event in &effects.events {
            transaction
                .record(event, WallTime::from_millis(90_000))
                .expect("an event");
        }
        let known = room.player(order.player()).expect("a player");
        transaction
            .save_player(order.player(), known)
            .expect("a player");
    }
    transaction.erase(other).expect("a player");
    transaction.commit().expect("a store that works");
    let transaction = begin(store);
    for (id, standing, name) in [
        (one, PlayerStatus::Banned, "Zoë"),
        (other, PlayerStatus::Forgotten, "Player 3"),
        (third, PlayerStatus::Welcome, "Dora"),
    ] {
        let kept = transaction.player(id).expect("a player");
        assert_eq!(Some(&kept), room.player(id), "{kind}");
        assert_eq!(
            (kept.status, kept.name.as_str()),
            (standing, name),
            "{kind}"
        );
        assert_eq!(kept.name_is_fixed, id == one, "{kind}");
        let found = transaction.player_with_token(&token(id));
        let theirs = (id != other).then_some(id);
        assert_eq!(found.expect("a store that works"), theirs, "{kind}");
        let forgotten = token(id).of_forgotten_player();
        let found = transaction.player_with_token(&forgotten);
        let theirs = (id == other).then_some(id);
        assert_eq!(found.expect("a store that works"), theirs, "{kind}");
        let left = transaction.messages(id, MessageRange::new(0, u64::MAX));
        let is_empty = left.expect("a store that works").is_empty();
        assert_eq!(is_empty, id == other, "{kind}");
    }
}

/// Numbers of the messages kept for players 1 to 5.
fn check_messages(store: &dyn Store) -> Vec<Vec<u64>> {
    let transaction = begin(store);
    let of = |id| transaction.messages(PlayerId(id), MessageRange::new(0, u64::MAX));
    let numbers = |id| of(id).map(|all| all.into_iter().map(|message| message.seq).collect());
    let all: Result<_, StoreError> = (1..=5).map(numbers).collect();
    all.expect("a store that works")
}

fn old_messages_are_removed_up_to_the_end_of_a_game(kind: &str, store: &dyn Store) {
    let mut room = Room::new(
        TIMEOUTS,
        NumberPool::from_first(1),
        NumberPool::from_first(1),
    );
    let mut ends = Vec::new();
    for (now, command) in evening() {
        let effects = room
            .step(&command, TableTime::from_millis(now))
            .expect("what may be done");
        commit_as(&effects, &room, store, now, |_, sent| {
            serde_json::to_string(sent).expect("JSON")
        });
        ends.extend(effects.messages.into_iter().filter_map(|(to, sent)| {
            let is_end = matches!(
                sent.message,
                Message::Result { .. } | Message::Cancelled { .. }
            );
            is_end.then_some((now, to.0, sent.seq))
        }));
    }
    let all = check_messages(store);
    let forget = |before| {
        let mut transaction = begin(store);
        let removed = transaction.prune_messages(WallTime::from_millis(before), PlayerId(0));
        transaction.commit().expect("a store that works");
        removed.expect("a store that works").messages
    };
    let mut count = all.iter().map(Vec::len).sum::<usize>();
    for before in [0, 9, 1_013, 6_013, u64::MAX >> 1] {
        let removed = forget(before);
        let expected: Vec<Vec<u64>> = (1..)
            .zip(&all)
            .map(|(id, seqs)| {
                let old = ends.iter().filter(|(at, to, _)| *at < before && *to == id);
                let last = old.map(|(.., seq)| *seq).max().unwrap_or(0);
                seqs.iter().copied().filter(|seq| *seq > last).collect()
            })
            .collect();
        assert_eq!(check_messages(store), expected, "{kind} {before}");
        let now = expected.iter().map(Vec::len).sum::<usize>();
        assert_eq!(removed, (count - now) as u64, "{kind} {before}");
        count = now;
    }
    assert_eq!(count, 0, "{kind}: all games are over");
    // A waiting player keeps all messages.
    let (now, choose) = evening().swap_remove(5);
    for command in [choose, Command::Tick] {
        commit(&mut room, store, &command, now);
    }
    assert_eq!(forget(u64::MAX >> 1), 0, "{kind}");
    assert_eq!(check_messages(store)[0].len(), 1, "{kind}");
}

fn a_log_keeps_its_leaves_in_order(kind: &str, store: &dyn Store) {
    // If a table has several rooms, leaves are numbered after the commit.
    let at = |number| {
        if store.is_shared() {
            LeafPosition::Pending
        } else {
            LeafPosition::Assigned(number)
        }
    };
    let id = store.id().expect("a store that works");
    assert_eq!(store.id().expect("a store that works"), id, "{kind}");
    let end = |game| {
        Leaf::End(GameEnd {
            game,
            digest: Hex::new([7; 16]),
            time_ms: 1_700_000_000_000,
        })
    };
    let mut transaction = begin(store);
    assert_eq!(
        transaction.append(&end(5)).expect("a leaf"),
        at(0),
        "{kind}"
    );
    assert_eq!(
        transaction.append(&end(4)).expect("a leaf"),
        at(1),
        "{kind}"
    );
    drop(transaction);
    for expected in 0..3 {
        let mut transaction = begin(store);
        let found = transaction.first_leaf(5).expect("a store that works");
        assert_eq!(found, (expected > 0).then_some(at(0)), "{kind}");
        let place = transaction.append(&end(5)).expect("a leaf");
        assert_eq!(place, at(expected), "{kind}");
        transaction.commit().expect("a store that works");
    }
    assert_eq!(
        begin(store).first_leaf(4).expect("a store that works"),
        None,
        "{kind}"
    );
}

fn a_store_keeps_friend_links(kind: &str, store: &dyn Store) {
    let link = |player, byte| FriendLinkRecord {
        id: Hex::new([byte; 8]),
        player: PlayerId(player),
        kind: Kind::ALL[usize::from(byte % 2)],
        secret_hash: Hex::new([byte + 100; 32]),
    };
    let mut transaction = begin(store);
    for player in [1, 2] {
        let known = Player::new(Name::new("Ann").expect("a name"), false);
        let registration = Registration {
            id: PlayerId(player),
            player: &known,
            token: token(PlayerId(player)),
        };
        transaction.register(&registration).expect("a new player");
    }
    // The links of a player are in the order in which they were made.
    for new in [link(1, 9), link(2, 5), link(1, 3), link(1, 7)] {
        transaction
            .save_friend_link(&new)
            .expect("a store that works");
    }
    transaction.commit().expect("a store that works");
    let mut transaction = begin(store);
    let links = transaction.friend_links(PlayerId(1)).expect("links");
    assert_eq!(links, [link(1, 9), link(1, 3), link(1, 7)], "{kind}");
    let found = |transaction: &dyn Transaction, byte: u8| {
        transaction
            .friend_link(Hex::new([byte; 8]))
            .expect("a store that works")
    };
    assert_eq!(found(&*transaction, 5), Some(link(2, 5)), "{kind}");
    assert_eq!(found(&*transaction, 6), None, "{kind}");
    // Only the player who made a link can remove it.
    for player in [2, 1] {
        let removed = transaction.remove_friend_link(PlayerId(player), Hex::new([3; 8]));
        removed.expect("a store that works");
        assert_eq!(found(&*transaction, 3).is_some(), player == 2, "{kind}");
    }
    transaction.erase(PlayerId(1)).expect("a player");
    transaction.commit().expect("a store that works");
    let transaction = begin(store);
    assert_eq!(
        transaction.friend_links(PlayerId(1)).ok(),
        Some(Vec::new()),
        "{kind}"
    );
    assert_eq!(
        transaction.friend_links(PlayerId(2)).ok(),
        Some(vec![link(2, 5)]),
        "{kind}"
    );
}

fn uncommitted_changes_are_discarded(kind: &str, store: &dyn Store) {
    let request = RequestId::new("r").expect("an id");
    let answer = Answer {
        digest: Hex::new([1; 16]),
        messages: MessageRange::new(1, 2),
        refusal: Some(Refusal::StaleDecision),
    };
    let kept = AnswerRecord {
        player: PlayerId(1),
        request: &request,
        answer,
        at: TableTime::ZERO,
    };
    let known = |transaction: &dyn Transaction| {
        let found = transaction.answer(PlayerId(1), &request);
        found.expect("a store that works")
    };
    let mut transaction = begin(store);
    transaction.save_answer(&kept).expect("a new answer");
    assert_eq!(known(&*transaction), Some(answer), "{kind}");
    drop(transaction);
    let mut transaction = begin(store);
    assert_eq!(known(&*transaction), None, "{kind}");
    transaction.save_answer(&kept).expect("a new answer");
    transaction.commit().expect("a store that works");
    assert_eq!(known(&*begin(store)), Some(answer), "{kind}");
}

fn old_answers_are_forgotten(kind: &str, store: &dyn Store) {
    let request = RequestId::new("r").expect("an id");
    let kept = |player, at| AnswerRecord {
        player: PlayerId(player),
        request: &request,
        answer: Answer {
            digest: Hex::new([1; 16]),
            messages: MessageRange::new(1, 2),
            refusal: None,
        },
        at,
    };
    let mut transaction = begin(store);
    for (player, at) in [(1, 99), (2, 100), (3, 99), (4, 98)] {
        transaction
            .save_answer(&kept(player, TableTime::from_millis(at)))
            .expect("it");
    }
    let waits = RoomEvent::Chose {
        player: PlayerId(3),
        kind: Kind::Single,
        at: TableTime::ZERO,
        seed_hash: None,
        with: OpponentChoice::Anyone,
    };
    transaction
        .record(&waits, WallTime::ZERO)
        .expect("an event");
    transaction
        .save_time(TableTime::from_millis(100))
        .expect("a time");
    transaction.commit().expect("a store that works");
    assert_eq!(
        store.time().expect("a store that works"),
        TableTime::from_millis(100),
        "{kind}"
    );
    let mut transaction = begin(store);
    let next = transaction.prune_answers(TableTime::from_millis(100), None);
    assert_eq!(next.expect("a store that works"), None, "{kind}");
    transaction
        .save_time(TableTime::from_millis(200))
        .expect("a time");
    transaction.commit().expect("a store that works");
    let transaction = begin(store);
    let left = [1, 2, 3, 4].map(|player| {
        let answer = transaction.answer(PlayerId(player), &request);
        answer.expect("a store that works").is_some()
    });
    assert_eq!(left, [false, true, true, false], "{kind}");
}

#[test]
fn a_store_in_memory_fails_on_request() {
    let store = MemoryStore::new();
    let fail = |call, fault| store.inject_faults(move |asked| (asked == call).then_some(fault));
    let join = Command::Join {
        name: Name::new("Ann").expect("a name"),
        house: false,
    };
    fail(StoreCall::Begin, Fault::Busy);
    assert!(matches!(store.begin(), Ok(None)));
    fail(StoreCall::Begin, Fault::Error);
    assert!(store.begin().is_err());
    fail(StoreCall::ReadWrite, Fault::Error);
    assert!(
        begin(&store)
            .player_with_token(&token(PlayerId(1)))
            .is_err()
    );
    fail(StoreCall::Commit, Fault::Error);
    assert!(begin(&store).commit().is_err());
    store.clear_faults();
    commit(
        &mut Room::new(
            TIMEOUTS,
            NumberPool::from_first(1),
            NumberPool::from_first(1),
        ),
        &store,
        &join,
        0,
    );
    let before = store.snapshot();
    let rename = RoomEvent::Renamed {
        player: PlayerId(1),
        name: Name::new("Anna").expect("a name"),
    };
    for (fault, is_done) in [(Fault::Error, false), (Fault::LostReply, true)] {
        fail(StoreCall::Commit, fault);
        let mut transaction = begin(&store);
        transaction
            .record(&rename, WallTime::from_millis(1))
            .expect("an event");
        assert!(transaction.commit().is_err());
        assert_eq!(store.snapshot() != before, is_done, "{fault:?}");
    }
}
