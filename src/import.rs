//! Games printed elsewhere: read from their text, and made into games that fit.

use crate::cards::{Chance, Deck, Rank, reorder};
use crate::engine::Seat;
use crate::i18n::{Catalogue, Lang, text};
use crate::projections::screens::XyRow;
use crate::rules::XY;
use crate::support::visible::excerpt;
use std::cmp::Ordering;
use std::collections::VecDeque;

/// A game of the X/Y edition that prints a given table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Imported {
    /// The language that the table is printed in.
    pub lang: Lang,
    /// The hands of X and Y, top card first.
    pub hands: Vec<Vec<Rank>>,
    /// The orders in which captured cards went under the hands, one after the other.
    pub orders: VecDeque<Vec<Rank>>,
}

/// Reads a table of the X/Y edition, and finds a game that prints it.
///
/// A table shows the cards as they are played, so it shows in which order most of them lay;
/// what it leaves open (cards that were never played again) is filled in. Its header tells
/// the language and the form of the table.
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
pub fn import_xy(text: &str) -> Result<Imported, ImportError> {
    let lines = lines(text)?;
    let mut table = Deduction::new(lines.form);
    let mut won = false;
    for (line, text) in &lines.rows {
        if won {
            let found = found(text);
            return Err(LineError::AfterEnd { found }.on(*line));
        }
        let row = row(*line, text)?;
        match table.winner() {
            Some(winner) => {
                table.check_end(&row, winner)?;
                won = true;
            }
            None => table.round(&row)?,
        }
    }
    if !won {
        return Err(LineError::NoEnd.on(lines.count));
    }
    Ok(table.finish())
}

/// The cards that a player has to play, from the top, as far as the table tells.
#[derive(Default)]
struct Queue {
    batches: VecDeque<usize>,
    held: usize,
}

/// Cards that came into a hand together, in an order that shows when they are played.
struct Batch {
    size: usize,
    /// What has been played of it, in order.
    played: Vec<Rank>,
    /// What else is in it; `None` for the first hands, of which only the sum is known.
    rest: Option<Vec<Rank>>,
}

/// A game read row by row.
struct Deduction {
    form: Form,
    catalogue: &'static Catalogue,
    /// The rounds that were read.
    rounds: u32,
    queues: [Queue; 2],
    /// All batches; the first two are the hands as dealt.
    batches: Vec<Batch>,
    /// The cards of the deck that have not been seen yet.
    unseen: Vec<Rank>,
}

/// The number of cards that each player is dealt.
const DEALT: usize = 26;

impl Deduction {
    fn new(form: Form) -> Self {
        let catalogue = Catalogue::built_in(form.lang);
        let unseen = Deck::Thirteen.cards();
        let dealt = || Batch {
            size: DEALT,
            played: Vec::new(),
            rest: None,
        };
        let queue = |batch| Queue {
            batches: VecDeque::from([batch]),
            held: DEALT,
        };
        Self {
            form,
            catalogue,
            rounds: 0,
            queues: [queue(0), queue(1)],
            batches: vec![dealt(), dealt()],
            unseen,
        }
    }

    /// How many cards X and Y hold.
    fn held(&self) -> [usize; 2] {
        self.queues.each_ref().map(|queue| queue.held)
    }

    /// Who has won: the other one holds no card.
    fn winner(&self) -> Option<Seat> {
        let mut others = self.queues.iter().zip([Seat::SECOND, Seat::FIRST]);
        others.find_map(|(queue, other)| (queue.held == 0).then_some(other))
    }

    fn check_end(&mut self, row: &Row<'_>, winner: Seat) -> Result<(), ImportError> {
        let mut expected = String::new();
        XyRow::last(winner, self.held(), self.catalogue, &mut expected);
        self.check_row(row, &expected, None)
    }

