//! What the ladder becomes with each day that is over, as it follows from the games in a store.

use super::store::{Reader, StoreError};
use crate::ladder::{Rated, Span, Standings, day_of, first_moment};
use crate::room::PlayerId;

/// How long after its end a day is rated, in milliseconds: then all of its games are stored, even if
/// the clocks of nodes differ.
const AFTERWARDS: u64 = 10 * 60_000;

/// What the ladder becomes by now, if a day is over that was not rated; `now` is what the wall clock
/// shows.
///
/// # Errors
///
/// [`StoreError`] where the store fails.
pub(super) fn next(reader: &dyn Reader, now: u64) -> Result<Option<Rated>, StoreError> {
    let Some(day) = day_of(now.saturating_sub(AFTERWARDS)).checked_sub(1) else {
        return Ok(None);
    };
    let Some(first) = reader.first_end()?.map(day_of) else {
        return Ok(None);
    };
    let rated = reader.rated_day()?;
    let from = rated.map_or(first, |rated| rated.saturating_add(1));
    if from > day {
        return Ok(None);
    }
    let mut ever = reader.standings(Span::Ever)?;
    let mut changed: Vec<PlayerId> = Vec::new();
    for day in from..=day {
        changed.extend(rate(reader, &mut ever, day)?);
    }
    changed.sort_unstable();
    changed.dedup();
    let standing = |id| ever.of(id).map(|standing| (Span::Ever, id, *standing));
    let mut standings: Vec<_> = changed.into_iter().filter_map(standing).collect();
    for span in [Span::Week, Span::Month] {
        let all = all(reader, span, day)?;
        standings.extend(all.iter().map(|(id, standing)| (span, id, *standing)));
    }
    Ok(Some(Rated { day, standings }))
}

/// The ladder up to a day, computed from all of its games.
///
/// # Errors
///
/// [`StoreError`] where the store fails.
pub(super) fn all(reader: &dyn Reader, span: Span, day: u64) -> Result<Standings, StoreError> {
    let mut standings = Standings::default();
    if let Some(first) = reader.first_end()?.map(day_of) {
        for day in first.max(span.first(day))..=day {
            rate(reader, &mut standings, day)?;
        }
    }
    Ok(standings)
}

fn rate(
    reader: &dyn Reader,
    standings: &mut Standings,
    day: u64,
) -> Result<Vec<PlayerId>, StoreError> {
    let games = reader.public_games(first_moment(day)..first_moment(day.saturating_add(1)))?;
    Ok(standings.rate(day, games))
}
