use super::seats::ScreenOptions;
use crate::engine::{Event, Play, Screen, Seat, Table};
use crate::i18n::{Catalogue, text};
use std::cmp::Ordering;
use std::fmt::Write;

/// The screens of the X/Y edition: a table with a row for each round.
pub(super) struct XyScreens {
    catalogue: &'static Catalogue,
    row: XyRow,
}

/// A row of the X/Y table, printed piece by piece as its round is played.
#[derive(Debug, Default)]
pub struct XyRow {
    /// Face-down pairs of a war, buffered until the face-up pair shows how many there are.
    face_down: String,
    pairs: usize,
}

/// Width of each half of the bar that shows who leads, in characters.
const HALF: usize = 26;

impl XyRow {
    /// Prints the beginning of a row: the round, counted from 1, the cards that X and Y held
    /// before it, and the pair of cards played.
    pub fn print_start(round: u32, held: [usize; 2], pair: [u8; 2], out: &mut String) {
        // Writing to a string never fails.
        let _ = write!(out, "{round:>6}");
        print_score(held, out);
        print_pair(pair, '|', out);
    }

    /// Buffers a face-down pair.
    pub fn buffer_face_down(&mut self, pair: [u8; 2]) {
        print_pair(pair, '-', &mut self.face_down);
        self.pairs += 1;
    }

    /// Prints a war: the face-down pairs, then the face-up pair.
    pub fn print_war(&mut self, pair: [u8; 2], out: &mut String) {
        let _ = write!(out, "--> W[{}] {}", self.pairs, self.face_down);
        self.pairs = 0;
        self.face_down.clear();
        print_pair(pair, '|', out);
    }

    /// Prints the end of a row for a round that this player won.
    pub fn print_winner(seat: Seat, out: &mut String) {
        let _ = writeln!(out, "--> {}", name(seat));
    }

    /// Prints the end of a row for a drawn round.
    pub fn print_draw(catalogue: &Catalogue, out: &mut String) {
        out.push_str("--> W[0] ");
        catalogue.write(out, &text!(XyDraw));
        out.push('\n');
    }

    /// Prints the last row: the winner of the game, and the cards that X and Y hold.
    pub fn print_last_row(seat: Seat, held: [usize; 2], catalogue: &Catalogue, out: &mut String) {
        catalogue.write(out, &text!(XyWinner));
        print_score(held, out);
        let mark = if seat.index() == 0 {
            "X!       "
        } else {
            "       !Y"
        };
        let _ = writeln!(out, "{mark} --> {}", name(seat));
    }
}

impl XyScreens {
    pub(super) fn new(start: &ScreenOptions) -> Self {
        Self {
            catalogue: start.catalogue,
            row: XyRow::default(),
        }
    }

    fn print_header(&self, out: &mut String) {
        for line in [text!(XyHeader), text!(XyRule)] {
            self.catalogue.write(out, &line);
            out.push('\n');
        }
    }
}

impl Screen<Table> for XyScreens {
    fn print(&mut self, event: &Event, table: &Table, out: &mut String) {
        match event {
            Event::Dealt { .. } => self.print_header(out),
            Event::Clash { plays } => {
                XyRow::print_start(table.turn(), card_counts(table), pair(plays), out);
            }
            Event::FaceDown { plays } => self.row.buffer_face_down(pair(plays)),
            Event::WarRound { plays, .. } => self.row.print_war(pair(plays), out),
            Event::Collected { seat, .. } => XyRow::print_winner(*seat, out),
            Event::Drawn { .. } => XyRow::print_draw(self.catalogue, out),
            Event::Won { seat } => {
                XyRow::print_last_row(*seat, card_counts(table), self.catalogue, out);
            }
            Event::EndOfCards { .. }
            | Event::Reshuffled { .. }
            | Event::Endless { .. }
            | Event::DrawnGame
            | Event::Stopped { .. } => {}
        }
    }
}

/// Numbers of cards of X and Y, including those put in the round that has just begun.
fn card_counts(table: &Table) -> [usize; 2] {
    let held = |index: usize| {
        let place = table.places().get(index);
        place.map_or(0, |place| place.hand().len() + place.pile().len())
    };
    [held(0), held(1)]
}

/// Cards of X and Y; the edition has no other players.
fn pair(plays: &[Play]) -> [u8; 2] {
    let card = |index: usize| plays.get(index).map_or(0, |play| play.card.get());
    [card(0), card(1)]
}

/// Prints the numbers of cards held, and the bar.
fn print_score([x, y]: [usize; 2], out: &mut String) {
    let _ = write!(out, " : X=[{x:02}]=({})=[{y:02}]=Y : ", bar(x, y));
}

/// Prints a pair and a space, with the sign `|` for face up or `-` for face down.
fn print_pair([x, y]: [u8; 2], sign: char, out: &mut String) {
    let _ = write!(out, "X>{x:02}{sign}{y:02}<Y ");
}

/// Bar of 53 characters that shows who leads, and by how much.
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
