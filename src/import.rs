//! Import of games printed elsewhere: reads a printed table, and finds a game that prints it.

use crate::cards::{Chance, Deck, Rank, reorder_if_same_cards};
use crate::engine::Seat;
use crate::i18n::{Catalogue, Lang, text};
use crate::projections::screens::XyRow;
use crate::rules::XY;
use crate::support::sanitize::truncate_text;
use std::cmp::Ordering;
use std::collections::VecDeque;

/// A game of the X/Y edition that prints a given table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportedGame {
    /// The language of the table.
    pub lang: Lang,
    /// The hands of X and Y, top card first.
    pub hands: Vec<Vec<Rank>>,
    /// For each capture, the order in which its cards went under the hand.
    pub orders: VecDeque<Vec<Rank>>,
}

/// Reads a table of the X/Y edition, and finds a game that prints it.
///
/// A table shows the cards as they are played, which gives the order of most of them. The order of
/// cards that are never played again is chosen freely. Language and layout follow from the header.
///
/// # Examples
///
/// ```
/// use war::import::{LineError, import_xy};
///
/// let error = import_xy("").unwrap_err();
/// assert_eq!(error.problem, LineError::NoTable);
/// ```
///
/// # Errors
///
/// [`ImportError`] at the first line that could not have been printed.
///
/// # Panics
///
/// If a catalogue built into the program is broken.
pub fn import_xy(text: &str) -> Result<ImportedGame, ImportError> {
    let lines = find_rows(text)?;
    let mut game = Deduction::new(lines.layout);
    let mut won = false;
    for (line, text) in &lines.rows {
        if won {
            let found = shorten(text);
            return Err(LineError::AfterEnd { found }.on(*line));
        }
        let row = parse_row(*line, text)?;
        match game.winner() {
            Some(winner) => {
                game.check_end(&row, winner)?;
                won = true;
            }
            None => game.play_round(&row)?,
        }
    }
    if !won {
        return Err(LineError::NoEnd.on(lines.count));
    }
    Ok(game.finish())
}

/// Hand of a player, as far as it is known.
#[derive(Default)]
struct PartialHand {
    /// Indexes of the batches in the hand, from the top.
    batches: VecDeque<usize>,
    /// Number of cards in the hand.
    held: usize,
}

/// Cards that came into a hand together. Their order becomes known as they are played.
struct Batch {
    size: usize,
    /// The cards played so far, in order.
    played: Vec<Rank>,
    /// The other cards; `None` for the first two hands, of which only the union is known.
    rest: Option<Vec<Rank>>,
}

/// Deduction of a game from its rows, one after the other.
struct Deduction {
    layout: TableLayout,
    catalogue: &'static Catalogue,
    /// Number of rounds read.
    rounds: u32,
    hands: [PartialHand; 2],
    /// All batches; the first two are the hands as dealt.
    batches: Vec<Batch>,
    /// Cards of the deck that have not been played yet.
    unseen: Vec<Rank>,
}

/// Number of cards dealt to each player.
const HAND_SIZE: usize = 26;

impl Deduction {
    fn new(layout: TableLayout) -> Self {
        let catalogue = Catalogue::built_in(layout.lang);
        let unseen = Deck::Thirteen.cards();
        let dealt = || Batch {
            size: HAND_SIZE,
            played: Vec::new(),
            rest: None,
        };
        let queue = |batch| PartialHand {
            batches: VecDeque::from([batch]),
            held: HAND_SIZE,
        };
        Self {
            layout,
            catalogue,
            rounds: 0,
            hands: [queue(0), queue(1)],
            batches: vec![dealt(), dealt()],
            unseen,
        }
    }

    /// Numbers of cards that X and Y hold.
    fn hand_sizes(&self) -> [usize; 2] {
        self.hands.each_ref().map(|queue| queue.held)
    }

    /// The winner, once the other player holds no card.
    fn winner(&self) -> Option<Seat> {
        let mut others = self.hands.iter().zip([Seat::SECOND, Seat::FIRST]);
        others.find_map(|(queue, other)| (queue.held == 0).then_some(other))
    }

    fn check_end(&mut self, row: &Row<'_>, winner: Seat) -> Result<(), ImportError> {
        let mut expected = String::new();
        XyRow::print_last_row(winner, self.hand_sizes(), self.catalogue, &mut expected);
        self.check_row(row, &expected, None)
    }

