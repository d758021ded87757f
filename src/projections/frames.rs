//! Frames: the content of each turn, for programs that display a game graphically.
//!
//! [`Frames`] follows a game while it is played or replayed, and emits a [`Frame`] for each turn
//! as soon as it is over. A frame can be drawn without the rules and without other frames.

use crate::engine::{
    Event, Outcome, Play, Projection, Seat, Table, TableCard, TurnStep, tied_plays,
};
use crate::tokens::{Decision, Hand, TokenEvent, TokenGame};

/// Projection that emits a [`Frame`] for the deal and for each turn.
///
/// # Examples
///
/// ```
/// use war::projections::frames::{Frames, FrameContent};
/// use war::replay::Replay;
///
/// let journal = std::fs::read("journals/classic_dealt_won.json").unwrap();
/// let mut all = Vec::new();
/// let mut frames = Frames::new(|frame| all.push(frame));
/// Replay::open(&journal[..], None).unwrap().verify(&mut frames).unwrap();
/// frames.finish();
///
/// assert_eq!(all.len(), 20);
/// let FrameContent::Turn(war) = &all[2].content else { panic!("this is a game of War") };
/// assert!(war.is_war);
/// assert_eq!(war.winner.map(|seat| seat.number()), Some(2));
/// let card_counts: Vec<_> = war.seats.iter().map(|seat| (seat.before, seat.put.len(), seat.after)).collect();
/// assert_eq!(card_counts, [(5, 5, 0), (5, 5, 12), (5, 1, 4), (9, 1, 8)]);
/// # assert!(all[19].text.contains("player2 WON"));
/// ```
#[derive(Debug)]
pub struct Frames<F> {
    sink: F,
    /// Frame of the current turn.
    current: Option<Frame>,
    /// Last player to hold more cards than any other.
    leader: Option<Seat>,
}

impl<F: FnMut(Frame)> Frames<F> {
    /// A projection that passes each frame to `sink` when the next one begins.
    pub const fn new(sink: F) -> Self {
        Self {
            sink,
            current: None,
            leader: None,
        }
    }

    /// Frame of the current turn so far; `None` before the first event.
    #[must_use]
    pub const fn current_frame(&self) -> Option<&Frame> {
        self.current.as_ref()
    }

    /// Emits the last frame. Must be called after the last event.
    pub fn finish(mut self) {
        self.close();
    }

    fn close(&mut self) {
        if let Some(frame) = self.current.take() {
            (self.sink)(frame);
        }
    }

    /// Returns the content of this turn's frame, and begins that frame if the turn is new.
    fn content_mut(&mut self, turn: u32, new: impl FnOnce() -> FrameContent) -> &mut FrameContent {
        if self
            .current
            .as_ref()
            .is_some_and(|frame| frame.turn != turn)
        {
            self.close();
        }
        let frame = self.current.get_or_insert_with(|| Frame {
            turn,
            content: new(),
            text: String::new(),
        });
        &mut frame.content
    }

    /// Adds printed text to the current turn.
    fn add_text(&mut self, text: &str) {
        if let Some(frame) = &mut self.current {
            frame.text.push_str(text);
        }
    }
}

/// Collects the frames of a game that `play` plays or replays into the given [`Frames`], without
/// their text, and returns them with the result of `play`.
///
/// # Examples
///
/// ```
/// use war::projections::frames::collect_frames;
/// use war::replay::Replay;
///
/// let journal = std::fs::read("journals/classic_dealt_won.json").unwrap();
/// let replay = Replay::open(&journal[..], None).unwrap();
/// let (frames, judgement) = collect_frames(|frames| replay.verify(frames));
/// assert_eq!((frames.len(), judgement.unwrap().events()), (20, 53));
/// ```
pub fn collect_frames<T>(
    play: impl FnOnce(&mut Frames<&mut dyn FnMut(Frame)>) -> T,
) -> (Vec<Frame>, T) {
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
        let shown = self.content_mut(table.turn(), || FrameContent::Turn(Turn::new(table)));
        if let FrameContent::Turn(turn) = shown {
            turn.add_event(event, table, &mut leader);
        }
        self.leader = leader;
    }

    fn project_text(&mut self, text: &str, _: &Table) {
        self.add_text(text);
    }
}

impl<F: FnMut(Frame)> Projection<TokenGame> for Frames<F> {
    fn project(&mut self, event: &TokenEvent, game: &TokenGame) {
        let shown = self.content_mut(game.deals(), || FrameContent::Deal(TokenDeal::default()));
        if let FrameContent::Deal(deal) = shown {
            deal.add_event(event);
        }
    }

