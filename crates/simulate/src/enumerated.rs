use super::enumerate::Enumeration;
use super::exact::Exact;
use super::run::{NotJoined, check_cover};
use super::setup::{Dealing, GameSetup};
use crate::parallel::Watch;
use std::num::NonZero;
use std::ops::Range;

/// An enumeration, or some of its parts: as far as they are played.
///
/// # Examples
///
/// ```
/// use std::num::NonZero;
/// use war::cards::Deck;
/// use war::rules::Parameters;
/// use war_simulate::{Enumerated, Enumeration};
///
/// let deck = Deck::shaped("3x2").unwrap();
/// let all = Enumeration::new(Parameters::BATAILLE, deck).unwrap();
/// let half = all.parts() / 2;
/// let halves = [0..half, half..all.parts()].map(|parts| {
///     let mut played = Enumerated::new(&all, parts);
///     played.play(&all, NonZero::<usize>::MIN, &(), |_| true);
///     played
/// });
/// let whole = Enumerated::joined(&halves).unwrap();
/// assert_eq!(whole.exact.deals, all.deals());
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Enumerated {
    /// The rules and the deck.
    pub rules: GameSetup,
    /// Whether deals are merged, which makes other parts than deals one by one.
    pub merged: bool,
    /// The number of parts of the whole enumeration.
    pub of: u64,
    /// Which of them these are.
    pub parts: Range<u64>,
    /// The first of them that is not played, or their end.
    pub next: u64,
    /// What those that are played come to.
    pub exact: Exact,
}

impl Enumerated {
    /// Parts of an enumeration before any of them is played.
    #[must_use]
    pub fn new(enumeration: &Enumeration, parts: Range<u64>) -> Self {
        Self {
            rules: GameSetup {
                parameters: enumeration.parameters(),
                players: 2,
                deck: enumeration.deck(),
                dealing: Dealing::Shuffled,
            },
            merged: enumeration.is_merged(),
            of: enumeration.parts(),
            next: parts.start,
            parts,
            exact: Exact::default(),
        }
    }

    /// Whether all of the parts are played.
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        self.next == self.parts.end
    }

    /// Whether these are all parts of the enumeration.
    #[must_use]
    pub fn is_of_all_parts(&self) -> bool {
        self.parts == (0..self.of)
    }

    /// About how many deals are left of so many in all parts, if each had as many.
    #[must_use]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "some of the deals are no more than all of them"
    )]
    pub fn deals_left(&self, all: u64) -> u64 {
        let parts = self.parts.end.saturating_sub(self.next);
        (u128::from(all) * u128::from(parts) / u128::from(self.of.max(1))) as u64
    }

    /// Whether these are the same parts, played or not, where the rules are the same.
    #[must_use]
    pub fn has_parts_of(&self, other: &Self) -> bool {
        (self.merged, self.of, &self.parts) == (other.merged, other.of, &other.parts)
    }

    /// Goes on with the parts that are not played, and shows how far it is after each.
    ///
    /// It ends where the watch does not go on, or `shown` says so.
    pub fn play(
        &mut self,
        enumeration: &Enumeration,
        jobs: NonZero<usize>,
        watch: &dyn Watch,
        mut shown: impl FnMut(&Self) -> bool,
    ) {
        let parts = self.next..self.parts.end;
        enumeration.play_parts(parts, jobs, watch, |exact| {
            self.exact.add(exact);
            self.next += 1;
            shown(self)
        });
    }

    /// Joins parts to the whole enumeration.
    ///
    /// # Errors
    ///
    /// [`NotJoined`] where they are not all of it, or not of one enumeration.
    pub fn joined(all: &[Self]) -> Result<Self, NotJoined> {
        let Some(first) = all.first() else {
            return Err(NotJoined::Missing(0, 0));
        };
        let mut joined = Self {
            parts: 0..first.of,
            next: first.of,
            exact: Exact::default(),
            ..first.clone()
        };
        for (index, part) in all.iter().enumerate() {
            if let Some(option) = part.rules.difference(&first.rules) {
                return Err(NotJoined::OtherRules(0, index, option));
            }
            if (part.merged, part.of) != (first.merged, first.of) {
                return Err(NotJoined::OtherGames(0, index));
            }
            if !part.is_complete() {
                return Err(NotJoined::Partial(index));
            }
        }
        let ranges: Vec<_> = all.iter().map(|part| part.parts.clone()).collect();
        check_cover(&ranges, first.of)?;
        for part in all {
            joined.exact.add(&part.exact);
        }
        Ok(joined)
    }
}
