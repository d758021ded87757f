//! Measurement of the database time per game.

use super::{Database, begin, open, player, take, token};
use std::fs;
use std::time::{Duration, Instant};
use war::i18n::Lang;
use war::journal::ConsoleDigest;
use war::recording::RecordingMetadata;
use war::support::hex::Hex;
use war::tokens::{Decision, Kind, Secret, TokenEvent, commitment};
use war_table::log::{GameEnd, Leaf};
use war_table::protocol::{PlayerId, RequestId};
use war_table::room::{Command, Effects, OpponentChoice, Room, RoomEvent, Timeouts};
use war_table::server::store::{
    Answer, AnswerRecord, MessageRange, PrefetchKeys, Registration, Store, StoredMessage,
    Transaction,
};
use war_table::time::TableTime;
use war_table::time::WallTime;

/// Room whose batches are committed like those of a hub, with the time spent in the store.
struct TimedRoom {
    room: Room,
    store: Box<dyn Store>,
    requests: u64,
    took: Duration,
    batches: u32,
}

impl TimedRoom {
    fn new(store: Box<dyn Store>, players: u64) -> Self {
        let timeouts = Timeouts {
            decide: Duration::from_secs(30),
            seeds: Duration::from_secs(5),
        };
        let mut room = store.room(timeouts).expect("a store that works");
        let mut transaction = begin(&*store);
        for id in 1..=players {
            let (ann, token, id) = (player("Ann"), token(id), PlayerId(id));
            let registration = Registration {
                id,
                player: &ann,
                token,
            };
            transaction.register(&registration).expect("a player");
            room.admit(id, ann);
        }
        transaction.commit().expect("a store that works");
        Self {
            room,
            store,
            requests: 0,
            took: Duration::ZERO,
            batches: 0,
        }
    }

    /// Runs all commands in one batch.
    fn batch(&mut self, commands: Vec<(PlayerId, Command)>) {
        let ids =
            (self.requests..).map(|number| RequestId::new(&number.to_string()).expect("an id"));
        let asked: Vec<_> = commands.into_iter().zip(ids).collect();
        self.requests += asked.len() as u64;
        let requests = asked.iter().map(|((player, _), id)| (*player, id.clone()));
        let wanted = PrefetchKeys {
            requests: requests.collect(),
            ..PrefetchKeys::default()
        };
        let start = Instant::now();
        let mut transaction = begin(&*self.store);
        transaction.prefetch(&wanted).expect("a store that works");
        for (player, id) in &wanted.requests {
            let known = transaction.answer(*player, id).expect("a store that works");
            assert_eq!(known, None);
        }
        let busy = start.elapsed();
        for ((player, command), id) in &asked {
            let effects = self
                .room
                .step(command, TableTime::from_millis(1))
                .expect("what may be done");
            write(&mut *transaction, &self.room, &effects);
            save_answer(&mut *transaction, *player, id);
        }
        let start = Instant::now();
        transaction
            .save_time(TableTime::from_millis(1))
            .expect("a time");
        transaction.commit().expect("a store that works");
        self.took += busy + start.elapsed();
        self.batches += 1;
    }
}

/// Writes the effects of a request, like a hub.
fn write(transaction: &mut dyn Transaction, room: &Room, effects: &Effects) {
    for event in &effects.events {
        transaction
            .record(event, WallTime::from_millis(1))
            .expect("an event");
        let game = event.game().unwrap_or(0);
        let end = Leaf::End(GameEnd {
            game,
            digest: Hex::new([7; 16]),
            time_ms: 1,
        });
        if matches!(event, RoomEvent::Matched(_)) {
            transaction.append(&end).expect("a leaf");
        }
        let RoomEvent::Played { event, .. } = event else {
            continue;
        };
        if matches!(event, TokenEvent::Settled { .. }) {
            assert!(transaction.game_events(game).expect("its events").len() > 3);
            transaction.append(&end).expect("a leaf");
            let settlement = RecordingMetadata {
                engine: "war 0.1.0".to_owned(),
                lang: Lang::ALL[0],
                renderer: 1,
                console: ConsoleDigest {
                    bytes: 1000,
                    blake3: Hex::new([7; 32]),
                },
                digest: Hex::new([7; 16]),
            };
            let kept = transaction.save_settlement(game, &settlement);
            kept.expect("a settlement");
        }
    }
    for (to, sent) in &effects.messages {
        let message = StoredMessage {
            seq: sent.seq,
            body: format!("{:?}", sent.message),
            in_reply_to: None,
        };
        transaction.save_message(*to, &message).expect("a message");
        let player = room.player(*to).expect("a player");
        transaction.save_player(*to, player).expect("a player");
    }
}

