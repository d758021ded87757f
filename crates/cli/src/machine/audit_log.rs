use super::config::{LogFormat, LogSettings};
use slog::{Drain, FnValue, LevelFilter, Logger, PushFnValue, Record, crit, info, o};
use slog_async::{Async, AsyncGuard, OverflowStrategy};
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use time::format_description::BorrowedFormatItem;
use time::format_description::well_known::Rfc3339;
use time::macros::format_description;
use time::{OffsetDateTime, UtcOffset};
use war::journal::{Deal, Header, RecordedRules};
use war::support::digits::parse_whole_number;

/// Maximum number of queued records; while the queue is full, the game waits.
const QUEUE_LENGTH: usize = 4096;
const BUFFER_SIZE: usize = 1 << 16;
const FILE_NAME_FORMAT: &[BorrowedFormatItem<'_>] =
    format_description!("audit_[year]_[month]_[day]_[hour]_[minute]_[second]");
const TIMESTAMP_FORMAT: &[BorrowedFormatItem<'_>] =
    format_description!("[year]-[month]-[day] [hour]:[minute]:[second].[subsecond digits:3]");

/// Open audit log.
///
/// A background thread writes the records. No record is ever dropped, and [`AuditLog::close`] waits
/// for the last one.
pub(crate) struct AuditLog {
    logger: Logger,
    guard: Option<AsyncGuard>,
    first_error: Arc<OnceLock<io::Error>>,
}

/// Clock of the logs: local time, or UTC if the offset is unknown.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LogClock(UtcOffset);

impl LogClock {
    /// Reads the local offset; must be called before any thread is started.
    pub(crate) fn read_local() -> Self {
        Self(UtcOffset::current_local_offset().unwrap_or(UtcOffset::UTC))
    }

    fn now(self) -> OffsetDateTime {
        OffsetDateTime::now_utc().to_offset(self.0)
    }
}

impl AuditLog {
    /// Opens a new log file that is written in large blocks.
    pub(crate) fn open(config: &LogSettings, clock: LogClock) -> io::Result<Self> {
        Self::open_with(Flushing::AtEnd, config, clock)
    }

    /// Opens a new log file that gets each record at once, so that operators can watch the file.
    #[cfg(feature = "table")]
    pub(crate) fn open_unbuffered(config: &LogSettings, clock: LogClock) -> io::Result<Self> {
        Self::open_with(Flushing::EachRecord, config, clock)
    }

    fn open_with(flushing: Flushing, config: &LogSettings, clock: LogClock) -> io::Result<Self> {
        let Some(level) = config.level else {
            return Ok(Self::disabled());
        };
        let first_error = Arc::new(OnceLock::new());
        let (new, path) = create_file(&config.directory, clock)?;
        if let Some(keep) = config.keep {
            remove_old_logs(&config.directory, &path, keep - 1);
        }
        let file = LogFile {
            file: BufWriter::with_capacity(BUFFER_SIZE, new),
            flushing,
            first_error: Arc::clone(&first_error),
        };
        let drain = match config.format {
            LogFormat::Text => spawn_writer(text_drain(file, clock)),
            LogFormat::Json => spawn_writer(json_drain(file, clock)),
        };
        let (drain, guard) = drain;
        let logger = Logger::root(LevelFilter::new(drain, level).fuse(), o!());
        Ok(Self {
            logger,
            guard: Some(guard),
            first_error,
        })
    }

    /// Log that discards all records.
    pub(crate) fn disabled() -> Self {
        Self {
            logger: Logger::root(slog::Discard, o!()),
            guard: None,
            first_error: Arc::default(),
        }
    }

    pub(crate) const fn logger(&self) -> &Logger {
        &self.logger
    }

    /// Logs the start of a game.
    pub(crate) fn log_game(&self, header: &Header) {
        let deal = match &header.rules {
            RecordedRules::War { deal, .. } => match deal {
                Deal::Shuffled { generator } => format!("seed {}", generator.seed()),
                Deal::Fixed { generator, .. } => format!("seed {}, a hand fixed", generator.seed()),
                Deal::Scenario { name } => format!("scenario {name:?}"),
                Deal::Imported => "imported".to_owned(),
            },
            RecordedRules::Tokens(_) => "committed".to_owned(),
        };
        info!(self.logger, "game";
            "engine" => &header.engine,
            "rules" => header.rules.id(),
            "players" => header.players,
            "deck" => %header.deck,
            "deal" => deal,
        );
    }

    /// Waits until all records are written; returns the first error.
    pub(crate) fn close(mut self) -> Option<io::Error> {
        drop(self.guard.take());
        let first = self.first_error.get()?;
        Some(io::Error::new(first.kind(), first.to_string()))
    }
}

impl Drop for AuditLog {
    fn drop(&mut self) {
        if std::thread::panicking() {
            crit!(self.logger, "crash");
        }
    }
}

#[derive(Debug, Clone, Copy)]
enum Flushing {
    AtEnd,
    #[cfg(feature = "table")]
    EachRecord,
}

/// Buffered log file. Its first error is kept, and the game goes on without a log.
struct LogFile {
    file: BufWriter<File>,
    flushing: Flushing,
    first_error: Arc<OnceLock<io::Error>>,
}

impl LogFile {
    fn record_failure(&self, result: io::Result<()>) {
        if let Err(error) = result {
            // Only the first error is kept.
            let _ = self.first_error.set(error);
        }
    }
}

impl Write for LogFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.first_error.get().is_none() {
            let written = self.file.write_all(bytes);
            self.record_failure(written);
        }
        Ok(bytes.len())
    }

    /// Flushes the file if each record must be written at once; called after each record.
    fn flush(&mut self) -> io::Result<()> {
        match self.flushing {
            Flushing::AtEnd => {}
            #[cfg(feature = "table")]
            Flushing::EachRecord => {
                if self.first_error.get().is_none() {
                    let flushed = self.file.flush();
                    self.record_failure(flushed);
                }
            }
        }
        Ok(())
    }
}

impl Drop for LogFile {
    fn drop(&mut self) {
        let flushed = self.file.flush();
        self.record_failure(flushed);
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

fn spawn_writer<D>(drain: D) -> (slog::Fuse<Async>, AsyncGuard)
where
    D: Drain<Err = slog::Never, Ok = ()> + Send + 'static,
{
    let (drain, guard) = Async::new(drain)
        .chan_size(QUEUE_LENGTH)
        .overflow_strategy(OverflowStrategy::Block)
        .build_with_guard();
    (drain.fuse(), guard)
}

fn text_drain(file: LogFile, clock: LogClock) -> impl Drain<Err = slog::Never, Ok = ()> + Send {
    let timestamp = move |out: &mut dyn Write| {
        let now = clock
            .now()
            .format(TIMESTAMP_FORMAT)
            .map_err(io::Error::other)?;
        write!(out, "{now}")
    };
    let decorator = slog_term::PlainDecorator::new(file);
    slog_term::FullFormat::new(decorator)
        .use_custom_timestamp(timestamp)
        .use_original_order()
        .build()
        .fuse()
}

fn json_drain(file: LogFile, clock: LogClock) -> impl Drain<Err = slog::Never, Ok = ()> + Send {
    let now = move |_: &Record<'_>| clock.now().format(&Rfc3339).unwrap_or_default();
    slog_json::Json::new(file)
        .add_key_value(o!(
            "ts" => FnValue(now),
            "level" => FnValue(|record: &Record<'_>| record.level().as_str()),
            "msg" => PushFnValue(|record: &Record<'_>, serializer| {
                serializer.emit(record.msg())
            }),
        ))
        .build()
        .fuse()
}
