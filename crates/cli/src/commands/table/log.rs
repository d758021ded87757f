//! `war log`: verifies the log of a card table.

use super::log_source::{LogSource, Unread};
use crate::arguments::journal::ResultFormat;
use crate::context::Context;
use crate::failure::{Exit, Failure, unreadable};
use crate::machine::input;
use crate::machine::keys::public_key;
use crate::machine::progress::spinner;
use crate::machine::signals::{Interruption, is_interrupted};
use crate::machine::text::display;
use clap::{Args, Subcommand, ValueHint};
use indicatif::HumanCount;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};
use war::i18n::{Catalogue, Count, Text, text};
use war::journal::Verdict;
use war::signing::PublicKey;
use war_table::log::{
    Checkpoint, Demand, Findings, LogFault, LogResult, Source, verify as verify_log,
};

pub(crate) const LOG_EXAMPLES: &str = "\
Examples:
  war log verify https://war.example/log          verify the log of a table
  war log verify https://war.example/log --with checkpoint.txt
                                                  and that nothing you saw is gone
  war log verify copy --key table.pub             verify a copy in a directory";

/// What the long help says of `--result`.
const RESULT_HELP: &str = "\
Print the result as JSON instead of the verdict

Standard output is then one line, a JSON object with these fields:

  format, version    \"war-log-result\", 1
  log                address or directory of the log
  table, size, root  number of the table, leaves and root, as the checkpoint says if it
                     was signed with the key; else null
  key, fingerprint   number of the key, and its SHA-256
  with               leaves of the earlier checkpoint; null without one
  leaves             leaves that were read and are in the tree
  games, ended       games that began in them, and how many of those ended
  verdict            \"VERIFIED\", \"DAMAGED\", \"DIVERGED\", \"UNEXPECTED\" or \"UNSUPPORTED\"
  code, leaf         code of the worst fault, such as \"WL301\", and the leaf it is about;
                     else null
  message            the worst fault in words; null without one
  faults             number of faults";

#[derive(Debug, Subcommand)]
pub(crate) enum Log {
    /// Verify the log of a card table: nothing was changed, nothing was dropped
    #[command(after_help = LOG_EXAMPLES)]
    Verify(VerifyLog),
}

#[derive(Debug, Args)]
pub(crate) struct VerifyLog {
    /// Address of the log, or a directory with a copy of it
    #[arg(value_name = "URL|DIR", value_hint = ValueHint::DirPath)]
    pub(crate) log: PathBuf,
    /// Checkpoint that you saved earlier: the log must contain everything it stands for
    #[arg(long, value_name = "FILE")]
    pub(crate) with: Option<PathBuf>,
    /// Public key of the table, a file or the key itself [default: the one in the log]
    #[arg(long, value_name = "KEY", value_hint = ValueHint::FilePath)]
    pub(crate) key: Option<OsString>,
    #[arg(long, value_name = "FORMAT", ignore_case = true, help = "Print the result as JSON instead of the verdict", long_help = RESULT_HELP)]
    pub(crate) result: Option<ResultFormat>,
}

/// The longest key or checkpoint that is read.
const LARGEST: usize = 1 << 16;

/// Reads a log, checks all of it, and prints what it is.
pub(crate) fn verify(options: &VerifyLog, context: &mut Context) -> Result<Exit, Failure> {
    Interruption::of_readers(context.terminal.catalogue);
    let log = display(&options.log);
    let source = LogSource::open(&options.log);
    let mut source = source.map_err(|unread| unread_failure(&unread))?;
    let key = match &options.key {
        Some(key) => public_key(key)?,
        None => key_of(&log, &mut source)?,
    };
    let verifying = key.verifying().ok_or_else(|| no_key(&log))?;
    let earlier = options.with.as_deref();
    let earlier = earlier
        .map(|file| {
            let read = input::read(file, LARGEST as u64);
            let read = read.map_err(|error| unreadable(file, &error))?;
            let text = String::from_utf8_lossy(&read.unwrap_or_default()).into_owned();
            let number = key.id().to_string();
            let bad = text!(LogBadEarlier, file = display(file), key = number);
            Checkpoint::verified(&text, &verifying).map_err(|_| Failure::usage(bad))
        })
        .transpose()?;
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    let now = since
        .ok()
        .and_then(|since| u64::try_from(since.as_millis()).ok());
    let demand = Demand {
        key: &verifying,
        earlier,
        now_ms: now.filter(|_| source.is_live()),
    };
    let bar = spinner();
    let read = verify_log(&mut source, &demand, &mut |leaves| {
        bar.set_message(HumanCount(leaves).to_string());
    });
    bar.finish_and_clear();
    let findings = read.map_err(|unread| unread_failure(&unread))?;
    let with = earlier.map(|earlier| earlier.size);
    tell(&log, &key, with, &findings, options.result, context);
    Ok(findings.verdict().into())
}

/// The key that a log has of itself.
fn key_of(log: &str, source: &mut LogSource) -> Result<PublicKey, Failure> {
    let key = source.fetch("key", LARGEST);
    let key = key.map_err(|unread| unread_failure(&unread))?;
    let key = key.and_then(|key| PublicKey::from_file(&String::from_utf8_lossy(&key)).ok());
    key.ok_or_else(|| no_key(log))
}

fn no_key(log: &str) -> Failure {
    Failure::usage(text!(LogNoKey, log = log))
}

fn unread_failure(unread: &Unread) -> Failure {
    let exit = if is_interrupted() {
        Exit::Incomplete
    } else {
        Exit::InputOutput
    };
    Failure::new(exit, unread.text())
}

fn tell(
    log: &str,
    key: &PublicKey,
    with: Option<u64>,
    findings: &Findings,
    format: Option<ResultFormat>,
    context: &mut Context,
) {
    let catalogue = context.terminal.catalogue;
    let terminal = &mut context.terminal;
    for fault in &findings.faults {
        terminal.say(&log_fault_line(log, fault, catalogue));
    }
    let more = findings.faults_found - findings.faults.len() as u64;
    if more > 0 {
        terminal.tell(&text!(LogMore, faults = Count(more)));
    }
    let (number, fingerprint) = (key.id().to_string(), key.sha256().to_string());
    if format.is_some() {
        let result = LogResult {
            log,
            key: &number,
            fingerprint: &fingerprint,
            with,
            findings,
            message: message(findings, catalogue),
        };
        terminal.print(&result.to_json());
        terminal.print("\n");
        return;
    }
    for text in log_texts(log, [&number, &fingerprint], with, findings) {
        terminal.print_line(&text);
    }
}

fn message(findings: &Findings, catalogue: &Catalogue) -> Option<String> {
    let worst = findings.worst();
    worst.map(|fault| catalogue.text(&Text::from(fault)))
}

/// The line about a fault of this log.
fn log_fault_line(log: &str, fault: &LogFault, catalogue: &Catalogue) -> String {
    let text = Text::from(fault);
    let hint = catalogue.hint(&text);
    let hint = hint.map(|hint| format!("; {hint}")).unwrap_or_default();
    let (code, words) = (fault.code(), catalogue.text(&text));
    format!("{log}: {code} {words}{hint}")
}

/// What a log turned out to be; `key` is the number of its key and the fingerprint, and `with` how
/// long it was before, where that was demanded.
fn log_texts(
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
