/// The sum of whole numbers, one of each of some games, and the sum of their squares: what their
/// mean and its error follow from, whatever the order in which they are added.
///
/// # Examples
///
/// ```
/// use war_simulate::Moments;
///
/// let mut wars = Moments::default();
/// [1, 2, 3, 2].into_iter().for_each(|count| wars.count(count));
/// let mean = wars.mean(4).unwrap();
/// assert_eq!(mean.value, 2.0);
/// assert!((mean.error.unwrap() - (1.0_f64 / 6.0).sqrt()).abs() < 1e-15);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Moments {
    /// The sum.
    pub sum: u64,
    /// The sum of the squares.
    pub squares: u128,
}

/// A mean, with what is known of its error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mean {
    /// The value.
    pub value: f64,
    /// The standard deviation of a game, from n - 1; `None` of one game, which says nothing.
    pub sd: Option<f64>,
    /// The standard error of the mean; `None` of one game.
    pub error: Option<f64>,
}

impl Moments {
    /// Those of one number.
    #[must_use]
    pub(super) fn of(number: u64) -> Self {
        Self {
            sum: number,
            squares: u128::from(number) * u128::from(number),
        }
    }

    /// Adds a number.
    #[inline]
    pub fn count(&mut self, number: u64) {
        self.add(Self::of(number));
    }

    /// Adds what was counted elsewhere.
    #[inline]
    pub(super) fn add(&mut self, other: Self) {
        self.sum = self.sum.saturating_add(other.sum);
        self.squares = self.squares.saturating_add(other.squares);
    }

    /// The mean of so many numbers, if there are any.
    #[must_use]
    pub fn mean(self, games: u64) -> Option<Mean> {
        Mean::of(games.into(), self.sum.into(), self.squares)
    }

    /// Whether so many numbers can have these sums.
    pub(super) fn are_possible(self, games: u64) -> bool {
        let sum = u128::from(self.sum);
        let all = sum.saturating_mul(sum);
        // Whole numbers are no more than their squares, which are most where one number has all
        // of the sum, and least where all are the same.
        let most = self.squares <= all;
        sum <= self.squares && most && all <= self.squares.saturating_mul(games.into())
    }
}

impl Mean {
    /// The mean of so many numbers with this sum and these squares, if there are any. What is
    /// rounded is rounded once.
    #[expect(
        clippy::cast_precision_loss,
        reason = "a figure has fewer digits than a float"
    )]
    pub(super) fn of(count: u128, sum: u128, squares: u128) -> Option<Self> {
        if count == 0 {
            return None;
        }
        let variance = (count > 1).then(|| {
            let spread = count.checked_mul(squares).zip(sum.checked_mul(sum));
            let spread = match spread {
                Some((all, mean)) => all.saturating_sub(mean) as f64,
                // Only in a part that was made up are there as many turns.
                None => (count as f64 * squares as f64 - (sum as f64).powi(2)).max(0.0),
            };
            spread / (count as f64 * (count - 1) as f64)
        });
        Some(Self {
            value: sum as f64 / count as f64,
            sd: variance.map(f64::sqrt),
            error: variance.map(|variance| (variance / count as f64).sqrt()),
        })
    }
}
