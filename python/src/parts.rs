//! Parts of a run: what Python's `Run` holds.

use crate::words::{not_joined, refused};
use pyo3::prelude::*;
use war_simulate::{NotJoined, Run, RunFileError};

/// Parts of one run in order, with games between them that none of them has.
#[pyclass(frozen, eq, module = "war._war")]
#[derive(PartialEq)]
pub(crate) struct Parts(Vec<Run>);

impl Parts {
    pub(crate) fn of(run: Run) -> Self {
        Self(vec![run])
    }

    /// The only part.
    fn only(&self) -> PyResult<&Run> {
        match &self.0[..] {
            [only] => Ok(only),
            [first, second, ..] => {
                let missing = NotJoined::Missing(first.part.end, second.part.start);
                Err(not_joined(missing, |_| ""))
            }
            [] => Err(not_joined(NotJoined::Missing(0, 0), |_| "")),
        }
    }
}

#[pymethods]
impl Parts {
    /// The part that a JSON document has; `name` is what the document is called.
    #[staticmethod]
    fn from_json(json: &[u8], name: &str) -> PyResult<Self> {
        let run = Run::from_json(json).map_err(|error| match error {
            RunFileError::Syntax(_) | RunFileError::Changed => {
                refused(format!("`{name}` is not part of a simulation"))
            }
            RunFileError::Version(version) => refused(format!(
                "`{name}` is a part of version {version}, which this program doesn't support"
            )),
            RunFileError::Generator(generator) => refused(format!(
                "the games in `{name}` were dealt by the generator `{generator}`, \
                 which this program doesn't have"
            )),
        })?;
        Ok(Self::of(run))
    }

    /// The JSON document of the part, if it is one.
    fn to_json(&self) -> PyResult<String> {
        Ok(self.only()?.to_json())
    }

    /// The JSON documents of all parts.
    fn documents(&self) -> Vec<String> {
        self.0.iter().map(Run::to_json).collect()
    }

    /// From which game on, and up to the one before which, each part has all games.
    fn spans(&self) -> Vec<(u64, u64)> {
        let parts = self.0.iter();
        parts.map(|run| (run.part.start, run.part.end)).collect()
    }

    /// The number of games of the whole run.
    fn games(&self) -> u64 {
        self.0.first().map_or(0, |run| run.games)
    }

    /// The seed.
    fn seed(&self) -> u64 {
        self.0.first().map_or(0, |run| run.seed)
    }

    /// Turns, and how many finished games took so many.
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
pub(crate) fn joined(parts: Vec<(PyRef<'_, Parts>, String)>) -> PyResult<Parts> {
    let (mut runs, mut names) = (Vec::new(), Vec::new());
    for (part, name) in &parts {
        for run in &part.0 {
            runs.push(run.clone());
            names.push(name.as_str());
        }
    }
    let name = |part: usize| names.get(part).copied().unwrap_or_default();
    let joined = Run::joined_side_by_side(&runs);
    joined.map(Parts).map_err(|error| not_joined(error, name))
}
