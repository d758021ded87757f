//! `war table-load`: many players at a card table at once, who check every message.

use crate::app::context::Context;
use crate::app::exit::{Exit, Failure};
use crate::cli::TableLoad as Options;
use crate::host::log_source::LogSource;
use crate::machine::progress::spinner;
use crate::machine::text::io_text;
use crate::wording::{phase_text, report_text, trouble_texts};
use std::time::Duration;
use war::i18n::text;
use war_table::load::{Plan, Sources, run};

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
    let text = report_text(&findings, catalogue);
    context.terminal.print_line(&text);
    for text in trouble_texts(&findings) {
        context.terminal.error(&text);
    }
    let sound = findings.is_sound();
    Ok(if sound { Exit::Success } else { Exit::Bad })
}