    /// Plays the pairs of a row by the rules, and compares what that prints.
    fn round(&mut self, row: &Row<'_>) -> Result<(), ImportError> {
        let mut expected = String::new();
        let mut pairs = row.pairs.iter().copied();
        let mut pots = [Vec::new(), Vec::new()];
        let first = pairs.next();
        let found = || found(row.text);
        let no_round = || LineError::NoRound { found: found() }.on(row.line);
        let mut pair = first.ok_or_else(no_round)?;
        let mut next = || {
            let pair = pairs.next();
            pair.ok_or_else(|| LineError::EndsEarly { found: found() }.on(row.line))
        };
        let held = self.held();
        self.rounds += 1;
        let first = self.put(row, pair, &mut pots)?;
        XyRow::begin(self.rounds, held, first, &mut expected);
        let mut war = XyRow::default();
        while pair.0 == pair.1 && self.queues.iter().all(|queue| queue.held > 0) {
            let least = self
                .queues
                .iter()
                .map(|queue| queue.held)
                .min()
                .expect("there are two players");
            for _ in 0..usize::from(XY.parameters.face_down).min(least - 1) {
                war.face_down(self.put(row, next()?, &mut pots)?);
            }
            pair = next()?;
            war.war(self.put(row, pair, &mut pots)?, &mut expected);
        }
        let [x, y] = pots;
        match pair.0.cmp(&pair.1) {
            Ordering::Equal => {
                self.take(0, y);
                self.take(1, x);
                XyRow::drawn(self.catalogue, &mut expected);
            }
            order => {
                let winner = if order.is_lt() {
                    Seat::SECOND
                } else {
                    Seat::FIRST
                };
                self.take(winner.index(), [x, y].concat());
                XyRow::won_by(winner, &mut expected);
            }
        }
        let left = pairs.next();
        self.check_row(row, &expected, left)
    }

    /// Compares a row with the one that the game prints there; `left` is a pair too many.
    fn check_row(
        &self,
        row: &Row<'_>,
        expected: &str,
        left: Option<(Rank, Rank)>,
    ) -> Result<(), ImportError> {
        let expected = self.form.of(expected);
        if row.text.trim_end() == expected && left.is_none() {
            return Ok(());
        }
        Err(other_row(row.line, &expected, row.text))
    }

