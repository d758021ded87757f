//! Frames: what each turn of a game shows, for programs that draw it.
//!
//! [`Frames`] looks on while a game is played or replayed, and hands out a [`Frame`] for each
//! turn as soon as it is over. A frame needs no rules and no other frame to be drawn.

mod deal;
mod frame;
mod overview;
mod turn;

pub use deal::{Deal, Dealt};
pub use frame::{Frame, Shown};
pub use overview::{Marks, Overview};
pub use turn::{Held, Turn};

use crate::engine::{Event, Projection, Seat, Table};
use crate::tokens::{TokenEvent, TokenGame};

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

    /// The frame of this turn, begun if it is new, with this text added.
    fn frame(&mut self, turn: u32, text: &str, new: impl FnOnce() -> Shown) -> &mut Shown {
        if self.open.as_ref().is_some_and(|frame| frame.turn != turn) {
            self.close();
        }
        let frame = self.open.get_or_insert_with(|| Frame {
            turn,
            shown: new(),
            text: String::new(),
        });
        frame.text.push_str(text);
        &mut frame.shown
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
    fn project(&mut self, event: &Event, table: &Table, out: &mut String) {
        let mut leader = self.leader;
        let shown = self.frame(table.turn(), out, || Shown::Turn(Turn::begun(table)));
        if let Shown::Turn(turn) = shown {
            turn.show(event, table, &mut leader);
        }
        self.leader = leader;
    }
}

impl<F: FnMut(Frame)> Projection<TokenGame> for Frames<F> {
    fn project(&mut self, event: &TokenEvent, game: &TokenGame, out: &mut String) {
        let shown = self.frame(game.deals(), out, || Shown::Deal(Deal::default()));
        if let Shown::Deal(deal) = shown {
            deal.show(event);
        }
    }
}
