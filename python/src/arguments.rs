//! Arguments from Python, converted for the simulator.

use crate::errors::{invalid_argument_error, invalid_value_error, value_error};
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use std::num::NonZero;
use std::ops::{Range, RangeInclusive};
use std::thread::available_parallelism;
use war::cards::Deck;
use war::rules::{CollectOrder, OutOfCards, Piles, Variant};
use war::scenario;
use war_simulate::{
    FixedHand, GameSettings, GameSetup, Kernel, NamedRules, RuleSettings, RunPlan, Shard,
};

/// Maximum number of games of a run, as on the command line.
const MAX_GAMES: u64 = 1_000_000_000_000;
/// Maximum number of threads, as on the command line.
const MAX_JOBS: u64 = 1_024;

/// Arguments of a run, by name.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct RunArguments<'py> {
    games: Bound<'py, PyAny>,
    seed: Bound<'py, PyAny>,
    rules: Option<String>,
    players: Option<Bound<'py, PyAny>>,
    deck: Option<String>,
    face_down: Option<Bound<'py, PyAny>>,
    collect: Option<String>,
    piles: Option<String>,
    out_of_cards: Option<String>,
    max_turns: Option<Bound<'py, PyAny>>,
    /// Name and bytes of a scenario.
    deal: Option<(String, Vec<u8>)>,
    fix: Option<String>,
    shard: Option<String>,
    jobs: Option<Bound<'py, PyAny>>,
    kernel: String,
}

impl RunArguments<'_> {
    /// Returns the plan of the run, and the number of threads.
    pub(crate) fn to_plan(&self) -> PyResult<(RunPlan, NonZero<usize>)> {
        let games = number(&self.games, "games", 1..=MAX_GAMES)?;
        let plan = RunPlan {
            setup: self.setup()?,
            seed: number(&self.seed, "seed", 0..=u64::MAX)?,
            games,
            part: self.part(games)?,
            kernel: one_of(&self.kernel, "kernel", &Kernel::ALL, |kernel| kernel.name())?,
        };
        let jobs = optional(self.jobs.as_ref(), "jobs", 1..=MAX_JOBS)?;
        let jobs = jobs.and_then(|jobs: u64| NonZero::new(usize::try_from(jobs).ok()?));
        let processors = || available_parallelism().unwrap_or(NonZero::<usize>::MIN);
        Ok((plan, jobs.unwrap_or_else(processors)))
    }

    fn part(&self, games: u64) -> PyResult<Range<u64>> {
        let Some(written) = &self.shard else {
            return Ok(0..games);
        };
        let shard = Shard::parse(written);
        let hint = "use I/N for part I of N, such as 3/8";
        let shard = shard.ok_or_else(|| invalid_value_error(written, "shard", hint))?;
        let part = shard.game_range(games);
        if part.is_empty() {
            let unit = if games == 1 { "game" } else { "games" };
            return Err(value_error(format!(
                "shard {shard} of {games} {unit} is empty"
            )));
        }
        Ok(part)
    }

    fn setup(&self) -> PyResult<GameSetup> {
        let rules = self.rules()?;
        let players = optional(self.players.as_ref(), "players", 2..=5)?;
        let deck = self.deck.as_ref().map(|written| {
            let deck = Deck::parse(&written.to_ascii_lowercase());
            let hint = "use small, large, or RxS for R ranks and S suits, such as 13x4: \
                        2 to 255 cards, at most 64 ranks";
            deck.ok_or_else(|| invalid_argument_error("deck", written, "deck", hint))
        });
        let fix = self.fix.as_ref().map(|written| {
            let hand = FixedHand::parse(written);
            let hint = "use a player and a list of cards, such as (1, [14, 14])";
            hand.ok_or_else(|| invalid_argument_error("hand", written, "fix", hint))
        });
        let (deck, fix) = (deck.transpose()?, fix.transpose()?);
        if let Some((name, scenario)) = &self.deal {
            return given(name, scenario, &rules);
        }
        let chosen = GameSettings {
            rules,
            players,
            deck,
            fixed_hand: fix,
        };
        chosen.to_setup().map_err(value_error)
    }

    fn rules(&self) -> PyResult<RuleSettings> {
        let rules = self.rules.as_ref().map(|typed| {
            let known = NamedRules::all();
            one_of(typed, "rules", &known, |rules| rules.name)
        });
        let collect = self.collect.as_ref().map(|typed| orders(typed));
        let piles = self.piles.as_ref();
        let piles = piles.map(|typed| one_of(typed, "piles", &Piles::ALL, |piles| piles.name()));
        let out_of_cards = self.out_of_cards.as_ref();
        let out_of_cards = out_of_cards.map(|typed| {
            let name = |rule: &OutOfCards| rule.name();
            one_of(typed, "out_of_cards", &OutOfCards::ALL, name)
        });
        Ok(RuleSettings {
            base: rules.transpose()?,
            face_down: optional(self.face_down.as_ref(), "face_down", 0..=5)?,
            collect: collect.transpose()?,
            piles: piles.transpose()?,
            out_of_cards: out_of_cards.transpose()?,
            max_turns: optional(self.max_turns.as_ref(), "max_turns", 1..=u32::MAX)?,
        })
    }
}

