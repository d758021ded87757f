//! Why parts of a run or of an enumeration can't be joined.

use war::i18n::{Count, Text, text};
use war_simulate::simulate::{Enumerated, NotJoined, RunFileError};

/// Why a file isn't part of a run.
pub(crate) fn no_part_of_run_text(error: &RunFileError, file: String) -> Text {
    match error {
        RunFileError::Syntax(_) | RunFileError::Changed => text!(SimNoPart, file = file),
        RunFileError::Version(version) => {
            text!(SimPartVersion, version = *version, file = file)
        }
        RunFileError::Generator(name) => {
            text!(SimPartGenerator, generator = name.as_str(), file = file)
        }
    }
}

/// Why parts of a run can't be joined; `file` has their names by number.
pub(crate) fn runs_not_joined_text(error: NotJoined, file: impl Fn(usize) -> String) -> Text {
    match error {
        NotJoined::OtherRules(first, second, option) => other_rules(&file, first, second, option),
        NotJoined::OtherSeed(first, second) => {
            text!(SimMergeSeed, file = file(first), other = file(second))
        }
        NotJoined::OtherGames(first, second) => {
            text!(SimMergeGames, file = file(first), other = file(second))
        }
        NotJoined::Partial(index) => text!(SimMergePartial, file = file(index)),
        NotJoined::Overlap(first, second, game) => text!(
            SimOverlap,
            file = file(first),
            other = file(second),
            game = Count(game)
        ),
        NotJoined::Missing(from, to) => text!(
            SimMissing,
            from = Count(from),
            to = Count(to.saturating_sub(1))
        ),
    }
}

/// Why a file isn't part of an enumeration.
pub(crate) fn no_part_text(error: &RunFileError, file: String) -> Text {
    match error {
        RunFileError::Version(version) => text!(SimPartVersion, version = *version, file = file),
        RunFileError::Syntax(_) | RunFileError::Changed | RunFileError::Generator(_) => {
            text!(EnumNoPart, file = file)
        }
    }
}

/// Why parts of an enumeration can't be joined; `file` has their names by number.
pub(crate) fn not_joined_text(error: NotJoined, file: impl Fn(usize) -> String) -> Text {
    match error {
        NotJoined::OtherRules(first, second, option) => other_rules(&file, first, second, option),
        NotJoined::OtherSeed(first, second) | NotJoined::OtherGames(first, second) => {
            text!(EnumMergeParts, file = file(first), other = file(second))
        }
        NotJoined::Partial(index) => text!(EnumMergePartial, file = file(index)),
        NotJoined::Overlap(first, second, part) => text!(
            EnumOverlap,
            file = file(first),
            other = file(second),
            part = Count(part)
        ),
        NotJoined::Missing(from, to) => text!(
            EnumMissing,
            from = Count(from),
            to = Count(to.saturating_sub(1))
        ),
    }
}

fn other_rules(
    file: impl Fn(usize) -> String,
    first: usize,
    second: usize,
    option: &'static str,
) -> Text {
    text!(
        SimOtherRules,
        file = file(first),
        other = file(second),
        option = option
    )
}

/// Why an enumeration that was kept can't go on as this one; nothing where it can.
pub(crate) fn not_resumed_text(kept: &Enumerated, fresh: &Enumerated, file: &str) -> Option<Text> {
    if let Some(option) = kept.rules.difference(&fresh.rules) {
        return Some(text!(EnumResumeRules, file = file, option = option));
    }
    let other = || {
        text!(
            EnumResumeParts,
            file = file,
            from = Count(kept.parts.start),
            to = Count(kept.parts.end.saturating_sub(1)),
            of = Count(kept.of)
        )
    };
    (!kept.has_parts_of(fresh)).then(other)
}
