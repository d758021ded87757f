//! `war serve`: opens the card table, and closes it when a signal comes.

use super::table_home;
use crate::app::context::Context;
use crate::app::exit::{Exit, Failure};
use crate::app::session::ENGINE;
use crate::app::store::{store_failure, store_unusable};
use crate::cli::Serve as Options;
use crate::host::peering::Peering;
use crate::host::sockets::Sockets;
use crate::machine::addresses::possible_connections;
use crate::machine::audit_log::AuditLog;
use crate::machine::config::TableSettings;
use crate::machine::signals::{CLOSING, EndRequest, on_request};
use crate::machine::text::io_text;
use crate::wording::{failed_text, reason};
use slog::{Logger, crit, info};
use std::io;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;
use tokio::runtime::Builder;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use war::i18n::{Text, text};
use war::signing::TableKey;
use war_table::room::Timeouts;
use war_table::server::store::StorePlace;
use war_table::server::{Listeners, RunningServer, ServerError, Settings};

/// How long players may add seeds of their own, in milliseconds.
const SEEDS: u64 = 5000;
/// How long the program waits for what still runs, at the end.
const LAST_WAIT: Duration = Duration::from_secs(5);

/// Opens the card table, and keeps it open until a signal closes it.
pub(crate) fn serve(options: &Options, context: &mut Context) -> Result<Exit, Failure> {
    let chosen = options.over(std::mem::take(&mut context.config.table));
    if let Some(text) = chosen.out_of_range() {
        return Err(Failure::usage(text));
    }
    let origins = parsed(&chosen.origins, |origin| text!(BadOrigin, origin = origin))?;
    let mut hosts = parsed(&chosen.hosts, |host| text!(BadHost, host = host))?;
    // The name that it listens by, if it is one.
    hosts.extend(chosen.listen.host().parse());
    let proxy_header = chosen.trust_proxy.as_slice();
    let proxy_header = parsed(proxy_header, |header| text!(BadHeader, header = header))?.pop();
    let place = table_home::place(&chosen)?;
    let peering = Peering::of(&chosen, matches!(place, StorePlace::Database(_)));
    let peering = peering.map_err(Failure::usage)?;
    let runtime = Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.map_err(|error| not_started(&error))?;
    let sockets = runtime.block_on(Sockets::open(&chosen, peering.as_ref()));
    let sockets = sockets.map_err(|text| Failure::new(Exit::InputOutput, text))?;
    // What follows may create files: all else that may be refused was.
    let node = sockets.node.unwrap_or_default();
    let (home, key, told_of_key) = table_home::open(&place, &chosen, node, context)?;
    let listeners = Listeners {
        players: sockets.players,
        admin: sockets.admin,
        peers: sockets.peers,
    };
    let settings = Settings {
        engine: ENGINE,
        key: Arc::clone(&key),
        house_players: chosen.bots as usize,
        house_after: u64::from(chosen.house_after) * 1000,
        timeouts: Timeouts {
            decide: u64::from(chosen.decide_seconds) * 1000,
            seeds: SEEDS,
        },
        connections: connections(chosen.connections, context),
        rate: chosen.rate,
        new_players: chosen.new_players,
        hosts,
        origins,
        proxy_header,
    };
    let log = AuditLog::open_for_watching(&context.config.log, context.clock);
    let log = log.unwrap_or_else(|error| {
        context.warn_of_log(&error);
        AuditLog::nowhere()
    });
    // Heard from here on: you may close the table as soon as you read that it is open.
    let (hand_on, requests) = unbounded_channel();
    let hand_on = move |request| {
        // Where nobody takes requests any more, the table is closing.
        let _ = hand_on.send(request);
    };
    on_request(CLOSING, hand_on).map_err(|error| not_started(&error))?;
    let table = RunningServer::start(home, listeners, settings, runtime.handle(), log.logger());
    let table = table.map_err(|error| not_opened(&place, &error))?;
    announce(
        &table,
        &chosen,
        &place,
        (&key, &told_of_key),
        context,
        log.logger(),
    );
    let ended = runtime.block_on(run(table, requests, context, log.logger()));
    runtime.shutdown_timeout(LAST_WAIT);
    let ended = ended.map_err(|error| {
        let cause = reason(&error);
        crit!(log.logger(), "store failed"; "reason" => cause.as_str());
        Failure::new(Exit::InputOutput, failed_text(&chosen.store, &error))
    });
    info!(log.logger(), "closed");
    if let Some(error) = log.close() {
        context.warn_of_log(&error);
    }
    let (exit, told) = ended?;
    context.terminal.print_line(&told);
    Ok(exit)
}

