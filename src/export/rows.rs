use super::row::EventRow;
use crate::cards::{Generator, Rank};
use crate::engine::{Event, Play, Projection, Seat, State, Table, TurnStep, tied_plays};
use crate::journal::{Deal, Header, JournaledGame, RecordedRules};
use crate::support::hex::Hex;
use crate::tokens::{Decision, TokenEvent, TokenGame};
use std::mem::take;

/// Projection that folds a game into rows, one for each event.
///
/// Pass it to a replay. After each event, [`EventRows::row`] is the row of that event.
#[derive(Debug)]
pub struct EventRows {
    row: EventRow,
    events: u64,
    /// Scratch space for hashing states.
    buffer: Vec<u8>,
}

impl EventRows {
    /// The rows of a game with this header; `journal` is the name of the journal in each row.
    #[must_use]
    pub fn new(journal: &str, header: &Header) -> Self {
        let mut row = empty_row();
        journal.clone_into(&mut row.journal);
        header.rules.id().clone_into(&mut row.rules);
        add_seed(&header.rules, &mut row);
        Self {
            row,
            events: 0,
            buffer: Vec::new(),
        }
    }

    /// The row of the last event; before the first, a row without an event.
    #[must_use]
    pub const fn row(&self) -> &EventRow {
        &self.row
    }

    /// Begins the row of the next event, with the state of the game after it.
    fn begin<S: JournaledGame>(&mut self, event: &'static str, state: &S) {
        let last = &mut self.row;
        self.row = EventRow {
            journal: take(&mut last.journal),
            rules: take(&mut last.rules),
            seed: last.seed,
            game: last.game,
            xy_seed: last.xy_seed,
            table_seed: last.table_seed.take(),
            seq: self.events,
            turn: State::turn(state),
            event,
            state: state.hash(&mut self.buffer),
            ..empty_row()
        };
        self.events += 1;
    }

    /// Adds cards, each with its player.
    fn add_cards(&mut self, cards: impl Iterator<Item = (Seat, Rank)>) {
        let cards = cards.map(|(seat, card)| (seat.number(), card.get()));
        let (players, cards) = cards.unzip();
        self.row.players = Some(players);
        self.row.cards = Some(cards);
    }

    fn add_hands(&mut self, hands: &[Vec<Rank>]) {
        let hands = Seat::all().zip(hands);
        self.add_cards(hands.flat_map(|(seat, hand)| hand.iter().map(move |&card| (seat, card))));
    }

    fn add_plays(&mut self, plays: &[Play]) {
        self.add_cards(plays.iter().map(|play| (play.seat, play.card)));
        self.row.indexes = Some(plays.iter().map(|play| play.index).collect());
    }
}

impl Projection<Table> for EventRows {
    fn project(&mut self, event: &Event, table: &Table) {
        self.begin(event_name(event), table);
        let hands = table.places().iter();
        self.row.hand_sizes = hands.map(|place| card_count(place.hand().len())).collect();
        self.row.on_table = Some(card_count(table.pot().count()));
        match event {
            Event::Dealt { hands } | Event::Reshuffled { hands } => self.add_hands(hands),
            Event::Clash { plays } => {
                self.add_plays(plays);
                self.row.war = Some(!tied_plays(plays).is_empty());
            }
            Event::FaceDown { plays } => self.add_plays(plays),
            Event::WarRound { round, plays } => {
                self.add_plays(plays);
                self.row.round = Some(*round);
            }
            Event::EndOfCards { seat, step } => {
                self.row.player = Some(seat.number());
                self.row.step = Some(match step {
                    TurnStep::FaceDown => "face_down",
                    TurnStep::FaceUp => "face_up",
                    TurnStep::TurnEnd => "turn_end",
                });
            }
            Event::Collected { seat, cards } => {
                self.row.player = Some(seat.number());
                self.add_cards(cards.iter().map(|&card| (*seat, card)));
            }
            Event::Drawn { takes } => self.add_cards(takes.iter().flat_map(|take| {
                let cards = take.cards.iter();
                cards.map(|&card| (take.seat, card))
            })),
            Event::Won { seat } => self.row.winner = Some(seat.number()),
            Event::Stopped { winner } => self.row.winner = winner.map(Seat::number),
            Event::Endless { from, .. } => self.row.repeats_from = Some(*from),
            Event::DrawnGame => {}
        }
    }
}

