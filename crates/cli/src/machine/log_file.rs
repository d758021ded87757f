use super::audit_log::LogClock;
use super::config::LogSettings;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
#[cfg(feature = "table")]
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use time::format_description::BorrowedFormatItem;
use time::macros::format_description;
use war::support::digits::parse_whole_number;

const BUFFER_SIZE: usize = 1 << 16;
const FILE_NAME_FORMAT: &[BorrowedFormatItem<'_>] =
    format_description!("audit_[year]_[month]_[day]_[hour]_[minute]_[second]");

/// Moment at which the records of a log are written to the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Flushing {
    /// In large blocks.
    AtEnd,
    /// Each record at once.
    #[cfg(feature = "table")]
    EachRecord,
}

/// State of a log that the writing thread shares with the program.
#[derive(Debug, Clone, Default)]
pub(super) struct LogState {
    /// First error of the log.
    pub(super) first_error: Arc<OnceLock<io::Error>>,
    /// `true` if the file is to be opened again by its name before the next record.
    reopening: Arc<AtomicBool>,
}

impl LogState {
    /// Requests that the file be opened again before the next record.
    #[cfg(feature = "table")]
    pub(super) fn request_reopening(&self) {
        self.reopening.store(true, Ordering::Relaxed);
    }
}

/// Output of a log: a file in the directory of the logs, or standard output.
///
/// After an error, the program goes on without a log until the file is opened again.
pub(super) struct LogOutput {
    output: BufWriter<Box<dyn Write + Send>>,
    /// `None` for standard output.
    file: Option<LogFile>,
    flushing: Flushing,
    is_at_record_start: bool,
    has_failed: bool,
    state: LogState,
}

impl LogOutput {
    /// Creates a file in the directory of the logs, and removes old logs.
    pub(super) fn create_file(
        settings: &LogSettings,
        flushing: Flushing,
        clock: LogClock,
        state: LogState,
    ) -> io::Result<Self> {
        let (file, path) = create_file(&settings.directory, clock)?;
        let place = LogFile {
            path,
            length: 0,
            directory: settings.directory.clone(),
            keep: settings.keep,
            rotation_length: settings.rotate_mb.map(|mb| u64::from(mb) * 1_000_000),
            clock,
        };
        place.remove_old_logs();
        Ok(Self::new(Box::new(file), Some(place), flushing, state))
    }

    /// Writes each record to standard output at once.
    #[cfg(feature = "table")]
    pub(super) fn open_stdout(state: LogState) -> io::Result<Self> {
        // The terminal keeps `Stdout` locked.
        let stdout = File::from(io::stdout().as_fd().try_clone_to_owned()?);
        let flushing = Flushing::EachRecord;
        Ok(Self::new(Box::new(stdout), None, flushing, state))
    }

    fn new(
        output: Box<dyn Write + Send>,
        file: Option<LogFile>,
        flushing: Flushing,
        state: LogState,
    ) -> Self {
        Self {
            output: BufWriter::with_capacity(BUFFER_SIZE, output),
            file,
            flushing,
            is_at_record_start: true,
            has_failed: false,
            state,
        }
    }

    /// Opens the file again, or a new one, if it is time to.
    fn prepare_record(&mut self) -> io::Result<()> {
        let Some(file) = &mut self.file else {
            return Ok(());
        };
        let opened = if self.state.reopening.swap(false, Ordering::Relaxed) {
            self.has_failed = false;
            file.reopen()?
        } else if file.is_full() {
            file.create_next()?
        } else {
            return Ok(());
        };
        self.output.flush()?;
        self.output = BufWriter::with_capacity(BUFFER_SIZE, Box::new(opened));
        Ok(())
    }

    fn record_failure(&mut self, result: io::Result<()>) {
        if let Err(error) = result {
            self.has_failed = true;
            // Only the first error is kept.
            let _ = self.state.first_error.set(error);
        }
    }
}