    fn project_text(&mut self, text: &str, _: &TokenGame) {
        self.add_text(text);
    }
}

/// Content of one turn of a game, or of one deal, with its printed text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// Number of the turn, or of the deal in a token game; 0 before the first.
    pub turn: u32,
    /// Content to display.
    pub content: FrameContent,
    /// Screens of the turn, as printed by `war replay --turn`; empty if the game prints nothing.
    pub text: String,
}

/// Content of a frame, by the kind of the game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FrameContent {
    /// A turn of War.
    Turn(Turn),
    /// A deal of a token game.
    Deal(TokenDeal),
}

/// A turn of War: the cards that each player held, put and took.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Turn {
    /// Turns of the players, seat 1 first, including those without cards.
    pub seats: Vec<PlayerTurn>,
    /// Set if the highest cards of the clash were equal.
    pub is_war: bool,
    /// Player who took all cards on the table.
    pub winner: Option<Seat>,
    /// New leader, if the lead changed: the player who now holds more cards than any other.
    pub new_leader: Option<Seat>,
    /// Set if hands were reordered after the turn.
    pub is_reshuffled: bool,
    /// Outcome of the game, in its last turn.
    pub outcome: Option<Outcome>,
}

/// Cards that a player held, put and took in a turn.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PlayerTurn {
    /// Number of cards in the hand before the turn.
    pub before: usize,
    /// Number of cards in the hand after the turn.
    pub after: usize,
    /// Cards that the player put in the clash and in a war, in order.
    pub put: Vec<TableCard>,
    /// Number of cards that the player took from the table.
    pub taken: usize,
    /// Moment of this turn at which the player turned out to be out of the game, if any.
    pub out_at: Option<TurnStep>,
}

impl Turn {
    /// The turn, or the deal, that has just begun at this table.
    fn new(table: &Table) -> Self {
        let seats = table.places().iter().map(|place| PlayerTurn {
            before: place.hand().len() + place.pile().len(),
            ..PlayerTurn::default()
        });
        Self {
            seats: seats.collect(),
            ..Self::default()
        }
    }

    /// Adds an event, given the table after it and the last leader.
    fn add_event(&mut self, event: &Event, table: &Table, leader: &mut Option<Seat>) {
        match event {
            Event::Clash { plays } => {
                self.is_war = !tied_plays(plays).is_empty();
                self.update_piles(plays, table);
            }
            Event::FaceDown { plays } | Event::WarRound { plays, .. } => {
                self.update_piles(plays, table);
            }
            Event::EndOfCards { seat, step } => self.seats[seat.index()].out_at = Some(*step),
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
        // During a turn the cards on the table belong to nobody.
        if table.is_pot_empty() {
            self.update_leader(leader);
        }
    }

    /// Copies the piles of the players who put a card.
    fn update_piles(&mut self, plays: &[Play], table: &Table) {
        for play in plays {
            let seat = play.seat.index();
            self.seats[seat].put = table.places()[seat].pile().to_vec();
        }
    }

    /// Sets the new leader if the lead has changed.
    fn update_leader(&mut self, leader: &mut Option<Seat>) {
        let most = self.seats.iter().map(|held| held.after).max();
        let mut first = Seat::all()
            .zip(&self.seats)
            .filter(|(_, held)| Some(held.after) == most);
        if let (Some((seat, _)), None) = (first.next(), first.next())
            && *leader != Some(seat)
        {
            // A first leader is not a change of the lead.
            self.new_leader = leader.replace(seat).and(Some(seat));
        }
    }
}

/// A deal of a token game; the first frame, before any deal, has no cards.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TokenDeal {
    /// Hands and decisions of the players, by seat.
    pub seats: [PlayerDeal; 2],
    /// Set if both played equal hands.
    pub is_tied: bool,
}

/// Hand and decision of a player in a deal of a token game.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PlayerDeal {
    /// Cards of the hand.
    pub hand: Hand,
    /// Decision on the hand.
    pub decision: Option<Decision>,
    /// Set if the player did not decide in time.
    pub timed_out: bool,
    /// Set if the player did not open their seed in time.
    pub forfeited: bool,
    /// Tokens that the player won at the end of the game; negative for a loss.
    pub tokens: Option<i64>,
}

