use crate::cards::{Deck, Rank};
use crate::engine::{Play, Seat, Table, tied};
use crate::i18n::{Catalogue, Hole, Template, Text, text};
use crate::setup::Correction;

/// What screens that show seats have in common: their words, and the rows.
pub(super) struct Seats {
    pub(super) catalogue: &'static Catalogue,
    pub(super) source: CardSource,
    corrections: Vec<Correction>,
    /// The name of the deck.
    deck: String,
    /// What the rows of each seat begin with.
    row_starts: Vec<String>,
}

/// The rows of those who are in a war or a duel.
#[derive(Clone, Default)]
pub(super) struct Rows(Vec<(Seat, String)>);

impl Seats {
    pub(super) fn new(start: Start) -> Self {
        Self {
            catalogue: start.catalogue,
            source: start.source,
            corrections: start.corrections,
            deck: String::new(),
            row_starts: Vec::new(),
        }
    }

    /// Learns from the table as dealt how many play with which deck.
    pub(super) fn sit_down(&mut self, table: &Table) {
        self.deck = self.catalogue.text(&if table.cards() > Deck::Small.size() {
            text!(DeckLarge)
        } else {
            text!(DeckSmall)
        });
        self.row_starts = (1..=table.places().len())
            .map(|seat| self.catalogue.text(&text!(Row, seat = seat)))
            .collect();
    }

    pub(super) fn line(&self, out: &mut String, text: &Text) {
        self.catalogue.write(out, text);
        out.push('\n');
    }

    /// The lines about corrections; the result says whether there was anything to
    /// correct.
    pub(super) fn corrections(&self, out: &mut String) -> bool {
        for text in self.corrections.iter().filter_map(correction_text) {
            self.line(out, &text);
        }
        !self.corrections.is_empty()
    }

    /// The dealing screen.
    pub(super) fn dealing(&self, hands: &[Vec<Rank>], out: &mut String) {
        let dealing = text!(Dealing, players = hands.len(), deck = self.deck());
        self.line(out, &dealing);
        for (index, hand) in hands.iter().enumerate() {
            let mut sorted = hand.clone();
            sorted.sort_unstable_by(|a, b| b.cmp(a));
            let hand = text!(DealtHand, seat = index + 1, cards = list(&sorted));
            self.line(out, &hand);
        }
        let cards: usize = hands.iter().map(Vec::len).sum();
        let even = cards / hands.len();
        let lucky: Vec<_> = (0..hands.len())
            .filter(|&index| hands[index].len() > even)
            .map(|index| text!(LuckyPlayer, seat = index + 1))
            .map(|text| self.catalogue.text(&text))
            .collect();
        out.push('\n');
        if lucky.is_empty() {
            self.line(out, &text!(LuckyNone));
        } else {
            let lucky = text!(Lucky, players = lucky.join(", "));
            self.line(out, &lucky);
        }
        out.push_str(SEPARATOR);
    }

    /// The deck, as every header names it.
    pub(super) fn deck(&self) -> &str {
        &self.deck
    }

    fn row(&self, play: Play, out: &mut String) {
        out.push_str(&self.row_starts[play.seat.index()]);
        put(play, out);
    }

    /// The rows of a clash so far.
    pub(super) fn rows(&self, plays: &[Play], out: &mut String) {
        for play in plays {
            self.row(*play, out);
            out.push('\n');
        }
    }

    /// The rows of those who share the highest card, where several do.
    pub(super) fn tied(&self, plays: &[Play]) -> Option<Rows> {
        let tied = tied(plays);
        let row = |play: &Play| {
            let mut row = String::new();
            self.row(*play, &mut row);
            (play.seat, row)
        };
        (!tied.is_empty()).then(|| Rows(tied.iter().map(row).collect()))
    }
}

impl Rows {
    /// Adds a mark to the row of a seat.
    pub(super) fn extend(&mut self, seat: Seat, text: &str) {
        if let Some(row) = self.of(seat) {
            row.push(' ');
            row.push_str(text);
        }
    }

    /// Adds a card to the row of the player who put it.
    pub(super) fn put(&mut self, play: Play) {
        if let Some(row) = self.of(play.seat) {
            put(play, row);
        }
    }

    fn of(&mut self, seat: Seat) -> Option<&mut String> {
        let row = self.0.iter_mut().find(|(of, _)| *of == seat);
        row.map(|(_, row)| row)
    }

