use crate::app::context::Context;
use crate::app::exit::{Exit, Failure};
use crate::app::verdict::{Reading, conclude_signed, not_opened, result_of};
use crate::cli::{Replay as Options, ResultFormat};
use crate::machine::audit_log::AuditLog;
use crate::machine::followed;
use crate::machine::input::is_standard;
use crate::machine::keys::{Claim, Signed};
use crate::machine::keys::{public_key, signature, signature_of};
use crate::machine::output::Flushing;
use crate::machine::output::Printer;
use crate::machine::progress::Input;
use crate::machine::signals::{Interruption, is_interrupted};
use crate::machine::text::display;
use std::io::{self, Read};
use std::ops::RangeInclusive;
use war::i18n::text;
use war::journal::{Expected, Position, ReadError};
use war::projections::audit::Audit;
use war::replay::Replay;
use war::result::Tally;

/// The turns to print, and what to expect of the journal.
struct Wanted {
    turns: RangeInclusive<u32>,
    expected: Expected,
    claim: Option<Claim>,
}

impl Wanted {
    fn of(options: &Options) -> Result<Self, Failure> {
        let turns = options.turns().map_err(Failure::usage)?;
        let key = options.public_key.as_deref().map(public_key).transpose()?;
        let claim = key.map(|key| Claim::beside(&options.file, &key));
        Ok(Self {
            turns,
            expected: options.expected.meant().map_err(Failure::usage)?,
            claim: claim.transpose()?,
        })
    }
}

/// Prints a recorded game again, verifies it, and prints the verdict.
pub(crate) fn replay(options: &Options, context: &mut Context) -> Result<Exit, Failure> {
    let wanted = Wanted::of(options)?;
    if options.follow {
        Interruption::of_recordings();
    } else {
        Interruption::of_readers(context.terminal.catalogue);
    }
    let output = context.terminal.out.clone();
    let mut signed = None;
    let opened = read_from(options, wanted.claim.as_ref()).map_err(ReadError::from);
    let opened = opened.and_then(|(input, found)| {
        signed = found;
        let input = Flushing::new(input, output);
        Replay::open(input, context.lang_flag)
    });
    let mut replay = match opened {
        Ok(replay) => replay,
        Err(error) => {
            let reading = not_opened(error);
            return Ok(report(&reading, &Tally::default(), None, options, context));
        }
    };
    let mut log = AuditLog::nowhere();
    let wrong = signed.as_ref().and_then(Signed::wrong);
    if options.audit && wrong.is_none() {
        match AuditLog::open(&context.config.log, context.clock) {
            Ok(opened) => log = opened,
            Err(error) => context.warn_of_log(&error),
        }
    }
    let silent = options.quiet || options.result.is_some() || wrong.is_some();
    let nothing = RangeInclusive::new(1, 0);
    let shown = if silent {
        nothing
    } else {
        wanted.turns.clone()
    };
    let lang = context.lang_flag.unwrap_or(replay.header().lang);
    let printer = Printer::new(context.terminal.out.clone(), shown, replay.header(), lang);
    let mut tally = Tally::default();
    let audit = Audit::new(log.logger().clone());
    let found = replay.read_to_end(&mut (audit, (&mut tally, printer)));
    if let Some(error) = log.close() {
        context.warn_of_log(&error);
    }
    let reading = replay.judged(found);
    let reading = reading.map(|judgement| {
        let judgement = match wrong {
            Some(wrong) => judgement.unexpected(Position::START, wrong.clone()),
            None => judgement,
        };
        replay.compared(judgement, &wanted.expected)
    });
    let (turns, same) = (replay.turn(), replay.prints_the_same());
    // Its bar would stand where the verdict does.
    drop(replay);
    let is_whole = matches!(&reading, Ok(judgement) if judgement.end().is_some());
    let signed = signed.filter(|_| is_whole);
    if signed.as_ref().is_some_and(Signed::is_changed) {
        let text = text!(SignChanging, file = display(&options.file));
        return Err(Failure::new(Exit::InputOutput, text));
    }
    if is_whole && !same {
        context.terminal.note(&text!(RenderedAnew));
    }
    let key = signed.as_ref().and_then(Signed::key);
    let exit = report(&reading, &tally, key, options, context);
    let first = *wanted.turns.start();
    if first <= turns {
        return Ok(exit);
    }
    let text = text!(
        NoSuchTurn,
        turn = first.to_string(),
        last = turns.to_string()
    );
    context.terminal.error(&text);
    // What is wrong with the journal weighs more than what was asked of it.
    Ok(exit.worse(Exit::Usage))
}

/// What the journal is read from, when its signature is checked, where that is wanted.
fn read_from(
    options: &Options,
    claim: Option<&Claim>,
) -> io::Result<(Box<dyn Read>, Option<Signed>)> {
    if options.follow {
        return Ok((followed::open(&options.file)?, None));
    }
    let Some(claim) = claim else {
        return Ok((Box::new(Input::open(&options.file, options.quiet)?), None));
    };
    let [first, input] = [true, options.quiet].map(|quiet| Input::open(&options.file, quiet));
    let (signed, input) = claim.check_first(first?, input?)?;
    Ok((Box::new(input), Some(signed)))
}

/// Prints the result, where it is asked for, and the verdict.
fn report(
    reading: &Reading,
    tally: &Tally,
    key: Option<&str>,
    options: &Options,
    context: &mut Context,
) -> Exit {
    let (path, terminal) = (&options.file, &mut context.terminal);
    if options.follow && is_interrupted() {
        terminal.note(&text!(FollowInterrupted));
    }
    if let Some(ResultFormat::Json) = options.result {
        terminal.print_result(
            result_of(reading, path, tally, terminal.catalogue),
            Some(path),
        );
    }
    let exit = conclude_signed(path, reading, key, terminal);
    let beside = signature_of(path);
    // Without the public key nothing is known of it but what it says itself.
    if options.public_key.is_none()
        && !is_standard(path)
        && let Ok(signature) = signature(&beside)
    {
        let key = signature.key().to_string();
        let text = text!(SignatureBeside, file = display(&beside), key = key);
        terminal.note(&text);
    }
    exit
}
