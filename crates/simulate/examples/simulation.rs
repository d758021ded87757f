//! Simulates thousands of games of *bataille*, then plays the longest one again, event by event.
//!
//! ```sh
//! cargo run --release -p war-simulate --example simulation
//! ```

use std::num::NonZero;
use war::cards::{Deck, GameNumber};
use war::engine::{DealError, Game};
use war::rules::{Parameters, StandardRules};
use war_simulate::{Dealing, GameSetup, Kernel, RunPlan, TurnStatistics};

pub(crate) fn report() -> Result<String, DealError> {
    let plan = RunPlan {
        setup: GameSetup {
            parameters: Parameters::BATAILLE,
            players: 2,
            deck: Deck::Large,
            dealing: Dealing::Shuffled,
        },
        seed: 1,
        games: 10_000,
        part: 0..10_000,
        kernel: Kernel::Fastest,
    };
    // The number of threads changes the duration of the run, but none of the figures. The monitor
    // `()` neither shows progress nor stops the run.
    let jobs = NonZero::new(2).expect("two threads");
    let tally = plan.play(jobs, &()).tally;

    let mut lines = vec![format!(
        "{} games, {} of them endless\n",
        tally.games(),
        tally.endless
    )];
    if let Some(turns) = TurnStatistics::from_histogram(&tally.turns) {
        let (mean, median) = (turns.mean, turns.median);
        lines.push(format!(
            "{mean:.1} turns on average, {median} in the median\n"
        ));
    }

    // The simulator keeps no events, but a game's number is enough to play it again with them.
    if let Some(longest) = tally.longest {
        let number = GameNumber {
            seed: plan.seed,
            game: longest.game,
        };
        let dealt = plan.setup.deal(number);
        let (hands, chance) = dealt.expect("every game of a run can be dealt");
        let rules = Box::new(StandardRules::new(plan.setup.parameters));
        let game = Game::new(rules, hands)?.with_chance(Box::new(chance));
        let (game, turns, events) = (longest.game, longest.turns, game.count());
        lines.push(format!(
            "the longest is game {game}: {turns} turns, {events} events\n"
        ));
    }
    Ok(lines.concat())
}

fn main() -> Result<(), DealError> {
    print!("{}", report()?);
    Ok(())
}
