//! How long an enumeration would take, from a few of its deals.

use std::num::NonZero;
use std::time::{Duration, Instant};
use war_simulate::simulate::Enumeration;

/// How many hours an enumeration may take without a question.
const LONG: f64 = 0.5;

/// How long deals are played for a forecast.
const SAMPLE: Duration = Duration::from_millis(300);

/// So many deals take no time worth a forecast, by themselves or merged.
const FEW: u64 = 1_000_000;
const FEW_MERGED: u64 = 1_000_000_000;

/// About how many hours so many threads take to play this many of the deals, where that is
/// long.
#[expect(
    clippy::cast_precision_loss,
    reason = "a forecast has fewer digits than a float"
)]
pub(crate) fn hours(enumeration: &Enumeration, deals: u64, jobs: NonZero<usize>) -> Option<f64> {
    let few = if enumeration.is_merged() {
        FEW_MERGED
    } else {
        FEW
    };
    if deals <= few {
        return None;
    }
    let (begin, mut played) = (Instant::now(), 0);
    for number in 0.. {
        played += enumeration.play_sample(number).deals;
        if begin.elapsed() > SAMPLE {
            break;
        }
    }
    let rate = played.max(1) as f64 / begin.elapsed().as_secs_f64();
    let hours = deals as f64 / rate / jobs.get() as f64 / 3_600.0;
    (hours > LONG).then_some(hours)
}
