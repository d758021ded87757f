//! Results of the games of a run, as columns of numbers.

use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use pyo3::types::PyByteArray;
use std::collections::TryReserveError;
use war_simulate::{Conclusion, GameResult};

/// Results of the games: one column for each figure, with one number for each game.
#[derive(Default)]
pub(crate) struct Columns {
    verdict: Vec<u8>,
    winner: Vec<u8>,
    turns: Vec<u32>,
    wars: Vec<u32>,
    period: Vec<u32>,
}

impl Columns {
    /// Returns columns with room for this many games.
    pub(crate) fn with_capacity(games: u64) -> PyResult<Self> {
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

    pub(crate) fn add(&mut self, games: &[GameResult]) {
        for played in games {
            let (verdict, winner, period) = match played.conclusion {
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

    /// Returns the columns as memory that `NumPy` can use without conversion.
    pub(crate) fn into_python(self, py: Python<'_>) -> PyResult<[Bound<'_, PyByteArray>; 5]> {
        Ok([
            PyByteArray::new(py, &self.verdict),
            PyByteArray::new(py, &self.winner),
            to_bytes(py, &self.turns)?,
            to_bytes(py, &self.wars)?,
            to_bytes(py, &self.period)?,
        ])
    }
}

/// Returns 32-bit numbers in the machine's byte order.
fn to_bytes<'py>(py: Python<'py>, numbers: &[u32]) -> PyResult<Bound<'py, PyByteArray>> {
    PyByteArray::new_with(py, numbers.len() * 4, |bytes| {
        for (place, number) in bytes.chunks_exact_mut(4).zip(numbers) {
            place.copy_from_slice(&number.to_ne_bytes());
        }
        Ok(())
    })
}
