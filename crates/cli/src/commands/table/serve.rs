//! `war serve`: serves the card table.

use super::sockets::{PeerAddresses, Sockets};
use super::store::{self, root_cause, store_failure, store_reason, store_unusable_failure};
use crate::arguments::values::count_parser;
use crate::commands::games::ENGINE;
use crate::context::Context;
use crate::failure::{ExitStatus, Failure};
use crate::machine::addresses::{AdminAddress, ServerAddress, raise_open_file_limit};
use crate::machine::audit_log::AuditLog;
use crate::machine::config::{LogDestination, TableSettings};
use crate::machine::signals::{ServerRequest, ShutdownRequest, listen_for_server_requests};
use crate::machine::text::io_text;
use clap::Args;
use slog::{Logger, crit, info, warn};
use std::io;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;
use tokio::runtime::Builder;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use war::i18n::{Text, text};
use war::signing::TableKey;
use war_table::room::Timeouts;
use war_table::server::store::StoreError;
use war_table::server::{Listeners, RunningServer, ServerError, ServerSettings};
use war_table_cluster::StoreLocation;

pub(crate) const SERVE_EXAMPLES: &str = "\
Examples:
  war serve                            open the table at http://127.0.0.1:8080/
  war serve --bots 0                   without house players
  war serve --store sqlite:/srv/t.db   keep all data in this file
  war serve --store postgres://war@db.example/war --key table.key
                                       one of several nodes of a table
  war serve --listen 0.0.0.0:8080      let other machines connect
  war serve --host war.example --trust-proxy X-Forwarded-For
                                       behind a proxy for https://war.example";

/// An option that is not given comes from its variable, then from `war.toml`.
#[derive(Debug, Args)]
pub(crate) struct ServeArgs {
    /// Name or IP address to listen on, with a port [default: 127.0.0.1:8080]
    #[arg(long, value_name = "ADDRESS", env = "WAR_TABLE_LISTEN")]
    pub(crate) listen: Option<ServerAddress>,
    /// Where /health and /metrics are, or `off` [default: on 127.0.0.1, 1000 ports above]
    #[arg(long, value_name = "ADDRESS", env = "WAR_TABLE_ADMIN")]
    pub(crate) admin: Option<AdminAddress>,
    /// Where to keep all data: sqlite:FILE, or postgres://... for several nodes [default:
    /// sqlite:table.db]
    #[arg(long, value_name = "STORE", env = "WAR_TABLE_STORE")]
    pub(crate) store: Option<String>,
    /// File of the table's secret key; made at the first start [default: the store's file with
    /// `.key`]
    #[arg(long, value_name = "FILE", env = "WAR_TABLE_KEY")]
    pub(crate) key: Option<PathBuf>,
    /// Number of rooms of a new table in a database, for good; nodes share them out [default: 16]
    #[arg(long, value_name = "N", env = "WAR_TABLE_ROOMS", value_parser = count_parser(TableSettings::ROOM_RANGE))]
    pub(crate) rooms: Option<u32>,
    /// Name or IP address to listen on for other nodes of a database, with a port [default:
    /// 127.0.0.1 with any free port, for nodes on one machine]
    #[arg(long, value_name = "ADDRESS", env = "WAR_TABLE_PEER_LISTEN")]
    pub(crate) peer_listen: Option<ServerAddress>,
    /// Name or IP address by which other nodes reach `--peer-listen`, with a port [default: the
    /// same]
    #[arg(long, value_name = "ADDRESS", env = "WAR_TABLE_ADVERTISE")]
    pub(crate) advertise: Option<ServerAddress>,
    /// Number of house players, who play with anyone left waiting [default: 2]
    #[arg(long, value_name = "N", env = "WAR_TABLE_BOTS", value_parser = count_parser(TableSettings::BOT_RANGE))]
    pub(crate) bots: Option<u32>,
    /// Seconds a player waits before the house plays with them [default: 5]
    #[arg(long, value_name = "SECONDS", env = "WAR_TABLE_HOUSE_AFTER", value_parser = count_parser(TableSettings::HOUSE_DELAY_RANGE))]
    pub(crate) house_after: Option<u32>,
    /// Seconds to decide before a player folds [default: 30]
    #[arg(long, value_name = "SECONDS", env = "WAR_TABLE_DECIDE_SECONDS", value_parser = count_parser(TableSettings::DECISION_SECONDS_RANGE))]
    pub(crate) decide_seconds: Option<u32>,
    /// Most connections at a time [default: 16000]
    #[arg(long, value_name = "N", env = "WAR_TABLE_CONNECTIONS", value_parser = count_parser(TableSettings::CONNECTION_RANGE))]
    pub(crate) connections: Option<u32>,
    /// Most connections of one IP address at a time [default: 256]
    #[arg(long, value_name = "N", env = "WAR_TABLE_CONNECTIONS_PER_ADDRESS", value_parser = count_parser(TableSettings::CONNECTION_RANGE))]
    pub(crate) connections_per_address: Option<u32>,
    /// Most messages a connection may send in a second [default: 20]
    #[arg(long, value_name = "N", env = "WAR_TABLE_RATE", value_parser = count_parser(TableSettings::RATE_RANGE))]
    pub(crate) rate: Option<u32>,
    /// Most new players of one IP address in a minute [default: 60]
    #[arg(long, value_name = "N", env = "WAR_TABLE_NEW_PLAYERS", value_parser = count_parser(TableSettings::NEW_PLAYER_RANGE))]
    pub(crate) new_players: Option<u32>,
    /// Name by which browsers reach the table, such as `war.example`; can be given several times
    #[arg(
        long = "host",
        value_name = "NAME",
        env = "WAR_TABLE_HOSTS",
        value_delimiter = ','
    )]
    pub(crate) hosts: Vec<String>,
    /// Another origin whose pages may connect, such as `https://war.example`
    #[arg(
        long = "origin",
        value_name = "ORIGIN",
        env = "WAR_TABLE_ORIGINS",
        value_delimiter = ','
    )]
    pub(crate) origins: Vec<String>,
    /// Header in which your proxy says who connects, such as `X-Forwarded-For`; the last address
    /// in it counts
    #[arg(long, value_name = "HEADER", env = "WAR_TABLE_TRUST_PROXY")]
    pub(crate) trust_proxy: Option<String>,
    /// Where the log goes: a file in the directory of `[log]`, or standard output [default: file]
    #[arg(long, value_name = "DESTINATION", env = "WAR_TABLE_LOG")]
    pub(crate) log: Option<LogDestination>,
}

