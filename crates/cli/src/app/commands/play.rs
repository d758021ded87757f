use crate::app::context::Context;
use crate::app::exit::{Exit, Failure};
use crate::app::scenario_games::{ScenarioGames, with_log};
use crate::app::session::Session;
use crate::cli::{Cli, GameOptions, Play, nearest_command};
use crate::machine::scenario_files::Source;
use clap::CommandFactory;
use war::cards::Generator;
use war::i18n::{Text, text};
use war::recording::Opening;
use war::rules::{CLASSIC, Variant};
use war::scenario::CLASSIC_PREFIX;
use war::setup::{Correction, Setup};

/// Plays the classic edition: a dealt game, or the scenarios that replace it.
pub(crate) fn play(options: &Play, context: &mut Context) -> Result<Exit, Failure> {
    let values: Vec<_> = options
        .values
        .iter()
        .map(|value| value.to_string_lossy())
        .collect();
    if let Some(word) = values.first() {
        hint_at_command(word, context);
    }
    let game = &options.game;
    let setup = match &values[..] {
        [] if game.scenario.is_some() => None,
        [players, deck] => Some(Setup::from_typed(players, deck)),
        _ => return Ok(usage(context)),
    };
    let seed = game.seed().map_err(Failure::usage)?;
    let sources = game.sources(CLASSIC_PREFIX, context)?;
    game.check_journals(&sources).map_err(Failure::usage)?;
    let setup = match setup {
        Some(setup) if sources.is_empty() => {
            return dealt(CLASSIC, game, &setup, seed, context);
        }
        setup => setup,
    };
    if seed.is_some() {
        let text = text!(SeedWithoutEffect);
        context.terminal.note(&text);
    }
    if game.scenario.is_none() {
        context.terminal.note(&replacing(&sources));
    }
    let corrections = setup.map(|setup| setup.corrections);
    let games = scenarios(sources, corrections.unwrap_or_default());
    games.play(game, || Box::new(()), context)
}

/// Games of these scenario files, with what is printed before the first of them.
pub(crate) fn scenarios(sources: Vec<Source>, corrections: Vec<Correction>) -> ScenarioGames {
    ScenarioGames {
        variant: CLASSIC,
        prefix: CLASSIC_PREFIX,
        bad_content: |file, reason| text!(ScenarioMangled, file = file, reason = reason),
        sources,
        listing: String::new(),
        corrections,
    }
}

/// That these scenario files are played in place of a dealt game.
fn replacing(sources: &[Source]) -> Text {
    let files = sources.len();
    if sources.iter().all(Source::is_embedded) {
        return text!(EmbeddedReplace, files = files);
    }
    text!(ScenariosReplace, files = files)
}

fn usage(context: &mut Context) -> Exit {
    context.terminal.print_line(&text!(Usage));
    context.terminal.tell(&text!(Called));
    Exit::Usage
}

/// Warns of a first word that is nearly a subcommand.
fn hint_at_command(word: &str, context: &mut Context) {
    let commands = Cli::command();
    if let Some(name) = nearest_command(&commands, word) {
        let text = text!(NearlyCommand, word = word, command = name);
        context.terminal.note(&text);
    }
}

/// Deals and plays a game; without a seed, a random one is chosen.
pub(crate) fn dealt(
    variant: Variant,
    options: &GameOptions,
    setup: &Setup,
    seed: Option<u64>,
    context: &mut Context,
) -> Result<Exit, Failure> {
    let session = Session {
        follows: false,
        opening: shuffled(variant, setup, seed, context)?,
        to: options.destination(None)?,
    };
    with_log(context, |log, context| session.play(log, context))
}

/// Deals a game; without a seed, a random one is chosen.
pub(crate) fn shuffled(
    variant: Variant,
    setup: &Setup,
    seed: Option<u64>,
    context: &mut Context,
) -> Result<Opening, Failure> {
    let seed = seed.unwrap_or_else(|| context.draw_seed());
    let generator = Generator::ChaCha8 { seed };
    let opening = Opening::shuffled(variant, setup.deck, setup.players, generator)?;
    Ok(opening.corrected(setup.corrections.clone())?)
}

#[cfg(test)]
mod tests {
    use super::replacing;
    use crate::machine::scenario_files::{Library, Source};
    use std::ffi::OsStr;
    use std::path::{Path, PathBuf};
    use war::i18n::{Catalogue, Lang};
    use war::scenario::CLASSIC_PREFIX;

    // No scenario replaces the dealing of a build unless it lay in `scenarios` then.
    #[test]
    fn the_hint_on_built_in_scenarios_names_no_files() {
        let nowhere = Path::new("no_scenarios");
        let library = Library::open(CLASSIC_PREFIX, None, Some(nowhere)).expect("a library");
        let built_in = || library.find(OsStr::new("example")).expect("a scenario");
        let file = || Source::File(PathBuf::from("ssc_example.json"));
        for lang in Lang::ALL {
            let catalogue = Catalogue::of(lang).expect("a catalogue");
            let hint = |sources: &[Source]| catalogue.hint(&replacing(sources)).expect("a hint");
            assert!(!hint(&[built_in(), built_in()]).contains("ssc_"));
            assert!(hint(&[built_in(), file()]).contains("ssc_"));
        }
    }
}
