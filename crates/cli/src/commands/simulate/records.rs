//! Records of a run that are written while it is played: the rows of its games, and its state.

use super::command::SimulateArgs;
use crate::failure::{ExitStatus, Failure};
use crate::machine::kept_rows::{KeptRows, KeptRowsError};
use crate::machine::output_files::{OutputError, OutputFile, OutputFiles};
use crate::machine::state_file::StateFile;
use crate::machine::text::path_text;
use std::path::{Path, PathBuf};
use std::time::Duration;
use war::i18n::text;
use war_simulate::{Run, RunPlan, csv_header};

/// Interval at which the state of a run is saved: the play that a killed program loses.
const SAVE_INTERVAL: Duration = Duration::from_secs(5);

/// Rows of the games of a run, and its state, if they are wanted.
pub(super) struct RunRecords {
    rows: Option<GameRows>,
    state: Option<StateFile>,
}

enum GameRows {
    /// Rows of a run that is played at once.
    Whole(OutputFile),
    /// Rows of a run that may go on after an interruption.
    Kept(KeptRows),
}

impl RunRecords {
    /// Opens the files of a run, of which the games in `begun` were played before.
    pub(super) fn open(
        options: &SimulateArgs,
        plan: &RunPlan,
        begun: &Run,
        outputs: &OutputFiles,
    ) -> Result<Self, Failure> {
        let header = csv_header(&options.distinct_columns(), plan.setup.players);
        let (count, is_complete) = (begun.tally.games(), begun.part.end == plan.part.end);
        let rows = match (&options.csv_games, &options.resume) {
            (None, _) => None,
            (Some(path), None) => {
                let mut rows = outputs.open(path)?;
                rows.write(header)?;
                Some(GameRows::Whole(rows))
            }
            (Some(path), Some(state)) => {
                let rows = KeptRows::open(path, &header, count, is_complete);
                let rows = rows.map_err(|error| kept_rows_failure(error, state))?;
                rows.map(GameRows::Kept)
            }
        };
        let create = |file: &PathBuf| {
            StateFile::create(file.clone(), outputs, SAVE_INTERVAL, begun.to_json())
        };
        let state = options.resume.as_ref().map(create).transpose()?;
        Ok(Self { rows, state })
    }

    /// Writes the rows of some games, and saves the state of the run if that is due.
    pub(super) fn add(&mut self, run: &Run, rows: &str) -> Result<(), OutputError> {
        match &mut self.rows {
            Some(GameRows::Whole(file)) => file.write(rows)?,
            Some(GameRows::Kept(file)) => file.write(rows)?,
            None => {}
        }
        if self.state.as_ref().is_some_and(StateFile::is_due) {
            self.save(run)?;
        }
        Ok(())
    }

    /// Saves the state of a run, once the rows of all its games are on the disk.
    fn save(&mut self, run: &Run) -> Result<(), OutputError> {
        if let Some(GameRows::Kept(rows)) = &mut self.rows {
            rows.sync()?;
        }
        self.state
            .as_mut()
            .map_or(Ok(()), |state| state.save(run.to_json()))
    }

    /// Saves the last state of a run, and moves the rows into place, unless the run may go on.
    pub(super) fn finish(mut self, run: &Run) -> Result<(), OutputError> {
        self.save(run)?;
        match self.rows {
            Some(GameRows::Whole(rows)) => rows.finish(),
            Some(GameRows::Kept(rows)) if !run.partial => rows.finish(),
            Some(GameRows::Kept(_)) | None => Ok(()),
        }
    }
}

/// Error for rows that don't fit the state of their run.
fn kept_rows_failure(error: KeptRowsError, state: &Path) -> Failure {
    let state = path_text(state);
    match error {
        KeptRowsError::Stream(file) => Failure::usage(text!(
            SimRowsNeedFile,
            file = path_text(&file),
            state = state
        )),
        KeptRowsError::Missing(file) => Failure::new(
            ExitStatus::InvalidData,
            text!(SimRowsMissing, file = path_text(&file), state = state),
        ),
        KeptRowsError::Columns(file) => Failure::new(
            ExitStatus::InvalidData,
            text!(SimRowsOtherColumns, file = path_text(&file)),
        ),
        KeptRowsError::InUse(file) => Failure::new(
            ExitStatus::InputOutput,
            text!(SimRowsInUse, file = path_text(&file)),
        ),
        KeptRowsError::Output(error) => error.into(),
    }
}
