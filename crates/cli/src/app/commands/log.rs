//! `war log verify`.

use crate::app::context::Context;
use crate::app::exit::{Exit, Failure};
use crate::app::messages::unreadable;
use crate::cli::{ResultFormat, VerifyLog as Options};
use crate::host::log_source::{LogSource, Unread};
use crate::machine::input;
use crate::machine::keys::public_key;
use crate::machine::progress::spinner;
use crate::machine::signals::{Interruption, is_interrupted};
use crate::machine::text::display;
use crate::wording::{log_fault_line, log_texts};
use indicatif::HumanCount;
use std::time::{SystemTime, UNIX_EPOCH};
use war::i18n::{Catalogue, Count, Text, text};
use war::signing::PublicKey;
use war_table::log::{Checkpoint, Demand, Findings, LogResult, Source, verify as verify_log};

/// The longest key or checkpoint that is read.
const LARGEST: usize = 1 << 16;

/// Reads a log, checks all of it, and prints what it is.
pub(crate) fn verify(options: &Options, context: &mut Context) -> Result<Exit, Failure> {
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
