use super::{Screens, Start};
use crate::engine::{Event, Play, Seat};
use crate::i18n::{Catalogue, Message, Text};
use std::cmp::Ordering;
use std::fmt::Write;

/// The table of the X/Y edition: a row for each round.
pub(super) struct XyScreens {
    catalogue: &'static Catalogue,
    /// How many cards X and Y hold, those on the table not counted.
    held: [usize; 2],
    round: u32,
    /// The face-down pairs of a war, until the face-up pair shows how many there are.
    face_down: String,
    pairs: usize,
}

/// The width of each half of the bar.
const HALF: usize = 26;

impl XyScreens {
    pub(super) const fn new(start: &Start) -> Self {
        Self {
            catalogue: start.catalogue,
            held: [0; 2],
            round: 0,
            face_down: String::new(),
            pairs: 0,
        }
    }

    /// What every row says: the cards held, and the bar.
    fn standings(&self, out: &mut String) {
        let [x, y] = self.held;
        // Writing to a string never fails.
        let _ = write!(out, " : X=[{x:02}]=({})=[{y:02}]=Y : ", bar(x, y));
    }

    fn begin_round(&mut self, plays: &[Play], out: &mut String) {
        self.round += 1;
        let _ = write!(out, "{:>6}", self.round);
        self.standings(out);
        self.put(plays, '|', out);
    }

    /// Shows a pair, face up with `|` and face down with `-`, and the space after it.
    fn put(&mut self, plays: &[Play], sign: char, out: &mut String) {
        for play in plays {
            if let Some(held) = self.held.get_mut(play.seat.index()) {
                *held = held.saturating_sub(1);
            }
        }
        if let [x, y] = plays {
            let (x, y) = (x.card.get(), y.card.get());
            let _ = write!(out, "X>{x:02}{sign}{y:02}<Y ");
        }
    }

    fn take(&mut self, seat: Seat, cards: usize) {
        if let Some(held) = self.held.get_mut(seat.index()) {
            *held += cards;
        }
    }

    fn header(&self, out: &mut String) {
        for message in [Message::XY_HEADER, Message::XY_RULE] {
            self.catalogue.write(out, &Text::new(message));
            out.push('\n');
        }
    }

    fn won(&self, seat: Seat, out: &mut String) {
        self.catalogue.write(out, &Text::new(Message::XY_WINNER));
        self.standings(out);
        let mark = if seat.index() == 0 {
            "X!       "
        } else {
            "       !Y"
        };
        let _ = writeln!(out, "{mark} --> {}", name(seat));
    }
}

impl Screens for XyScreens {
    fn show(&mut self, event: &Event, out: &mut String) {
        match event {
            Event::Dealt { hands } => {
                for (held, hand) in self.held.iter_mut().zip(hands) {
                    *held = hand.len();
                }
                self.header(out);
            }
            Event::Clash { plays } => self.begin_round(plays, out),
            Event::FaceDown { plays } => {
                let mut pairs = std::mem::take(&mut self.face_down);
                self.put(plays, '-', &mut pairs);
                self.face_down = pairs;
                self.pairs += 1;
            }
            Event::WarRound { plays, .. } => {
                let _ = write!(out, "--> W[{}] {}", self.pairs, self.face_down);
                self.pairs = 0;
                self.face_down.clear();
                self.put(plays, '|', out);
            }
            Event::Collected { seat, cards } => {
                self.take(*seat, cards.len());
                let _ = writeln!(out, "--> {}", name(*seat));
            }
            Event::Drawn { takes } => {
                for take in takes {
                    self.take(take.seat, take.cards.len());
                }
                out.push_str("--> W[0] ");
                self.catalogue.write(out, &Text::new(Message::XY_DRAW));
                out.push('\n');
            }
            Event::Won { seat } => self.won(*seat, out),
            Event::EndOfCards { .. }
            | Event::Reshuffled { .. }
            | Event::Endless { .. }
            | Event::DrawnGame
            | Event::Stopped { .. } => {}
        }
    }
}

/// The bar of 53 characters: who holds more, and by how much.
fn bar(x: usize, y: usize) -> String {
    let spaces = |count: usize| " ".repeat(count);
    let (full, rest) = (spaces(HALF), |held: usize| {
        spaces((HALF - 1).saturating_sub(held))
    });
    match x.cmp(&y) {
        Ordering::Less => format!("{full}|{}*{}", rest(x), spaces(x)),
        Ordering::Equal => format!("{full}={full}"),
        Ordering::Greater => format!("{}*{}|{full}", spaces(y), rest(y)),
    }
}

const fn name(seat: Seat) -> char {
    if seat.index() == 0 { 'X' } else { 'Y' }
}
