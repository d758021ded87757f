//! `war table-load`: many players at a card table at once, who check every message.

use crate::app::context::Context;
use crate::app::exit::{Exit, Failure};
use crate::cli::TableLoad as Options;
use crate::host::io_text::io_text;
use crate::host::log_source::LogSource;
use crate::host::progress::spinner;
use crate::i18n::{Count, text};
use crate::load::{Findings, Plan, Sources, Trouble, run};
use crate::wording::{phase_text, trouble_text};
use std::time::Duration;

/// Lets players play at a table, and reports what they saw.
pub(crate) fn table_load(options: &Options, context: &mut Context) -> Result<Exit, Failure> {
    let _ = rlimit::increase_nofile_limit(u64::from(options.players + options.idle) + 64);
    let runtime = tokio::runtime::Runtime::new().map_err(|error| {
        let text = text!(NotStarted, reason = io_text(&error));
        Failure::new(Exit::InputOutput, text)
    })?;
    let address = options.address.reachable().map_err(|error| {
        let text = text!(
            NotResolved,
            address = options.address.to_string(),
            reason = error.to_string()
        );
        Failure::new(Exit::InputOutput, text)
    })?;
    let bar = spinner();
    let plan = Plan {
        address,
        players: options.players as usize,
        idle: options.idle as usize,
        think: Duration::from_millis(u64::from(options.think)),
        time: Duration::from_secs(u64::from(options.seconds)),
    };
    let catalogue = context.terminal.catalogue;
    let progress = |phase| bar.set_message(phase_text(phase, catalogue));
    let [log, table] = ["/log", ""].map(|path| {
        let address = format!("http://{address}{path}");
        LogSource::network(&address)
    });
    let sources = Sources { log, table };
    let findings = runtime.block_on(run(plan, sources, progress));
    bar.finish_and_clear();
    report(&findings, context);
    let sound = findings.is_sound();
    Ok(if sound { Exit::Success } else { Exit::Bad })
}

fn report(findings: &Findings, context: &mut Context) {
    let catalogue = context.terminal.catalogue;
    let latencies = findings.latencies([50, 95, 99, 100]);
    let [p50, p95, p99, most] =
        latencies.map(|latency| catalogue.decimal(latency.as_secs_f64() * 1000.0, 1));
    let text = text!(
        LoadReport,
        connected = Count(findings.connected),
        games = Count(findings.games()),
        seconds = catalogue.decimal(findings.playing.as_secs_f64(), 1),
        rate = format!("{:.0}", findings.games_a_second()),
        decisions = Count(findings.decisions() as u64),
        p50 = p50,
        p95 = p95,
        p99 = p99,
        most = most,
        compared = Count(findings.compared.into())
    );
    context.terminal.print_line(&text);
    for (trouble, count) in &findings.troubles {
        let text = text!(
            LoadTrouble,
            trouble = trouble_text(trouble),
            count = Count(*count)
        );
        context.terminal.error(&text);
    }
    if !findings.adds_up() {
        context.terminal.error(&text!(LoadSum));
    }
    if findings.troubles.keys().any(Trouble::is_unfair) {
        context.terminal.error(&text!(LoadNotVerified));
    }
}
