use war::engine::Seat;

/// How a simulated game went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Played {
    /// How it ended.
    pub verdict: Conclusion,
    /// The number of turns; of an endless game, up to the first repetition.
    pub turns: u32,
    /// The number of turns whose highest card was shared.
    pub wars: u32,
    /// How often the highest card was shared; none of games that did not finish.
    pub ties: Ties,
}

/// How often the highest card of a finished game was shared: a war in a war counts again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Ties {
    /// All of them.
    pub all: u32,
    /// Those after which the next cards face up were compared, as two players or more had some.
    pub played_on: u32,
}

impl Ties {
    /// So many, after some of which nobody could go on, or one player alone.
    #[must_use]
    pub(super) fn but(all: u64, last: u64) -> Self {
        let counted = |ties| u32::try_from(ties).unwrap_or(u32::MAX);
        Self {
            all: counted(all),
            played_on: counted(all.saturating_sub(last)),
        }
    }
}

/// How a simulated game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Conclusion {
    /// One player holds all the cards.
    Won(Seat),
    /// All ran out of cards at once.
    Drawn,
    /// The hands came back.
    Endless {
        /// After how many turns.
        period: u32,
    },
    /// The game lasted as many turns as it may.
    Undecided,
}

/// How many wars were how deep: how often in a row the highest card was shared.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Depths(Vec<u64>);

impl Depths {
    /// Counts a war of this depth; there is none of depth 0.
    #[inline]
    pub fn count(&mut self, depth: usize) {
        self.count_many(depth, 1);
    }

    /// Counts this many wars of a depth; there are none of depth 0.
    #[inline]
    pub fn count_many(&mut self, depth: usize, wars: u64) {
        if depth == 0 || wars == 0 {
            return;
        }
        if self.0.len() < depth {
            self.0.resize(depth, 0);
        }
        self.0[depth - 1] += wars;
    }

    /// Adds the wars of others.
    pub fn add(&mut self, other: &Self) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (sum, count) in self.0.iter_mut().zip(&other.0) {
            *sum += count;
        }
    }

    /// How often the highest card was shared: as often as the wars are deep.
    #[must_use]
    pub fn ties(&self) -> u64 {
        let depths = (1..).zip(&self.0);
        depths.map(|(depth, wars): (u64, _)| depth * wars).sum()
    }

    /// The number of wars of each depth, those of depth 1 first.
    #[must_use]
    pub fn counts(&self) -> &[u64] {
        &self.0
    }
}