/// Stores the answer to a request.
fn save_answer(transaction: &mut dyn Transaction, player: PlayerId, request: &RequestId) {
    let answer = Answer {
        digest: Hex::new([1; 16]),
        messages: MessageRange::new(1, 2),
        refusal: None,
    };
    let kept = AnswerRecord {
        player,
        request,
        answer,
        at: TableTime::from_millis(1),
    };
    transaction.save_answer(&kept).expect("a new answer");
}

/// Processor time used by a process, in microseconds.
fn busy(pid: i64) -> f64 {
    let times = fs::read_to_string(format!("/proc/{pid}/schedstat"));
    let times = times.unwrap_or_default();
    let nanoseconds = times
        .split(' ')
        .next()
        .and_then(|first| first.parse::<f64>().ok());
    nanoseconds.unwrap_or_default() / 1e3
}

#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn settled_games_are_stored_completely_and_fast() {
    let seed = |id| Hex::new([u8::try_from(id % 251).expect("small"); 32]);
    for (games, waves) in [(10_u64, 20), (50, 8), (200, 4)] {
        let database = Database::new();
        let players = 2 * games;
        let mut evening = TimedRoom::new(take(&open(&database), 0, "a"), players);
        let pid = database
            .sql()
            .number("SELECT pid FROM war.room WHERE id = 0");
        let before = busy(pid);
        for _ in 0..waves {
            let ids = || (1..=players).map(PlayerId);
            let choose = |player| Command::Choose {
                player,
                kind: Kind::Single,
                opponent: OpponentChoice::Anyone,
                seed_hash: Some(commitment(&seed(player.0))),
                secret: Secret::new(Hex::new([9; 32])),
            };
            evening.batch(ids().map(|player| (player, choose(player))).collect());
            let running = |room: &Room, id: PlayerId| match room.player(id)?.activity {
                war_table::room::Activity::Playing(game) => Some(game),
                _ => None,
            };
            let seeds: Vec<_> = ids()
                .filter_map(|player| {
                    let game = running(&evening.room, player)?;
                    let value = seed(player.0);
                    let open = Command::Seed {
                        player,
                        game,
                        value,
                    };
                    Some((player, open))
                })
                .collect();
            assert_eq!(seeds.len() as u64, players);
            evening.batch(seeds);
            let decisions: Vec<_> = ids()
                .filter_map(|player| {
                    let game = running(&evening.room, player)?;
                    let decide = Command::Decide {
                        player,
                        game,
                        deal: 1,
                        decision: Decision::Fold,
                    };
                    Some((player, decide))
                })
                .collect();
            evening.batch(decisions);
        }
        assert_eq!(evening.room.running_count(), 0);
        let played = games * waves;
        let sql = database.sql();
        let settled = sql.number("SELECT count(*) FROM war.settlement");
        assert_eq!(settled, i64::try_from(played).expect("few"));
        let bank = "SELECT sum(tokens) FROM war.ledger WHERE credit = 0";
        let balances = "SELECT 1000 * count(*) - sum(balance) FROM war.player";
        assert_eq!(sql.number(bank), sql.number(balances));
        let a_game =
            evening.took.as_secs_f64() * 1e6 / f64::from(u32::try_from(played).expect("few"));
        println!(
            "{games} games a batch: {a_game:.0} us a game, {:.0} us of them the database's processor, \
             {:.1} ms a batch",
            (busy(pid) - before) / f64::from(u32::try_from(played).expect("few")),
            evening.took.as_secs_f64() * 1e3 / f64::from(evening.batches)
        );
    }
}
