//! The room: whatever is asked of it in whatever order, its laws hold.

use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use war::hex::Hex;
use war::room::{
    Activity, Command, Match, Message, Notice, Player, PlayerId, Refusal, Room, RoomEvent, Timeouts,
};
use war::tokens::{self, ClientSeed, Decision, Kind, Name, Secret};

const TERMS: Timeouts = Timeouts {
    decide: 30_000,
    seeds: 1_000,
};

/// What a player or time may do; players and games are picked by number.
#[derive(Debug, Clone)]
enum Act {
    Join(bool),
    Choose(usize, Kind),
    Cancel(usize),
    Seed(usize, String),
    Decide(usize, Decision),
    Pass(u64),
    House,
    Drain,
}

fn act() -> impl Strategy<Value = Act> {
    let kind = prop::sample::select(Kind::ALL.to_vec());
    let decision = prop::sample::select(vec![Decision::Play, Decision::Fold]);
    prop_oneof![
        2 => any::<bool>().prop_map(Act::Join),
        8 => (0..6_usize, kind).prop_map(|(player, kind)| Act::Choose(player, kind)),
        1 => (0..6_usize).prop_map(Act::Cancel),
        4 => (0..6_usize, "[a-z]{0,8}").prop_map(|(player, value)| Act::Seed(player, value)),
        9 => (0..6_usize, decision).prop_map(|(player, decision)| Act::Decide(player, decision)),
        4 => (0..20_000_u64).prop_map(Act::Pass),
        2 => Just(Act::House),
        1 => Just(Act::Drain),
    ]
}

/// The room under test, and what its players saw.
struct Table {
    room: Room,
    now: u64,
    secrets: u8,
    /// The events, which alone must lead to the same room.
    events: Vec<RoomEvent>,
    inboxes: BTreeMap<PlayerId, Vec<Message>>,
    both_folded: i64,
}

impl Table {
    fn new() -> Self {
        Self {
            room: Room::new(TERMS, 1, 1),
            now: 1_000_000,
            secrets: 0,
            events: Vec::new(),
            inboxes: BTreeMap::new(),
            both_folded: 0,
        }
    }

    /// The `index`-th player, if there are any.
    fn player(&self, index: usize) -> Option<PlayerId> {
        let players: Vec<_> = self.room.players().map(|(id, _)| id).collect();
        (!players.is_empty()).then(|| players[index % players.len()])
    }

    /// The `index`-th player, unless they belong to the house, which only comes when called.
    fn guest(&self, index: usize) -> Option<PlayerId> {
        let player = self.player(index)?;
        let house = self.room.player(player)?.house;
        (!house).then_some(player)
    }

    fn secret(&mut self) -> Secret {
        self.secrets = self.secrets.wrapping_add(1);
        Secret::new(Hex::new([self.secrets; 32]))
    }

    fn command(&mut self, act: &Act) -> Option<Command> {
        Some(match act {
            Act::Join(house) => Command::Join {
                name: Name::new("Somebody").expect("a name"),
                house: *house,
            },
            Act::Choose(player, kind) => Command::Choose {
                player: self.guest(*player)?,
                kind: *kind,
                secret: self.secret(),
            },
            Act::Cancel(player) => Command::Cancel {
                player: self.player(*player)?,
            },
            Act::Seed(player, value) => Command::Seed {
                player: self.player(*player)?,
                value: ClientSeed::new(value).expect("a seed"),
            },
            Act::Decide(player, decision) => Command::Decide {
                player: self.player(*player)?,
                decision: *decision,
            },
            Act::Pass(milliseconds) => {
                self.now += milliseconds;
                Command::Tick
            }
            Act::House => {
                let waited_for = |kind: &Kind| self.room.waits_for(*kind).is_some();
                let kind = Kind::ALL.into_iter().find(waited_for)?;
                let player = self.room.free_house()?;
                let secret = self.secret();
                Command::Choose {
                    player,
                    kind,
                    secret,
                }
            }
            Act::Drain => Command::Drain,
        })
    }

    /// Does it, and checks every law that concerns it.
    fn act(&mut self, act: &Act) {
        let Some(command) = self.command(act) else {
            return;
        };
        let before = self.room.clone();
        let Ok(step) = self.room.step(&command, self.now) else {
            assert_eq!(self.room, before, "a refusal changes nothing");
            return;
        };
        for event in &step.events {
            self.check_event(&before, event);
        }
        for notice in &step.notices {
            // The server keeps room for two answers to each request.
            let to_them = step.notices.iter().filter(|other| other.to == notice.to);
            assert!(to_them.count() <= 2, "more than two messages at once");
            self.check_notice(notice);
            if let Message::Decided { .. } = notice.sent.message {
                let decided = step.events.iter().any(|event| decided(event, notice.to));
                assert!(decided, "somebody else learns a decision");
            }
        }
        self.check_balances(&before, &step.events);
        self.events.extend(step.events);
    }

