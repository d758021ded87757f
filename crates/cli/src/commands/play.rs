//! `war PLAYERS DECK`: plays the classic edition, dealt or from scenarios.

use super::games::{GameOptions, PlannedGame, ScenarioGames, run_with_audit_log};
use crate::arguments::parsing::{find_nearest_command, has_option};
use crate::context::Context;
use crate::failure::{ExitStatus, Failure};
use crate::machine::scenario_files::ScenarioSource;
use clap::{Args, Command};
use std::ffi::OsString;
use war::cards::Generator;
use war::i18n::{Text, text};
use war::recording::NewGame;
use war::rules::{CLASSIC, Variant};
use war::scenario::CLASSIC_PREFIX;
use war::setup::{Correction, Setup};

#[derive(Debug, Args)]
pub(crate) struct PlayArgs {
    /// Number of players, 1 to 5, and deck, `small` (24 cards) or `large` (52 cards)
    #[arg(value_name = "PLAYERS DECK", num_args = 0.., allow_negative_numbers = true)]
    pub(crate) values: Vec<OsString>,
    #[command(flatten)]
    pub(crate) game: GameOptions,
}

impl PlayArgs {
    /// Returns an error if one of these options precedes a subcommand, which would ignore the
    /// option; `path` ends with the subcommand, and `root` is the program.
    pub(crate) fn find_misplaced_option_error(
        &self,
        root: &Command,
        path: &[String],
    ) -> Option<Text> {
        let given = [
            (!self.values.is_empty(), "PLAYERS DECK"),
            (self.game.seed.is_some(), "--seed"),
            (self.game.journal.is_some(), "--journal"),
            (self.game.journal_dir.is_some(), "--journal-dir"),
            (self.game.result.is_some(), "--result"),
            (self.game.scenario.is_some(), "--scenario"),
            (self.game.scenarios.is_some(), "--scenarios"),
        ];
        let given = given
            .into_iter()
            .find_map(|(given, option)| given.then_some(option));
        let option = given.or_else(|| self.game.form.first_given_option())?;
        let command = path[1..].join(" ");
        Some(if has_option(root, path, option) {
            text!(OptionAfterCommand, option = option, command = command)
        } else {
            text!(OptionOfPlay, option = option, command = command)
        })
    }
}

/// Plays the classic edition: a dealt game, or the scenarios that replace it. `root` builds the
/// program's command line.
pub(crate) fn play(
    options: &PlayArgs,
    root: fn() -> Command,
    context: &mut Context,
) -> Result<ExitStatus, Failure> {
    let values: Vec<_> = options
        .values
        .iter()
        .map(|value| value.to_string_lossy())
        .collect();
    let first = values.first();
    let near = first.and_then(|word| find_nearest_command(&root(), word));
    let game = &options.game;
    let setup = match (&values[..], near) {
        ([], _) if game.scenario.is_some() => None,
        ([players, deck], near) => {
            if let Some(command) = near {
                let text = text!(NearlyCommand, word = &**players, command = command);
                context.terminal.report_note(&text);
            }
            Some(Setup::from_typed(players, deck))
        }
        (_, near) => return Ok(print_usage(near, context)),
    };
    let seed = game.parse_seed().map_err(Failure::usage)?;
    let sources = game.find_scenarios(CLASSIC_PREFIX, context)?;
    game.check_journal_options(&sources)
        .map_err(Failure::usage)?;
    let setup = match setup {
        Some(setup) if sources.is_empty() => {
            return play_dealt(CLASSIC, game, &setup, seed, context);
        }
        setup => setup,
    };
    if seed.is_some() {
        let text = text!(SeedWithoutEffect);
        context.terminal.report_note(&text);
    }
    if game.scenario.is_none() {
        context.terminal.report_note(&replacement_note(&sources));
    }
    let corrections = setup.map(|setup| setup.corrections);
    let games = classic_scenarios(sources, corrections.unwrap_or_default());
    games.play(game, || Box::new(()), context)
}

/// Scenario games of the classic edition; `corrections` are printed with the first game.
pub(crate) fn classic_scenarios(
    sources: Vec<ScenarioSource>,
    corrections: Vec<Correction>,
) -> ScenarioGames {
    ScenarioGames {
        variant: CLASSIC,
        prefix: CLASSIC_PREFIX,
        bad_content: |file, reason| text!(ScenarioMangled, file = file, reason = reason),
        sources,
        listing: String::new(),
        corrections,
    }
}

/// Message that scenarios are played in place of a dealt game.
fn replacement_note(sources: &[ScenarioSource]) -> Text {
    let files = sources.len();
    if sources.iter().all(ScenarioSource::is_embedded) {
        return text!(EmbeddedReplace, files = files);
    }
    text!(ScenariosReplace, files = files)
}

/// Prints the usage screen, and how this program is called; `near` is what was probably meant.
fn print_usage(near: Option<String>, context: &mut Context) -> ExitStatus {
    context.terminal.print_line(&text!(Usage));
    let last = match near {
        Some(command) => text!(CalledNear, command = command),
        None => text!(CalledOthers),
    };
    context.terminal.report(&text!(Called, last = last));
    ExitStatus::Usage
}

/// Deals and plays a game; without a seed, a random seed is drawn.
pub(crate) fn play_dealt(
    variant: Variant,
    options: &GameOptions,
    setup: &Setup,
    seed: Option<u64>,
    context: &mut Context,
) -> Result<ExitStatus, Failure> {
    let session = PlannedGame {
        follows_another: false,
        opening: deal_opening(variant, setup, seed, context)?,
        destination: options.to_destination(None)?,
    };
    run_with_audit_log(context, |log, context| session.play(log, context))
}

/// Deals a game; without a seed, a random seed is drawn.
pub(crate) fn deal_opening(
    variant: Variant,
    setup: &Setup,
    seed: Option<u64>,
    context: &mut Context,
) -> Result<NewGame, Failure> {
    let seed = seed.unwrap_or_else(|| context.draw_seed());
    let generator = Generator::ChaCha8 { seed };
    let opening = NewGame::shuffled(variant, setup.deck, setup.players, generator)?;
    Ok(opening.with_corrections(setup.corrections.clone())?)
}

#[cfg(test)]
mod tests {
    use super::replacement_note;
    use crate::machine::scenario_files::{ScenarioLibrary, ScenarioSource};
    use std::ffi::OsStr;
    use std::path::{Path, PathBuf};
    use war::i18n::{Catalogue, Lang};
    use war::scenario::CLASSIC_PREFIX;

    // The build may embed no scenario that replaces dealing, so the test looks one up by name.
    #[test]
    fn the_hint_about_embedded_scenarios_names_no_files() {
        let nowhere = Path::new("no_scenarios");
        let library =
            ScenarioLibrary::open(CLASSIC_PREFIX, None, Some(nowhere)).expect("a library");
        let built_in = || library.find(OsStr::new("example")).expect("a scenario");
        let file = || ScenarioSource::File(PathBuf::from("ssc_example.json"));
        for lang in Lang::ALL {
            let catalogue = Catalogue::built_in(lang);
            let hint = |sources: &[ScenarioSource]| {
                catalogue
                    .format_hint(&replacement_note(sources))
                    .expect("a hint")
            };
            assert!(!hint(&[built_in(), built_in()]).contains("ssc_"));
            assert!(hint(&[built_in(), file()]).contains("ssc_"));
        }
    }
}
