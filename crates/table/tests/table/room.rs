//! Laws of the room that hold for all requests, in any order.

use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;
use war::support::hex::Hex;
use war::tokens::{Decision, Kind, Name, Secret, TokenEvent, commitment};
use war_table::protocol::{Message, NumberedMessage, PlayerId, Refusal};
use war_table::room::{
    Activity, Command, Effects, Match, NumberPool, OpponentChoice, Parties, Player, Room,
    RoomEvent, Timeouts,
};
use war_table::time::{TableTime, whole_millis};

const TERMS: Timeouts = Timeouts {
    decide: Duration::from_secs(30),
    seeds: Duration::from_secs(5),
};

/// Action of a player, of the house or of time. Players are picked by index.
#[derive(Debug, Clone)]
enum Action {
    Join(bool),
    Choose(usize, Kind),
    Cancel(usize, Kind),
    /// Opens a seed: the committed one if true, else another one.
    Seed(usize, bool),
    /// Decides on a deal: the last one that the player saw, or one near it.
    Decide(usize, Decision, i32),
    Pass(u64),
    House,
    /// Forwards the player to another room, where the player waits.
    Away(usize),
    /// Brings back the player who has been away longest, still waiting for an opponent.
    Back,
    Drain,
}

fn act() -> impl Strategy<Value = Action> {
    let kind = prop::sample::select(Kind::ALL.to_vec());
    let decision = prop::sample::select(vec![Decision::Play, Decision::Fold]);
    prop_oneof![
        2 => any::<bool>().prop_map(Action::Join),
        8 => (0..6_usize, kind.clone()).prop_map(|(player, kind)| Action::Choose(player, kind)),
        1 => (0..6_usize, kind).prop_map(|(player, kind)| Action::Cancel(player, kind)),
        9 => (0..6_usize, prop::bool::weighted(0.9))
            .prop_map(|(player, right)| Action::Seed(player, right)),
        9 => (0..6_usize, decision, prop::sample::select(vec![0, 0, 0, 0, 1, -1]))
            .prop_map(|(player, decision, off)| Action::Decide(player, decision, off)),
        4 => (0..20_000_u64).prop_map(Action::Pass),
        2 => Just(Action::House),
        2 => (0..6_usize).prop_map(Action::Away),
        3 => Just(Action::Back),
        1 => Just(Action::Drain),
    ]
}

/// Room under test, with the messages to its players.
struct Table {
    room: Room,
    now: TableTime,
    secrets: u64,
    /// Committed seed of each player.
    seeds: BTreeMap<PlayerId, Hex<32>>,
    /// All events so far. Applied to a new room, they must lead to the same state.
    events: Vec<RoomEvent>,
    inboxes: BTreeMap<PlayerId, Vec<Message>>,
    both_folded: i64,
    /// Players waiting in another room, with the kind of game, the time waited so far and the
    /// commitment.
    away: Vec<(PlayerId, Kind, Duration, Hex<32>)>,
}

impl Table {
    fn new() -> Self {
        Self {
            room: Room::new(TERMS, NumberPool::from_first(1), NumberPool::from_first(1)),
            now: TableTime::from_millis(1_000_000),
            secrets: 0,
            seeds: BTreeMap::new(),
            events: Vec::new(),
            inboxes: BTreeMap::new(),
            both_folded: 0,
            away: Vec::new(),
        }
    }

    /// The player at `index`, modulo the number of players; `None` if there are no players.
    fn player(&self, index: usize) -> Option<PlayerId> {
        let players: Vec<_> = self.room.players().map(|(id, _)| id).collect();
        (!players.is_empty()).then(|| players[index % players.len()])
    }

    /// The player at `index`, unless that player is away or belongs to the house: house players act
    /// only on `Action::House`.
    fn guest(&self, index: usize) -> Option<PlayerId> {
        let player = self.player(index)?;
        let house = self.room.player(player)?.house;
        let is_away = self.away.iter().any(|(away, ..)| *away == player);
        (!house && !is_away).then_some(player)
    }