    fn check_event(&self, before: &Room, event: &RoomEvent) {
        match event {
            RoomEvent::Matched(Match { seats, .. }) => {
                assert_ne!(seats[0], seats[1], "nobody plays against themselves");
                let waited = before.player(seats[0]).map(|player| player.activity);
                assert!(matches!(waited, Some(Activity::Waiting(_))));
                assert!(
                    seats
                        .iter()
                        .any(|seat| !before.player(*seat).expect("there").house)
                );
            }
            RoomEvent::Played {
                event: tokens::TokenEvent::Dealt { hands },
                due,
                ..
            } => {
                let cards: BTreeSet<_> = hands.concat().into_iter().collect();
                assert_eq!(cards.len(), 2 * hands[0].len(), "all cards are distinct");
                assert_eq!(*due, Some(self.now + TERMS.decide));
            }
            _ => {}
        }
    }

    /// Nobody learns what they may not know, and every message has the next number.
    fn check_notice(&mut self, notice: &Notice) {
        let inbox = self.inboxes.entry(notice.to).or_default();
        inbox.push(notice.sent.message.clone());
        assert_eq!(notice.sent.seq, inbox.len() as u64);
        let text = serde_json::to_string(&notice.sent).expect("a message");
        let playing = self.room.player(notice.to).map(|player| player.activity);
        let Some(Activity::Playing(game)) = playing else {
            return;
        };
        let running = self.room.game(game).expect("it runs");
        let seat = running.seats.iter().position(|seat| *seat == notice.to);
        let theirs = 1 - seat.expect("a seat");
        // An earlier result may be in the same step; this game has none yet.
        if matches!(notice.sent.message, Message::Result { .. }) {
            return;
        }
        let secret = running.game.secret().reveal().to_string();
        assert!(!text.contains(&secret), "a secret is revealed: {text}");
        for card in running.game.hands().map_or(&[][..], |hands| &hands[theirs]) {
            assert!(
                !text.contains(&card.to_string()),
                "{card} is revealed: {text}"
            );
        }
    }

    /// Every change of a balance is one of the stakes, and the sum changes by nothing but
    /// the games that both folded.
    fn check_balances(&mut self, before: &Room, events: &[RoomEvent]) {
        let mut changed: BTreeMap<PlayerId, i64> = BTreeMap::new();
        for event in events {
            let RoomEvent::Played {
                seats,
                event: tokens::TokenEvent::Settled { deltas },
                ..
            } = event
            else {
                continue;
            };
            let stakes = [[1, 3, 10], [2, 5, 20]];
            let [fold, steal, showdown] = stakes
                .into_iter()
                .find(|stakes| stakes.contains(&deltas[0].abs()))
                .expect("one of the stakes");
            match *deltas {
                [one, two] if one == two => {
                    assert_eq!(one, -fold);
                    self.both_folded += 2 * fold;
                }
                [one, two] => {
                    assert_eq!(one, -two);
                    assert!([steal, showdown].contains(&one.abs()));
                }
            }
            for (seat, delta) in seats.iter().zip(deltas) {
                *changed.entry(*seat).or_default() += delta;
            }
        }
        let mut sum = 0;
        for (id, player) in self.room.players() {
            let was = before
                .player(id)
                .map_or(Player::OPENING_BALANCE, |player| player.balance);
            assert_eq!(player.balance - was, changed.get(&id).copied().unwrap_or(0));
            sum += player.balance - Player::OPENING_BALANCE;
        }
        assert_eq!(sum, -self.both_folded);
    }

    /// Lets all deadlines pass: every game ends.
    fn finish(&mut self) {
        let rounds = self.room.running();
        self.act(&Act::Pass(TERMS.seeds));
        self.act(&Act::Pass(TERMS.decide));
        assert_eq!(self.room.running(), 0, "of {rounds} games some run on");
    }

    /// The events alone lead to the same room, but for what was only counted or said.
    fn refold(&self) {
        let mut again = Room::new(TERMS, 1, 1);
        for event in &self.events {
            again.apply(event).expect("an event that happened");
        }
        let stand = |room: &Room| -> Vec<_> {
            let stand = |(id, player): (PlayerId, &Player)| (id, player.balance, player.activity);
            room.players().map(stand).collect()
        };
        assert_eq!(stand(&again), stand(&self.room));
        assert_eq!(
            (again.running(), again.waiting()),
            (self.room.running(), self.room.waiting())
        );
    }
}

