//! `war table-load`: tests a card table with many players at once.

use super::log::LogSource;
use crate::arguments::values::count_parser;
use crate::context::Context;
use crate::failure::{ExitStatus, Failure};
use crate::machine::addresses::ServerAddress;
use crate::machine::progress::start_spinner;
use crate::machine::text::io_text;
use clap::Args;
use std::time::Duration;
use war::i18n::{Catalogue, Count, Text, text};
use war::support::sanitize::replace_unprintable;
use war_table::load::{
    ANSWER_TIMEOUT, LoadFailure, LoadPhase, LoadPlan, LoadReport, LoadSources, run_test,
};

pub(crate) const TABLE_LOAD_EXAMPLES: &str = "\
Examples:
  war table-load                                   100 players, for 10 seconds
  war table-load 127.0.0.1:8081 --players 2000     another table, more players
  war table-load --players 0 --idle 10_000         connections that do nothing

The players keep to the limits of the table, which they ask for first. The exit
code is 1 if a connection, a message, a seed or a balance was wrong, and 3 if
nothing was wrong, but the table's limits kept players from finishing.";

#[derive(Debug, Args)]
pub(crate) struct TableLoadArgs {
    /// Name or IP address of the table, with its port
    #[arg(value_name = "ADDRESS", default_value = "127.0.0.1:8080")]
    pub(crate) address: ServerAddress,
    /// Number of players who play
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = count_parser(0..=100_000_u32))]
    pub(crate) players: u32,
    /// Number of players who are connected and do nothing
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = count_parser(0..=100_000_u32))]
    pub(crate) idle: u32,
    /// Average time a player takes to decide, in milliseconds
    #[arg(long, value_name = "MILLISECONDS", default_value_t = 0, value_parser = count_parser(0..=600_000_u32))]
    pub(crate) think: u32,
    /// How long to play, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = count_parser(1..=86_400_u32))]
    pub(crate) seconds: u32,
}

/// Connects players to a table, lets them play, and reports the findings.
pub(crate) fn run_load_test(
    options: &TableLoadArgs,
    context: &mut Context,
) -> Result<ExitStatus, Failure> {
    let _ = rlimit::increase_nofile_limit(u64::from(options.players + options.idle) + 64);
    let runtime = tokio::runtime::Runtime::new().map_err(|error| {
        let text = text!(NotStarted, reason = io_text(&error));
        Failure::new(ExitStatus::InputOutput, text)
    })?;
    let address = options.address.find_reachable().map_err(|error| {
        let text = text!(
            NotResolved,
            address = options.address.to_string(),
            reason = error.to_string()
        );
        Failure::new(ExitStatus::InputOutput, text)
    })?;
    let bar = start_spinner();
    let plan = LoadPlan {
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
        LogSource::from_address(&address)
    });
    let sources = LoadSources { log, table };
    let tested = runtime.block_on(run_test(plan, sources, progress));
    bar.finish_and_clear();
    let findings = tested.map_err(|refused| {
        let admitted = refused.admitted.to_string();
        let players = refused.players.to_string();
        Failure::usage(text!(LoadTooMany, admitted = admitted, players = players))
    })?;
    let text = report_text(&findings, catalogue);
    context.terminal.print_line(&text);
    for text in limit_notes(&findings, catalogue) {
        context.terminal.report_note(&text);
    }
    for text in problem_texts(&findings) {
        context.terminal.report_error(&text);
    }
    Ok(if findings.is_sound() {
        ExitStatus::Success
    } else if findings.is_only_limited() {
        ExitStatus::Incomplete
    } else {
        ExitStatus::InvalidData
    })
}

/// Describes the current phase of a load test.
fn phase_text(phase: LoadPhase, catalogue: &Catalogue) -> String {
    let text = match phase {
        LoadPhase::Opening(count) => text!(LoadOpening, count = count),
        LoadPhase::Playing(count) => text!(LoadPlaying, count = count),
        LoadPhase::Comparing(count) => text!(LoadComparing, count = count),
        LoadPhase::Auditing(count) => text!(LoadAuditing, count = count),
    };
    catalogue.format_text(&text)
}

