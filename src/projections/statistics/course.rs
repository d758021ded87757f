/// The most samples that a course keeps.
const MOST: usize = 1024;

/// How many cards everybody held after each turn; of a long game, after every second, fourth,
/// eighth and so on, so that a course never grows beyond a fixed size.
///
/// # Examples
///
/// ```
/// use war::projections::statistics::Course;
///
/// let mut course = Course::default();
/// for turn in 0..=200_000 {
///     course.add(turn, &[26, 26]);
/// }
/// let points: Vec<_> = course.points().collect();
/// assert!(points.len() <= 1025);
/// // The first and the last turn are always there.
/// assert_eq!((points[0].0, points[points.len() - 1].0), (0, 200_000));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Course {
    /// How many turns lie between two samples.
    stride: u32,
    samples: Vec<(u32, Vec<usize>)>,
    /// The last turn, where it is not one of the samples.
    last: Option<(u32, Vec<usize>)>,
}

impl Default for Course {
    fn default() -> Self {
        Self {
            stride: 1,
            samples: Vec::new(),
            last: None,
        }
    }
}

impl Course {
    /// Adds what everybody holds after a turn, which must not be before the last one added.
    pub fn add(&mut self, turn: u32, cards: &[usize]) {
        if self.samples.last().is_some_and(|(last, _)| *last == turn) {
            self.samples.pop();
        }
        if !turn.is_multiple_of(self.stride) {
            let (at, held) = self.last.get_or_insert_default();
            *at = turn;
            held.clear();
            held.extend_from_slice(cards);
            return;
        }
        self.last = None;
        self.samples.push((turn, cards.to_vec()));
        if self.samples.len() > MOST {
            self.stride = self.stride.saturating_mul(2);
            let (stride, newest) = (self.stride, turn);
            self.last = (!newest.is_multiple_of(stride)).then(|| (newest, cards.to_vec()));
            self.samples.retain(|(turn, _)| turn.is_multiple_of(stride));
        }
    }

    /// The turns with what everybody held after them, seat 1 first.
    pub fn points(&self) -> impl Iterator<Item = (u32, &[usize])> {
        let points = self.samples.iter().chain(&self.last);
        points.map(|(turn, cards)| (*turn, &cards[..]))
    }

    /// What everybody held in the end, or so far.
    #[must_use]
    pub fn end(&self) -> Option<(u32, &[usize])> {
        let (turn, cards) = self.last.as_ref().or(self.samples.last())?;
        Some((*turn, cards))
    }
}