impl TokenDeal {
    fn add_event(&mut self, event: &TokenEvent) {
        match event {
            TokenEvent::Dealt { hands } => {
                for (seat, hand) in self.seats.iter_mut().zip(hands) {
                    seat.hand.clone_from(hand);
                }
            }
            TokenEvent::Forfeited { seat } => {
                self.update(*seat, |dealt| dealt.forfeited = true);
            }
            TokenEvent::Decided {
                seat,
                decision,
                timed_out,
            } => self.update(*seat, |dealt| {
                dealt.decision = Some(*decision);
                dealt.timed_out = *timed_out;
            }),
            TokenEvent::Tied => self.is_tied = true,
            TokenEvent::Settled { deltas } => {
                for (seat, won) in self.seats.iter_mut().zip(deltas) {
                    seat.tokens = Some(*won);
                }
            }
            TokenEvent::Started { .. }
            | TokenEvent::Committed { .. }
            | TokenEvent::DuelStarted
            | TokenEvent::Opened { .. }
            | TokenEvent::Seeded { .. } => {}
        }
    }

    fn update(&mut self, seat: Seat, change: impl FnOnce(&mut PlayerDeal)) {
        if let Some(dealt) = self.seats.get_mut(seat.index()) {
            change(dealt);
        }
    }
}

/// A game at a glance: everyone's number of cards after each turn, and the notable turns.
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
/// assert_eq!(overview.card_counts(2), [0, 12, 4, 8]);
/// assert_eq!(overview.notable_turns().wars[0], 2);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Overview {
    /// Number of seats; 0 for a token game.
    seats: usize,
    /// Numbers of cards of all seats after each turn, turn by turn.
    hands: Vec<u16>,
    marks: NotableTurns,
}

/// Notable turns, in order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NotableTurns {
    /// Turns with a war; in a token game, tied deals.
    pub wars: Vec<u32>,
    /// Turns after which another player leads.
    pub lead_changes: Vec<u32>,
    /// Turns in which a player ran out of cards.
    pub eliminations: Vec<u32>,
}

impl Overview {
    /// Adds the next frame, or updates the last one.
    pub fn add(&mut self, frame: &Frame) {
        let marks = &mut self.marks;
        match &frame.content {
            FrameContent::Turn(turn) => {
                self.seats = turn.seats.len();
                self.hands.truncate(frame.turn as usize * self.seats);
                let held = |held: &PlayerTurn| u16::try_from(held.after).unwrap_or(u16::MAX);
                self.hands.extend(turn.seats.iter().map(held));
                let is_out = turn.seats.iter().any(|held| held.out_at.is_some());
                mark(&mut marks.wars, frame.turn, turn.is_war);
                mark(
                    &mut marks.lead_changes,
                    frame.turn,
                    turn.new_leader.is_some(),
                );
                mark(&mut marks.eliminations, frame.turn, is_out);
            }
            FrameContent::Deal(deal) => mark(&mut marks.wars, frame.turn, deal.is_tied),
        }
    }

    /// Number of players whose cards are counted; 0 for a token game.
    #[must_use]
    pub const fn seats(&self) -> usize {
        self.seats
    }

    /// Number of turns with counted cards, including the deal.
    #[must_use]
    pub fn turns(&self) -> usize {
        self.hands.len().checked_div(self.seats).unwrap_or_default()
    }

    /// Numbers of cards after this turn, seat 1 first; empty if there is no such turn.
    #[must_use]
    pub fn card_counts(&self, turn: usize) -> &[u16] {
        let start = turn.saturating_mul(self.seats);
        let end = start.saturating_add(self.seats);
        self.hands.get(start..end).unwrap_or_default()
    }

    /// Notable turns of the game.
    #[must_use]
    pub const fn notable_turns(&self) -> &NotableTurns {
        &self.marks
    }
}

/// Sets or clears the mark of the last turn.
fn mark(turns: &mut Vec<u32>, turn: u32, is_marked: bool) {
    turns.pop_if(|last| *last == turn);
    turns.extend(is_marked.then_some(turn));
}

#[cfg(test)]
mod tests {
    use super::{Frame, FrameContent, Overview, PlayerTurn, Turn};

    #[test]
    fn a_turn_added_twice_counts_once() {
        let frame = |turn, is_war, cards: [usize; 2]| Frame {
            turn,
            content: FrameContent::Turn(Turn {
                seats: cards
                    .map(|after| PlayerTurn {
                        after,
                        ..PlayerTurn::default()
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
        assert_eq!(
            (overview.turns(), overview.card_counts(1)),
            (2, &[4, 0][..])
        );
        assert_eq!(overview.notable_turns().wars, [1]);
        assert!(overview.card_counts(2).is_empty());
    }
}