    /// Takes a pair from the hands; a card that can't lie there is refused.
    fn put(
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

    /// Plays a card from the top of a hand; `false` where it can't lie there.
    fn play(&mut self, player: usize, card: Rank) -> bool {
        let queue = &mut self.queues[player];
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

    /// Puts captured cards under a hand, in an order that is still open.
    fn take(&mut self, player: usize, cards: Vec<Rank>) {
        let queue = &mut self.queues[player];
        queue.held += cards.len();
        queue.batches.push_back(self.batches.len());
        self.batches.push(Batch {
            size: cards.len(),
            played: Vec::new(),
            rest: Some(cards),
        });
    }

    /// Fills in what the table leaves open.
    fn finish(self) -> Imported {
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
        let lang = self.form.lang;
        Imported {
            lang,
            hands,
            orders,
        }
    }
}

/// Chance as an imported game has it: the orders deduced, one after the other.
impl Chance for Imported {
    fn below(&mut self, _bound: u32) -> u32 {
        0
    }

    fn shuffle(&mut self, cards: &mut [Rank]) {
        if let Some(order) = self.orders.front()
            && reorder(cards, order)
        {
            self.orders.pop_front();
        }
    }
}

/// A form that tables of the X/Y edition are printed in.
#[derive(Clone)]
struct Form {
    /// The language of the words.
    lang: Lang,
    header: String,
    rule: String,
    /// How wide the first column is.
    width: usize,
    /// What the last row begins with, where it is not the word for the winner.
    last: Option<&'static str>,
}

impl Form {
    /// The forms that there are, by their headers: those of this program, those of the original
    /// program, and those of its newer version. How wide the first column is and what the last
    /// row begins with follows from the rows.
    ///
    /// # Panics
    ///
    /// If a catalogue built into the program is broken.
    fn all() -> Vec<Self> {
        let mut forms = Vec::from(Lang::ALL.map(|lang| {
            let catalogue = Catalogue::built_in(lang);
            Self {
                lang,
                header: catalogue.text(&text!(XyHeader)),
                rule: catalogue.text(&text!(XyRule)),
                width: 6,
                last: None,
            }
        }));
        let (ours, theirs) = (
            "winner, or War[size]  cards...",
            "winner,  or  War[size] cards...",
        );
        for (from, to) in [(ours, theirs), ("#", "")] {
            let other = |form: &Self| Self {
                header: form.header.replacen(from, to, 1),
                ..form.clone()
            };
            let others: Vec<_> = forms.iter().map(other).collect();
            forms.extend(others);
        }
        forms
    }

    /// The form with what its rows say of it.
    fn with_rows(self, rows: &[(usize, String)]) -> Self {
        let narrow = rows.first().and_then(|(_, row)| row.find(" : ")) == Some(5);
        let is_final = rows
            .last()
            .is_some_and(|(_, row)| row.trim_start().starts_with(FINAL));
        Self {
            width: if narrow { 5 } else { self.width },
            last: is_final.then_some(FINAL),
            ..self
        }
    }

    /// A row as this program prints it, in this form.
    fn of(&self, row: &str) -> String {
        let cut = row.trim_end().split_once(" : ");
        let (label, rest) = cut.expect("a row begins with its round");
        let label = label.trim_start();
        let is_round = label.bytes().all(|byte| byte.is_ascii_digit());
        let label = match self.last {
            Some(last) if !is_round => last,
            _ => label,
        };
        format!("{label:>width$} : {rest}", width = self.width)
    }
}

/// A table's text, without colours, indent, header and empty lines.
struct Lines {
    form: Form,
    /// The rows, each with its line, counted from 1.
    rows: Vec<(usize, String)>,
    /// The number of lines of the text, at least 1.
    count: usize,
}

/// A row of a printed table.
struct Row<'a> {
    /// The line it is on, counted from 1.
    line: usize,
    /// The row as it was printed.
    text: &'a str,
    /// The pairs played, in order.
    pairs: Vec<(Rank, Rank)>,
}

/// What the last row begins with in newer tables of the original program.
const FINAL: &str = "FINAL";

/// What the lines above the header begin with that tell where the cards came from.
const PREAMBLE: [&str; 3] = ["seed:", "deck:", "random seed:"];

/// Finds the header of a text, and the rows that follow it.
fn lines(text: &str) -> Result<Lines, ImportError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let lines: Vec<_> = text.lines().map(plain).collect();
    let count = lines.len().max(1);
    let mut lines = (1..)
        .zip(&lines)
        .filter(|(_, line)| !line.trim().is_empty());
    let is_preamble = |line: &str| PREAMBLE.iter().any(|start| line.starts_with(start));
    let header = lines.find(|(_, line)| !is_preamble(line.trim_start()));
    let Some((at, header)) = header else {
        return Err(LineError::NoTable.on(1));
    };
    // A table may be copied from where all of it was indented.
    let (indent, header) = header.split_at(header.len() - header.trim_start().len());
    let form = Form::all()
        .into_iter()
        .find(|form| form.header == header.trim_end());
    let Some(form) = form else {
        let found = found(header);
        return Err(LineError::NoHeader { found }.on(at));
    };
    let mut lines = lines.map(|(line, text)| (line, text.strip_prefix(indent).unwrap_or(text)));
    match lines.next() {
        Some((_, rule)) if [&form.rule, &form.rule[1..]].contains(&rule.trim_end()) => {}
        Some((line, rule)) => return Err(other_row(line, &form.rule, rule)),
        None => return Err(LineError::NoEnd.on(count)),
    }
    let rows: Vec<_> = lines.map(|(line, text)| (line, text.to_owned())).collect();
    let form = form.with_rows(&rows);
    Ok(Lines { form, rows, count })
}

