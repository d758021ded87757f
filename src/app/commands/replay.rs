use crate::app::context::Context;
use crate::app::exit::{Exit, Failure};
use crate::app::verdict::{conclude, open, unexpected};
use crate::cli::Replay as Options;
use crate::digits::whole;
use crate::hex::Hex;
use crate::host::audit_log::AuditLog;
use crate::host::signals::Interruption;
use crate::i18n::text;
use crate::journal::{End, Fault, ReadError, RecordError};
use crate::projections::audit::Audit;
use crate::replay::Replay;
use crate::result::{GameResult, Tally};

/// The turns to print, and the digest to expect.
struct Wanted {
    from: u32,
    to: u32,
    digest: Option<Hex<16>>,
}

impl Wanted {
    fn of(options: &Options) -> Result<Self, Failure> {
        let turn = |typed: &Option<String>, default: u32| match typed {
            None => Ok(default),
            Some(typed) => whole(typed).ok_or_else(|| {
                let text = text!(BadTurn, value = typed.as_str());
                Failure::usage(text)
            }),
        };
        let (from, to) = (turn(&options.from, 0)?, turn(&options.to, u32::MAX)?);
        if from > to {
            return Err(Failure::usage(text!(BadRange)));
        }
        let digest = options.expect_digest.as_deref().map(|typed| {
            typed.to_ascii_lowercase().parse().map_err(|_| {
                let text = text!(BadDigest, value = typed);
                Failure::usage(text)
            })
        });
        Ok(Self {
            from: turn(&options.turn, from)?,
            to: turn(&options.turn, to)?,
            digest: digest.transpose()?,
        })
    }

    const fn covers(&self, turn: u32) -> bool {
        self.from <= turn && turn <= self.to
    }
}

/// Prints a recorded game again, verifies it, and prints the verdict.
pub(crate) fn replay(options: &Options, context: &mut Context) -> Result<Exit, Failure> {
    let wanted = Wanted::of(options)?;
    let path = &options.file;
    Interruption::of_readers(context.terminal.catalogue);
    let input = open(path, options.quiet)?;
    let mut replay = match Replay::open(input, context.lang_flag) {
        Ok(replay) => replay,
        Err(error) => return conclude(path, Err(error), 0, &mut context.terminal),
    };
    let mut log = AuditLog::nowhere();
    if options.audit {
        match AuditLog::open(&context.config.log, context.clock) {
            Ok(opened) => log = opened,
            Err(error) => context.warn_of_log(&error),
        }
    }
    let silent = options.quiet || options.result.is_some();
    let shown = (!silent).then_some(&wanted);
    let mut tally = Tally::default();
    let result = fold(&mut replay, shown, &mut tally, &log, context);
    if let Some(error) = log.close() {
        context.warn_of_log(&error);
    }
    if let (Some(_), Ok(end)) = (options.result, &result) {
        let result = GameResult::new(replay.header(), end, &tally);
        context.terminal.print_result(result, Some(path));
    }
    let (turns, events, at) = (replay.turn(), replay.events(), replay.position());
    let same = replay.prints_the_same();
    // Its bar would stand where the verdict does.
    drop(replay);
    let terminal = &mut context.terminal;
    if result.is_ok() && !same {
        terminal.note(&text!(RenderedAnew));
    }
    let exit = match (&result, wanted.digest) {
        (Ok(end), Some(expected)) if expected != end.chain => {
            let found = end.chain;
            let fault = Fault::new(at, RecordError::Digest { expected, found });
            unexpected(path, end, &fault, terminal)
        }
        _ => conclude(path, result, events, terminal)?,
    };
    if wanted.from <= turns {
        return Ok(exit);
    }
    let text = text!(
        NoSuchTurn,
        turn = wanted.from.to_string(),
        last = turns.to_string()
    );
    terminal.error(&text);
    // What is wrong with the journal weighs more than what was asked of it.
    Ok(exit.worse(Exit::Usage))
}

/// Folds the journal to its end: prints the turns wanted, and logs.
fn fold(
    replay: &mut Replay<'_>,
    wanted: Option<&Wanted>,
    tally: &mut Tally,
    log: &AuditLog,
    context: &mut Context,
) -> Result<End, ReadError> {
    let mut observer = (Audit::new(log.logger().clone()), tally);
    while replay.event(&mut observer)? {
        if wanted.is_some_and(|wanted| wanted.covers(replay.turn())) {
            context.terminal.print(replay.text());
        }
    }
    replay.end()
}
