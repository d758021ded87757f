//! `war serve`: the card table as a server.
//!
//! Connections hand requests to the [`desk`], the one thread that steps the room and
//! writes the [`store`]; it answers once everything is on the disk.

mod allowance;
mod connection;
mod desk;
mod floor;
mod http;
mod metrics;
mod page;
mod store;

use super::audit_log::AuditLog;
use super::cli::Serve as Options;
use super::config::TableSettings as Settings;
use super::context::Context;
use super::exit::{Exit, Failure};
use super::messages::io_text;
use super::signals::SAME_SIGNAL;
use crate::digits::whole;
use crate::i18n::{Message, Text};
use crate::room::Timeouts;
use desk::{Ask, Desk};
use http::{Limits, Server};
use metrics::Metrics;
use slog::{Logger, crit, info};
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use store::{Store, StoreError};
use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::{mpsc, oneshot, watch};

/// How long players may add seeds of their own, in milliseconds.
const SEEDS: u64 = 1000;
/// Requests that may wait for the desk.
const WAITING: usize = 8192;
/// How long is waited for what runs beside, at the end.
const LAST_WAIT: Duration = Duration::from_secs(5);

/// Opens the card table, and keeps it open until a signal closes it.
pub(super) fn serve(options: &Options, context: &mut Context) -> Result<Exit, Failure> {
    let mut settings = settings(options, std::mem::take(&mut context.config.table));
    if let Some((name, value, range)) = settings.out_of_range() {
        let text = Text::new(Message::BAD_SETTING)
            .with("name", name)
            .with("value", value.to_string())
            .with("least", range.start().to_string())
            .with("most", range.end().to_string());
        return Err(Failure::usage(text));
    }
    for origin in &mut settings.origins {
        let Some(whole) = whole_origin(origin) else {
            let text = Text::new(Message::BAD_ORIGIN).with("origin", origin.as_str());
            return Err(Failure::usage(text));
        };
        *origin = whole;
    }
    let Some(path) = settings.store.strip_prefix("sqlite:") else {
        let text = Text::new(Message::STORE_UNKNOWN).with("store", settings.store);
        return Err(Failure::usage(text));
    };
    settings.connections = possible_connections(settings.connections, context);
    let runtime = Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.map_err(|error| not_started(&error))?;
    let listener = runtime.block_on(TcpListener::bind(settings.listen));
    let listener = listener.map_err(|error| listen_failed(&settings, &error))?;
    // Last of all that may be refused: it makes a file.
    let unusable = |error| store_failure(&settings.store, &error);
    let store = Store::open(Path::new(path)).map_err(unusable)?;
    let log = AuditLog::open_for_watching(&context.config.log, context.clock);
    let log = log.unwrap_or_else(|error| {
        context.warn_of_log(&error);
        AuditLog::nowhere()
    });
    // Heard from here on: whoever reads that the table is open may close it at once.
    let signals = runtime.block_on(async { Signals::new() });
    let signals = signals.map_err(|error| not_started(&error))?;
    let table = open(store, listener, &settings, &runtime, log.logger()).map_err(unusable)?;
    let address = format!("http://{}/", table.address);
    info!(log.logger(), "open"; "address" => &address, "store" => &settings.store);
    let open = Text::new(Message::TABLE_OPEN).with("address", address);
    context.terminal.print_line(&open);
    let kept = Text::new(Message::TABLE_STORE)
        .with("store", settings.store.as_str())
        .with("bots", settings.bots);
    context.terminal.print_line(&kept);
    context.terminal.flush();
    let ended = runtime.block_on(table.run(signals, context, log.logger()));
    runtime.shutdown_timeout(LAST_WAIT);
    let ended = ended.map_err(|error| {
        crit!(log.logger(), "store failed"; "reason" => error.to_string());
        let text = Text::new(Message::STORE_FAILED).with("reason", error.to_string());
        Failure::new(Exit::InputOutput, text)
    });
    info!(log.logger(), "closed");
    if let Some(error) = log.close() {
        context.warn_of_log(&error);
    }
    context.terminal.print_line(&Text::new(ended?));
    Ok(Exit::Success)
}

/// How many connections there may be: as many as were asked for, or as this process may have.
fn possible_connections(asked: u32, context: &mut Context) -> u32 {
    /// The store's files, the log, and what the system opens for itself.
    const OTHER_FILES: u64 = 64;
    let wanted = u64::from(asked) + OTHER_FILES;
    let raised = rlimit::increase_nofile_limit(wanted);
    let allowed = raised.or_else(|_| rlimit::Resource::NOFILE.get_soft());
    let allowed = allowed.unwrap_or(wanted);
    let possible = allowed.saturating_sub(OTHER_FILES).max(1);
    if possible >= u64::from(asked) {
        return asked;
    }
    let text = Text::new(Message::FEWER_CONNECTIONS)
        .with("asked", asked.to_string())
        .with("possible", possible.to_string());
    context.terminal.warning(&text);
    u32::try_from(possible).unwrap_or(asked)
}

