use std::time::Instant;

/// How many messages a client may send: some at once, and more as time passes.
pub(super) struct Allowance {
    /// Messages a second; twice as many may come at once.
    rate: u32,
    left: f64,
    at: Instant,
    /// How many were too many; each that is not makes up for one.
    pub(super) too_fast: u32,
}

impl Allowance {
    pub(super) fn new(rate: u32) -> Self {
        Self {
            rate,
            left: f64::from(2 * rate),
            at: Instant::now(),
            too_fast: 0,
        }
    }

    /// Whether one more may come now.
    pub(super) fn take(&mut self, now: Instant) -> bool {
        let passed = now.duration_since(self.at).as_secs_f64();
        let most = f64::from(2 * self.rate);
        self.left = (self.left + passed * f64::from(self.rate)).min(most);
        self.at = now;
        let allowed = self.left >= 1.0;
        if allowed {
            self.left -= 1.0;
            self.too_fast = self.too_fast.saturating_sub(1);
        } else {
            self.too_fast += 1;
        }
        allowed
    }
}
