use super::config::{Format, Log};
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
use war::support::digits::whole;

/// Records that may wait to be written; the game waits when there are more.
const WAITING: usize = 4096;
/// Bytes that are written at once.
const BUFFER: usize = 1 << 16;
const FILE_NAME: &[BorrowedFormatItem<'_>] =
    format_description!("audit_[year]_[month]_[day]_[hour]_[minute]_[second]");
const TIMESTAMP: &[BorrowedFormatItem<'_>] =
    format_description!("[year]-[month]-[day] [hour]:[minute]:[second].[subsecond digits:3]");

/// The file of an audit log, open.
///
/// Records are written by a thread of their own, none is ever dropped, and
/// [`AuditLog::close`] waits for the last.
pub(crate) struct AuditLog {
    logger: Logger,
    guard: Option<AsyncGuard>,
    failed: Arc<OnceLock<io::Error>>,
}

/// The clock of the logs: local time, or UTC where the offset is unknown.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Clock(UtcOffset);

impl Clock {
    /// The clock; to be taken before any thread is started.
    pub(crate) fn local() -> Self {
        Self(UtcOffset::current_local_offset().unwrap_or(UtcOffset::UTC))
    }

    fn now(self) -> OffsetDateTime {
        OffsetDateTime::now_utc().to_offset(self.0)
    }
}

impl AuditLog {
    /// Opens a new log file, which is written in large pieces.
    pub(crate) fn open(config: &Log, clock: Clock) -> io::Result<Self> {
        Self::open_with(false, config, clock)
    }

    /// Opens a new log file in which each record is at once, for those who watch it.
    #[cfg(feature = "table")]
    pub(crate) fn open_for_watching(config: &Log, clock: Clock) -> io::Result<Self> {
        Self::open_with(true, config, clock)
    }

    fn open_with(watched: bool, config: &Log, clock: Clock) -> io::Result<Self> {
        let Some(level) = config.level else {
            return Ok(Self::nowhere());
        };
        let failed = Arc::new(OnceLock::new());
        let (new, path) = create(&config.directory, clock)?;
        if let Some(keep) = config.keep {
            remove_others(&config.directory, &path, keep - 1);
        }
        let file = LogFile {
            file: BufWriter::with_capacity(BUFFER, new),
            watched,
            failed: Arc::clone(&failed),
        };
        let drain = match config.format {
            Format::Text => spawn(text(file, clock)),
            Format::Json => spawn(json(file, clock)),
        };
        let (drain, guard) = drain;
        let logger = Logger::root(LevelFilter::new(drain, level).fuse(), o!());
        Ok(Self {
            logger,
            guard: Some(guard),
            failed,
        })
    }

    /// A log that keeps nothing, where none is wanted or none can be opened.
    pub(crate) fn nowhere() -> Self {
        Self {
            logger: Logger::root(slog::Discard, o!()),
            guard: None,
            failed: Arc::default(),
        }
    }

    pub(crate) const fn logger(&self) -> &Logger {
        &self.logger
    }

    /// Writes down which game begins.
    pub(crate) fn begin(&self, header: &Header) {
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

    /// Waits until all is written; the result is the first error there was.
    pub(crate) fn close(mut self) -> Option<io::Error> {
        drop(self.guard.take());
        let first = self.failed.get()?;
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

/// The file, buffered: its first error is kept, and the game goes on without a log.
struct LogFile {
    file: BufWriter<File>,
    /// Whether each record is wanted in the file at once.
    watched: bool,
    failed: Arc<OnceLock<io::Error>>,
}

impl LogFile {
    fn keep(&self, result: io::Result<()>) {
        if let Err(error) = result {
            // Only the first error counts: a later one changes nothing.
            let _ = self.failed.set(error);
        }
    }
}

impl Write for LogFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.failed.get().is_none() {
            let written = self.file.write_all(bytes);
            self.keep(written);
        }
        Ok(bytes.len())
    }

    /// Called after each record; most logs are flushed only when they are closed.
    fn flush(&mut self) -> io::Result<()> {
        if self.watched && self.failed.get().is_none() {
            let flushed = self.file.flush();
            self.keep(flushed);
        }
        Ok(())
    }
}

impl Drop for LogFile {
    fn drop(&mut self) {
        let flushed = self.file.flush();
        self.keep(flushed);
    }
}

/// A new file named after this second; a number tells it from others of the second.
fn create(directory: &Path, clock: Clock) -> io::Result<(File, PathBuf)> {
    fs::create_dir_all(directory)?;
    let name = clock.now().format(FILE_NAME).map_err(io::Error::other)?;
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

/// Removes all audit logs of a directory but this one and so many others: those with the
/// latest names stay.
///
/// A log that can't be removed is tried again when the next one is opened.
fn remove_others(directory: &Path, own: &Path, keep: u32) {
    let Ok(entries) = fs::read_dir(directory) else {
        return;
    };
    let names = entries.flatten().map(|entry| entry.file_name());
    let names = names.filter_map(|name| name.into_string().ok());
    let paths = names.filter_map(|name| Some((age(&name)?, directory.join(name))));
    let mut logs: Vec<_> = paths.filter(|(_, path)| path != own).collect();
    logs.sort_by(|a, b| b.cmp(a));
    for (_, path) in logs.into_iter().skip(keep as usize) {
        let _ = fs::remove_file(path);
    }
}

/// The second in the name of an audit log, and which log of that second it is; `None` of all
/// other files.
fn age(name: &str) -> Option<(String, u32)> {
    const SECOND: &str = "audit_0000_00_00_00_00_00";
    let stem = name.strip_suffix(".log")?;
    let (second, number) = (stem.get(..SECOND.len())?, &stem[SECOND.len()..]);
    let shape = second.replace(|c: char| c.is_ascii_digit(), "0");
    let number = match number.strip_prefix('_') {
        Some(number) => whole(number).filter(|number| *number > 1)?,
        None if number.is_empty() => 1,
        None => return None,
    };
    (shape == SECOND).then(|| (second.to_owned(), number))
}

fn spawn<D>(drain: D) -> (slog::Fuse<Async>, AsyncGuard)
where
    D: Drain<Err = slog::Never, Ok = ()> + Send + 'static,
{
    let (drain, guard) = Async::new(drain)
        .chan_size(WAITING)
        .overflow_strategy(OverflowStrategy::Block)
        .build_with_guard();
    (drain.fuse(), guard)
}

fn text(file: LogFile, clock: Clock) -> impl Drain<Err = slog::Never, Ok = ()> + Send {
    let timestamp = move |out: &mut dyn Write| {
        let now = clock.now().format(TIMESTAMP).map_err(io::Error::other)?;
        write!(out, "{now}")
    };
    let decorator = slog_term::PlainDecorator::new(file);
    slog_term::FullFormat::new(decorator)
        .use_custom_timestamp(timestamp)
        .use_original_order()
        .build()
        .fuse()
}

fn json(file: LogFile, clock: Clock) -> impl Drain<Err = slog::Never, Ok = ()> + Send {
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
