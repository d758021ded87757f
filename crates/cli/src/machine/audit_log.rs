#[cfg(feature = "table")]
use super::config::LogDestination;
use super::config::{LogFormat, LogSettings};
use super::log_file::{Flushing, LogOutput, LogState};
#[cfg(feature = "table")]
use super::repeated_warnings::RepeatedWarnings;
use slog::{Drain, FnValue, LevelFilter, Logger, PushFnValue, Record, crit, info, o};
use slog_async::{Async, AsyncGuard, OverflowStrategy};
use std::io::{self, Write};
use time::format_description::BorrowedFormatItem;
use time::format_description::well_known::Rfc3339;
use time::macros::format_description;
use time::{OffsetDateTime, UtcOffset};
use war::journal::{Deal, Header, RecordedRules};

/// Maximum number of queued records; while the queue is full, the game waits.
const QUEUE_LENGTH: usize = 4096;
const TIMESTAMP_FORMAT: &[BorrowedFormatItem<'_>] =
    format_description!("[year]-[month]-[day] [hour]:[minute]:[second].[subsecond digits:3]");

/// Open audit log.
///
/// A background thread writes the records. No record is ever dropped, and [`AuditLog::close`] waits
/// for the last one.
pub(crate) struct AuditLog {
    logger: Logger,
    guard: Option<AsyncGuard>,
    state: LogState,
}

/// Clock of the logs: local time, or UTC if the offset is unknown.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LogClock(UtcOffset);

impl LogClock {
    /// Reads the local offset; must be called before any thread is started.
    pub(crate) fn read_local() -> Self {
        Self(UtcOffset::current_local_offset().unwrap_or(UtcOffset::UTC))
    }

    pub(super) fn now(self) -> OffsetDateTime {
        OffsetDateTime::now_utc().to_offset(self.0)
    }
}

impl AuditLog {
    /// Opens a new log file that is written in large blocks.
    pub(crate) fn open(config: &LogSettings, clock: LogClock) -> io::Result<Self> {
        let Some(level) = config.level else {
            return Ok(Self::disabled());
        };
        let state = LogState::default();
        let output = LogOutput::create_file(config, Flushing::AtEnd, clock, state.clone())?;
        let (drain, guard) = match config.format {
            LogFormat::Text => spawn_writer(text_drain(output, clock)),
            LogFormat::Json => spawn_writer(json_drain(output, clock)),
        };
        Ok(Self::new(drain, guard, level, state))
    }

    /// Opens the log of a server, whose records are written at once so that operators can watch
    /// them, and whose repeated warnings are counted.
    #[cfg(feature = "table")]
    pub(crate) fn open_for_server(
        config: &LogSettings,
        destination: LogDestination,
        clock: LogClock,
    ) -> io::Result<Self> {
        let Some(level) = config.level else {
            return Ok(Self::disabled());
        };
        let state = LogState::default();
        let output = match destination {
            LogDestination::File => {
                LogOutput::create_file(config, Flushing::EachRecord, clock, state.clone())?
            }
            LogDestination::Stdout => LogOutput::open_stdout(state.clone())?,
        };
        let (drain, guard) = match config.format {
            LogFormat::Text => spawn_writer(RepeatedWarnings::new(text_drain(output, clock))),
            LogFormat::Json => spawn_writer(RepeatedWarnings::new(json_drain(output, clock))),
        };
        Ok(Self::new(drain, guard, level, state))
    }

    fn new(
        drain: slog::Fuse<Async>,
        guard: AsyncGuard,
        level: slog::Level,
        state: LogState,
    ) -> Self {
        Self {
            logger: Logger::root(LevelFilter::new(drain, level).fuse(), o!()),
            guard: Some(guard),
            state,
        }
    }

    /// Log that discards all records.
    pub(crate) fn disabled() -> Self {
        Self {
            logger: Logger::root(slog::Discard, o!()),
            guard: None,
            state: LogState::default(),
        }
    }

    /// Opens the file again by its name, which is another file once a program has moved the log
    /// away, and says so in the log. Also ends the silence after a failed write.
    #[cfg(feature = "table")]
    pub(crate) fn reopen(&self) {
        self.state.request_reopening();
        info!(self.logger, "log reopened");
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
        let first = self.state.first_error.get()?;
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

fn text_drain(output: LogOutput, clock: LogClock) -> impl Drain<Err = slog::Never, Ok = ()> + Send {
    let timestamp = move |out: &mut dyn Write| {
        let now = clock
            .now()
            .format(TIMESTAMP_FORMAT)
            .map_err(io::Error::other)?;
        write!(out, "{now}")
    };
    let decorator = slog_term::PlainDecorator::new(output);
    slog_term::FullFormat::new(decorator)
        .use_custom_timestamp(timestamp)
        .use_original_order()
        .build()
        .fuse()
}

fn json_drain(output: LogOutput, clock: LogClock) -> impl Drain<Err = slog::Never, Ok = ()> + Send {
    let now = move |_: &Record<'_>| clock.now().format(&Rfc3339).unwrap_or_default();
    slog_json::Json::new(output)
        .set_flush(true)
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
