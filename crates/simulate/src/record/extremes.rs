//! The two games that a document names, played once more.

use crate::kernel::Kernel;
use crate::run::Run;
use crate::setup::GameSetup;
use crate::simulator::Simulator;
use crate::tally::{Extreme, Tally};
use war::rules::{Limit, Parameters};

/// Whether the longest and the shortest game of a run take as many turns as it says when they are
/// played once more: another seed or other rules would give other games.
pub(super) fn come_again(run: &Run) -> bool {
    let (Some(longest), Some(shortest)) = (run.tally.longest, run.tally.shortest) else {
        return run.tally.finished() == 0;
    };
    let rules = GameSetup {
        parameters: up_to(run.rules.parameters, longest.turns),
        ..run.rules.clone()
    };
    let mut simulator = Simulator::new(rules, Kernel::General);
    let mut comes_again = |extreme: Extreme| {
        let mut tally = Tally::default();
        let games = extreme.game..extreme.game + 1;
        simulator.play(run.seed, games, &mut tally, |_, _| ());
        tally.longest == Some(extreme)
    };
    comes_again(longest) && comes_again(shortest)
}

/// The parameters under which a game of at most so many turns ends as ever, and no other one lasts
/// much longer.
fn up_to(parameters: Parameters, turns: u32) -> Parameters {
    match parameters.limit {
        // Such a limit names a winner.
        Some(Limit::TurnsPerCard(_)) => parameters,
        _ => parameters.with_limit(turns.saturating_add(1)),
    }
}
