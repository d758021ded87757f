//! Reference counts of a game, taken from the engine's events, to compare every kernel with.

use war::cards::{Rank, Xoshiro256PlusPlus};
use war::engine::{Event, Game, Outcome, tied_plays};
use war::rules::{Parameters, StandardRules};
use war_simulate::{Conclusion, DetailedResult, GameResult, Ties, WarDepthCounts};

/// Plays a game with the engine, and derives the counts of a simulation from its events.
pub fn play_by_events(
    parameters: Parameters,
    hands: Vec<Vec<Rank>>,
    chance: Xoshiro256PlusPlus,
) -> (DetailedResult, WarDepthCounts) {
    let rules = Box::new(StandardRules::new(parameters));
    let game = Game::new(rules, hands).expect("somebody holds a card");
    let mut game = game.with_chance(Box::new(chance));
    let (mut rounds, mut wars, mut depth) = (0, 0, 0);
    let (mut depths, mut ties) = (WarDepthCounts::default(), Ties::default());
    for event in game.by_ref() {
        match &event {
            Event::Clash { plays } | Event::WarRound { plays, .. } => {
                let is_tied = !tied_plays(plays).is_empty();
                if matches!(event, Event::Clash { .. }) {
                    depths.count(depth);
                    depth = 0;
                    wars += u32::from(is_tied);
                } else {
                    ties.played_on += u32::from(plays.len() > 1);
                }
                depth += usize::from(is_tied);
                ties.all += u32::from(is_tied);
                rounds += 1;
            }
            Event::FaceDown { .. } => rounds += 1,
            _ => {}
        }
    }
    depths.count(depth);
    let conclusion = match game.table().outcome().expect("an end") {
        Outcome::Won(seat) | Outcome::Stopped(Some(seat)) => Conclusion::Won(seat),
        Outcome::Drawn => Conclusion::Drawn,
        Outcome::Endless { from, to } => Conclusion::Endless {
            period: to + 1 - from,
        },
        Outcome::Stopped(None) => Conclusion::Undecided,
    };
    let turns = game.table().turn();
    let result = GameResult {
        conclusion,
        turns,
        wars,
        ties: match conclusion {
            Conclusion::Won(_) | Conclusion::Drawn => ties,
            Conclusion::Endless { .. } | Conclusion::Undecided => Ties::default(),
        },
    };
    (DetailedResult { result, rounds }, depths)
}
