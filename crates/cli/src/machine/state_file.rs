//! File with the state of long work, from which the work goes on after an interruption.

use super::output_files::{OutputError, OutputFiles};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// File to which the state of work is saved, and the time of the last save.
pub(crate) struct StateFile {
    file: PathBuf,
    outputs: OutputFiles,
    interval: Duration,
    saved_at: Instant,
}

impl StateFile {
    /// Saves the state at once, so that an unwritable file is noticed before any work is done.
    /// Later states are due after each `interval`.
    pub(crate) fn create(
        file: PathBuf,
        outputs: &OutputFiles,
        interval: Duration,
        state: String,
    ) -> Result<Self, OutputError> {
        let mut created = Self {
            file,
            outputs: outputs.clone(),
            interval,
            saved_at: Instant::now(),
        };
        created.save(state)?;
        Ok(created)
    }

    /// True if the last save was long enough ago.
    pub(crate) fn is_due(&self) -> bool {
        self.saved_at.elapsed() >= self.interval
    }

    /// Saves the state, and replaces the state saved last.
    pub(crate) fn save(&mut self, state: String) -> Result<(), OutputError> {
        let mut output = self.outputs.open(&self.file)?;
        output.write(state)?;
        output.finish()?;
        self.saved_at = Instant::now();
        Ok(())
    }
}
