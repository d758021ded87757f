//! `war journal upgrade`: makes journals of version 2 from journals of version 1.

use crate::arguments::journal::VersionTwoOptions;
use crate::context::Context;
use crate::failure::{
    ExitStatus, Failure, JournalNaming, copy_failure, create_failure, interrupted_creation_failure,
    read_failure,
};
use crate::machine::input::is_standard_stream;
use crate::machine::journal_files::remove_partial_journal;
use crate::machine::signals::{Interruption, is_interrupted};
use crate::machine::text::path_text;
use crate::verdict::{judge_unopened_journal, open_journal, report_verdict};
use clap::Args;
use std::path::{Path, PathBuf};
use war::i18n::{Count, text};
use war::journal::{End, Header, JournalCopier, JournalFile, JournalFormat, ReadError};
use war::replay::Replay;

#[derive(Debug, Args)]
pub(crate) struct UpgradeArgs {
    /// The journal of version 1
    #[arg(value_name = "OLD")]
    pub(crate) old: PathBuf,
    /// The new file
    #[arg(value_name = "NEW")]
    pub(crate) new: PathBuf,
    #[command(flatten)]
    pub(crate) additions: VersionTwoOptions,
}

/// Makes a journal of version 2 from a journal of version 1, in a new file.
///
/// The file is read twice: the new journal begins with the final digest of the old one.
pub(crate) fn upgrade(options: &UpgradeArgs, context: &mut Context) -> Result<ExitStatus, Failure> {
    let (old, new) = (options.old.as_path(), options.new.as_path());
    let format = options.additions.to_format().map_err(Failure::usage)?;
    // A pipe can't be read twice.
    if !old.is_file() && old.exists() || is_standard_stream(old) {
        return Err(Failure::usage(text!(UpgradeNoFile, file = path_text(old))));
    }
    Interruption::catch_for_reading(context.terminal.catalogue);
    let reading = match Replay::open(open_journal(old)?, None) {
        Ok(mut replay) if replay.header().format == JournalFormat::V1 => {
            let end = replay.read_to_end(&mut ());
            replay.judge(end)
        }
        Ok(_) => {
            let text = text!(UpgradeNothing, file = path_text(old));
            return Err(Failure::new(ExitStatus::InvalidData, text));
        }
        Err(error) => judge_unopened_journal(error),
    };
    let judged = reading.as_ref().ok();
    let whole = judged.and_then(|judgement| judgement.header().zip(judgement.end()));
    let Some((header, end)) = whole else {
        let exit = report_verdict(old, &reading, &mut context.terminal);
        if reading.is_err() {
            return Ok(exit);
        }
        let text = text!(NotUpgraded, file = path_text(old));
        context.terminal.report_error(&text);
        return Ok(exit);
    };
    let format = format.with_upgraded_from(end.digest);
    let header = Header {
        format,
        ..header.clone()
    };
    let upgraded = copy(old, new, &header, end)?;
    context.terminal.report(&text!(
        Upgraded,
        file = path_text(old),
        new = path_text(new),
        events = Count(upgraded.events),
        digest = upgraded.digest.to_string()
    ));
    Ok(ExitStatus::Success)
}

/// Copies a verified journal, which ends with `end`, to a new journal with this header.
fn copy(old: &Path, new: &Path, header: &Header, end: &End) -> Result<End, Failure> {
    let failed = |error: Option<ReadError>| {
        if is_interrupted() {
            return interrupted_creation_failure(new);
        }
        if let Some(ReadError::Io(error)) = error {
            return read_failure(old, &error);
        }
        let text = text!(UpgradeChanged, file = path_text(old));
        Failure::new(ExitStatus::InputOutput, text)
    };
    let replay = Replay::open(open_journal(old)?, None);
    let mut replay = replay.map_err(|error| failed(Some(error)))?;
    let file = JournalFile::create(new)
        .map_err(|error| create_failure(new, &error, JournalNaming::Given))?;
    let mut copying = JournalCopier::new(file, header);
    let copied = match replay.read_to_end(&mut copying) {
        Ok(again) if again == *end => copying.finish(end.reason, end.console),
        other => {
            remove_partial_journal(new);
            return Err(failed(other.err()));
        }
    };
    copied.map_err(|error| {
        remove_partial_journal(new);
        copy_failure(new, &error)
    })
}
