//! `war xy`: the X/Y edition.

use super::games::{GameDestination, PlannedGame, run_with_audit_log};
use crate::arguments::journal::{JournalOptions, RESULT_HELP, ResultFormat};
use crate::context::Context;
use crate::failure::{ExitStatus, Failure};
use clap::Args;
use std::path::PathBuf;
use war::cards::{Deck, Generator};
use war::i18n::text;
use war::recording::NewGame;
use war::rules::XY;

pub(crate) const XY_EXAMPLES: &str = "\
Examples:
  war xy 42                            play the game of seed 42
  war xy --journal game.json           pick a random seed, and record the game
  war --lang pl xy 42                  print the table in Polish";

#[derive(Debug, Args)]
pub(crate) struct XyArgs {
    /// Seed of the game, a signed 64-bit number [default: a random one, printed to stderr]
    #[arg(value_name = "SEED", allow_negative_numbers = true)]
    pub(crate) argument: Option<String>,
    /// Seed of the game, as in the other editions
    #[arg(
        long,
        value_name = "N",
        allow_hyphen_values = true,
        conflicts_with = "argument"
    )]
    pub(crate) seed: Option<String>,
    /// Record the game in a new file (- for standard output, in place of the table)
    #[arg(long, value_name = "FILE")]
    pub(crate) journal: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) form: JournalOptions,
    #[arg(long, value_name = "FORMAT", ignore_case = true, help = "Print the result as JSON instead of the screens", long_help = RESULT_HELP)]
    pub(crate) result: Option<ResultFormat>,
}

pub(crate) fn play_xy(options: &XyArgs, context: &mut Context) -> Result<ExitStatus, Failure> {
    let journal = options.journal.as_deref();
    let destination = GameDestination::for_single_game(journal, &options.form, options.result)?;
    let typed = options.argument.as_deref().or(options.seed.as_deref());
    let typed = typed.map(parse).transpose()?;
    let seed = typed.unwrap_or_else(|| context.draw_seed());
    let generator = Generator::JavaRandom { seed };
    let session = PlannedGame {
        follows_another: false,
        opening: NewGame::shuffled(XY, Deck::Thirteen, XY.players.1, generator)?,
        destination,
    };
    run_with_audit_log(context, |log, context| session.play(log, context))
}

fn parse(typed: &str) -> Result<i64, Failure> {
    let digits = typed.strip_prefix('-').unwrap_or(typed);
    match typed.parse() {
        Ok(seed) if digits.bytes().all(|byte| byte.is_ascii_digit()) => Ok(seed),
        _ => {
            let text = text!(XyBadSeed, value = typed);
            Err(Failure::usage(text))
        }
    }
}
