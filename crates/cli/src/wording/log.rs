//! What is wrong with a log.

use war::i18n::{Catalogue, Count, Text, text};
use war::journal::Verdict;
use war_table::log::{Findings, LogFault};

/// The line about a fault of this log.
pub(crate) fn log_fault_line(log: &str, fault: &LogFault, catalogue: &Catalogue) -> String {
    let text = Text::from(fault);
    let hint = catalogue.hint(&text);
    let hint = hint.map(|hint| format!("; {hint}")).unwrap_or_default();
    let (code, words) = (fault.code(), catalogue.text(&text));
    format!("{log}: {code} {words}{hint}")
}

/// What a log turned out to be; `key` is the number of its key and the fingerprint, and `with` how
/// long it was before, where that was demanded.
pub(crate) fn log_texts(
    log: &str,
    [key, fingerprint]: [&str; 2],
    with: Option<u64>,
    findings: &Findings,
) -> Vec<Text> {
    let leaves = Count(findings.leaves);
    if findings.verdict() != Verdict::Verified {
        let verdict = findings.verdict().word();
        let faulty = text!(LogFaulty, verdict = verdict, log = log, leaves = leaves);
        return vec![faulty];
    }
    let verified = text!(
        LogVerified,
        log = log,
        leaves = leaves,
        games = Count(findings.games),
        running = Count(findings.games - findings.ended),
        key = key,
        fingerprint = fingerprint
    );
    let contains = with.map(|with| text!(LogContains, leaves = Count(with)));
    [verified].into_iter().chain(contains).collect()
}