impl ServeArgs {
    /// Effective settings: the option, else its variable, else the configuration.
    pub(crate) fn merge_over(&self, file: TableSettings) -> TableSettings {
        let given = |options: &[String], file: Vec<String>| match options {
            [] => file,
            options => options.to_vec(),
        };
        TableSettings {
            listen: self.listen.clone().unwrap_or(file.listen),
            admin: self.admin.clone().or(file.admin),
            peer_listen: self.peer_listen.clone().or(file.peer_listen),
            advertise: self.advertise.clone().or(file.advertise),
            store: self.store.clone().unwrap_or(file.store),
            key: self.key.clone().or(file.key),
            rooms: self.rooms.or(file.rooms),
            bots: self.bots.unwrap_or(file.bots),
            house_after: self.house_after.unwrap_or(file.house_after),
            decide_seconds: self.decide_seconds.unwrap_or(file.decide_seconds),
            connections: self.connections.unwrap_or(file.connections),
            connections_per_address: self
                .connections_per_address
                .unwrap_or(file.connections_per_address),
            rate: self.rate.unwrap_or(file.rate),
            new_players: self.new_players.unwrap_or(file.new_players),
            hosts: given(&self.hosts, file.hosts),
            origins: given(&self.origins, file.origins),
            trust_proxy: self.trust_proxy.clone().or(file.trust_proxy),
            log: self.log.unwrap_or(file.log),
        }
    }
}

/// Time for players to open their seeds.
const SEED_TIMEOUT: Duration = Duration::from_secs(5);

/// Time for remaining tasks to end at shutdown.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(5);

