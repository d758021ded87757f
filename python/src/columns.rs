//! How each game of a run went, as columns of numbers.

use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use pyo3::types::PyByteArray;
use std::collections::TryReserveError;
use war_simulate::{Conclusion, Played};

/// A column for each figure, with a number for each game.
#[derive(Default)]
pub(crate) struct Columns {
    verdict: Vec<u8>,
    winner: Vec<u8>,
    turns: Vec<u32>,
    wars: Vec<u32>,
    period: Vec<u32>,
}

impl Columns {
    /// Columns with room for so many games.
    pub(crate) fn with_room(games: u64) -> PyResult<Self> {
        let games = usize::try_from(games).unwrap_or(usize::MAX);
        let room = || {
            let mut columns = Self::default();
            columns.verdict.try_reserve_exact(games)?;
            columns.winner.try_reserve_exact(games)?;
            columns.turns.try_reserve_exact(games)?;
            columns.wars.try_reserve_exact(games)?;
            columns.period.try_reserve_exact(games)?;
            Ok(columns)
        };
        room().map_err(|error: TryReserveError| PyMemoryError::new_err(error.to_string()))
    }

    pub(crate) fn add(&mut self, games: &[Played]) {
        for played in games {
            let (verdict, winner, period) = match played.verdict {
                Conclusion::Won(seat) => (0, seat.number(), 0),
                Conclusion::Drawn => (1, 0, 0),
                Conclusion::Endless { period } => (2, 0, period),
                Conclusion::Undecided => (3, 0, 0),
            };
            self.verdict.push(verdict);
            self.winner.push(winner);
            self.turns.push(played.turns);
            self.wars.push(played.wars);
            self.period.push(period);
        }
    }

    /// The columns as memory that numpy takes as it is.
    pub(crate) fn into_python(self, py: Python<'_>) -> PyResult<[Bound<'_, PyByteArray>; 5]> {
        Ok([
            PyByteArray::new(py, &self.verdict),
            PyByteArray::new(py, &self.winner),
            words(py, &self.turns)?,
            words(py, &self.wars)?,
            words(py, &self.period)?,
        ])
    }
}

/// Numbers of 32 bits, in the machine's order.
fn words<'py>(py: Python<'py>, numbers: &[u32]) -> PyResult<Bound<'py, PyByteArray>> {
    PyByteArray::new_with(py, numbers.len() * 4, |bytes| {
        for (place, number) in bytes.chunks_exact_mut(4).zip(numbers) {
            place.copy_from_slice(&number.to_ne_bytes());
        }
        Ok(())
    })
}
