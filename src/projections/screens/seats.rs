use crate::cards::{Deck, Rank};
use crate::engine::{Play, Seat, Table, tied_plays};
use crate::i18n::{Catalogue, Placeholder, Template, Text, text};
use crate::setup::Correction;

/// Common parts of the screens that show a row for each seat.
pub(super) struct SeatScreens {
    pub(super) catalogue: &'static Catalogue,
    pub(super) source: CardSource,
    corrections: Vec<Correction>,
    /// Name of the deck, as every header shows it.
    deck: String,
    /// Beginning of the rows of each seat.
    row_starts: Vec<String>,
}

/// Rows of the players in a war or a duel.
#[derive(Clone, Default)]
pub(super) struct WarRows(Vec<(Seat, String)>);

impl SeatScreens {
    pub(super) fn new(start: ScreenOptions) -> Self {
        Self {
            catalogue: start.catalogue,
            source: start.source,
            corrections: start.corrections,
            deck: String::new(),
            row_starts: Vec::new(),
        }
    }

    /// Sets the deck and the number of seats from the table after the deal.
    pub(super) fn set_table(&mut self, table: &Table) {
        self.deck = self
            .catalogue
            .format_text(&if table.card_count() > Deck::Small.size() {
                text!(DeckLarge)
            } else {
                text!(DeckSmall)
            });
        self.row_starts = (1..=table.places().len())
            .map(|seat| self.catalogue.format_text(&text!(Row, seat = seat)))
            .collect();
    }

    pub(super) fn print_line(&self, out: &mut String, text: &Text) {
        self.catalogue.write(out, text);
        out.push('\n');
    }

    /// Prints the lines about corrections; returns `true` if there were any corrections.
    pub(super) fn print_corrections(&self, out: &mut String) -> bool {
        for text in self.corrections.iter().filter_map(correction_text) {
            self.print_line(out, &text);
        }
        !self.corrections.is_empty()
    }

    /// Prints the dealing screen.
    pub(super) fn print_dealing(&self, hands: &[Vec<Rank>], out: &mut String) {
        let dealing = text!(Dealing, players = hands.len(), deck = self.deck());
        self.print_line(out, &dealing);
        for (index, hand) in hands.iter().enumerate() {
            let mut sorted = hand.clone();
            sorted.sort_unstable_by(|a, b| b.cmp(a));
            let hand = text!(DealtHand, seat = index + 1, cards = format_cards(&sorted));
            self.print_line(out, &hand);
        }
        let cards: usize = hands.iter().map(Vec::len).sum();
        let even = cards / hands.len();
        let lucky: Vec<_> = (0..hands.len())
            .filter(|&index| hands[index].len() > even)
            .map(|index| text!(LuckyPlayer, seat = index + 1))
            .map(|text| self.catalogue.format_text(&text))
            .collect();
        out.push('\n');
        if lucky.is_empty() {
            self.print_line(out, &text!(LuckyNone));
        } else {
            let lucky = text!(Lucky, players = lucky.join(", "));
            self.print_line(out, &lucky);
        }
        out.push_str(SCREEN_SEPARATOR);
    }

    pub(super) fn deck(&self) -> &str {
        &self.deck
    }

    fn print_row(&self, play: Play, out: &mut String) {
        out.push_str(&self.row_starts[play.seat.index()]);
        push_card(play, out);
    }

    /// Prints the rows of a clash.
    pub(super) fn print_rows(&self, plays: &[Play], out: &mut String) {
        for play in plays {
            self.print_row(*play, out);
            out.push('\n');
        }
    }

    /// Rows of the players who share the highest card, if several do.
    pub(super) fn war_rows(&self, plays: &[Play]) -> Option<WarRows> {
        let tied = tied_plays(plays);
        let row = |play: &Play| {
            let mut row = String::new();
            self.print_row(*play, &mut row);
            (play.seat, row)
        };
        (!tied.is_empty()).then(|| WarRows(tied.iter().map(row).collect()))
    }
}

impl WarRows {
    /// Adds a mark to the row of a seat.
    pub(super) fn append_mark(&mut self, seat: Seat, text: &str) {
        if let Some(row) = self.row_mut(seat) {
            row.push(' ');
            row.push_str(text);
        }
    }