    /// Plays the pairs of a row by the rules, and checks that the game prints the same row.
    fn play_round(&mut self, row: &Row<'_>) -> Result<(), ImportError> {
        let mut expected = String::new();
        let mut pairs = row.pairs.iter().copied();
        let mut pots = [Vec::new(), Vec::new()];
        let first = pairs.next();
        let found = || shorten(row.text);
        let no_round = || LineError::GameNotOver { found: found() }.on(row.line);
        let mut pair = first.ok_or_else(no_round)?;
        let mut next = || {
            let pair = pairs.next();
            pair.ok_or_else(|| LineError::EndsEarly { found: found() }.on(row.line))
        };
        let held = self.hand_sizes();
        self.rounds += 1;
        let first = self.play_pair(row, pair, &mut pots)?;
        XyRow::print_start(self.rounds, held, first, &mut expected);
        let mut war = XyRow::default();
        while pair.0 == pair.1 && self.hands.iter().all(|queue| queue.held > 0) {
            let least = self
                .hands
                .iter()
                .map(|queue| queue.held)
                .min()
                .expect("there are two players");
            for _ in 0..usize::from(XY.parameters.face_down).min(least - 1) {
                war.buffer_face_down(self.play_pair(row, next()?, &mut pots)?);
            }
            pair = next()?;
            war.print_war(self.play_pair(row, pair, &mut pots)?, &mut expected);
        }
        let [x, y] = pots;
        match pair.0.cmp(&pair.1) {
            Ordering::Equal => {
                self.capture(0, y);
                self.capture(1, x);
                XyRow::print_draw(self.catalogue, &mut expected);
            }
            order => {
                let winner = if order.is_lt() {
                    Seat::SECOND
                } else {
                    Seat::FIRST
                };
                self.capture(winner.index(), [x, y].concat());
                XyRow::print_winner(winner, &mut expected);
            }
        }
        let left = pairs.next();
        self.check_row(row, &expected, left)
    }

    /// Compares a row with the one that the game prints. `left` is a pair that follows the end of
    /// the round, if there is one.
    fn check_row(
        &self,
        row: &Row<'_>,
        expected: &str,
        left: Option<(Rank, Rank)>,
    ) -> Result<(), ImportError> {
        let expected = self.layout.format(expected);
        if row.text.trim_end() == expected && left.is_none() {
            return Ok(());
        }
        Err(row_mismatch(row.line, &expected, row.text))
    }

    /// Plays a pair of cards, or reports the card that can't be on top of its hand.
    fn play_pair(
        &mut self,
        row: &Row<'_>,
        (x, y): (Rank, Rank),
        pots: &mut [Vec<Rank>; 2],
    ) -> Result<[u8; 2], ImportError> {
        for (player, card) in [x, y].into_iter().enumerate() {
            if !self.play(player, card) {
                let player = ["X", "Y"][player];
                return Err(LineError::ImpossibleCard { player, card }.on(row.line));
            }
            pots[player].push(card);
        }
        Ok([x.get(), y.get()])
    }

    /// Plays a card from the top of a hand; returns false if the card can't be there.
    fn play(&mut self, player: usize, card: Rank) -> bool {
        let queue = &mut self.hands[player];
        let Some(&number) = queue.batches.front() else {
            return false;
        };
        let batch = &mut self.batches[number];
        let from = batch.rest.as_mut().unwrap_or(&mut self.unseen);
        let Some(at) = from.iter().position(|&other| other == card) else {
            return false;
        };
        from.swap_remove(at);
        batch.played.push(card);
        queue.held -= 1;
        if batch.played.len() == batch.size {
            queue.batches.pop_front();
        }
        true
    }

    /// Puts captured cards under a hand, in an order that is still unknown.
    fn capture(&mut self, player: usize, cards: Vec<Rank>) {
        let queue = &mut self.hands[player];
        queue.held += cards.len();
        queue.batches.push_back(self.batches.len());
        self.batches.push(Batch {
            size: cards.len(),
            played: Vec::new(),
            rest: Some(cards),
        });
    }

    /// Completes the hands and orders with the cards that were never played.
    fn finish(self) -> ImportedGame {
        let mut unseen = self.unseen.into_iter();
        let mut orders: VecDeque<_> = self
            .batches
            .into_iter()
            .map(|batch| {
                let missing = batch.size - batch.played.len();
                let mut cards = batch.played;
                match batch.rest {
                    Some(rest) => cards.extend(rest),
                    None => cards.extend(unseen.by_ref().take(missing)),
                }
                cards
            })
            .collect();
        let hands = orders.drain(..2).collect();
        let lang = self.layout.lang;
        ImportedGame {
            lang,
            hands,
            orders,
        }
    }
}

