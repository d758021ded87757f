use super::chance::Chance;
use super::options::Options;

/// What fails from time to time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Trouble {
    /// Another program writes into the store for a while.
    Busy,
    /// The disk is slow for a while.
    Slow,
    /// A node is killed.
    Kill(usize),
    /// A node is stopped for a while, and its monotonic clock goes on.
    Stop(usize),
    /// A node's machine is suspended for a while.
    Suspend(usize),
    /// A node's wall clock is set to another time.
    Jump(usize),
    /// A node is drained, and starts again.
    Drain(usize),
    /// A node does not reach the store for a while.
    Cut(usize),
    /// A link between two nodes breaks.
    Break,
    /// A link between two nodes is silent for a while.
    Silence,
}

impl Trouble {
    /// All that happens to the store of a table.
    pub(crate) const STORE: [Self; 2] = [Self::Busy, Self::Slow];

    /// All that happens to the links between nodes.
    pub(crate) const LINKS: [Self; 2] = [Self::Break, Self::Silence];

    /// All that happens to a node alone.
    pub(crate) const fn of(node: usize) -> [Self; 5] {
        [
            Self::Kill(node),
            Self::Stop(node),
            Self::Suspend(node),
            Self::Jump(node),
            Self::Drain(node),
        ]
    }

    /// What it is called.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Busy => "busy store",
            Self::Slow => "slow disk",
            Self::Kill(_) => "kill",
            Self::Stop(_) => "stop",
            Self::Suspend(_) => "suspension",
            Self::Jump(_) => "wall clock set",
            Self::Drain(_) => "drain",
            Self::Cut(_) => "store out of reach",
            Self::Break => "broken link",
            Self::Silence => "silent link",
        }
    }

    /// How often it happens in a minute.
    const fn rate(self, options: &Options) -> f64 {
        match self {
            Self::Busy => options.busy,
            Self::Slow => options.slow,
            Self::Kill(_) => options.kills,
            Self::Stop(_) => options.stops,
            Self::Suspend(_) => options.suspends,
            Self::Jump(_) => options.jumps,
            Self::Drain(_) => options.drains,
            Self::Cut(_) => options.cuts,
            Self::Break => options.breaks,
            Self::Silence => options.silences,
        }
    }

    /// How many milliseconds pass until it happens again, if it ever does.
    pub(crate) fn pause(self, options: &Options, chance: &mut Chance) -> Option<u64> {
        let rate = self.rate(options);
        // A thousandth of an interval is still a time.
        let mean = 60_000.0 / rate;
        let in_range = rate > 0.0 && mean < 1e12;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "it is a positive number in range"
        )]
        in_range.then(|| chance.below(2 * mean as u64) + 1)
    }

    /// How long it lasts.
    pub(crate) fn lasts(chance: &mut Chance) -> u64 {
        match chance.below(10) {
            0..3 => chance.between(50, 900),
            3..7 => chance.between(1_500, 10_000),
            _ => chance.between(20_000, 90_000),
        }
    }
}
