//! A file in which work is kept from time to time, to go on with it later.

use crate::machine::outputs::{OutputError, Outputs};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// How often work is kept.
const INTERVAL: Duration = Duration::from_secs(60);

/// Where work is kept, and when it was.
pub(crate) struct Checkpoint {
    file: PathBuf,
    outputs: Outputs,
    kept: Instant,
}

impl Checkpoint {
    /// Keeps work as it is, so that a file that can't be written is seen at once.
    pub(crate) fn begin(
        file: PathBuf,
        outputs: &Outputs,
        work: String,
    ) -> Result<Self, OutputError> {
        let mut checkpoint = Self {
            file,
            outputs: outputs.clone(),
            kept: Instant::now(),
        };
        checkpoint.keep(work)?;
        Ok(checkpoint)
    }

    /// Keeps work where it is time to.
    pub(crate) fn keep_in_time(
        &mut self,
        work: impl FnOnce() -> String,
    ) -> Result<(), OutputError> {
        if self.kept.elapsed() < INTERVAL {
            return Ok(());
        }
        self.keep(work())
    }

    /// Keeps work in place of what was kept before.
    pub(crate) fn keep(&mut self, work: String) -> Result<(), OutputError> {
        let mut output = self.outputs.open(&self.file)?;
        output.write(work)?;
        output.finish()?;
        self.kept = Instant::now();
        Ok(())
    }
}
