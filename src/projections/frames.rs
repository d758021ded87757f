//! Frames: what each turn of a game shows, for programs that draw it.
//!
//! [`Frames`] looks on while a game is played or replayed, and hands out a [`Frame`] for each
//! turn as soon as it is over. A frame needs no rules and no other frame to be drawn.

use crate::engine::{Event, Outcome, Play, Projection, Put, Seat, Step, Table, tied};
use crate::tokens::{Decision, Hand, TokenEvent, TokenGame};

/// A projection that hands out a [`Frame`] for the deal and for each turn.
///
/// # Examples
///
/// ```
/// use war::projections::frames::{Frames, Shown};
/// use war::replay::Replay;
///
/// let journal = std::fs::read("journals/classic_dealt_won.json").unwrap();
/// let mut all = Vec::new();
/// let mut frames = Frames::new(|frame| all.push(frame));
/// Replay::open(&journal[..], None).unwrap().verify(&mut frames).unwrap();
/// frames.finish();
///
/// assert_eq!(all.len(), 20);
/// let Shown::Turn(war) = &all[2].shown else { panic!("this is a game of War") };
/// assert!(war.is_war);
/// assert_eq!(war.winner.map(|seat| seat.number()), Some(2));
/// let cards: Vec<_> = war.seats.iter().map(|seat| (seat.before, seat.put.len(), seat.after)).collect();
/// assert_eq!(cards, [(5, 5, 0), (5, 5, 12), (5, 1, 4), (9, 1, 8)]);
/// # assert!(all[19].text.contains("player2 WON"));
/// ```
#[derive(Debug)]
pub struct Frames<F> {
    sink: F,
    /// The turn that is not over.
    open: Option<Frame>,
    /// Who held more cards than any other, last.
    leader: Option<Seat>,
}

impl<F: FnMut(Frame)> Frames<F> {
    /// Frames that go to this function, each when the next one begins.
    pub const fn new(sink: F) -> Self {
        Self {
            sink,
            open: None,
            leader: None,
        }
    }

    /// The turn that is not over, as it is so far; `None` before the first event.
    #[must_use]
    pub const fn open(&self) -> Option<&Frame> {
        self.open.as_ref()
    }

    /// Hands out the last frame; to be called when no event follows.
    pub fn finish(mut self) {
        self.close();
    }

    fn close(&mut self) {
        if let Some(frame) = self.open.take() {
            (self.sink)(frame);
        }
    }

    /// The frame of this turn, begun if it is new.
    fn frame(&mut self, turn: u32, new: impl FnOnce() -> Shown) -> &mut Shown {
        if self.open.as_ref().is_some_and(|frame| frame.turn != turn) {
            self.close();
        }
        let frame = self.open.get_or_insert_with(|| Frame {
            turn,
            shown: new(),
            text: String::new(),
        });
        &mut frame.shown
    }

    /// Adds to the turn that is not over what it has printed.
    fn add(&mut self, text: &str) {
        if let Some(frame) = &mut self.open {
            frame.text.push_str(text);
        }
    }
}

/// All frames of a game that `play` plays or replays before these [`Frames`], without the screens
/// of its turns, and what comes of playing it.
///
/// # Examples
///
/// ```
/// use war::projections::frames::drawn;
/// use war::replay::Replay;
///
/// let journal = std::fs::read("journals/classic_dealt_won.json").unwrap();
/// let replay = Replay::open(&journal[..], None).unwrap();
/// let (frames, judgement) = drawn(|frames| replay.verify(frames));
/// assert_eq!((frames.len(), judgement.unwrap().events()), (20, 53));
/// ```
pub fn drawn<T>(play: impl FnOnce(&mut Frames<&mut dyn FnMut(Frame)>) -> T) -> (Vec<Frame>, T) {
    let mut all = Vec::new();
    let mut keep = |frame| {
        all.push(Frame {
            text: String::new(),
            ..frame
        });
    };
    let mut frames = Frames::new(&mut keep as &mut dyn FnMut(Frame));
    let played = play(&mut frames);
    frames.finish();
    (all, played)
}

impl<F: FnMut(Frame)> Projection<Table> for Frames<F> {
    fn project(&mut self, event: &Event, table: &Table) {
        let mut leader = self.leader;
        let shown = self.frame(table.turn(), || Shown::Turn(Turn::begun(table)));
        if let Shown::Turn(turn) = shown {
            turn.show(event, table, &mut leader);
        }
        self.leader = leader;
    }

    fn printed(&mut self, text: &str, _: &Table) {
        self.add(text);
    }
}

impl<F: FnMut(Frame)> Projection<TokenGame> for Frames<F> {
    fn project(&mut self, event: &TokenEvent, game: &TokenGame) {
        let shown = self.frame(game.deals(), || Shown::Deal(Deal::default()));
        if let Shown::Deal(deal) = shown {
            deal.show(event);
        }
    }

    fn printed(&mut self, text: &str, _: &TokenGame) {
        self.add(text);
    }
}