    pub(super) fn write(&self, out: &mut String) {
        for (_, row) in &self.0 {
            out.push_str(row);
            out.push('\n');
        }
    }
}

/// Adds a card to a row.
fn put(play: Play, row: &mut String) {
    row.push(' ');
    row.push_str(itoa::Buffer::new().format(play.card.get()));
}

/// The line about a correction; none if a value was only left out.
#[must_use]
pub fn correction_text(correction: &Correction) -> Option<Text> {
    Some(match correction {
        Correction::Both { .. } => text!(CorrectedBoth),
        Correction::PlayersOutOfRange { set_to, provided } => {
            text!(
                CorrectedPlayersRange,
                players = usize::from(*set_to),
                provided = provided.as_str()
            )
        }
        Correction::PlayersUnparseable { provided } => {
            text!(CorrectedPlayersUnparseable, provided = provided.as_str())
        }
        Correction::DeckUnrecognized { provided } => {
            text!(CorrectedDeck, provided = provided.as_str())
        }
        Correction::PlayersMissing | Correction::DeckMissing => return None,
    })
}

/// How many cards a player holds.
pub(super) fn held(table: &Table, seat: Seat) -> usize {
    let place = table.places().get(seat.index());
    place.map_or(0, |place| place.hand().len())
}

/// Cards in brackets: `[14, 13, 9]`.
fn list(cards: &[Rank]) -> String {
    let cards: Vec<_> = cards.iter().map(Rank::to_string).collect();
    format!("[{}]", cards.join(", "))
}

/// How the cards of a game came, as far as its screens say so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CardSource {
    /// From a shuffled deck: the screens show the dealing.
    Dealt,
    /// From a scenario of this name: the screens name it instead.
    Scenario(String),
}

/// What screens need to know of a game before its first event.
#[derive(Debug, Clone)]
pub struct Start {
    /// The language.
    pub catalogue: &'static Catalogue,
    /// How the cards came.
    pub source: CardSource,
    /// What was typed wrong, to be printed before all else.
    pub corrections: Vec<Correction>,
}

/// What closes a screen: nine `=` and two empty lines.
pub const SEPARATOR: &str = "=========\n\n\n";

/// The lines around a banner: 64 `=`.
pub(super) const RULE: &str = "================================================================\n";

/// What a header leaves open, turn for turn.
pub(super) const TURN: Hole = Hole(0);
pub(super) const LEADER: Hole = Hole(1);
pub(super) const CARDS: Hole = Hole(2);
pub(super) const TOTAL: Hole = Hole(3);

/// The header of a turn with the standing: one for a player who leads, and one for a draw.
pub(super) struct Standing {
    leads: Template<4>,
    draw: Template<4>,
}

impl Standing {
    /// A header whose words are these.
    pub(super) fn new(catalogue: &Catalogue, leads: &Text, draw: &Text) -> Self {
        Self {
            leads: catalogue.template(leads),
            draw: catalogue.template(draw),
        }
    }

    /// Writes the header of the turn that has just begun.
    pub(super) fn write(&self, table: &Table, out: &mut String) {
        let [mut turn, mut leader, mut cards, mut total] = [itoa::Buffer::new(); 4];
        let (template, seat, held) = match Leader::of(table) {
            Leader::One(seat, cards) => (&self.leads, seat.number(), cards),
            Leader::Draw(cards) => (&self.draw, 0, cards),
        };
        template.fill(
            out,
            [
                turn.format(table.turn()),
                leader.format(seat),
                cards.format(held),
                total.format(table.cards()),
            ],
        );
        out.push('\n');
    }
}

/// Who holds the most cards.
enum Leader {
    /// One player, with this many cards.
    One(Seat, usize),
    /// Several, with this many cards each.
    Draw(usize),
}

impl Leader {
    /// Who led at the start of the turn that has just begun: the cards put in it count.
    fn of(table: &Table) -> Self {
        let held = |(seat, place): (Seat, &crate::engine::Place)| {
            (seat, place.hand().len() + place.pile().len())
        };
        let mut leader = Self::Draw(0);
        for (seat, cards) in table.seated().map(held) {
            let (Self::One(_, most) | Self::Draw(most)) = leader;
            match cards.cmp(&most) {
                std::cmp::Ordering::Greater => leader = Self::One(seat, cards),
                std::cmp::Ordering::Equal => leader = Self::Draw(cards),
                std::cmp::Ordering::Less => {}
            }
        }
        leader
    }
}
