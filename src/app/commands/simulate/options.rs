//! The rules of a simulation, and the hands of a scenario file.

use crate::app::exit::{Exit, Failure};
use crate::app::messages::unreadable;
use crate::app::text::display;
use crate::cli::{Simulate, with_an_end};
use crate::host::scenario_files::Source;
use crate::i18n::{Text, text};
use crate::rules::{Parameters, Variant};
use crate::scenario;
use crate::simulate::{Dealing, GameSetup};
use std::path::Path;

/// The rules asked for.
pub(super) fn game_rules(options: &Simulate) -> Result<GameSetup, Failure> {
    match &options.deal {
        Some(path) => given(path, options.rules.parameters().0),
        None => options.game_setup().map_err(Failure::usage),
    }
}

/// The hands of a scenario file.
fn given(path: &Path, parameters: Parameters) -> Result<GameSetup, Failure> {
    let source = Source::File(path.to_owned());
    let bytes = source.read().map_err(|error| unreadable(path, &error))?;
    let name = scenario::name_of(&source.file_name(), scenario::CLASSIC_PREFIX).to_owned();
    let parsed = scenario::parse(&bytes, &Variant::custom(parameters));
    let hands = parsed.map_err(|error| {
        let text = text!(
            ScenarioBad,
            file = display(path),
            reason = Text::from(&error)
        );
        Failure::new(Exit::Bad, text)
    })?;
    let players = u8::try_from(hands.hands.len()).expect("a scenario has 5 hands at most");
    Ok(GameSetup {
        parameters: with_an_end(parameters, &hands.hands.concat()),
        players,
        deck: hands.deck,
        dealing: Dealing::Given {
            name,
            hands: hands.hands,
        },
    })
}