/// Returns the deduced orders, one after the other.
impl Chance for ImportedGame {
    fn draw_below(&mut self, _bound: u32) -> u32 {
        0
    }

    fn shuffle(&mut self, cards: &mut [Rank]) {
        if let Some(order) = self.orders.front()
            && reorder_if_same_cards(cards, order)
        {
            self.orders.pop_front();
        }
    }
}

/// Layout of a printed table of the X/Y edition.
#[derive(Clone)]
struct TableLayout {
    /// The language of the words.
    lang: Lang,
    header: String,
    rule: String,
    /// Width of the first column.
    width: usize,
    /// Label of the last row, if that is not the word for the winner.
    last_label: Option<&'static str>,
}

impl TableLayout {
    /// All layouts, told apart by their headers: those of this program, those of the original
    /// program, and those of its newer version. The width of the first column and the label of the
    /// last row follow from the rows.
    ///
    /// # Panics
    ///
    /// If a catalogue built into the program is broken.
    fn all() -> Vec<Self> {
        let mut layouts = Vec::from(Lang::ALL.map(|lang| {
            let catalogue = Catalogue::built_in(lang);
            Self {
                lang,
                header: catalogue.format_text(&text!(XyHeader)),
                rule: catalogue.format_text(&text!(XyRule)),
                width: 6,
                last_label: None,
            }
        }));
        let (ours, theirs) = (
            "winner, or War[size]  cards...",
            "winner,  or  War[size] cards...",
        );
        for (from, to) in [(ours, theirs), ("#", "")] {
            let other = |layout: &Self| Self {
                header: layout.header.replacen(from, to, 1),
                ..layout.clone()
            };
            let others: Vec<_> = layouts.iter().map(other).collect();
            layouts.extend(others);
        }
        layouts
    }

    /// Completes the layout from the rows.
    fn with_rows(self, rows: &[(usize, String)]) -> Self {
        let narrow = rows.first().and_then(|(_, row)| row.find(" : ")) == Some(5);
        let is_final = rows
            .last()
            .is_some_and(|(_, row)| row.trim_start().starts_with(FINAL_LABEL));
        Self {
            width: if narrow { 5 } else { self.width },
            last_label: is_final.then_some(FINAL_LABEL),
            ..self
        }
    }

    /// Converts a row of this program to this layout.
    fn format(&self, row: &str) -> String {
        let split = row.trim_end().split_once(" : ");
        let (label, rest) = split.expect("a row begins with its round");
        let label = label.trim_start();
        let is_round = label.bytes().all(|byte| byte.is_ascii_digit());
        let label = match self.last_label {
            Some(last) if !is_round => last,
            _ => label,
        };
        format!("{label:>width$} : {rest}", width = self.width)
    }
}

/// Text of a table, without colours, indent, header and empty lines.
struct TableRows {
    layout: TableLayout,
    /// The rows, each with its line, counted from 1.
    rows: Vec<(usize, String)>,
    /// The number of lines in the text, at least 1.
    count: usize,
}

/// A row of a printed table.
struct Row<'a> {
    /// The line, counted from 1.
    line: usize,
    /// The printed text.
    text: &'a str,
    /// The pairs played, in order.
    pairs: Vec<(Rank, Rank)>,
}

/// Label of the last row in newer tables of the original program.
const FINAL_LABEL: &str = "FINAL";

/// Starts of the lines above the header, which name the source of the cards.
const PREAMBLE: [&str; 3] = ["seed:", "deck:", "random seed:"];

/// Finds the header of a text, and the rows after it.
fn find_rows(text: &str) -> Result<TableRows, ImportError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let lines: Vec<_> = text.lines().map(strip_colours).collect();
    let count = lines.len().max(1);
    let mut lines = (1..)
        .zip(&lines)
        .filter(|(_, line)| !line.trim().is_empty());
    let is_preamble = |line: &str| PREAMBLE.iter().any(|start| line.starts_with(start));
    let header = lines.find(|(_, line)| !is_preamble(line.trim_start()));
    let Some((at, header)) = header else {
        return Err(LineError::NoTable.on(1));
    };
    // The whole table may be indented in the document that it was copied from.
    let (indent, header) = header.split_at(header.len() - header.trim_start().len());
    let layout = TableLayout::all()
        .into_iter()
        .find(|layout| layout.header == header.trim_end());
    let Some(layout) = layout else {
        let found = shorten(header);
        return Err(LineError::NotHeader { found }.on(at));
    };
    let mut lines = lines.map(|(line, text)| (line, text.strip_prefix(indent).unwrap_or(text)));
    match lines.next() {
        Some((_, rule)) if [&layout.rule, &layout.rule[1..]].contains(&rule.trim_end()) => {}
        Some((line, rule)) => return Err(row_mismatch(line, &layout.rule, rule)),
        None => return Err(LineError::NoEnd.on(count)),
    }
    let rows: Vec<_> = lines.map(|(line, text)| (line, text.to_owned())).collect();
    let layout = layout.with_rows(&rows);
    Ok(TableRows {
        layout,
        rows,
        count,
    })
}