/// An origin as browsers say it: scheme, host, and a port that is not the scheme's own.
fn whole_origin(typed: &str) -> Option<String> {
    let (scheme, host) = typed.split_once("://")?;
    let host = host.strip_suffix('/').unwrap_or(host);
    let own_port = match scheme {
        "http" => ":80",
        "https" => ":443",
        _ => return None,
    };
    let host = host.strip_suffix(own_port).unwrap_or(host);
    let (name, port) = match host.rsplit_once(':') {
        Some((name, port)) if !port.ends_with(']') => (name, Some(port)),
        _ => (host, None),
    };
    let is_part = |c: char| c.is_ascii_alphanumeric() || ".-:[]".contains(c);
    let has_name = name.contains(char::is_alphanumeric) && name.chars().all(is_part);
    let has_port = port.is_none_or(|port| whole::<u16>(port).is_some());
    (has_name && has_port).then(|| format!("{scheme}://{}", host.to_ascii_lowercase()))
}

/// What holds: the flag, else the variable, else the configuration.
fn settings(options: &Options, file: Settings) -> Settings {
    let origins = match &options.origins[..] {
        [] => file.origins,
        origins => origins.to_vec(),
    };
    Settings {
        listen: options.listen.unwrap_or(file.listen),
        store: options.store.clone().unwrap_or(file.store),
        bots: options.bots.unwrap_or(file.bots),
        decide_seconds: options.decide_seconds.unwrap_or(file.decide_seconds),
        connections: options.connections.unwrap_or(file.connections),
        rate: options.rate.unwrap_or(file.rate),
        origins,
    }
}

/// The signals that close the table.
struct Signals {
    interrupt: Signal,
    terminate: Signal,
}

impl Signals {
    fn new() -> io::Result<Self> {
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
        })
    }

    /// Waits for one of them.
    async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {},
            _ = self.terminate.recv() => {},
        }
    }
}

/// An open table.
struct Table {
    address: std::net::SocketAddr,
    desk: mpsc::Sender<Ask>,
    /// How the desk ended.
    ended: oneshot::Receiver<Result<(), StoreError>>,
    closing: watch::Sender<bool>,
    listening: tokio::task::JoinHandle<()>,
}

/// Starts the desk and the listener.
fn open(
    store: Store,
    listener: TcpListener,
    settings: &Settings,
    runtime: &Runtime,
    log: &Logger,
) -> Result<Table, StoreError> {
    let metrics = Arc::new(Metrics::new());
    let (asking, mut asks) = mpsc::channel(WAITING);
    let (closing, closes) = watch::channel(false);
    let limits = Limits {
        connections: settings.connections,
        rate: settings.rate,
        origins: settings.origins.clone(),
    };
    let timeouts = Timeouts {
        decide: u64::from(settings.decide_seconds) * 1000,
        seeds: SEEDS,
    };
    let reader = store.reader()?;
    let bots = settings.bots as usize;
    let desk = Desk::new(store, timeouts, bots, Arc::clone(&metrics), log.clone())?;
    let address = listener.local_addr()?;
    let server = Server::new(asking.clone(), reader, metrics, closes, limits, log.clone());
    let listening = runtime.spawn(http::listen(listener, Arc::new(server)));
    let (end, ended) = oneshot::channel();
    let handle = runtime.handle().clone();
    std::thread::Builder::new()
        .name("desk".to_owned())
        .spawn(move || end.send(desk.work(&mut asks, &handle)))?;
    Ok(Table {
        address,
        desk: asking,
        ended,
        closing,
        listening,
    })
}

impl Table {
    /// Runs until the desk ends; the first signal drains it, the second stops at once.
    async fn run(
        mut self,
        mut signals: Signals,
        context: &mut Context,
        log: &Logger,
    ) -> Result<Message, StoreError> {
        let mut draining_since: Option<Instant> = None;
        let ended = loop {
            tokio::select! {
                ended = &mut self.ended => break ended,
                () = signals.next() => {},
            }
            match draining_since {
                None => draining_since = Some(Instant::now()),
                Some(since) if since.elapsed() < SAME_SIGNAL => continue,
                Some(_) => {
                    info!(log, "stopped");
                    return Ok(Message::TABLE_STOPPED);
                }
            }
            info!(log, "draining");
            context.terminal.note(&Text::new(Message::TABLE_DRAINS));
            // A desk that is not there any more has ended.
            let _ = self.desk.send(Ask::Drain).await;
        };
        // Whoever listens to this is closed.
        let _ = self.closing.send(true);
        let _ = tokio::time::timeout(LAST_WAIT, self.listening).await;
        ended.unwrap_or(Err(StoreError::Panicked))?;
        Ok(Message::TABLE_CLOSED)
    }
}

fn store_failure(store: &str, error: &StoreError) -> Failure {
    let message = match error {
        StoreError::InUse => Message::STORE_IN_USE,
        StoreError::Foreign => Message::STORE_FOREIGN,
        StoreError::Newer => Message::STORE_NEWER,
        _ => Message::STORE_UNUSABLE,
    };
    let text = Text::new(message).with("store", store);
    let text = match error {
        StoreError::Lock(error) => text.with("reason", io_text(error)),
        error => text.with("reason", error.to_string()),
    };
    Failure::new(Exit::InputOutput, text)
}

fn not_started(error: &io::Error) -> Failure {
    let text = Text::new(Message::NOT_STARTED).with("reason", io_text(error));
    Failure::new(Exit::InputOutput, text)
}

fn listen_failed(settings: &Settings, error: &io::Error) -> Failure {
    let reason = match error.kind() {
        io::ErrorKind::AddrInUse => Text::new(Message::IO_ADDRESS_IN_USE),
        _ => io_text(error),
    };
    let text = Text::new(Message::LISTEN_FAILED)
        .with("address", settings.listen.to_string())
        .with("reason", reason);
    Failure::new(Exit::InputOutput, text)
}