    /// Bytes that have not been used before.
    fn secret(&mut self) -> Hex<32> {
        self.secrets += 1;
        let digits = self.secrets.to_le_bytes();
        Hex::new(std::array::from_fn(|at| {
            digits.get(at).copied().unwrap_or(0xa5)
        }))
    }

    /// A player's choice, and the seed that the choice commits to.
    fn choice(&mut self, player: PlayerId, kind: Kind) -> (Command, Hex<32>) {
        let (seed, secret) = (self.secret(), Secret::new(self.secret()));
        let choose = Command::Choose {
            player,
            kind,
            opponent: OpponentChoice::Anyone,
            seed_hash: Some(commitment(&seed)),
            secret,
        };
        (choose, seed)
    }

    /// Game and deal that a player saw last.
    fn seen(&self, player: PlayerId) -> (u64, u32) {
        let mut messages = self.inboxes.get(&player).into_iter().flatten().rev();
        let seen = messages.find_map(|message| match *message {
            Message::Started { game_id, .. } => Some((game_id, 0)),
            Message::Dealt { game_id, deal, .. } | Message::Redealt { game_id, deal, .. } => {
                Some((game_id, deal))
            }
            _ => None,
        });
        seen.unwrap_or((1, 0))
    }

    fn command(&mut self, act: &Action) -> Option<Command> {
        Some(match act {
            Action::Join(house) => Command::Join {
                name: Name::new("Somebody").expect("a name"),
                house: *house,
            },
            Action::Choose(player, kind) => {
                let player = self.guest(*player)?;
                self.chooses(player, *kind)
            }
            Action::Cancel(player, kind) => Command::Cancel {
                player: self.player(*player)?,
                kind: *kind,
            },
            Action::Seed(player, right) => {
                let player = self.player(*player)?;
                let own = self.seeds.get(&player).copied();
                Command::Seed {
                    player,
                    game: self.seen(player).0,
                    value: own.filter(|_| *right).unwrap_or(Hex::new([9; 32])),
                }
            }
            Action::Decide(player, decision, off) => {
                let player = self.player(*player)?;
                let (game, deal) = self.seen(player);
                Command::Decide {
                    player,
                    game,
                    deal: deal.saturating_add_signed(*off),
                    decision: *decision,
                }
            }
            Action::Pass(milliseconds) => {
                self.now = self
                    .now
                    .saturating_add(Duration::from_millis(*milliseconds));
                Command::Tick
            }
            Action::House => {
                let waited_for = |kind: &Kind| self.room.first_waiting_player(*kind).is_some();
                let kind = Kind::ALL.into_iter().find(waited_for)?;
                let player = self.room.find_free_house_player()?;
                self.chooses(player, kind)
            }
            Action::Away(player) => Command::Forward {
                player: self.player(*player)?,
                room: 1,
            },
            Action::Back => {
                let &(player, kind, waited, seed_hash) = self.away.first()?;
                Command::Receive {
                    player,
                    kind,
                    waited,
                    seed_hash,
                    secret: Secret::new(self.secret()),
                }
            }
            Action::Drain => Command::Drain,
        })
    }

    /// A player's choice. Keeps the committed seed if the player is free to choose.
    fn chooses(&mut self, player: PlayerId, kind: Kind) -> Command {
        let (choose, seed) = self.choice(player, kind);
        let activity = self.room.player(player).map(|player| player.activity);
        if activity == Some(Activity::Free) {
            self.seeds.insert(player, seed);
        }
        choose
    }

    /// Performs an action, and checks every law that applies to the action.
    fn act(&mut self, act: &Action) {
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
        for (to, sent) in &step.messages {
            // The server reserves space for two answers to each request.
            let to_them = step.messages.iter().filter(|(other, _)| other == to);
            assert!(to_them.count() <= 2, "more than two messages at once");
            self.check_message(*to, sent);
            if let Message::Decided { .. } = sent.message {
                let decided = step.events.iter().any(|event| decided(event, *to));
                assert!(decided, "somebody else learns a decision");
            }
        }
        self.check_balances(&before, &step.events);
        self.events.extend(step.events);
    }

