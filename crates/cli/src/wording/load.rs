use war::i18n::{Catalogue, Count, Text, text};
use war_table::load::{Findings, PATIENCE, Phase, Trouble};

/// What a load driver does now.
pub(crate) fn phase_text(phase: Phase, catalogue: &Catalogue) -> String {
    let text = match phase {
        Phase::Opening(count) => text!(LoadOpening, count = count),
        Phase::Playing(count) => text!(LoadPlaying, count = count),
        Phase::Comparing(count) => text!(LoadComparing, count = count),
        Phase::Auditing(count) => text!(LoadAuditing, count = count),
    };
    catalogue.text(&text)
}

/// What went wrong for a player of a load driver.
fn trouble_text(trouble: &Trouble) -> Text {
    match trouble {
        Trouble::NoConnection => text!(LoadNoConnection),
        Trouble::TooFast => text!(LoadTooFast),
        Trouble::Lost => text!(LoadLost),
        Trouble::NoAnswer => {
            let seconds = PATIENCE.as_secs().to_string();
            text!(LoadNoAnswer, seconds = seconds)
        }
        Trouble::NoMessage => text!(LoadNoMessage),
        Trouble::Unfair(unfair) => (*unfair).into(),
        Trouble::Unlogged(unlogged) => unlogged.into(),
        Trouble::Unread(reason) => text!(LoadUnread, reason = reason.as_str()),
        Trouble::Unexpected(message) => {
            text!(LoadUnexpected, message = message.as_str())
        }
    }
}

/// All that went wrong at a table.
pub(crate) fn trouble_texts(findings: &Findings) -> Vec<Text> {
    let troubles = findings.troubles.iter();
    let told = |(trouble, count): (&Trouble, &u64)| {
        let (trouble, count) = (trouble_text(trouble), Count(*count));
        text!(LoadTrouble, trouble = trouble, count = count)
    };
    let mut texts: Vec<_> = troubles.map(told).collect();
    if !findings.adds_up() {
        texts.push(text!(LoadSum));
    }
    if findings.troubles.keys().any(Trouble::is_unfair) {
        texts.push(text!(LoadNotVerified));
    }
    texts
}

/// What many players did at a table, and how long it took.
pub(crate) fn report_text(findings: &Findings, catalogue: &Catalogue) -> Text {
    let latencies = findings.latencies([50, 95, 99, 100]);
    let [p50, p95, p99, most] =
        latencies.map(|latency| catalogue.decimal(latency.as_secs_f64() * 1000.0, 1));
    text!(
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
    )
}
