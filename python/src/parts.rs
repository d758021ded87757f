//! Parts of a run, which Python's `Run` wraps.

use crate::errors::{join_error, value_error};
use pyo3::prelude::*;
use war_simulate::{JoinError, Run, RunFileError};

/// Parts of a run, in order; games are missing between any two of them.
#[pyclass(frozen, eq, module = "war._war")]
#[derive(PartialEq)]
pub(crate) struct Parts(Vec<Run>);

impl Parts {
    pub(crate) fn new(run: Run) -> Self {
        Self(vec![run])
    }

    /// Returns the only part, or an error if games are missing.
    fn only(&self) -> PyResult<&Run> {
        match &self.0[..] {
            [only] => Ok(only),
            [first, second, ..] => {
                let missing = JoinError::Missing(first.part.end, second.part.start);
                Err(join_error(missing, |_| ""))
            }
            [] => Err(join_error(JoinError::Missing(0, 0), |_| "")),
        }
    }
}

#[pymethods]
impl Parts {
    /// Reads the part in a JSON document called `name`.
    #[staticmethod]
    fn from_json(json: &[u8], name: &str) -> PyResult<Self> {
        let run = Run::from_json(json).map_err(|error| match error {
            RunFileError::Syntax(_) | RunFileError::Changed => {
                value_error(format!("`{name}` is not part of a simulation"))
            }
            RunFileError::Version(version) => value_error(format!(
                "`{name}` is a part of version {version}, which this program doesn't support"
            )),
            RunFileError::Generator(generator) => value_error(format!(
                "the games in `{name}` were dealt by the generator `{generator}`, \
                 which this program doesn't have"
            )),
        })?;
        Ok(Self::new(run))
    }

    /// Returns the JSON document of the part, if there is only one.
    fn to_json(&self) -> PyResult<String> {
        Ok(self.only()?.to_json())
    }

    /// Returns the JSON documents of all parts.
    fn documents(&self) -> Vec<String> {
        self.0.iter().map(Run::to_json).collect()
    }

    /// Returns the range of games of each part: the first one, and the one after the last.
    fn spans(&self) -> Vec<(u64, u64)> {
        let parts = self.0.iter();
        parts.map(|run| (run.part.start, run.part.end)).collect()
    }

    /// Returns the number of games of the whole run.
    fn games(&self) -> u64 {
        self.0.first().map_or(0, |run| run.games)
    }

    /// Returns the seed of the run.
    fn seed(&self) -> u64 {
        self.0.first().map_or(0, |run| run.seed)
    }

    /// Returns numbers of turns, and the number of finished games with each.
    fn histogram(&self) -> PyResult<(Vec<u32>, Vec<u64>)> {
        Ok(self.only()?.tally.turns.iter().unzip())
    }
}

/// Joins parts of a run; each has a name for errors.
#[pyfunction]
#[expect(
    clippy::needless_pass_by_value,
    reason = "Python hands over what it extracts"
)]
pub(crate) fn join(parts: Vec<(PyRef<'_, Parts>, String)>) -> PyResult<Parts> {
    let (mut runs, mut names) = (Vec::new(), Vec::new());
    for (part, name) in &parts {
        for run in &part.0 {
            runs.push(run.clone());
            names.push(name.as_str());
        }
    }
    let name = |part: usize| names.get(part).copied().unwrap_or_default();
    let joined = Run::join_adjacent(&runs);
    joined.map(Parts).map_err(|error| join_error(error, name))
}
