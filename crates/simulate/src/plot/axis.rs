/// A number of turns as a place on an axis.
#[expect(clippy::cast_precision_loss, reason = "turns have at most ten digits")]
pub(super) const fn wide(turns: u64) -> f64 {
    turns as f64
}

/// 1, 2 or 5 times a power of ten, and not below this.
pub(super) fn nice_above(least: u64) -> u64 {
    let mut power = 1;
    loop {
        for nice in [power, 2 * power, 5 * power] {
            if nice >= least {
                return nice;
            }
        }
        power *= 10;
    }
}