    fn check_event(&mut self, before: &Room, event: &RoomEvent) {
        match event {
            &RoomEvent::SentOn {
                player,
                kind,
                waited,
                seed_hash,
                ..
            } => {
                let waits = before.first_waiting_player(kind);
                assert_eq!(waits, Some((player, self.now.saturating_sub(waited))));
                self.away.push((player, kind, waited, seed_hash));
            }
            &RoomEvent::Came {
                player,
                kind,
                at,
                seed_hash,
            } => {
                let came = (player, kind, self.now.saturating_since(at), seed_hash);
                assert_eq!(self.away.remove(0), came);
                assert_eq!(seed_hash, commitment(&self.seeds[&player]));
            }
            RoomEvent::Matched(Match { seats, .. }) => {
                assert_ne!(seats[0], seats[1], "nobody plays against themselves");
                let waited = before.player(seats[0]).map(|player| player.activity);
                assert!(matches!(waited, Some(Activity::Waiting(..))));
                for kind in Kind::ALL {
                    let waiting = self
                        .room
                        .first_waiting_player(kind)
                        .map(|(player, _)| player);
                    assert!(waiting.is_none_or(|waiting| !seats.contains(&waiting)));
                }
                assert!(
                    seats
                        .iter()
                        .any(|seat| !before.player(*seat).expect("there").house)
                );
            }
            RoomEvent::Played {
                game,
                seats,
                event:
                    TokenEvent::Decided {
                        seat,
                        timed_out: false,
                        ..
                    },
                ..
            } => {
                let deals = before.game(*game).expect("it runs").game.deals();
                let seen = self.seen(seats[seat.index()]);
                assert_eq!(seen, (*game, deals), "a decision on unseen cards counts");
            }
            RoomEvent::Played {
                game,
                seats,
                event: TokenEvent::Opened { seat, seed },
                ..
            } => {
                assert_eq!(self.seeds[&seats[seat.index()]], *seed, "of game {game}");
            }
            RoomEvent::Played {
                event: TokenEvent::Dealt { hands },
                due,
                ..
            } => {
                let cards: BTreeSet<_> = hands.concat().into_iter().collect();
                assert_eq!(cards.len(), 2 * hands[0].len(), "all cards are distinct");
                assert_eq!(*due, Some(self.now.saturating_add(TERMS.decide)));
            }
            _ => {}
        }
    }

    /// Checks that nobody learns a secret, and that every message has the next number.
    fn check_message(&mut self, to: PlayerId, numbered: &NumberedMessage) {
        let inbox = self.inboxes.entry(to).or_default();
        inbox.push(numbered.message.clone());
        assert_eq!(numbered.seq, inbox.len() as u64);
        let text = serde_json::to_string(numbered).expect("a message");
        let playing = self.room.player(to).map(|player| player.activity);
        let Some(Activity::Playing(game)) = playing else {
            return;
        };
        let running = self.room.game(game).expect("it runs");
        let seat = running.seats.iter().position(|seat| *seat == to);
        let theirs = 1 - seat.expect("a seat");
        // A result in the same step is that of an earlier game: the running game has no result yet.
        if matches!(numbered.message, Message::Result { .. }) {
            return;
        }
        let secret = running.game.secret().reveal();
        for secret in [secret, self.seeds[&running.seats[theirs]]] {
            let secret = secret.to_string();
            assert!(!text.contains(&secret), "a secret is revealed: {text}");
        }
        for card in running.game.hands().map_or(&[][..], |hands| &hands[theirs]) {
            assert!(
                !text.contains(&card.to_string()),
                "{card} is revealed: {text}"
            );
        }
    }