/// Whether this event is a decision of this player.
fn decided(event: &RoomEvent, player: PlayerId) -> bool {
    match event {
        RoomEvent::Played {
            seats,
            event: tokens::TokenEvent::Decided { seat, .. },
            ..
        } => seats[seat.index()] == player,
        _ => false,
    }
}

proptest! {
    #[test]
    fn the_laws_of_the_room_hold(acts in prop::collection::vec(act(), 1..120)) {
        let (mut table, _) = seated(&[false, false, false, true]);
        for act in &acts {
            table.act(act);
        }
        table.refold();
        table.finish();
        table.refold();
    }
}

/// A room with these players; the result is their numbers.
fn seated(houses: &[bool]) -> (Table, Vec<PlayerId>) {
    let mut table = Table::new();
    for house in houses {
        table.act(&Act::Join(*house));
    }
    let players = (0..houses.len())
        .filter_map(|index| table.player(index))
        .collect();
    (table, players)
}

#[test]
fn two_games_do_not_mix() {
    let (mut table, _) = seated(&[false; 4]);
    table.act(&Act::Choose(0, Kind::Single));
    table.act(&Act::Choose(1, Kind::Double));
    assert_eq!((table.room.waiting(), table.room.running()), (2, 0));
    table.act(&Act::Choose(2, Kind::Double));
    table.act(&Act::Choose(3, Kind::Single));
    assert_eq!((table.room.waiting(), table.room.running()), (0, 2));
}

#[test]
fn nobody_queues_twice_or_plays_twice() {
    let (mut table, players) = seated(&[false; 3]);
    let secret = table.secret();
    let choose = |player: usize, kind| Command::Choose {
        player: players[player],
        kind,
        secret,
    };
    table.act(&Act::Choose(0, Kind::Single));
    let again = table.room.step(&choose(0, Kind::Double), table.now);
    assert_eq!(again, Err(Refusal::Waiting));
    table.act(&Act::Choose(1, Kind::Single));
    for player in [0, 1] {
        let again = table.room.step(&choose(player, Kind::Single), table.now);
        assert_eq!(again, Err(Refusal::Playing));
    }
    let stranger = Command::Decide {
        player: players[2],
        decision: Decision::Play,
    };
    assert_eq!(
        table.room.step(&stranger, table.now),
        Err(Refusal::NotPlaying)
    );
    let nobody = Command::Cancel {
        player: PlayerId(99),
    };
    assert_eq!(
        table.room.step(&nobody, table.now),
        Err(Refusal::HelloFirst)
    );
}

#[test]
fn seeds_have_a_second_and_decisions_have_their_time() {
    let (mut table, _) = seated(&[false; 2]);
    table.act(&Act::Choose(0, Kind::Single));
    assert_eq!(table.room.next_due(), None, "who waits may wait for ever");
    table.act(&Act::Choose(1, Kind::Single));
    assert_eq!(table.room.next_due(), Some(table.now + TERMS.seeds));
    table.act(&Act::Pass(TERMS.seeds - 1));
    let game = |table: &Table| table.room.game(1).expect("it runs").game.deals();
    assert_eq!(game(&table), 0);
    table.act(&Act::Pass(1));
    assert_eq!(game(&table), 1);
    table.act(&Act::Decide(0, Decision::Play));
    table.act(&Act::Pass(TERMS.decide - 1));
    assert_eq!(table.room.running(), 1);
    table.act(&Act::Pass(1));
    let balance = |index| {
        let player = table.player(index).expect("a player");
        table.room.player(player).expect("there").balance
    };
    assert_eq!([balance(0), balance(1)], [1003, 997]);
}

#[test]
fn both_seeds_deal_at_once() {
    let (mut table, _) = seated(&[false; 2]);
    table.act(&Act::Choose(0, Kind::Double));
    table.act(&Act::Choose(1, Kind::Double));
    table.act(&Act::Seed(0, "a".to_owned()));
    assert_eq!(table.room.game(1).expect("it runs").game.deals(), 0);
    table.act(&Act::Seed(1, "b".to_owned()));
    assert_eq!(table.room.game(1).expect("it runs").game.deals(), 1);
}

#[test]
fn the_house_adds_no_seed() {
    let (mut table, _) = seated(&[true, true, false]);
    table.act(&Act::Choose(2, Kind::Single));
    table.act(&Act::House);
    assert_eq!(table.room.running(), 1);
    // The house has no seed to add: the guest's alone deals.
    table.act(&Act::Seed(2, "mine".to_owned()));
    assert_eq!(table.room.game(1).expect("it runs").game.deals(), 1);
}

