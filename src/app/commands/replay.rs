use crate::app::context::Context;
use crate::app::exit::{Exit, Failure};
use crate::app::verdict::{conclude, open};
use crate::cli::Replay as Options;
use crate::digits::whole;
use crate::hex::Hex;
use crate::host::audit_log::AuditLog;
use crate::i18n::text;
use crate::journal::{End, Fault, Position, ReadError, RecordError};
use crate::projections::audit::Audit;
use crate::replay::Replay;

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
            typed.parse().map_err(|_| {
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
    let shown = if options.quiet { None } else { Some(&wanted) };
    let result = fold(&mut replay, shown, &log, context);
    let result = result.and_then(|end| check_digest(end, wanted.digest, replay.position()));
    if let Some(error) = log.close() {
        context.warn_of_log(&error);
    }
    let turns = replay.turn();
    if !options.quiet && wanted.from > turns {
        let text = text!(NoSuchTurn, turns = turns);
        context.terminal.note(&text);
    }
    if result.is_ok() && !replay.prints_the_same() {
        context.terminal.note(&text!(RenderedAnew));
    }
    conclude(path, result, replay.events(), &mut context.terminal)
}

/// Folds the journal to its end: prints the turns wanted, and logs.
fn fold(
    replay: &mut Replay<'_>,
    wanted: Option<&Wanted>,
    log: &AuditLog,
    context: &mut Context,
) -> Result<End, ReadError> {
    let mut audit = Audit::new(log.logger().clone());
    while replay.event(&mut audit)? {
        if wanted.is_some_and(|wanted| wanted.covers(replay.turn())) {
            context.terminal.print(replay.text());
        }
    }
    replay.end()
}

/// Checks that the end record, which is at `at`, has the expected digest.
fn check_digest(end: End, expected: Option<Hex<16>>, at: Position) -> Result<End, ReadError> {
    match expected {
        Some(expected) if expected != end.chain => {
            let found = end.chain;
            Err(Fault::new(at, RecordError::Digest { expected, found }).into())
        }
        _ => Ok(end),
    }
}
