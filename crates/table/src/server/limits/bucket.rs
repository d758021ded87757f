/// How much may be taken: some at once, and more as time passes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::server) struct Allowance {
    /// How many parts one has.
    one: i64,
    /// How many parts come in a millisecond.
    refill: i64,
    /// How many may be taken at once, in parts.
    most: i64,
}

impl Allowance {
    /// This many a second; twice as many may be taken at once.
    pub(in crate::server) fn per_second(count: u32) -> Self {
        Self::new(count, 1000)
    }

    /// This many a minute; twice as many may be taken at once.
    pub(in crate::server) fn per_minute(count: u32) -> Self {
        Self::new(count, 60_000)
    }

    fn new(count: u32, milliseconds: i64) -> Self {
        let refill = i64::from(count.max(1));
        Self {
            one: milliseconds,
            refill,
            most: 2 * refill * milliseconds,
        }
    }

    /// How long it takes until as many parts are there, in milliseconds.
    fn time_for(&self, parts: i64) -> u64 {
        let missing = u64::try_from(parts).unwrap_or(0);
        missing.div_ceil(self.refill.unsigned_abs())
    }
}

/// What is left of an allowance.
#[derive(Debug, Clone)]
pub(in crate::server) struct Bucket {
    /// In parts; below zero where more was taken than there was.
    left: i64,
    /// When it was counted last, in milliseconds.
    at: u64,
}

impl Bucket {
    pub(in crate::server) const fn full(allowance: &Allowance, now: u64) -> Self {
        Self {
            left: allowance.most,
            at: now,
        }
    }

    /// Takes one; where there is none, the error is the time until there is one, in
    /// milliseconds.
    pub(in crate::server) fn take(&mut self, allowance: &Allowance, now: u64) -> Result<(), u64> {
        self.refill(allowance, now);
        let missing = allowance.one - self.left;
        if missing > 0 {
            return Err(allowance.time_for(missing));
        }
        self.left -= allowance.one;
        Ok(())
    }

    /// Takes as many in any case, or gives them back where the number is negative; the result
    /// is the time until nothing is owed, in milliseconds.
    pub(in crate::server) fn owe(&mut self, count: i64, allowance: &Allowance, now: u64) -> u64 {
        self.refill(allowance, now);
        let parts = count.saturating_mul(allowance.one);
        self.left = self.left.saturating_sub(parts).min(allowance.most);
        allowance.time_for(self.left.saturating_neg())
    }

    /// When it was counted last.
    pub(in crate::server) const fn at(&self) -> u64 {
        self.at
    }

    fn refill(&mut self, allowance: &Allowance, now: u64) {
        let passed = i64::try_from(now.saturating_sub(self.at)).unwrap_or(i64::MAX);
        let refilled = self
            .left
            .saturating_add(passed.saturating_mul(allowance.refill));
        self.left = refilled.min(allowance.most);
        self.at = self.at.max(now);
    }
}

#[cfg(test)]
mod tests {
    use super::{Allowance, Bucket};

    #[test]
    fn what_is_taken_comes_back_with_time() {
        let minute = Allowance::per_minute(2);
        let mut bucket = Bucket::full(&minute, 0);
        for _ in 0..4 {
            assert_eq!(bucket.take(&minute, 0), Ok(()));
        }
        assert_eq!(bucket.take(&minute, 0), Err(30_000));
        assert_eq!(bucket.take(&minute, 29_999), Err(1));
        assert_eq!(bucket.take(&minute, 30_000), Ok(()));
        // However long it waits, there are never more than at first.
        for _ in 0..4 {
            assert_eq!(bucket.take(&minute, u64::MAX), Ok(()));
        }
        assert!(bucket.take(&minute, u64::MAX).is_err());
    }

    #[test]
    fn those_who_owe_wait_their_turn() {
        let second = Allowance::per_second(1000);
        let mut bucket = Bucket::full(&second, 0);
        assert_eq!(bucket.owe(2000, &second, 0), 0);
        assert_eq!(bucket.owe(500, &second, 0), 500);
        assert_eq!(bucket.owe(500, &second, 0), 1000);
        assert_eq!(bucket.owe(-500, &second, 250), 250);
        assert_eq!(bucket.owe(i64::MIN, &second, 250), 0);
        assert_eq!(
            bucket.owe(2001, &second, 250),
            1,
            "there is no more than at first"
        );
    }
}
