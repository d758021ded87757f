//! Standard errors of a simulation, compared with the variation between seeds.

use std::num::NonZero;
use war::cards::Deck;
use war::rules::{CLASSIC, Parameters};
use war_simulate::literature::Figure;
use war_simulate::{Dealing, ExtremeGame, GameSetup, Kernel, Run, RunPlan, Tally, share_bounds};

const SEEDS: u64 = 200;

fn tallies(parameters: Parameters, deck: &str, games: u64) -> Vec<Tally> {
    let tally = |seed| {
        let plan = RunPlan {
            setup: GameSetup {
                parameters,
                players: 2,
                deck: Deck::from_shape(deck).expect("a shape"),
                dealing: Dealing::Shuffled,
            },
            seed,
            games,
            part: 0..games,
            kernel: Kernel::Fastest,
        };
        plan.play(NonZero::<usize>::MIN, &()).tally
    };
    (0..SEEDS).map(tally).collect()
}

/// Ratio of the observed to the stated variance: the variance of the values, divided by the mean
/// square of their errors.
fn excess(estimates: &[(f64, f64)]) -> f64 {
    let count = f64::from(u32::try_from(estimates.len()).expect("few"));
    let mean = estimates.iter().map(|(value, _)| value).sum::<f64>() / count;
    let spread = estimates.iter().map(|(value, _)| (value - mean).powi(2));
    let stated = estimates.iter().map(|(_, error)| error * error);
    spread.sum::<f64>() / (count - 1.0) / (stated.sum::<f64>() / count)
}

/// Checks that the ratio is near 1. With 200 seeds the ratio has a standard deviation of 0.1:
/// `most` allows for about five of these, and for more where an error comes from few games.
#[track_caller]
fn check(what: &str, estimates: &[(f64, f64)], most: f64) {
    assert_eq!(estimates.len() as u64, SEEDS, "{what}");
    let excess = excess(estimates);
    assert!((1.0 / most..most).contains(&excess), "{what}: {excess}");
}

fn figures(tallies: &[Tally], figure: Figure) -> Vec<(f64, f64)> {
    let figure = |tally| {
        figure
            .estimate(tally)
            .map(|found| (found.value, found.error))
    };
    tallies.iter().filter_map(figure).collect()
}

#[test]
fn results_of_other_seeds_vary_by_the_standard_errors() {
    let bataille = tallies(Parameters::BATAILLE, "4x4", 1_000);
    let classic = tallies(CLASSIC.parameters, "6x4", 200);
    for (name, tallies, figure, most) in [
        ("turns", &bataille, Figure::MeanTurns, 1.6),
        ("deviation", &bataille, Figure::TurnsDeviation, 1.8),
        ("5 %", &bataille, Figure::Quantile(50), 2.5),
        ("median", &bataille, Figure::MedianTurns, 1.8),
        ("95 %", &bataille, Figure::Quantile(950), 1.8),
        ("99 %", &bataille, Figure::Quantile(990), 2.5),
        ("wars", &bataille, Figure::MeanWars, 1.6),
        ("ties", &bataille, Figure::MeanTies, 1.6),
        ("played on", &bataille, Figure::MeanPlayedOn, 1.6),
        ("pairs", &bataille, Figure::MeanPairs, 1.6),
        ("wins", &bataille, Figure::FirstWins, 1.6),
        ("classic turns", &classic, Figure::MeanTurns, 1.6),
        ("classic deviation", &classic, Figure::TurnsDeviation, 2.0),
        ("classic wars", &classic, Figure::MeanWars, 1.6),
        ("classic ties", &classic, Figure::MeanTies, 1.6),
        ("classic pairs", &classic, Figure::MeanPairs, 1.6),
        ("classic wins", &classic, Figure::FirstWins, 1.6),
        ("endless", &classic, Figure::EndlessShare, 1.6),
        ("finished", &classic, Figure::FinishedShare, 1.6),
    ] {
        check(name, &figures(tallies, figure), most);
    }
    let periods = classic.iter().filter_map(|tally| {
        let mean = tally.periods.moments.mean(tally.endless)?;
        Some((mean.value, mean.error?))
    });
    check("periods", &periods.collect::<Vec<_>>(), 2.0);
}

