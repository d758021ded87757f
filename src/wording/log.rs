//! What is wrong with a log.

use crate::i18n::{Catalogue, Count, Text, text};
use crate::journal::Verdict;
use crate::log::{Findings, LogFault};

impl From<&LogFault> for Text {
    fn from(fault: &LogFault) -> Self {
        let number = |number: &u64| number.to_string();
        match fault {
            LogFault::Checkpoint => text!(LogCheckpoint),
            LogFault::OtherKey => text!(LogOtherKey),
            LogFault::Signature => text!(LogSignature),
            LogFault::OtherTable { earlier, found } => text!(
                LogOtherTable,
                earlier = earlier.as_str(),
                found = found.as_str()
            ),
            LogFault::Shorter { earlier, found } => {
                text!(LogShorter, earlier = Count(*earlier), found = Count(*found))
            }
            LogFault::Forked { earlier } => text!(LogForked, earlier = Count(*earlier)),
            LogFault::Missing(path) => text!(LogMissing, path = path.as_str()),
            LogFault::Length(path) => text!(LogLength, path = path.as_str()),
            LogFault::LeafHash(leaf) => text!(LogLeafHash, leaf = number(leaf)),
            LogFault::Tile(path) => text!(LogTile, path = path.as_str()),
            LogFault::Root { size } => text!(LogRoot, size = Count(*size)),
            LogFault::Leaf(leaf) => text!(LogLeaf, leaf = number(leaf)),
            LogFault::UnknownLeaf { leaf, first_line } => text!(
                LogUnknownLeaf,
                leaf = number(leaf),
                line = first_line.as_str()
            ),
            LogFault::StartedTwice { game, leaf, before } => text!(
                LogStartedTwice,
                game = number(game),
                leaf = number(leaf),
                before = number(before)
            ),
            LogFault::EndedTwice { game, leaf, before } => text!(
                LogEndedTwice,
                game = number(game),
                leaf = number(leaf),
                before = number(before)
            ),
            LogFault::NoStart { game, leaf } => {
                text!(LogNoStart, game = number(game), leaf = number(leaf))
            }
            LogFault::NoEnd { game, leaf, hours } => text!(
                LogNoEnd,
                game = number(game),
                leaf = number(leaf),
                hours = Count(*hours)
            ),
        }
    }
}

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
