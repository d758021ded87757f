use super::error::{ImportError, LineError};
use super::table::{Form, Row, found, lines, other_row, row};
use crate::cards::{Chance, Deck, Rank, reorder};
use crate::engine::Seat;
use crate::i18n::{Catalogue, Lang};
use crate::projections::screens::XyRow;
use crate::rules::XY;
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
        let catalogue = Catalogue::of(form.lang).expect("the built-in catalogues are tested");
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