#[test]
fn a_draining_room_starts_no_game_and_ends_those_that_run() {
    let (mut table, players) = seated(&[false; 3]);
    table.act(&Act::Choose(0, Kind::Single));
    table.act(&Act::Choose(1, Kind::Single));
    table.act(&Act::Drain);
    let choose = Command::Choose {
        player: players[2],
        kind: Kind::Single,
        secret: table.secret(),
    };
    assert_eq!(table.room.step(&choose, table.now), Err(Refusal::Draining));
    table.finish();
}

#[test]
fn free_players_are_forgotten_and_playing_ones_are_not() {
    let (mut table, players) = seated(&[false; 2]);
    table.act(&Act::Choose(0, Kind::Single));
    assert!(!table.room.dismiss(players[0]));
    assert!(table.room.dismiss(players[1]));
    assert_eq!(table.room.player(players[1]), None);
}

/// The name of an event as it is stored.
const fn name(event: &RoomEvent) -> &'static str {
    match event {
        RoomEvent::Joined { .. } => "joined",
        RoomEvent::Renamed { .. } => "renamed",
        RoomEvent::Chose { .. } => "chose",
        RoomEvent::Cancelled { .. } => "cancelled",
        RoomEvent::Matched(_) => "matched",
        RoomEvent::WentOn { .. } => "went_on",
        RoomEvent::Played { event, .. } => match event {
            // A game starts with its match.
            tokens::TokenEvent::Started { .. } | tokens::TokenEvent::Committed { .. } => "matched",
            tokens::TokenEvent::Opened { .. } => "opened",
            tokens::TokenEvent::Forfeited { .. } => "forfeited",
            tokens::TokenEvent::Seeded { .. } => "seeded",
            tokens::TokenEvent::Dealt { .. } => "dealt",
            tokens::TokenEvent::Decided { .. } => "decided",
            tokens::TokenEvent::Tied => "tied",
            tokens::TokenEvent::Settled { .. } => "settled",
        },
    }
}

#[test]
fn stored_events_keep_their_form() {
    let mut names = BTreeSet::new();
    for line in include_str!("room_events.jsonl").lines() {
        let event: RoomEvent = serde_json::from_str(line).expect(line);
        assert_eq!(serde_json::to_string(&event).expect("JSON"), line);
        names.insert(name(&event));
    }
    assert_eq!(names.len(), 11, "{names:?}");
}

#[test]
fn a_table_that_waits_for_nobody_plays_games_to_their_end() {
    let terms = Timeouts {
        decide: 0,
        seeds: 0,
    };
    for now in [0, u64::MAX] {
        let mut room = Room::new(terms, 1, 1);
        let mut games = 0;
        for (player, name) in [(1, "Ann"), (2, "Bob")] {
            let name = Name::new(name).expect("a name");
            let join = Command::Join { name, house: false };
            room.step(&join, now).expect("room for two");
            let choose = Command::Choose {
                player: PlayerId(player),
                kind: Kind::Single,
                secret: Secret::new(Hex::new([7; 32])),
            };
            room.step(&choose, now).expect("both are free");
        }
        let effects = room.step(&Command::Tick, now).expect("time may pass");
        for event in &effects.events {
            let settled = |event: &_| matches!(event, tokens::TokenEvent::Settled { .. });
            games += u32::from(matches!(event, RoomEvent::Played { event, .. } if settled(event)));
        }
        assert_eq!(games, 1);
    }
}

#[test]
fn events_with_the_largest_numbers_differ_from_possible_ones() {
    let mut room = Room::new(TERMS, 1, 1);
    let join = |player| RoomEvent::Joined {
        player: PlayerId(player),
        name: Name::new("Ann").expect("a name"),
        house: false,
    };
    for player in [1, u64::MAX] {
        assert_eq!(room.apply(&join(player)), Ok(()));
    }
    let matched = RoomEvent::Matched(Match {
        game: u64::MAX,
        kind: Kind::Single,
        seats: [PlayerId(1), PlayerId(u64::MAX)],
        names: ["Ann", "Bob"].map(|name| Name::new(name).expect("a name")),
        secret: Secret::new(Hex::new([7; 32])),
        due: u64::MAX,
    });
    assert_eq!(room.apply(&matched), Ok(()));
    let settled = RoomEvent::Played {
        game: u64::MAX,
        seats: [PlayerId(1), PlayerId(u64::MAX)],
        event: tokens::TokenEvent::Settled {
            deltas: [i64::MAX, i64::MIN],
        },
        due: None,
    };
    assert_eq!(room.apply(&settled), Err(war::room::ApplyError));
}