    /// Adds a card to the row of the player who put it.
    pub(super) fn put(&mut self, play: Play) {
        if let Some(row) = self.row_mut(play.seat) {
            push_card(play, row);
        }
    }

    fn row_mut(&mut self, seat: Seat) -> Option<&mut String> {
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

fn push_card(play: Play, row: &mut String) {
    row.push(' ');
    row.push_str(itoa::Buffer::new().format(play.card.get()));
}

/// Line about a correction; `None` if the value was only omitted.
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

/// Number of cards in a player's hand.
pub(super) fn hand_size(table: &Table, seat: Seat) -> usize {
    let place = table.places().get(seat.index());
    place.map_or(0, |place| place.hand().len())
}

/// Formats cards as `[14, 13, 9]`.
fn format_cards(cards: &[Rank]) -> String {
    let cards: Vec<_> = cards.iter().map(Rank::to_string).collect();
    format!("[{}]", cards.join(", "))
}

/// Source of the cards of a game, for its screens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CardSource {
    /// Any deal without a scenario: the screens show the dealing.
    Dealt,
    /// A scenario with this name, which the screens show instead of the dealing.
    Scenario(String),
}

/// Parameters of the screens of a new game.
#[derive(Debug, Clone)]
pub struct ScreenOptions {
    /// Messages in the language of the screens.
    pub catalogue: &'static Catalogue,
    /// Source of the cards.
    pub source: CardSource,
    /// Corrections of typed values, printed before everything else.
    pub corrections: Vec<Correction>,
}

/// End of a screen: nine `=` and two empty lines.
pub const SCREEN_SEPARATOR: &str = "=========\n\n\n";

/// Line above and below a banner: 64 `=`.
pub(super) const BANNER_LINE: &str =
    "================================================================\n";

// Placeholders of a score header, filled for each turn.
pub(super) const TURN_PLACEHOLDER: Placeholder = Placeholder(0);
pub(super) const LEADER_PLACEHOLDER: Placeholder = Placeholder(1);
pub(super) const CARDS_PLACEHOLDER: Placeholder = Placeholder(2);
pub(super) const TOTAL_PLACEHOLDER: Placeholder = Placeholder(3);

/// Header of a turn with the score, in two forms: for a player who leads, and for a draw.
pub(super) struct ScoreHeader {
    leads: Template<4>,
    draw: Template<4>,
}

impl ScoreHeader {
    pub(super) fn new(catalogue: &Catalogue, leads: &Text, draw: &Text) -> Self {
        Self {
            leads: catalogue.format_template(leads),
            draw: catalogue.format_template(draw),
        }
    }

    /// Prints the header of the turn that has just begun.
    pub(super) fn write(&self, table: &Table, out: &mut String) {
        let [mut turn, mut leader, mut cards, mut total] = [itoa::Buffer::new(); 4];
        let (template, seat, held) = match Lead::of(table) {
            Lead::One(seat, cards) => (&self.leads, seat.number(), cards),
            Lead::Shared(cards) => (&self.draw, 0, cards),
        };
        template.fill(
            out,
            [
                turn.format(table.turn()),
                leader.format(seat),
                cards.format(held),
                total.format(table.card_count()),
            ],
        );
        out.push('\n');
    }
}

/// Lead at the start of a turn.
enum Lead {
    /// Single leader, with this many cards.
    One(Seat, usize),
    /// Several leaders, with this many cards each.
    Shared(usize),
}

impl Lead {
    /// Lead at the start of the turn that has just begun, so the cards put in it count.
    fn of(table: &Table) -> Self {
        let held = |(seat, place): (Seat, &crate::engine::Place)| {
            (seat, place.hand().len() + place.pile().len())
        };
        let mut leader = Self::Shared(0);
        for (seat, cards) in table.places_by_seat().map(held) {
            let (Self::One(_, most) | Self::Shared(most)) = leader;
            match cards.cmp(&most) {
                std::cmp::Ordering::Greater => leader = Self::One(seat, cards),
                std::cmp::Ordering::Equal => leader = Self::Shared(cards),
                std::cmp::Ordering::Less => {}
            }
        }
        leader
    }
}