    /// Checks that every change of a balance is one of the stakes, and that only games that both
    /// players folded change the sum of all balances.
    fn check_balances(&mut self, before: &Room, events: &[RoomEvent]) {
        let mut changed: BTreeMap<PlayerId, i64> = BTreeMap::new();
        for event in events {
            let RoomEvent::Played {
                seats,
                event: TokenEvent::Settled { deltas },
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

    /// Passes all deadlines, so that every game ends.
    fn finish(&mut self) {
        let rounds = self.room.running_count();
        self.act(&Action::Pass(whole_millis(TERMS.seeds)));
        self.act(&Action::Pass(whole_millis(TERMS.decide)));
        assert_eq!(
            self.room.running_count(),
            0,
            "of {rounds} games some run on"
        );
    }

    /// Checks that the events alone lead to the same room, except for counters and messages.
    fn refold(&self) {
        let mut again = Room::new(TERMS, NumberPool::from_first(1), NumberPool::from_first(1));
        for event in &self.events {
            again.apply(event).expect("an event that happened");
        }
        let stand = |room: &Room| -> Vec<_> {
            let stand = |(id, player): (PlayerId, &Player)| (id, player.balance, player.activity);
            room.players().map(stand).collect()
        };
        assert_eq!(stand(&again), stand(&self.room));
        assert_eq!(
            (again.running_count(), again.waiting_count()),
            (self.room.running_count(), self.room.waiting_count())
        );
    }
}

/// Returns true if this event is a decision of this player.
fn decided(event: &RoomEvent, player: PlayerId) -> bool {
    match event {
        RoomEvent::Played {
            seats,
            event: TokenEvent::Decided { seat, .. },
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

/// Table with one player for each flag, a house player if true, and the players' numbers.
fn seated(houses: &[bool]) -> (Table, Vec<PlayerId>) {
    let mut table = Table::new();
    for house in houses {
        table.act(&Action::Join(*house));
    }
    let players = (0..houses.len())
        .filter_map(|index| table.player(index))
        .collect();
    (table, players)
}

#[test]
fn two_games_do_not_mix() {
    let (mut table, _) = seated(&[false; 4]);
    table.act(&Action::Choose(0, Kind::Single));
    table.act(&Action::Choose(1, Kind::Double));
    assert_eq!(
        (table.room.waiting_count(), table.room.running_count()),
        (2, 0)
    );
    table.act(&Action::Choose(2, Kind::Double));
    table.act(&Action::Choose(3, Kind::Single));
    assert_eq!(
        (table.room.waiting_count(), table.room.running_count()),
        (0, 2)
    );
}

/// Effects of a player's request.
fn ask(table: &mut Table, command: &Command) -> Result<Effects, Refusal> {
    table.room.step(command, table.now)
}

#[test]
fn nobody_waits_twice_or_plays_twice() {
    let (mut table, players) = seated(&[false; 3]);
    table.act(&Action::Choose(0, Kind::Single));
    let (again, _) = table.choice(players[0], Kind::Double);
    assert_eq!(ask(&mut table, &again), Err(Refusal::Waiting));
    table.act(&Action::Choose(1, Kind::Single));
    for player in [0, 1] {
        let (again, _) = table.choice(players[player], Kind::Single);
        assert_eq!(ask(&mut table, &again), Err(Refusal::Playing));
    }
    let stranger = Command::Decide {
        player: players[2],
        game: 1,
        deal: 1,
        decision: Decision::Play,
    };
    assert_eq!(ask(&mut table, &stranger), Err(Refusal::NotPlaying));
    let nobody = Command::Cancel {
        player: PlayerId(99),
        kind: Kind::Single,
    };
    assert_eq!(ask(&mut table, &nobody), Err(Refusal::HelloFirst));
}

#[test]
fn cancelling_withdraws_only_the_choice_of_that_game() {
    let (mut table, players) = seated(&[false]);
    table.act(&Action::Choose(0, Kind::Single));
    let cancel = |kind| Command::Cancel {
        player: players[0],
        kind,
    };
    let other = ask(&mut table, &cancel(Kind::Double));
    assert_eq!(other, Err(Refusal::NotWaiting));
    assert!(ask(&mut table, &cancel(Kind::Single)).is_ok());
    assert_eq!(table.room.waiting_count(), 0);
}

/// Table with two players whose game 1 has just started, and the players' numbers.
fn started(kind: Kind) -> (Table, Vec<PlayerId>) {
    started_with(kind, 0)
}

/// Table with two players whose game 1 has just started, and the players' numbers. Secrets and
/// seeds differ for each value of `secrets`.
fn started_with(kind: Kind, secrets: u64) -> (Table, Vec<PlayerId>) {
    let (mut table, players) = seated(&[false; 2]);
    table.secrets = 1000 * secrets;
    table.act(&Action::Choose(0, kind));
    table.act(&Action::Choose(1, kind));
    (table, players)
}

/// Table with two players who hold cards, and the players' numbers.
fn dealt(kind: Kind) -> (Table, Vec<PlayerId>) {
    dealt_with(kind, 0)
}

fn dealt_with(kind: Kind, secrets: u64) -> (Table, Vec<PlayerId>) {
    let (mut table, players) = started_with(kind, secrets);
    for player in [0, 1] {
        table.act(&Action::Seed(player, true));
    }
    (table, players)
}

fn balances(table: &Table, players: &[PlayerId]) -> Vec<i64> {
    let balance = |player: &PlayerId| table.room.player(*player).expect("there").balance;
    players.iter().map(balance).collect()
}

#[test]
fn a_decision_has_a_deadline() {
    let (mut table, players) = started(Kind::Single);
    assert_eq!(
        table.room.next_due(),
        Some(table.now.saturating_add(TERMS.seeds))
    );
    table.act(&Action::Pass(100));
    table.act(&Action::Seed(0, true));
    table.act(&Action::Seed(1, true));
    assert_eq!(
        table.room.next_due(),
        Some(table.now.saturating_add(TERMS.decide))
    );
    table.act(&Action::Decide(0, Decision::Play, 0));
    table.act(&Action::Pass(whole_millis(TERMS.decide) - 1));
    assert_eq!(table.room.running_count(), 1);
    table.act(&Action::Pass(1));
    assert_eq!(balances(&table, &players), [1003, 997]);
}

#[test]
fn waiting_has_no_deadline() {
    let (mut table, _) = seated(&[false]);
    table.act(&Action::Choose(0, Kind::Single));
    assert_eq!(table.room.next_due(), None);
}

/// Last message to a player.
fn last(table: &Table, player: PlayerId) -> &Message {
    table.inboxes[&player].last().expect("a message")
}

#[test]
fn a_player_who_does_not_open_their_seed_in_time_folds() {
    let (mut table, players) = started(Kind::Double);
    table.act(&Action::Seed(1, true));
    table.act(&Action::Pass(whole_millis(TERMS.seeds) - 1));
    assert_eq!(table.room.running_count(), 1);
    table.act(&Action::Pass(1));
    assert_eq!(balances(&table, &players), [995, 1005]);
    let Message::Result {
        forfeited,
        decisions,
        cards,
        reveal,
        ..
    } = last(&table, players[1])
    else {
        panic!("the game is over");
    };
    assert_eq!(
        (forfeited.as_slice(), decisions, cards),
        (&[1][..], &None, &None)
    );
    assert_eq!(reveal.client_seeds[0], None);
    assert_eq!(reveal.client_seeds[1], Some(table.seeds[&players[1]]));
    assert_eq!(reveal.deals, 0);
}

#[test]
fn two_players_who_do_not_open_their_seeds_both_fold() {
    let (mut table, players) = started(Kind::Single);
    table.act(&Action::Pass(whole_millis(TERMS.seeds)));
    assert_eq!(balances(&table, &players), [999, 999]);
}

#[test]
fn cards_are_dealt_as_soon_as_both_seeds_are_opened() {
    let (mut table, _) = started(Kind::Double);
    let deals = |table: &Table| table.room.game(1).expect("it runs").game.deals();
    table.act(&Action::Seed(0, true));
    assert_eq!(deals(&table), 0);
    table.act(&Action::Seed(1, true));
    assert_eq!(deals(&table), 1);
}

#[test]
fn only_the_committed_seed_is_accepted_and_only_once() {
    let (mut table, players) = started(Kind::Single);
    let own = table.seeds[&players[0]];
    let seed = |game, value| Command::Seed {
        player: players[0],
        game,
        value,
    };
    let before = table.room.clone();
    for (command, refusal) in [
        (seed(2, own), Refusal::StaleSeed),
        (seed(1, table.seeds[&players[1]]), Refusal::WrongSeed),
    ] {
        assert_eq!(ask(&mut table, &command), Err(refusal));
    }
    assert_eq!(table.room, before);
    assert!(ask(&mut table, &seed(1, own)).is_ok());
    let again = ask(&mut table, &seed(1, own));
    assert_eq!(again, Err(Refusal::SeededAlready));
}

#[test]
fn a_decision_on_other_cards_changes_nothing() {
    let (mut table, players) = started(Kind::Single);
    let decide = |game, deal| Command::Decide {
        player: players[0],
        game,
        deal,
        decision: Decision::Play,
    };
    // No cards have been dealt yet: a decision on deal 0 or on deal 1 is refused.
    for deal in [0, 1] {
        let early = ask(&mut table, &decide(1, deal));
        assert_eq!(early, Err(Refusal::StaleDecision));
    }
    for player in [0, 1] {
        table.act(&Action::Seed(player, true));
    }
    let before = table.room.clone();
    for (game, deal) in [(2, 1), (0, 1), (1, 0), (1, 2)] {
        let stale = ask(&mut table, &decide(game, deal));
        assert_eq!(stale, Err(Refusal::StaleDecision), "{game} {deal}");
    }
    assert_eq!(table.room, before);
    assert!(ask(&mut table, &decide(1, 1)).is_ok());
    let again = ask(&mut table, &decide(1, 1));
    assert_eq!(again, Err(Refusal::DecidedAlready));
}

// A player sends a decision twice. If the first one leads to a tie, the second one must not count
// for the new cards, which the player has not seen yet.
#[test]
fn a_second_decision_does_not_apply_to_the_cards_after_a_tie() {
    let mut ties = 0;
    for secrets in 0..100 {
        let (mut table, players) = dealt_with(Kind::Single, secrets);
        let decide = |player: PlayerId| Command::Decide {
            player,
            game: 1,
            deal: 1,
            decision: Decision::Play,
        };
        assert!(ask(&mut table, &decide(players[0])).is_ok());
        assert!(ask(&mut table, &decide(players[1])).is_ok());
        let second = ask(&mut table, &decide(players[1]));
        match table.room.game(1) {
            None => assert_eq!(second, Err(Refusal::NotPlaying)),
            Some(running) => {
                ties += 1;
                assert_eq!(second, Err(Refusal::StaleDecision));
                assert_eq!(running.game.deals(), 2);
                assert_eq!(running.game.decisions(), [None, None]);
            }
        }
    }
    assert!(ties > 0, "one game in seventeen ties");
}

#[test]
fn the_opponent_learns_that_a_player_decided_but_not_how() {
    let (mut table, players) = dealt(Kind::Single);
    table.act(&Action::Decide(0, Decision::Fold, 0));
    let told = Message::OpponentDecided {
        game_id: 1,
        deal: 1,
    };
    assert_eq!(*last(&table, players[1]), told);
    assert!(matches!(last(&table, players[0]), Message::Decided { .. }));
}

#[test]
fn a_draining_room_starts_no_game_and_finishes_running_ones() {
    let (mut table, players) = seated(&[false; 3]);
    table.act(&Action::Choose(0, Kind::Single));
    table.act(&Action::Choose(1, Kind::Single));
    table.act(&Action::Choose(2, Kind::Double));
    table.act(&Action::Drain);
    assert_eq!(table.room.waiting_count(), 0);
    let game = Kind::Double;
    assert_eq!(*last(&table, players[2]), Message::Draining { game });
    let (choose, _) = table.choice(players[2], Kind::Single);
    assert_eq!(ask(&mut table, &choose), Err(Refusal::Draining));
    table.finish();
}

#[test]
fn free_players_can_be_forgotten_and_playing_ones_cannot() {
    let (mut table, players) = seated(&[false; 2]);
    table.act(&Action::Choose(0, Kind::Single));
    assert!(!table.room.dismiss(players[0]));
    assert!(table.room.dismiss(players[1]));
    assert_eq!(table.room.player(players[1]), None);
}

/// Stored name of an event.
const fn name(event: &RoomEvent) -> &'static str {
    match event {
        RoomEvent::Joined { .. } => "joined",
        RoomEvent::Renamed { .. } => "renamed",
        RoomEvent::Chose { .. } => "chose",
        RoomEvent::Cancelled { .. } => "cancelled",
        RoomEvent::SentOn { .. } => "sent_on",
        RoomEvent::Came { .. } => "came",
        RoomEvent::Matched(_) => "matched",
        RoomEvent::WentOn { .. } => "went_on",
        RoomEvent::Adjusted { .. } => "adjusted",
        RoomEvent::Banned { .. } => "banned",
        RoomEvent::Readmitted { .. } => "readmitted",
        RoomEvent::Forgotten { .. } => "forgotten",
        RoomEvent::Played { event, .. } => match event {
            // The room stores the first event of a game as `matched`.
            TokenEvent::Started { .. } | TokenEvent::Committed { .. } => "matched",
            TokenEvent::DuelStarted => "duel_started",
            TokenEvent::Opened { .. } => "opened",
            TokenEvent::Forfeited { .. } => "forfeited",
            TokenEvent::Seeded { .. } => "seeded",
            TokenEvent::Dealt { .. } => "dealt",
            TokenEvent::Decided { .. } => "decided",
            TokenEvent::Tied => "tied",
            TokenEvent::Settled { .. } => "settled",
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
    assert_eq!(names.len(), 19, "{names:?}");
}

#[test]
fn a_table_that_waits_for_nobody_finishes_its_games() {
    let terms = Timeouts {
        decide: Duration::ZERO,
        seeds: Duration::ZERO,
    };
    for now in [0, u64::MAX].map(TableTime::from_millis) {
        let mut room = Room::new(terms, NumberPool::from_first(1), NumberPool::from_first(1));
        let mut games = 0;
        for (player, name) in [(1, "Ann"), (2, "Bob")] {
            let name = Name::new(name).expect("a name");
            let join = Command::Join { name, house: false };
            room.step(&join, now).expect("room for two");
            let choose = Command::Choose {
                player: PlayerId(player),
                kind: Kind::Single,
                opponent: OpponentChoice::Anyone,
                seed_hash: Some(Hex::new([8; 32])),
                secret: Secret::new(Hex::new([7; 32])),
            };
            room.step(&choose, now).expect("both are free");
        }
        let effects = room.step(&Command::Tick, now).expect("time may pass");
        for event in &effects.events {
            let settled = |event: &_| matches!(event, TokenEvent::Settled { .. });
            games += u32::from(matches!(event, RoomEvent::Played { event, .. } if settled(event)));
        }
        assert_eq!(games, 1);
    }
}

#[test]
fn events_with_the_largest_numbers_differ_from_possible_ones() {
    /// Largest public number that a journal can hold.
    const LARGEST: u64 = (1 << 53) - 1;
    let mut room = Room::new(TERMS, NumberPool::from_first(1), NumberPool::from_first(1));
    let join = |player| RoomEvent::Joined {
        player: PlayerId(player),
        name: None,
        house: false,
    };
    for player in [1, LARGEST] {
        assert_eq!(room.apply(&join(player)), Ok(()));
    }
    let matched = RoomEvent::Matched(Match {
        game: u64::MAX,
        kind: Kind::Single,
        seats: [PlayerId(1), PlayerId(LARGEST)],
        parties: Parties::Committed {
            seed_hashes: [Hex::new([8; 32]); 2],
        },
        secret: Secret::new(Hex::new([7; 32])),
        due: TableTime::from_millis(u64::MAX),
        with: OpponentChoice::Anyone,
    });
    assert_eq!(room.apply(&matched), Ok(()));
    let settled = RoomEvent::Played {
        game: u64::MAX,
        seats: [PlayerId(1), PlayerId(LARGEST)],
        event: TokenEvent::Settled {
            deltas: [i64::MAX, i64::MIN],
        },
        due: None,
    };
    assert_eq!(room.apply(&settled), Err(war_table::room::ApplyError));
}

// The events have the form that was stored for games under version 1 of the rules.
#[test]
fn a_game_by_the_first_rules_is_dealt_by_time_and_decided() {
    let (mut table, players) = seated(&[false; 2]);
    let matched = r#"{"matched":{"game":7,"kind":"single-card-game","seats":[1,2],
        "names":["Ann","Bob"],"secret":"c7c2c61fe9cfaa5fade6c18d15c3a06ed573c488e82b20e71b1ef6d534c984ae",
        "due":1000500}}"#;
    let matched: RoomEvent = serde_json::from_str(matched).expect("an event");
    table.room.apply(&matched).expect("both are free");
    let seed = Command::Seed {
        player: players[0],
        game: 7,
        value: Hex::new([1; 32]),
    };
    assert_eq!(ask(&mut table, &seed), Err(Refusal::SeedsClosed));
    table.seeds = players.iter().map(|id| (*id, Hex::new([9; 32]))).collect();
    table.act(&Action::Pass(500));
    table.act(&Action::Decide(0, Decision::Play, 0));
    table.act(&Action::Decide(1, Decision::Fold, 0));
    assert_eq!(balances(&table, &players), [1003, 997]);
    let Message::Result { reveal, .. } = last(&table, players[0]) else {
        panic!("the game is over");
    };
    assert_eq!((reveal.client_seeds, reveal.seed_hashes), ([None; 2], None));
}

#[test]
fn events_contain_no_names() {
    let (mut table, _) = dealt(Kind::Single);
    table.act(&Action::Decide(0, Decision::Play, 0));
    table.act(&Action::Decide(1, Decision::Fold, 0));
    let stored = serde_json::to_string(&table.events).expect("JSON");
    assert!(
        stored.contains("settled") && !stored.contains("Somebody"),
        "{stored}"
    );
    let told = serde_json::to_string(&table.inboxes.values().collect::<Vec<_>>()).expect("JSON");
    assert!(
        told.contains("started") && !told.contains("Somebody"),
        "{told}"
    );
}

// The grace period is for games whose requests are forwarded by other nodes.
#[test]
fn time_waits_for_requests_in_flight_and_later_decisions_are_too_late() {
    let (mut table, players) = seated(&[false; 2]);
    table.room.set_grace(Duration::from_secs(1));
    table.act(&Action::Choose(0, Kind::Single));
    table.act(&Action::Choose(1, Kind::Single));
    table.act(&Action::Seed(0, true));
    table.act(&Action::Seed(1, true));
    let (game, deal) = table.seen(players[0]);
    let decide = |player| Command::Decide {
        player,
        game,
        deal,
        decision: Decision::Play,
    };
    let due = table.now.saturating_add(TERMS.decide);
    let after = |milliseconds| due.saturating_add(Duration::from_millis(milliseconds));
    assert_eq!(table.room.next_due(), Some(after(1_000)));
    let ticked = table.room.step(&Command::Tick, after(999));
    assert_eq!(ticked.map(|step| step.events.len()), Ok(0));
    let late = |table: &Table, asked| table.room.refusal_of_late_move(&decide(players[0]), asked);
    assert_eq!(late(&table, due), Some(Refusal::TooLate));
    assert_eq!(
        late(&table, due.saturating_sub(Duration::from_millis(1))),
        None
    );
    // A request made in time may arrive after the deadline.
    let in_time = table.room.step(&decide(players[0]), after(500));
    assert!(in_time.is_ok());
    assert_eq!(late(&table, due), None, "it is decided");
    let ticked = table.room.step(&Command::Tick, after(1_000)).expect("time");
    assert!(!ticked.events.is_empty(), "the other one folds");
    assert_eq!(table.room.game(game), None);
}