/// What a turn of a game shows, and what it printed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// The turn, or of a token game the deal; 0 is what comes before the first.
    pub turn: u32,
    /// What there is to draw.
    pub shown: Shown,
    /// The screens of the turn, as `war replay --turn` prints them; nothing of a game that
    /// prints nothing.
    pub text: String,
}

/// What a frame has to draw, by the kind of the game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shown {
    /// A turn of War.
    Turn(Turn),
    /// A deal of a token game.
    Deal(Deal),
}

/// A turn of War: what each player held, put and took.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Turn {
    /// What each player did, seat 1 first; those without cards are among them.
    pub seats: Vec<Held>,
    /// Whether the highest cards of the clash were equal.
    pub is_war: bool,
    /// Who took all cards on the table.
    pub winner: Option<Seat>,
    /// Who holds more cards than any other, where that is another player than before.
    pub new_leader: Option<Seat>,
    /// Whether all hands were shuffled after it.
    pub is_reshuffled: bool,
    /// How the game ended, with the last turn.
    pub outcome: Option<Outcome>,
}

/// What a player held, put and took in a turn.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Held {
    /// The cards of the hand before the turn.
    pub before: usize,
    /// The cards of the hand after it.
    pub after: usize,
    /// The cards that they put, in order: the clash, and those of a war with how they lie.
    pub put: Vec<Put>,
    /// How many cards they took from the table.
    pub taken: usize,
    /// When it showed that they are out of the game, where it did in this turn.
    pub out: Option<Step>,
}

impl Turn {
    /// The turn that has just begun at this table; or the deal.
    fn begun(table: &Table) -> Self {
        let seats = table.places().iter().map(|place| Held {
            before: place.hand().len() + place.pile().len(),
            ..Held::default()
        });
        Self {
            seats: seats.collect(),
            ..Self::default()
        }
    }

    /// Adds an event that left the table like this; `leader` is who has led last.
    fn show(&mut self, event: &Event, table: &Table, leader: &mut Option<Seat>) {
        match event {
            Event::Clash { plays } => {
                self.is_war = !tied(plays).is_empty();
                self.put(plays, table);
            }
            Event::FaceDown { plays } | Event::WarRound { plays, .. } => self.put(plays, table),
            Event::EndOfCards { seat, step } => self.seats[seat.index()].out = Some(*step),
            Event::Collected { seat, cards } => {
                self.winner = Some(*seat);
                self.seats[seat.index()].taken = cards.len();
            }
            Event::Drawn { takes } => {
                for take in takes {
                    self.seats[take.seat.index()].taken = take.cards.len();
                }
            }
            Event::Reshuffled { .. } => self.is_reshuffled = true,
            Event::Dealt { .. }
            | Event::Won { .. }
            | Event::Endless { .. }
            | Event::DrawnGame
            | Event::Stopped { .. } => {}
        }
        for (held, place) in self.seats.iter_mut().zip(table.places()) {
            held.after = place.hand().len();
        }
        self.outcome = table.outcome();
        // In the middle of a turn some cards lie on the table and belong to nobody.
        if table.pot_is_empty() {
            self.compare(leader);
        }
    }

    /// Keeps the cards as they lie on the table now.
    fn put(&mut self, plays: &[Play], table: &Table) {
        for play in plays {
            let seat = play.seat.index();
            self.seats[seat].put = table.places()[seat].pile().to_vec();
        }
    }

    /// Looks who leads now.
    fn compare(&mut self, leader: &mut Option<Seat>) {
        let most = self.seats.iter().map(|held| held.after).max();
        let mut first = Seat::all()
            .zip(&self.seats)
            .filter(|(_, held)| Some(held.after) == most);
        if let (Some((seat, _)), None) = (first.next(), first.next())
            && *leader != Some(seat)
        {
            // The first to lead changes nothing.
            self.new_leader = leader.replace(seat).and(Some(seat));
        }
    }
}

/// A deal of a token game; the first frame, before any deal, has no cards.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Deal {
    /// What each player got and did, by seat.
    pub seats: [Dealt; 2],
    /// Whether both played equal hands.
    pub is_tied: bool,
}

/// What a player of a token game got and did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Dealt {
    /// Their cards.
    pub hand: Hand,
    /// What they decided.
    pub decision: Option<Decision>,
    /// Whether time decided for them.
    pub timed_out: bool,
    /// Whether they did not open their seed in time.
    pub forfeited: bool,
    /// The tokens they won, with the end of the game; negative for what they lost.
    pub won: Option<i64>,
}

