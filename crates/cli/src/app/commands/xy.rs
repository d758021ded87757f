use crate::app::context::Context;
use crate::app::exit::{Exit, Failure};
use crate::app::scenario_games::with_log;
use crate::app::session::{Destination, Session};
use crate::cli::Xy;
use war::cards::{Deck, Generator};
use war::i18n::text;
use war::recording::Opening;
use war::rules::XY;

/// Plays the X/Y edition.
pub(crate) fn xy(options: &Xy, context: &mut Context) -> Result<Exit, Failure> {
    let journal = options.journal.as_deref();
    let to = Destination::one(journal, &options.form, options.result)?;
    let typed = options.argument.as_deref().or(options.seed.as_deref());
    let typed = typed.map(parse).transpose()?;
    let seed = typed.unwrap_or_else(|| context.draw_seed());
    let generator = Generator::JavaRandom { seed };
    let session = Session {
        follows: false,
        opening: Opening::shuffled(XY, Deck::Thirteen, XY.players.1, generator)?,
        to,
    };
    with_log(context, |log, context| session.play(log, context))
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