/// Describes a failure in a load test.
fn load_failure_text(trouble: &LoadFailure) -> Text {
    match trouble {
        LoadFailure::NoConnection(reason) => {
            text!(LoadNoConnection, reason = replace_unprintable(reason))
        }
        LoadFailure::TooFast => text!(LoadTooFast),
        LoadFailure::Refused(code) => text!(LoadRefused, code = code.as_str()),
        LoadFailure::ConnectionLost(reason) => {
            text!(LoadLost, reason = replace_unprintable(reason))
        }
        LoadFailure::NoAnswer => {
            let seconds = ANSWER_TIMEOUT.as_secs().to_string();
            text!(LoadNoAnswer, seconds = seconds)
        }
        LoadFailure::InvalidMessage => text!(LoadNoMessage),
        LoadFailure::Unfair(unfair) => (*unfair).into(),
        LoadFailure::Log(unlogged) => unlogged.into(),
        LoadFailure::ResultsDiffer => text!(LoadResultsDiffer),
        LoadFailure::NoJournal(game) => text!(LoadNoJournal, game = game.to_string()),
        LoadFailure::ReadFailed(reason) => text!(LoadUnread, reason = reason.as_str()),
        LoadFailure::Unexpected(message) => {
            text!(LoadUnexpected, message = message.as_str())
        }
    }
}

/// Describes what the limits of the table or slow moves did to the test.
fn limit_notes(findings: &LoadReport, catalogue: &Catalogue) -> Vec<Text> {
    let mut notes = Vec::new();
    if findings.waiting >= NOTABLE_WAIT {
        let seconds = catalogue.format_decimal(findings.waiting.as_secs_f64(), 1);
        notes.push(text!(LoadSlowed, seconds = seconds));
    }
    if findings.out_of_requests > 0 {
        let players = Count(findings.out_of_requests);
        notes.push(text!(LoadOutOfRequests, players = players));
    }
    if findings.late_moves > 0 {
        notes.push(text!(LoadLate, moves = Count(findings.late_moves)));
    }
    let left_out = findings
        .connected
        .saturating_sub(findings.balances_compared);
    if left_out > 0 {
        notes.push(text!(LoadNotCompared, players = Count(left_out)));
    }
    notes
}

/// Average wait for the limits that is worth a note.
const NOTABLE_WAIT: Duration = Duration::from_millis(100);

/// Describes all problems that were found, each accusation with the messages that show it.
fn problem_texts(findings: &LoadReport) -> Vec<Text> {
    let mut texts = Vec::new();
    for (failure, found) in &findings.failures {
        let trouble = load_failure_text(failure);
        texts.push(text!(
            LoadTrouble,
            trouble = trouble,
            count = Count(found.count)
        ));
        if !found.messages.is_empty() {
            let lines = found.messages.iter().map(|line| replace_unprintable(line));
            let messages = lines.collect::<Vec<_>>().join("\n");
            texts.push(text!(LoadShown, messages = messages));
        }
    }
    if findings.failures.keys().any(LoadFailure::is_unfair) {
        texts.push(text!(LoadNotVerified));
    }
    texts
}

/// Report of a load test.
fn report_text(findings: &LoadReport, catalogue: &Catalogue) -> Text {
    let latencies = findings.latency_percentiles([50, 95, 99, 100]);
    let [p50, p95, p99, most] =
        latencies.map(|latency| catalogue.format_decimal(latency.as_secs_f64() * 1000.0, 1));
    text!(
        LoadReport,
        connected = Count(findings.connected),
        games = Count(findings.game_count()),
        seconds = catalogue.format_decimal(findings.playing.as_secs_f64(), 1),
        rate = format!("{:.0}", findings.games_per_second()),
        decisions = Count(findings.decision_count() as u64),
        p50 = p50,
        p95 = p95,
        p99 = p99,
        most = most,
        compared = Count(findings.balances_compared),
        results = Count(findings.results_compared)
    )
}
