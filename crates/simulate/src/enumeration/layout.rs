use war::cards::Deck;

/// How the cards of a hand lie in a word: the top card in the lowest bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Layout {
    /// The bits of a card.
    pub(super) card: u32,
    /// The number of ranks, and of cards of each.
    pub(super) ranks: u8,
    pub(super) suits: u8,
    /// The rank that is 0 in a word.
    pub(super) lowest: u8,
}

impl Layout {
    /// The layout for a deck, if a word holds it.
    pub(super) fn new(deck: Deck) -> Option<Self> {
        let ranks = deck.highest() - deck.lowest() + 1;
        let cards = u8::try_from(deck.size()).ok()?;
        let card = if ranks <= 8 { 3 } else { 4 };
        let fits = ranks <= 16 && u32::from(cards) * card <= u64::BITS;
        fits.then_some(Self {
            card,
            ranks,
            suits: cards / ranks,
            lowest: deck.lowest(),
        })
    }

    /// The number of pairs that the first pass puts.
    pub(super) const fn pairs(self) -> u32 {
        self.ranks as u32 * self.suits as u32 / 2
    }

    /// Whether neighbouring ranks are played as twins: there is one card of each rank.
    pub(super) const fn has_twins(self) -> bool {
        self.suits == 1
    }

    /// How many kinds of cards a walk chooses from, and how many cards each has: twins are of one
    /// kind.
    pub(super) const fn kinds(self) -> (u8, u8) {
        if self.has_twins() {
            (self.ranks / 2, 2)
        } else {
            (self.ranks, self.suits)
        }
    }

    /// The bits of a pair of cards.
    pub(super) const fn pair(self) -> u32 {
        2 * self.card
    }

    /// The bits of all cards.
    pub(super) const fn all(self) -> u64 {
        self.pairs() as u64 * self.pair() as u64
    }

    /// The cards in the lowest bits of a word, as ranks from 0.
    pub(super) fn pairs_of(self, word: u64, bits: u64) -> impl Iterator<Item = (u8, u8)> {
        let card = move |at: u64| {
            let rank = word >> at & !(u64::MAX << self.card);
            u8::try_from(rank).expect("16 ranks at most")
        };
        let places = (0..bits).step_by(self.pair() as usize);
        places.map(move |at| (card(at), card(at + u64::from(self.card))))
    }
}