/// What these texts mean; `bad` says that one of them means nothing.
fn parsed<T: FromStr>(typed: &[String], bad: impl Fn(&str) -> Text) -> Result<Vec<T>, Failure> {
    let parsed = typed.iter().map(|typed| {
        let unfit = |_| Failure::usage(bad(typed));
        typed.parse().map_err(unfit)
    });
    parsed.collect()
}

/// How many connections there may be: as many as you asked for, or as this process may have.
fn connections(asked: u32, context: &mut Context) -> u32 {
    let possible = possible_connections(asked);
    if possible < asked {
        let (asked, possible) = (asked.to_string(), possible.to_string());
        let text = text!(FewerConnections, asked = asked, possible = possible);
        context.terminal.warning(&text);
    }
    possible
}

fn announce(
    table: &RunningServer,
    chosen: &TableSettings,
    place: &StorePlace,
    (key, told_of_key): (&TableKey, &Text),
    context: &mut Context,
    log: &Logger,
) {
    let (host, port) = (chosen.listen.host(), table.address().port());
    let address = format!("http://{host}:{port}/");
    let admin = table.admin().map(|admin| format!("http://{admin}/"));
    info!(log, "open";
        "address" => &address, "admin" => &admin, "store" => %place,
        "key" => key.id(), "fingerprint" => %key.fingerprint());
    let open = if table.is_shared() {
        text!(NodeOpen, address = address)
    } else {
        text!(TableOpen, address = address)
    };
    context.terminal.print_line(&open);
    let kept = text!(TableStore, store = place.to_string(), bots = chosen.bots);
    context.terminal.print_line(&kept);
    let admin = admin.map_or_else(
        || text!(TableNoAdmin),
        |address| text!(TableAdmin, address = address),
    );
    context.terminal.print_line(&admin);
    context.terminal.print_line(told_of_key);
    context.terminal.flush();
}

/// Runs until the writer ends; the first request drains the table, the second stops it at once.
///
/// The result is how the program ends, and what to print then.
async fn run(
    mut table: RunningServer,
    mut requests: UnboundedReceiver<EndRequest>,
    context: &mut Context,
    log: &Logger,
) -> Result<(Exit, Text), ServerError> {
    let ended = loop {
        let request = tokio::select! {
            ended = table.writer_ended() => break ended,
            Some(request) = requests.recv() => request,
        };
        match request {
            EndRequest::Orderly => {
                info!(log, "draining");
                context.terminal.note(&if table.is_shared() {
                    text!(NodeEnds)
                } else {
                    text!(TableDrains)
                });
                table.drain().await;
            }
            EndRequest::AtOnce => {
                info!(log, "stopped");
                return Ok((Exit::Interrupted, text!(TableStopped)));
            }
        }
    };
    table.close().await;
    ended.map(|()| (Exit::Success, text!(TableClosed)))
}

fn not_opened(place: &StorePlace, error: &ServerError) -> Failure {
    match error {
        ServerError::Store(error) => store_failure(place, error),
        ServerError::Address(source) | ServerError::Thread { source, .. } => not_started(source),
        ServerError::WriterGone => store_unusable(place, reason(error)),
    }
}

fn not_started(error: &io::Error) -> Failure {
    let text = text!(NotStarted, reason = io_text(error));
    Failure::new(Exit::InputOutput, text)
}