/// Removes the colours of a line.
fn strip_colours(line: &str) -> String {
    let mut parts = line.split('\u{1b}');
    let first = parts.next().expect("a split has a part").to_owned();
    let after = |part: &str| {
        part.split_once('m')
            .map_or(String::new(), |(_, rest)| rest.to_owned())
    };
    first + &parts.map(after).collect::<String>()
}

fn parse_row(line: usize, text: &str) -> Result<Row<'_>, ImportError> {
    let found = || shorten(text);
    let no_row = || LineError::NotRow { found: found() }.on(line);
    let no_pair = || LineError::IncompletePair { found: found() }.on(line);
    let (_, rest) = text.split_once(" : ").ok_or_else(no_row)?;
    let mut pairs = Vec::new();
    for pair in rest.split("X>").skip(1) {
        let pair = pair.split_once("<Y").map_or(pair, |(pair, _)| pair);
        let (x, y) = pair.split_once(['|', '-']).ok_or_else(no_pair)?;
        let rank = |typed: &str| {
            let rank = typed.parse().ok().and_then(Rank::new);
            let rank = rank.filter(|rank| rank.get() <= Deck::Thirteen.highest_rank());
            let found = || shorten(typed);
            rank.ok_or_else(|| LineError::UnknownCard { found: found() }.on(line))
        };
        pairs.push((rank(x)?, rank(y)?));
    }
    Ok(Row { line, text, pairs })
}

/// Error for a line that differs from the expected one.
fn row_mismatch(line: usize, expected: &str, text: &str) -> ImportError {
    let expected = expected.trim().to_owned();
    let found = shorten(text.trim());
    LineError::OtherRow { expected, found }.on(line)
}

/// Shortens a text for a message. The limit is above the length of most rows with wars.
fn shorten(text: &str) -> String {
    const LONGEST: usize = 400;
    truncate_text(text, LONGEST)
}

/// Error of a text that can't be a printed game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct ImportError {
    /// The line, counted from 1.
    pub line: usize,
    /// The problem of the line.
    pub problem: LineError,
}

/// Problem of a line in a printed table. `found` is the start of the text in question.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LineError {
    /// Empty text.
    #[error("no table found")]
    NoTable,
    /// Line that is not a header.
    #[error("expected the header of a table, found {found}")]
    NotHeader {
        /// The text found.
        found: String,
    },
    /// Line that is not a row.
    #[error("expected a row of the table, found {found}")]
    NotRow {
        /// The text found.
        found: String,
    },
    /// Row without cards, although the game is not over.
    #[error("expected another round because the game is not over, found {found}")]
    GameNotOver {
        /// The text found.
        found: String,
    },
    /// Pair with only one card.
    #[error("incomplete pair of cards in {found}")]
    IncompletePair {
        /// The text found.
        found: String,
    },
    /// Card that doesn't exist.
    #[error("expected a card from 01 to 13, found {found}")]
    UnknownCard {
        /// The text found.
        found: String,
    },
    /// Row after the end of the game.
    #[error("unexpected row after the end of the game: {found}")]
    AfterEnd {
        /// The text found.
        found: String,
    },
    /// Last row, although the game is not over.
    #[error("the table ends before the game is over")]
    NoEnd,
    /// Row that ends although its war continues.
    #[error("the war in this row continues, but its cards are missing: {found}")]
    EndsEarly {
        /// The text found.
        found: String,
    },
    /// Card that the player can't have on top of the hand.
    #[error("{player} can't have {card} here")]
    ImpossibleCard {
        /// The player, X or Y.
        player: &'static str,
        /// The card that can't be on top.
        card: Rank,
    },
    /// Line other than the expected one.
    #[error("expected `{expected}`, found `{found}`")]
    OtherRow {
        /// The expected line.
        expected: String,
        /// The text found.
        found: String,
    },
}

impl LineError {
    const fn on(self, line: usize) -> ImportError {
        ImportError {
            line,
            problem: self,
        }
    }
}