impl Write for LogOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if std::mem::replace(&mut self.is_at_record_start, false) {
            let prepared = self.prepare_record();
            self.record_failure(prepared);
        }
        if !self.has_failed {
            let written = self.output.write_all(bytes);
            self.record_failure(written);
            if let Some(file) = &mut self.file {
                file.length += bytes.len() as u64;
            }
        }
        Ok(bytes.len())
    }

    /// Ends a record, and flushes the output if each record must be written at once.
    fn flush(&mut self) -> io::Result<()> {
        self.is_at_record_start = true;
        match self.flushing {
            Flushing::AtEnd => {}
            #[cfg(feature = "table")]
            Flushing::EachRecord => {
                if !self.has_failed {
                    let flushed = self.output.flush();
                    self.record_failure(flushed);
                }
            }
        }
        Ok(())
    }
}

impl Drop for LogOutput {
    fn drop(&mut self) {
        let flushed = self.output.flush();
        self.record_failure(flushed);
    }
}

/// Current file of a log, and its directory.
struct LogFile {
    path: PathBuf,
    /// Number of bytes in the file.
    length: u64,
    directory: PathBuf,
    /// Number of logs to keep; `None` to keep all.
    keep: Option<u32>,
    /// Length from which records go into a new file; `None` for no limit.
    rotation_length: Option<u64>,
    clock: LogClock,
}

impl LogFile {
    const fn is_full(&self) -> bool {
        matches!(self.rotation_length, Some(most) if self.length >= most)
    }

    /// Opens the file with the current name, and creates it if another program has moved it away.
    fn reopen(&mut self) -> io::Result<File> {
        let mut options = OpenOptions::new();
        let file = options.append(true).create(true).open(&self.path)?;
        self.length = file.metadata()?.len();
        Ok(file)
    }

    /// Creates the next file, and removes old logs.
    fn create_next(&mut self) -> io::Result<File> {
        let (file, path) = create_file(&self.directory, self.clock)?;
        (self.path, self.length) = (path, 0);
        self.remove_old_logs();
        Ok(file)
    }

    /// Removes the oldest logs of the directory if it has more than are to be kept.
    fn remove_old_logs(&self) {
        if let Some(keep) = self.keep {
            remove_old_logs(&self.directory, &self.path, keep - 1);
        }
    }
}

/// Creates a file named after the current second, with a number if that name is taken.
fn create_file(directory: &Path, clock: LogClock) -> io::Result<(File, PathBuf)> {
    fs::create_dir_all(directory)?;
    let name = clock
        .now()
        .format(FILE_NAME_FORMAT)
        .map_err(io::Error::other)?;
    let path = |number: u32| -> PathBuf {
        directory.join(match number {
            1 => format!("{name}.log"),
            _ => format!("{name}_{number}.log"),
        })
    };
    let mut number = 1;
    loop {
        let mut options = OpenOptions::new();
        let path = path(number);
        match options.write(true).create_new(true).open(&path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
            opened => return Ok((opened?, path)),
        }
    }
}

/// Removes all audit logs of a directory except `own` and the `keep` others with the latest names.
///
/// If a log can't be removed, the next opening of a log tries again.
fn remove_old_logs(directory: &Path, own: &Path, keep: u32) {
    let Ok(entries) = fs::read_dir(directory) else {
        return;
    };
    let names = entries.flatten().map(|entry| entry.file_name());
    let names = names.filter_map(|name| name.into_string().ok());
    let paths = names.filter_map(|name| Some((parse_file_name(&name)?, directory.join(name))));
    let mut logs: Vec<_> = paths.filter(|(_, path)| path != own).collect();
    logs.sort_by(|a, b| b.cmp(a));
    for (_, path) in logs.into_iter().skip(keep as usize) {
        let _ = fs::remove_file(path);
    }
}

/// Parses the second and the number in the name of an audit log; `None` for other files.
fn parse_file_name(name: &str) -> Option<(String, u32)> {
    const SECOND: &str = "audit_0000_00_00_00_00_00";
    let stem = name.strip_suffix(".log")?;
    let (second, number) = (stem.get(..SECOND.len())?, &stem[SECOND.len()..]);
    let shape = second.replace(|c: char| c.is_ascii_digit(), "0");
    let number = match number.strip_prefix('_') {
        Some(number) => parse_whole_number(number).filter(|number| *number > 1)?,
        None if number.is_empty() => 1,
        None => return None,
    };
    (shape == SECOND).then(|| (second.to_owned(), number))
}
