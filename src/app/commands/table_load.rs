//! `war table-load`: many players at a card table at once, who check every message.

use crate::app::context::Context;
use crate::app::exit::{Exit, Failure};
use crate::app::messages::io_text;
use crate::cli::TableLoad as Options;
use crate::i18n::{Catalogue, Message, Text};
use crate::load::{Findings, PATIENCE, Phase, Plan, Trouble, run};
use indicatif::{ProgressBar, ProgressDrawTarget};
use std::io::{self, IsTerminal};
use std::time::Duration;

/// Lets players play at a table, and reports what they saw.
pub(crate) fn table_load(options: &Options, context: &mut Context) -> Result<Exit, Failure> {
    let _ = rlimit::increase_nofile_limit(u64::from(options.players + options.idle) + 64);
    let runtime = tokio::runtime::Runtime::new().map_err(|error| {
        let text = Text::new(Message::NOT_STARTED).with("reason", io_text(&error));
        Failure::new(Exit::InputOutput, text)
    })?;
    let bar = if io::stderr().is_terminal() {
        ProgressBar::new_spinner()
    } else {
        ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden())
    };
    bar.enable_steady_tick(Duration::from_millis(250));
    let plan = Plan {
        address: options.address,
        players: options.players as usize,
        idle: options.idle as usize,
        think: Duration::from_millis(u64::from(options.think)),
        time: Duration::from_secs(u64::from(options.seconds)),
    };
    let catalogue = context.terminal.catalogue;
    let progress = |phase| bar.set_message(phase_text(phase, catalogue));
    let findings = runtime.block_on(run(plan, progress));
    bar.finish_and_clear();
    report(&findings, context);
    let sound = findings.is_sound();
    Ok(if sound { Exit::Success } else { Exit::Bad })
}

fn phase_text(phase: Phase, catalogue: &Catalogue) -> String {
    let (message, count) = match phase {
        Phase::Opening(count) => (Message::LOAD_OPENING, count),
        Phase::Playing(count) => (Message::LOAD_PLAYING, count),
        Phase::Comparing(count) => (Message::LOAD_COMPARING, count),
    };
    catalogue.text(&Text::new(message).with("count", count))
}

fn report(findings: &Findings, context: &mut Context) {
    let latencies = findings.latencies([50, 95, 99, 100]);
    let [p50, p95, p99, most] =
        latencies.map(|latency| format!("{:.1}", latency.as_secs_f64() * 1000.0));
    let text = Text::new(Message::LOAD_REPORT)
        .with("connected", findings.connected)
        .with("games", findings.games())
        .with("seconds", format!("{:.1}", findings.playing.as_secs_f64()))
        .with("rate", format!("{:.0}", findings.games_a_second()))
        .with("decisions", findings.decisions().to_string())
        .with("p50", p50)
        .with("p95", p95)
        .with("p99", p99)
        .with("most", most)
        .with("compared", findings.compared.to_string());
    context.terminal.print_line(&text);
    for (trouble, count) in &findings.troubles {
        let text = Text::new(Message::LOAD_TROUBLE)
            .with("trouble", trouble_text(trouble))
            .with("count", count.to_string());
        context.terminal.error(&text);
    }
    if !findings.adds_up() {
        context.terminal.error(&Text::new(Message::LOAD_SUM));
    }
}

fn trouble_text(trouble: &Trouble) -> Text {
    let message = match trouble {
        Trouble::NoConnection => Message::LOAD_NO_CONNECTION,
        Trouble::Lost => Message::LOAD_LOST,
        Trouble::NoAnswer => {
            let seconds = PATIENCE.as_secs().to_string();
            return Text::new(Message::LOAD_NO_ANSWER).with("seconds", seconds);
        }
        Trouble::NoMessage => Message::LOAD_NO_MESSAGE,
        Trouble::Sequence => Message::LOAD_SEQUENCE,
        Trouble::Balance => Message::LOAD_BALANCE,
        Trouble::Commitment => Message::LOAD_COMMITMENT,
        Trouble::Seed => Message::LOAD_SEED,
        Trouble::Cards => Message::LOAD_CARDS,
        Trouble::Unexpected(message) => {
            return Text::new(Message::LOAD_UNEXPECTED).with("message", message.as_str());
        }
    };
    Text::new(message)
}