/// Opens the card table, and serves it until a signal closes it.
pub(crate) fn serve(options: &ServeArgs, context: &mut Context) -> Result<ExitStatus, Failure> {
    let chosen = options.merge_over(std::mem::take(&mut context.config.table));
    if let Some(text) = chosen.find_range_error() {
        return Err(Failure::usage(text));
    }
    let origins = parse_all(&chosen.origins, |origin| text!(BadOrigin, origin = origin))?;
    let mut hosts = parse_all(&chosen.hosts, |host| text!(BadHost, host = host))?;
    // Also accept the host of the listen address, if it is a host name.
    hosts.extend(chosen.listen.host().parse());
    let proxy_header = chosen.trust_proxy.as_slice();
    let proxy_header = parse_all(proxy_header, |header| text!(BadHeader, header = header))?.pop();
    let place = store::parse_chosen_store(&chosen)?;
    store::warn_of_weak_protection(&place, context);
    let peering = PeerAddresses::new(&chosen, &place);
    let peering = peering.map_err(Failure::usage)?;
    let runtime = Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.map_err(|error| start_failure(&error))?;
    let sockets = runtime.block_on(async { Sockets::open(&chosen, peering.as_ref()) });
    let sockets = sockets.map_err(|text| Failure::new(ExitStatus::InputOutput, text))?;
    // Opening the store may create files, so everything else is checked before.
    let node = sockets.advertised_address.unwrap_or_default();
    let store = store::open(&place, &chosen, (node, sockets.peers), context)?;
    let listeners = Listeners {
        players: sockets.players,
        admin: sockets.admin,
    };
    let settings = ServerSettings {
        engine: ENGINE,
        key: Arc::clone(&store.key),
        house_players: chosen.bots as usize,
        house_after: Duration::from_secs(chosen.house_after.into()),
        timeouts: Timeouts {
            decide: Duration::from_secs(chosen.decide_seconds.into()),
            seeds: SEED_TIMEOUT,
        },
        connections: cap_connections(chosen.connections, context),
        connections_per_address: chosen.connections_per_address,
        rate: chosen.rate,
        new_players: chosen.new_players,
        hosts,
        origins,
        proxy_header,
    };
    let log = AuditLog::open_for_server(&context.config.log, chosen.log, context.clock);
    let log = log.unwrap_or_else(|error| {
        context.warn_of_log_failure(&error);
        AuditLog::disabled()
    });
    // Registered before the table is announced, so that it can be closed as soon as the
    // announcement is read.
    let (sender, requests) = unbounded_channel();
    let forward = move |request| {
        // If nobody receives requests any more, the table is closing already.
        let _ = sender.send(request);
    };
    listen_for_server_requests(forward).map_err(|error| start_failure(&error))?;
    let table = RunningServer::start(
        store.backend,
        listeners,
        settings,
        runtime.handle(),
        log.logger(),
    );
    let table = table.map_err(|error| open_failure(&place, &error))?;
    if let Some(budget) = &store.few_connections {
        warn!(log.logger(), "too few connections to the database for all rooms";
            "allowed" => budget.allowed, "needed" => budget.needed(),
            "limit" => budget.limit.name());
    }
    announce(
        &table,
        &chosen,
        &place,
        (&store.key, &store.key_line),
        context,
        log.logger(),
    );
    let ended = runtime.block_on(run(table, requests, context, &log));
    match &ended {
        // The rooms are still at work, and would panic without the runtime. The end of the process
        // stops them; their store bears that at any moment.
        Ok((ExitStatus::Interrupted, _)) => std::mem::forget(runtime),
        _ => runtime.shutdown_timeout(SHUTDOWN_TIMEOUT),
    }
    let ended = ended.map_err(|error| {
        let cause = root_cause(&error);
        crit!(log.logger(), "store failed"; "reason" => cause.as_str());
        Failure::new(ExitStatus::InputOutput, failure_text(&place, &error))
    });
    info!(log.logger(), "closed");
    if let Some(error) = log.close() {
        context.warn_of_log_failure(&error);
    }
    let (exit, told) = ended?;
    print_beside_log(&told, chosen.log, context);
    Ok(exit)
}

/// Parses all of these texts; `bad` makes the error for an invalid text.
fn parse_all<T: FromStr>(typed: &[String], bad: impl Fn(&str) -> Text) -> Result<Vec<T>, Failure> {
    let parsed = typed.iter().map(|typed| {
        let unfit = |_| Failure::usage(bad(typed));
        typed.parse().map_err(unfit)
    });
    parsed.collect()
}

