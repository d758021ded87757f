use std::ops::Range;

/// Numbers that were not given yet, in the order in which they are given: those of new players,
/// or of games.
///
/// Where several rooms give numbers, each has blocks of its own, so that none is given twice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Numbers {
    current: Range<u64>,
    /// The block that follows.
    spare: Option<Range<u64>>,
}

/// How many numbers there should be at least before a room goes on: more than it gives at once.
pub const NUMBERS_AT_HAND: u64 = 4_096;

impl Numbers {
    /// All numbers from this one on.
    #[must_use]
    pub const fn from(first: u64) -> Self {
        Self::block(first..u64::MAX)
    }

    /// The numbers of one block; the end is not one of them.
    #[must_use]
    pub const fn block(block: Range<u64>) -> Self {
        Self {
            current: block,
            spare: None,
        }
    }

    /// Whether another block is needed before the next numbers are given.
    #[must_use]
    pub const fn runs_low(&self) -> bool {
        let left = self.current.end.saturating_sub(self.current.start);
        self.spare.is_none() && left < NUMBERS_AT_HAND
    }

    /// Adds a block, whose numbers are given when the others have been. There is one such block
    /// at most: another one takes its place.
    pub fn add(&mut self, block: Range<u64>) {
        self.spare = Some(block);
        self.go_on();
    }

    /// The number that is given next.
    pub(super) const fn next(&self) -> u64 {
        self.current.start
    }

    /// Notes that a number was given.
    pub(super) fn given(&mut self, number: u64) {
        let after = number.saturating_add(1);
        if self.current.contains(&number) {
            self.current.start = after;
        }
        self.go_on();
    }

    fn go_on(&mut self) {
        if self.current.is_empty()
            && let Some(spare) = self.spare.take()
        {
            self.current = spare;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{NUMBERS_AT_HAND, Numbers};

    #[test]
    fn blocks_follow_one_another() {
        let mut numbers = Numbers::block(7..9);
        assert!(numbers.runs_low());
        let end = 100 + NUMBERS_AT_HAND;
        numbers.add(100..end);
        assert!(!numbers.runs_low());
        let given: Vec<_> = (0..4)
            .map(|_| {
                let number = numbers.next();
                numbers.given(number);
                number
            })
            .collect();
        assert_eq!(given, [7, 8, 100, 101]);
        assert!(numbers.runs_low());
    }

    // A room that is loaded applies the events of its games, whose numbers are of older blocks.
    #[test]
    fn numbers_of_other_blocks_change_nothing() {
        let mut numbers = Numbers::from(50);
        numbers.given(3);
        assert_eq!(numbers.next(), 50);
        numbers.given(60);
        assert_eq!(numbers.next(), 61, "what was given is not given again");
    }
}
