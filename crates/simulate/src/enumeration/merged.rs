use super::batch::Batch;
use super::layout::Layout;
use super::method::Method;
use super::sampling::spread;
use super::sum::Sum;
use super::walk::{Walk, beginnings, longer};
#[cfg(target_arch = "x86_64")]
use super::{avx2::Avx2, avx512::Avx512};
use crate::exact::Exact;
use war::cards::Deck;
use war::rules::{Collect, OutOfCards, Parameters, Piles, Repeated};

/// How many parts there are at least, where the deck has so many.
const PARTS: usize = 1_500;
/// How many are enough where each has no more deals than this.
const FEW_PARTS: usize = 16;
const FEW_DEALS: u64 = 2_000_000;

/// How many pairs are left open in a sample.
const SAMPLED: u32 = 4;

/// All deals of a deck by rules that let them be merged.
#[derive(Debug, Clone)]
pub(crate) struct Merged {
    layout: Layout,
    parts: Vec<Vec<u8>>,
    #[cfg(target_arch = "x86_64")]
    vectors: Option<Vectors>,
}

/// Code for this processor.
#[cfg(target_arch = "x86_64")]
#[derive(Debug, Clone, Copy)]
enum Vectors {
    Avx512(Avx512),
    Avx2(Avx2),
}

impl Merged {
    /// The deals of a deck by these rules, if they can be merged.
    ///
    /// Nothing may lie face down, wars are taken as in bataille, and a player without a card
    /// loses: short of cards, each puts the last one.
    pub(crate) fn new(parameters: &Parameters, deck: Deck, deals: u64) -> Option<Self> {
        let rules = parameters.face_down == 0
            && parameters.collect == Collect::Bataille
            && parameters.piles == Piles::One
            && parameters.repetition == Repeated::Ends
            && parameters.limit.is_none();
        let out = matches!(
            parameters.out_of_cards,
            OutOfCards::Loses | OutOfCards::LastCard
        );
        let even = deck.size().is_multiple_of(2);
        let layout = Layout::new(deck).filter(|_| rules && out && even)?;
        let is_enough = |parts: &Vec<_>| {
            let are_small = deals / parts.len() as u64 <= FEW_DEALS;
            parts.len() >= PARTS || are_small && parts.len() >= FEW_PARTS
        };
        let mut parts = (0..layout.pairs()).map(|pairs| beginnings(layout, pairs));
        let all = || beginnings(layout, layout.pairs());
        Some(Self {
            layout,
            parts: parts.find(is_enough).unwrap_or_else(all),
            #[cfg(target_arch = "x86_64")]
            vectors: Avx512::new(layout)
                .map(Vectors::Avx512)
                .or_else(|| Avx2::new(layout).map(Vectors::Avx2)),
        })
    }

    /// The same, played by this method or by the next slower one that can; nothing for single
    /// deals.
    pub(crate) fn by(self, method: Method) -> Option<Self> {
        #[cfg(target_arch = "x86_64")]
        let vectors = match method {
            Method::Avx512 => self.vectors,
            Method::Avx2 => Avx2::new(self.layout).map(Vectors::Avx2),
            Method::Portable | Method::Single => None,
        };
        let merged = Self {
            #[cfg(target_arch = "x86_64")]
            vectors,
            ..self
        };
        (method != Method::Single).then_some(merged)
    }

    /// How the deals are played.
    pub(crate) const fn method(&self) -> Method {
        #[cfg(target_arch = "x86_64")]
        match self.vectors {
            Some(Vectors::Avx512(_)) => return Method::Avx512,
            Some(Vectors::Avx2(_)) => return Method::Avx2,
            None => {}
        }
        Method::Portable
    }

    /// The number of parts that the work falls apart into.
    pub(crate) fn parts(&self) -> usize {
        self.parts.len()
    }

    /// Plays the deals of a part, if there is such a one, unless it is stopped on the way.
    pub(crate) fn play(&self, part: usize, goes_on: &dyn Fn() -> bool) -> Option<Exact> {
        self.play_from(self.parts.get(part)?, goes_on)
    }

    /// Plays a few deals here and there, others for each number.
    pub(crate) fn play_sample(&self, number: usize) -> Exact {
        let mut beginning = self.parts[spread(number, self.parts.len())].clone();
        let sampled = 2 * self.layout.pairs().saturating_sub(SAMPLED) as usize;
        while beginning.len() < sampled {
            let mut longer = longer(&beginning, self.layout);
            let chosen = spread(number + beginning.len(), longer.len());
            beginning = longer.swap_remove(chosen);
        }
        self.play_from(&beginning, &|| true).unwrap_or_default()
    }

    /// Plays the deals that lead to states which begin with these pairs.
    fn play_from(&self, beginning: &[u8], goes_on: &dyn Fn() -> bool) -> Option<Exact> {
        let mut sum = Sum::new(self.layout);
        let mut play = |batch: &Batch| {
            self.play_batch(batch, &mut sum);
            goes_on()
        };
        let whole = Walk::new(self.layout, &mut play).from(beginning);
        whole.then(|| sum.exact())
    }

    fn play_batch(&self, batch: &Batch, sum: &mut Sum) {
        #[cfg(target_arch = "x86_64")]
        match self.vectors {
            Some(Vectors::Avx512(code)) => return code.play(batch, sum),
            Some(Vectors::Avx2(code)) => return code.play(batch, sum),
            None => {}
        }
        for at in 0..batch.states {
            sum.play(batch.state(at));
        }
    }
}