/// A line without the colours that the program may have printed it in.
fn plain(line: &str) -> String {
    let mut parts = line.split('\u{1b}');
    let first = parts.next().expect("a split has a part").to_owned();
    let after = |part: &str| {
        part.split_once('m')
            .map_or(String::new(), |(_, rest)| rest.to_owned())
    };
    first + &parts.map(after).collect::<String>()
}

/// The row on this line.
fn row(line: usize, text: &str) -> Result<Row<'_>, ImportError> {
    let no_row = || LineError::NoRow { found: found(text) }.on(line);
    let no_pair = || LineError::NoPair { found: found(text) }.on(line);
    let (_, rest) = text.split_once(" : ").ok_or_else(no_row)?;
    let mut pairs = Vec::new();
    for pair in rest.split("X>").skip(1) {
        let pair = pair.split_once("<Y").map_or(pair, |(pair, _)| pair);
        let (x, y) = pair.split_once(['|', '-']).ok_or_else(no_pair)?;
        let rank = |typed: &str| {
            let rank = typed.parse().ok().and_then(Rank::new);
            let rank = rank.filter(|rank| rank.get() <= Deck::Thirteen.highest());
            let found = || found(typed);
            rank.ok_or_else(|| LineError::NoRank { found: found() }.on(line))
        };
        pairs.push((rank(x)?, rank(y)?));
    }
    Ok(Row { line, text, pairs })
}

/// A line where another one should be.
fn other_row(line: usize, expected: &str, text: &str) -> ImportError {
    let expected = expected.trim().to_owned();
    let found = found(text.trim());
    LineError::OtherRow { expected, found }.on(line)
}

/// What was found, short enough for a message: rows of most wars are shorter.
fn found(text: &str) -> String {
    const LONGEST: usize = 400;
    excerpt(text, LONGEST)
}

/// Why a text is not a game that could have been played.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct ImportError {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong with it.
    pub problem: LineError,
}

/// What is wrong with a line of a printed table; `found` is its beginning.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LineError {
    /// There is no line at all.
    #[error("no table found")]
    NoTable,
    /// It is not a header.
    #[error("expected the header of a table, found {found}")]
    NoHeader {
        /// What was found.
        found: String,
    },
    /// It is not a row.
    #[error("expected a row of the table, found {found}")]
    NoRow {
        /// What was found.
        found: String,
    },
    /// It has no cards, and the game goes on.
    #[error("expected another round because the game is not over, found {found}")]
    NoRound {
        /// What was found.
        found: String,
    },
    /// It has a pair with only one card.
    #[error("incomplete pair of cards in {found}")]
    NoPair {
        /// What was found.
        found: String,
    },
    /// It has a card that does not exist.
    #[error("expected a card from 01 to 13, found {found}")]
    NoRank {
        /// What was found.
        found: String,
    },
    /// It follows the end of the game.
    #[error("unexpected row after the end of the game: {found}")]
    AfterEnd {
        /// What was found.
        found: String,
    },
    /// It is the last one, and the game goes on.
    #[error("the table ends before the game is over")]
    NoEnd,
    /// Its war goes on, and it has no more cards.
    #[error("the war in this row continues, but its cards are missing: {found}")]
    EndsEarly {
        /// What was found.
        found: String,
    },
    /// It has a card that the player can't hold there.
    #[error("{player} can't have {card} here")]
    ImpossibleCard {
        /// The player, X or Y.
        player: &'static str,
        /// The card.
        card: Rank,
    },
    /// Another line should be there.
    #[error("expected `{expected}`, found `{found}`")]
    OtherRow {
        /// The line that should be there.
        expected: String,
        /// What was found.
        found: String,
    },
}

impl LineError {
    /// That this is wrong with a line.
    const fn on(self, line: usize) -> ImportError {
        ImportError {
            line,
            problem: self,
        }
    }
}