/// Returns the setup of games that start with the hands of a scenario.
fn given(name: &str, scenario: &[u8], rules: &RuleSettings) -> PyResult<GameSetup> {
    let hands = scenario::parse_scenario(scenario, &Variant::custom(rules.parameters_and_deck().0));
    let hands = hands.map_err(|error| value_error(format!("`{name}` can't be played: {error}")))?;
    let name = scenario::scenario_name(name, scenario::CLASSIC_PREFIX);
    rules
        .to_scenario_setup(name.to_owned(), hands)
        .map_err(value_error)
}

/// Parses a collecting order, or one for each player with commas between them.
fn orders(typed: &str) -> PyResult<CollectOrder> {
    let one = |typed| one_of(typed, "collect", &CollectOrder::ALL, |order| order.name());
    let orders = typed.split(',').map(one).collect::<PyResult<Vec<_>>>()?;
    CollectOrder::from_seat_orders(&orders).ok_or_else(|| {
        let hint = "one order, or one for each of up to 5 players".to_owned();
        invalid_value_error(typed, "collect", hint)
    })
}

/// Returns one of the known values, by its name in any letter case.
fn one_of<T: Copy>(
    typed: &str,
    argument: &str,
    known: &[T],
    name: impl Fn(&T) -> &'static str,
) -> PyResult<T> {
    let found = known
        .iter()
        .find(|known| name(known).eq_ignore_ascii_case(typed));
    found.copied().ok_or_else(|| {
        let names: Vec<_> = known.iter().map(&name).collect();
        let hint = format!("possible values: {}", names.join(", "));
        invalid_value_error(typed, argument, hint)
    })
}

fn optional<N>(
    value: Option<&Bound<'_, PyAny>>,
    argument: &str,
    range: RangeInclusive<N>,
) -> PyResult<Option<N>>
where
    N: Copy + PartialOrd + TryFrom<u64> + std::fmt::Display,
{
    let number = value.map(|value| number(value, argument, range));
    number.transpose()
}

/// Returns a whole number within a range. Accepts every type that Python can use as an integer, and
/// whole floats such as `1e6`.
fn number<N>(value: &Bound<'_, PyAny>, argument: &str, range: RangeInclusive<N>) -> PyResult<N>
where
    N: Copy + PartialOrd + TryFrom<u64> + std::fmt::Display,
{
    let py = value.py();
    let whole = match value.extract::<u64>() {
        Err(error) if error.is_instance_of::<PyTypeError>(py) => {
            let is_whole = value.call_method0("is_integer");
            if !is_whole.is_ok_and(|is_whole| is_whole.is_truthy().unwrap_or(false)) {
                return Err(error);
            }
            value.call_method0("__int__")?.extract::<u64>()
        }
        other => other,
    };
    let whole = match whole {
        Err(error) if !error.is_instance_of::<PyOverflowError>(py) => return Err(error),
        whole => whole.ok(),
    };
    let number = whole.and_then(|whole| N::try_from(whole).ok());
    let number = number.filter(|number| range.contains(number));
    number.ok_or_else(|| {
        let (least, most) = (range.start(), range.end());
        let hint = format!("use a whole number from {least} to {most}");
        invalid_value_error(value, argument, hint)
    })
}
