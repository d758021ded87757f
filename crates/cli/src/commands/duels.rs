//! `war duels`: the duels edition.

use super::games::{GameOptions, ScenarioGames};
use super::play::play_dealt;
use crate::arguments::values::suggestions;
use crate::context::Context;
use crate::failure::{ExitStatus, Failure};
use crate::machine::scenario_files::ScenarioSource;
use clap::Args;
use std::ffi::OsString;
use war::cards::Generator;
use war::i18n::text;
use war::projections::screens::SCREEN_SEPARATOR;
use war::rules::{DUELS, DUELS_DEFAULT, DUELS_RANDOM, DUELS_SHUFFLE, Variant};
use war::scenario::DUELS_PREFIX;
use war::setup::Setup;
use war::support::sanitize::join_lines;

pub(crate) const DUELS_EXAMPLES: &str = "\
Examples:
  war duels                            play the scenarios, or deal to 2 players
  war duels 2 large                    deal 52 cards to 2 players
  war duels --numPlayers 4 --deckType large
  war duels --strategy shuffle --seed 42

A bad value is replaced by its default, and the correction is printed.
`war duels --help` prints the usage screen of this edition.";

#[derive(Debug, Args)]
pub(crate) struct DuelsArgs {
    /// Number of players, in place of `--numPlayers`
    #[arg(value_name = "PLAYERS", allow_negative_numbers = true, conflicts_with = "num_players", add = suggestions(2..=5))]
    pub(crate) players: Option<OsString>,
    /// Deck, in place of `--deckType`
    #[arg(value_name = "DECK", conflicts_with = "deck_type", add = suggestions(["small", "large"]))]
    pub(crate) deck: Option<OsString>,
    /// Number of players, 2 to 5 [default: 2]
    #[arg(long = "numPlayers", value_name = "X", allow_hyphen_values = true, add = suggestions(2..=5))]
    pub(crate) num_players: Option<OsString>,
    /// Deck: `small` (24 cards) or `large` (52 cards) [default: small]
    #[arg(long = "deckType", value_name = "T", allow_hyphen_values = true, add = suggestions(["small", "large"]))]
    pub(crate) deck_type: Option<OsString>,
    /// How cards are drawn: `default` (from the top), `shuffle` (a hand that comes back is
    /// shuffled) or `random` (any card of the hand)
    #[arg(long, value_name = "Z", allow_hyphen_values = true, add = suggestions(["default", "shuffle", "random"]))]
    pub(crate) strategy: Option<OsString>,
    #[command(flatten)]
    pub(crate) game: GameOptions,
}

/// Plays the duels edition. Deals a game if a number of players or a deck is given without
/// `--scenario`, or if there are no scenarios; else plays the scenarios.
pub(crate) fn play_duels(
    options: &DuelsArgs,
    context: &mut Context,
) -> Result<ExitStatus, Failure> {
    let variant = strategy(options, context);
    let game = &options.game;
    let seed = game.parse_seed().map_err(Failure::usage)?;
    let typed = |word: &Option<OsString>, option: &Option<OsString>| {
        let value = word.as_ref().or(option.as_ref())?;
        Some(value.to_string_lossy().into_owned())
    };
    let players = typed(&options.players, &options.num_players);
    let deck = typed(&options.deck, &options.deck_type);
    let deals = players.is_some() || deck.is_some();
    let sources = if deals && game.scenario.is_none() {
        Vec::new()
    } else {
        game.find_scenarios(DUELS_PREFIX, context)?
    };
    game.check_journal_options(&sources)
        .map_err(Failure::usage)?;
    let (fewest, most) = variant.players;
    let setup = Setup::from_options(players.as_deref(), deck.as_deref(), fewest..=most);
    if sources.is_empty() {
        return play_dealt(variant, game, &setup, seed, context);
    }
    let chance = [DUELS_SHUFFLE, DUELS_RANDOM].contains(&variant);
    if seed.is_some() && !chance {
        let text = text!(SeedWithoutEffect);
        context.terminal.report_note(&text);
    }
    let listing = if game.scenario.is_some() {
        String::new()
    } else {
        listing(&sources, context)
    };
    let games = ScenarioGames {
        variant,
        prefix: DUELS_PREFIX,
        bad_content: |file, reason| text!(ScenarioBad, file = file, reason = reason),
        sources,
        listing,
        corrections: setup.corrections,
    };
    let seed = match seed {
        Some(seed) => seed,
        None if chance => context.draw_seed(),
        // Without chance, no game depends on the seed.
        None => 0,
    };
    games.play(game, || Generator::ChaCha8 { seed }.start(), context)
}

/// Rules of the chosen strategy. An unknown strategy is reported, and the default is used instead.
fn strategy(options: &DuelsArgs, context: &mut Context) -> Variant {
    let Some(typed) = &options.strategy else {
        return DUELS;
    };
    match typed.to_string_lossy().to_lowercase().as_str() {
        "default" => DUELS_DEFAULT,
        "shuffle" => DUELS_SHUFFLE,
        "random" => DUELS_RANDOM,
        _ => {
            let typed = typed.to_string_lossy().into_owned();
            let text = text!(DuelsUnknownStrategy, strategy = typed);
            context.terminal.report_note(&text);
            DUELS_DEFAULT
        }
    }
}

/// List of scenario files that is printed before the first game.
fn listing(sources: &[ScenarioSource], context: &Context) -> String {
    let catalogue = context.terminal.catalogue;
    let mut listing = String::new();
    catalogue.write(&mut listing, &text!(DuelsFound, files = sources.len()));
    listing.push('\n');
    for source in sources {
        let name = source.file_name();
        if context.terminal.out.is_terminal() {
            listing.push_str(&join_lines(&name));
        } else {
            listing.push_str(&name);
        }
        listing.push('\n');
    }
    listing.push('\n');
    catalogue.write(&mut listing, &text!(DuelsExecuting));
    listing.push('\n');
    listing.push_str(SCREEN_SEPARATOR);
    listing
}