/// Number of connections to allow; warns if the process can't hold as many as requested.
fn cap_connections(asked: u32, context: &mut Context) -> u32 {
    let possible = raise_open_file_limit(asked);
    if possible < asked {
        let (asked, possible) = (asked.to_string(), possible.to_string());
        let text = text!(FewerConnections, asked = asked, possible = possible);
        context.terminal.report_warning(&text);
    }
    possible
}

fn announce(
    table: &RunningServer,
    chosen: &TableSettings,
    place: &StoreLocation,
    (key, key_line): (&TableKey, &Text),
    context: &mut Context,
    log: &Logger,
) {
    let (host, port) = (chosen.listen.host(), table.address().port());
    let address = format!("http://{host}:{port}/");
    let admin = table
        .admin_address()
        .map(|admin| format!("http://{admin}/"));
    info!(log, "open";
        "address" => &address, "admin" => &admin, "store" => %place,
        "key" => key.id(), "fingerprint" => %key.fingerprint());
    if let Some(weak) = place.weak_protection() {
        warn!(log, "the way to the database is not safe"; "store" => %place, "sslmode" => weak.mode);
    }
    let open = if table.is_shared() {
        text!(NodeOpen, address = address)
    } else {
        text!(TableOpen, address = address)
    };
    let kept = text!(TableStore, store = place.to_string(), bots = chosen.bots);
    let admin = admin.map_or_else(
        || text!(TableNoAdmin),
        |address| text!(TableAdmin, address = address),
    );
    for text in [&open, &kept, &admin, key_line] {
        print_beside_log(text, chosen.log, context);
    }
    context.terminal.flush();
}

/// Prints a line, or reports a note if the log goes to standard output.
fn print_beside_log(text: &Text, log: LogDestination, context: &mut Context) {
    match log {
        LogDestination::File => context.terminal.print_line(text),
        LogDestination::Stdout => context.terminal.report_note(text),
    }
}

/// Runs the table until it ends; the first shutdown request drains it, the second stops it at once.
///
/// Returns the exit status and the last line to print.
async fn run(
    mut table: RunningServer,
    mut requests: UnboundedReceiver<ServerRequest>,
    context: &mut Context,
    log: &AuditLog,
) -> Result<(ExitStatus, Text), ServerError> {
    let ended = loop {
        let request = tokio::select! {
            ended = table.wait_for_end() => break ended,
            Some(request) = requests.recv() => request,
        };
        match request {
            ServerRequest::ReopenLog => log.reopen(),
            ServerRequest::Shutdown(ShutdownRequest::Graceful) => {
                info!(log.logger(), "draining");
                context.terminal.report_note(&if table.is_shared() {
                    text!(NodeEnds)
                } else {
                    text!(TableDrains)
                });
                table.drain().await;
            }
            ServerRequest::Shutdown(ShutdownRequest::Immediate) => {
                info!(log.logger(), "stopped");
                return Ok((ExitStatus::Interrupted, text!(TableStopped)));
            }
        }
    };
    table.close().await;
    ended.map(|()| (ExitStatus::Success, text!(TableClosed)))
}

fn open_failure(place: &StoreLocation, error: &ServerError) -> Failure {
    match error {
        ServerError::Store(error) => store_failure(place, error),
        ServerError::Address(source) | ServerError::Thread { source, .. } => start_failure(source),
        ServerError::AddressTaken(taken) => {
            let address = taken.address.as_str();
            let text = match &taken.node {
                Some(node) => text!(AdvertiseTaken, address = address, node = node.as_str()),
                None => text!(AdvertiseTakenByOlder, address = address),
            };
            Failure::new(ExitStatus::InputOutput, text)
        }
        ServerError::ActorPanicked => store_unusable_failure(place, root_cause(error)),
    }
}

fn start_failure(error: &io::Error) -> Failure {
    let text = text!(NotStarted, reason = io_text(error));
    Failure::new(ExitStatus::InputOutput, text)
}

/// Error for a running table that failed.
fn failure_text(place: &StoreLocation, error: &ServerError) -> Text {
    match error {
        ServerError::Store(StoreError::FileGone) => {
            text!(StoreGone, store = place.to_string())
        }
        ServerError::Store(error) => text!(StoreFailed, reason = store_reason(error)),
        _ => text!(StoreFailed, reason = root_cause(error)),
    }
}