impl Deal {
    /// Adds an event.
    fn show(&mut self, event: &TokenEvent) {
        match event {
            TokenEvent::Dealt { hands } => {
                for (seat, hand) in self.seats.iter_mut().zip(hands) {
                    seat.hand.clone_from(hand);
                }
            }
            TokenEvent::Forfeited { seat } => {
                self.of(*seat, |dealt| dealt.forfeited = true);
            }
            TokenEvent::Decided {
                seat,
                decision,
                timed_out,
            } => self.of(*seat, |dealt| {
                dealt.decision = Some(*decision);
                dealt.timed_out = *timed_out;
            }),
            TokenEvent::Tied => self.is_tied = true,
            TokenEvent::Settled { deltas } => {
                for (seat, won) in self.seats.iter_mut().zip(deltas) {
                    seat.won = Some(*won);
                }
            }
            TokenEvent::Started { .. }
            | TokenEvent::Committed { .. }
            | TokenEvent::Opened { .. }
            | TokenEvent::Seeded { .. } => {}
        }
    }

    fn of(&mut self, seat: Seat, change: impl FnOnce(&mut Dealt)) {
        if let Some(dealt) = self.seats.get_mut(seat.index()) {
            change(dealt);
        }
    }
}

/// The whole game at a glance: everyone's cards after each turn, and the turns to look at.
///
/// # Examples
///
/// ```
/// use war::projections::frames::{Frames, Overview};
/// use war::replay::Replay;
///
/// let journal = std::fs::read("journals/classic_dealt_won.json").unwrap();
/// let mut overview = Overview::default();
/// let mut frames = Frames::new(|frame| overview.add(&frame));
/// Replay::open(&journal[..], None).unwrap().verify(&mut frames).unwrap();
/// frames.finish();
///
/// assert_eq!(overview.turns(), 20);
/// assert_eq!(overview.cards(2), [0, 12, 4, 8]);
/// assert_eq!(overview.marks().wars[0], 2);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Overview {
    /// The number of seats, where cards are counted.
    seats: usize,
    /// The cards of all seats after each turn, one turn after the other.
    hands: Vec<u16>,
    marks: Marks,
}

/// Turns to look at, in order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Marks {
    /// Those that came to a war; of a token game, the deals that were tied.
    pub wars: Vec<u32>,
    /// Those after which another player holds the most cards.
    pub leads: Vec<u32>,
    /// Those in which a player ran out of cards.
    pub outs: Vec<u32>,
}

impl Overview {
    /// Adds the next frame, or the last one again as it is now.
    pub fn add(&mut self, frame: &Frame) {
        let marks = &mut self.marks;
        match &frame.shown {
            Shown::Turn(turn) => {
                self.seats = turn.seats.len();
                self.hands.truncate(frame.turn as usize * self.seats);
                let held = |held: &Held| u16::try_from(held.after).unwrap_or(u16::MAX);
                self.hands.extend(turn.seats.iter().map(held));
                let is_out = turn.seats.iter().any(|held| held.out.is_some());
                mark(&mut marks.wars, frame.turn, turn.is_war);
                mark(&mut marks.leads, frame.turn, turn.new_leader.is_some());
                mark(&mut marks.outs, frame.turn, is_out);
            }
            Shown::Deal(deal) => mark(&mut marks.wars, frame.turn, deal.is_tied),
        }
    }

    /// The number of players whose cards are counted; 0 of a token game.
    #[must_use]
    pub const fn seats(&self) -> usize {
        self.seats
    }

    /// How many turns there are with counted cards, the deal among them.
    #[must_use]
    pub fn turns(&self) -> usize {
        self.hands.len().checked_div(self.seats).unwrap_or_default()
    }

    /// Everyone's cards after this turn, seat 1 first; nobody's where there is no such turn.
    #[must_use]
    pub fn cards(&self, turn: usize) -> &[u16] {
        let start = turn.saturating_mul(self.seats);
        let end = start.saturating_add(self.seats);
        self.hands.get(start..end).unwrap_or_default()
    }

    /// The turns to look at.
    #[must_use]
    pub const fn marks(&self) -> &Marks {
        &self.marks
    }
}

/// Marks a turn, or takes its mark away: it is the last one.
fn mark(turns: &mut Vec<u32>, turn: u32, is_marked: bool) {
    turns.pop_if(|last| *last == turn);
    turns.extend(is_marked.then_some(turn));
}

#[cfg(test)]
mod tests {
    use super::{Frame, Held, Overview, Shown, Turn};

    #[test]
    fn a_turn_that_goes_on_is_counted_once_as_it_is_last() {
        let frame = |turn, is_war, cards: [usize; 2]| Frame {
            turn,
            shown: Shown::Turn(Turn {
                seats: cards
                    .map(|after| Held {
                        after,
                        ..Held::default()
                    })
                    .into(),
                is_war,
                ..Turn::default()
            }),
            text: String::new(),
        };
        let mut overview = Overview::default();
        overview.add(&frame(0, false, [2, 2]));
        overview.add(&frame(1, true, [1, 1]));
        overview.add(&frame(1, true, [4, 0]));
        assert_eq!((overview.turns(), overview.cards(1)), (2, &[4, 0][..]));
        assert_eq!(overview.marks().wars, [1]);
        assert!(overview.cards(2).is_empty());
    }
}