#[test]
fn the_upper_bound_for_zero_games_holds() {
    // By these rules, 8,545 of the 31,532,760 deals of the deck 4x4 are endless games, or one in
    // 3,690.
    let tallies = tallies(Parameters::BATAILLE, "4x4", 100);
    let known = 8_545.0 / 31_532_760.0;
    let none = tallies.iter().filter(|tally| tally.endless == 0);
    let bounds: Vec<_> = none
        .filter_map(|tally| share_bounds(tally.endless, tally.games()))
        .collect();
    assert!(bounds.len() > 150, "{} seeds without one", bounds.len());
    assert!(
        bounds
            .iter()
            .all(|(low, high)| (*low..*high).contains(&known))
    );
}

#[test]
fn joined_parts_equal_the_whole_bit_for_bit() {
    let part = |part: std::ops::Range<u64>| {
        let plan = RunPlan {
            setup: GameSetup {
                parameters: CLASSIC.parameters,
                players: 3,
                deck: Deck::Small,
                dealing: Dealing::Shuffled,
            },
            seed: u64::MAX,
            games: 300,
            part,
            kernel: Kernel::Fastest,
        };
        let run = plan.play(NonZero::<usize>::MIN, &());
        // A part stays the same if written and read back.
        let read = Run::from_json(run.to_json().as_bytes()).expect("a part");
        assert_eq!(read, run);
        read
    };
    let whole = part(0..300);
    let joined = Run::join(&[part(201..300), part(0..1), part(1..201)]).expect("a run");
    assert_eq!(joined.to_json(), whole.to_json());
    let tally = &whole.tally;
    let unfinished = tally.endless + tally.undecided;
    assert!(tally.periods.moments.squares > 0 && unfinished > 0);
    assert!(tally.played_on.sum < tally.ties.sum && tally.wars.sum < tally.ties.sum);
    assert!(
        whole
            .to_json()
            .contains("\"seed\": \"18446744073709551615\"")
    );
}

/// Returns true if a run of 50 games by these parameters is still valid as a part after a change.
fn is_part(parameters: Parameters, change: &dyn Fn(&mut Run)) -> bool {
    let plan = RunPlan {
        setup: GameSetup {
            parameters,
            players: 2,
            deck: Deck::Small,
            dealing: Dealing::Shuffled,
        },
        seed: 1,
        games: 50,
        part: 0..50,
        kernel: Kernel::Fastest,
    };
    let mut run = plan.play(NonZero::<usize>::MIN, &());
    change(&mut run);
    Run::from_json(run.to_json().as_bytes()).is_ok()
}

#[test]
fn impossible_sums_are_refused() {
    let with =
        |change: &dyn Fn(&mut Tally)| is_part(CLASSIC.parameters, &|run| change(&mut run.tally));
    assert!(with(&|_| ()));
    assert!(!with(&|tally| tally.wars.sum += 1));
    assert!(!with(&|tally| tally.ties.sum += 1));
    assert!(!with(&|tally| tally.comparisons.sum += 1));
    assert!(!with(&|tally| tally.played_on.sum = tally.ties.sum + 1));
    assert!(!with(&|tally| tally.wars.squares = 1));
    assert!(!with(&|tally| tally.comparisons.squares *= 1_000));
    assert!(!with(&|tally| tally.periods.moments.squares = 0));
}

#[test]
fn games_that_are_not_the_extremes_claimed_are_refused() {
    let with = |change: &dyn Fn(&mut Run)| is_part(Parameters::BATAILLE, change);
    let another = |extreme: &mut Option<ExtremeGame>| {
        let extreme = extreme.as_mut().expect("a game");
        extreme.game = (extreme.game + 1) % 50;
    };
    assert!(with(&|_| ()));
    assert!(!with(&|run| another(&mut run.tally.longest)));
    assert!(!with(&|run| another(&mut run.tally.shortest)));
    assert!(!with(&|run| run.seed = 2));
    assert!(!with(&|run| run.setup.parameters = CLASSIC.parameters));
}
