//! The rules of a simulation, and the hands of a scenario file.

use crate::app::exit::{Exit, Failure};
use crate::app::messages::unreadable;
use crate::cli::{Simulate, not_playable};
use crate::machine::scenario_files::Source;
use crate::machine::text::display;
use std::path::Path;
use war::i18n::{Text, text};
use war::rules::Variant;
use war::scenario;
use war_simulate::simulate::{ChosenRules, GameSetup};

/// The rules asked for.
pub(super) fn game_rules(options: &Simulate) -> Result<GameSetup, Failure> {
    match &options.deal {
        Some(path) => given(path, &options.rules.chosen()),
        None => options.game_setup().map_err(Failure::usage),
    }
}

/// The hands of a scenario file.
fn given(path: &Path, rules: &ChosenRules) -> Result<GameSetup, Failure> {
    let source = Source::File(path.to_owned());
    let bytes = source.read().map_err(|error| unreadable(path, &error))?;
    let name = scenario::name_of(&source.file_name(), scenario::CLASSIC_PREFIX).to_owned();
    let parsed = scenario::parse(&bytes, &Variant::custom(rules.parameters().0));
    let hands = parsed.map_err(|error| {
        let text = text!(
            ScenarioBad,
            file = display(path),
            reason = Text::from(&error)
        );
        Failure::new(Exit::Bad, text)
    })?;
    let setup = rules.given(name, hands);
    setup.map_err(|error| Failure::usage(not_playable(error)))
}
