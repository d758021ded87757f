use crate::server::limits::{Allowance, Bucket};

/// How often a client may be too fast before it is closed.
pub const MOST_TOO_FAST: u32 = 100;

/// How many messages a client may send: some at once, and more as time passes.
///
/// # Examples
///
/// ```
/// use war_table::server::client::RateLimit;
///
/// let mut limit = RateLimit::new(1, 0);
/// // Twice as many as in a second may come at once.
/// assert!(limit.take(0) && limit.take(0) && !limit.take(0));
/// assert!(!limit.take(999) && limit.take(1000));
/// ```
#[derive(Debug, Clone)]
pub struct RateLimit {
    allowance: Allowance,
    bucket: Bucket,
    /// How many were too many; each that is not makes up for one.
    too_fast: u32,
}

impl RateLimit {
    /// The limit for this many messages a second; twice as many may come at once.
    #[must_use]
    pub fn new(rate: u32, now: u64) -> Self {
        let allowance = Allowance::per_second(rate);
        Self {
            bucket: Bucket::full(&allowance, now),
            allowance,
            too_fast: 0,
        }
    }

    /// Whether one more may come now.
    pub fn take(&mut self, now: u64) -> bool {
        let allowed = self.bucket.take(&self.allowance, now).is_ok();
        self.too_fast = if allowed {
            self.too_fast.saturating_sub(1)
        } else {
            self.too_fast + 1
        };
        allowed
    }

    /// Whether the client was too fast too often.
    #[must_use]
    pub const fn is_flooded(&self) -> bool {
        self.too_fast > MOST_TOO_FAST
    }
}