impl Projection<TokenGame> for EventRows {
    fn project(&mut self, event: &TokenEvent, game: &TokenGame) {
        self.begin(token_event_name(event), game);
        let hands = game
            .hands()
            .map_or([0, 0], |hands| hands.each_ref().map(Vec::len));
        self.row.hand_sizes = hands.map(card_count).to_vec();
        match event {
            TokenEvent::Started { players } => {
                let names = players.iter().map(|name| name.as_str().to_owned());
                self.row.names = Some(names.collect());
            }
            TokenEvent::Committed {
                players,
                seed_hashes,
            } => {
                self.row.numbers = Some(players.to_vec());
                let hashes = seed_hashes.iter().map(ToString::to_string);
                self.row.seed_hashes = Some(hashes.collect());
            }
            TokenEvent::Seeded { seat, value } => {
                self.row.player = Some(seat.number());
                self.row.client_seed = Some(value.as_str().to_owned());
            }
            TokenEvent::Opened { seat, seed } => {
                self.row.player = Some(seat.number());
                self.row.client_seed = Some(seed.to_string());
            }
            TokenEvent::Forfeited { seat } => self.row.player = Some(seat.number()),
            TokenEvent::Dealt { hands } => {
                let cards = || {
                    Seat::all()
                        .zip(hands)
                        .flat_map(|(seat, hand)| hand.iter().map(move |card| (seat, card)))
                };
                self.add_cards(cards().map(|(seat, card)| (seat, card.rank())));
                self.row.suits = Some(cards().map(|(_, card)| card.suit()).collect());
            }
            TokenEvent::Decided {
                seat,
                decision,
                timed_out,
            } => {
                self.row.player = Some(seat.number());
                self.row.decision = Some(match decision {
                    Decision::Play => "play",
                    Decision::Fold => "fold",
                });
                self.row.timed_out = Some(*timed_out);
            }
            TokenEvent::DuelStarted | TokenEvent::Tied => {}
            TokenEvent::Settled { deltas } => {
                self.row.winner = game.winner().map(Seat::number);
                self.row.deltas = Some(deltas.to_vec());
            }
        }
    }
}

/// A row without an event.
const fn empty_row() -> EventRow {
    EventRow {
        journal: String::new(),
        rules: String::new(),
        seed: None,
        game: None,
        xy_seed: None,
        table_seed: None,
        seq: 0,
        turn: 0,
        event: "",
        round: None,
        player: None,
        step: None,
        winner: None,
        war: None,
        repeats_from: None,
        players: None,
        cards: None,
        suits: None,
        indexes: None,
        hand_sizes: Vec::new(),
        on_table: None,
        names: None,
        numbers: None,
        seed_hashes: None,
        client_seed: None,
        decision: None,
        timed_out: None,
        deltas: None,
        state: Hex::new([0; 8]),
    }
}

/// Name of an event in a journal.
const fn event_name(event: &Event) -> &'static str {
    match event {
        Event::Dealt { .. } => "dealt",
        Event::Reshuffled { .. } => "reshuffled",
        Event::Clash { .. } => "clash",
        Event::FaceDown { .. } => "face_down",
        Event::WarRound { .. } => "war_round",
        Event::EndOfCards { .. } => "end_of_cards",
        Event::Collected { .. } => "collected",
        Event::Drawn { .. } => "drawn",
        Event::Won { .. } => "won",
        Event::Endless { .. } => "endless",
        Event::DrawnGame => "drawn_game",
        Event::Stopped { .. } => "stopped",
    }
}

const fn token_event_name(event: &TokenEvent) -> &'static str {
    match event {
        TokenEvent::Started { .. } => "started",
        TokenEvent::Committed { .. } => "committed",
        TokenEvent::DuelStarted => "duel_started",
        TokenEvent::Opened { .. } => "opened",
        TokenEvent::Forfeited { .. } => "forfeited",
        TokenEvent::Seeded { .. } => "seeded",
        TokenEvent::Dealt { .. } => "dealt",
        TokenEvent::Decided { .. } => "decided",
        TokenEvent::Tied => "tied",
        TokenEvent::Settled { .. } => "settled",
    }
}

/// Adds the seed of the cards, if there is one.
fn add_seed(rules: &RecordedRules, row: &mut EventRow) {
    let generator = match rules {
        RecordedRules::Tokens(committed) => {
            row.table_seed = Some(committed.secret.reveal().to_string());
            return;
        }
        RecordedRules::War { deal, .. } => match deal {
            Deal::Shuffled { generator } | Deal::Fixed { generator, .. } => generator,
            Deal::Imported | Deal::Scenario { .. } => return,
        },
    };
    match *generator {
        Generator::ChaCha8 { seed } => row.seed = Some(seed),
        Generator::JavaRandom { seed } => row.xy_seed = Some(seed),
        Generator::Xoshiro256PlusPlus { number } => {
            row.seed = Some(number.seed);
            row.game = Some(number.game);
        }
    }
}

fn card_count(cards: usize) -> u32 {
    u32::try_from(cards).unwrap_or(u32::MAX)
}
