//! Properties of the ladder.

use proptest::prelude::*;
use std::time::Duration;
use war::tokens::{DealResult, Kind};
use war::tokens::{Decision, Hand};
use war_table::ladder::{
    HOUSE_ID, LadderPeriod, MIN_RATED_GAMES, RatedGame, Standings, day_of, start_of_day,
};
use war_table::protocol::PlayerId;
use war_table::time::WallTime;

fn game(number: u64, players: [u64; 2], tokens: [i64; 2]) -> RatedGame {
    RatedGame {
        number,
        kind: Kind::Single,
        players: players.map(PlayerId),
        tokens,
    }
}

fn rating(ladder: &Standings, id: u64) -> f64 {
    ladder.get(PlayerId(id)).expect("a player").rating()
}

fn outcomes() -> impl Strategy<Value = [i64; 2]> {
    prop::sample::select(vec![[10, -10], [-10, 10], [3, -3], [-3, 3], [-1, -1]])
}

proptest! {
    #[test]
    fn the_order_of_a_day_s_games_does_not_matter(
        played in prop::collection::vec((0..5_u64, 0..5_u64, outcomes()), 1..60),
        turned in any::<prop::sample::Index>(),
    ) {
        let games = (1..).zip(&played).map(|(number, (one, other, tokens))| game(number, [*one, *other], *tokens));
        let games: Vec<_> = games.collect();
        let mut moved = games.clone();
        moved.rotate_left(turned.index(games.len()));
        moved.reverse();
        let [mut one, mut other] = [Standings::default(), Standings::default()];
        one.rate(1, games);
        other.rate(1, moved);
        prop_assert_eq!(&one, &other);
        for (id, standing) in one.iter() {
            prop_assert!(standing.rating().is_finite() && standing.deviation() > 0.0, "{} {:?}", id, standing);
        }
    }
}

#[test]
fn only_the_first_five_games_of_a_pair_count_per_day() {
    let mut ladder = Standings::default();
    // Player 2 loses the first five games, and wins all others.
    let tokens = |number| if number <= 5 { [-10, 10] } else { [10, -10] };
    let mut games: Vec<_> = (1..=1_000)
        .map(|number| game(number, [2, 3], tokens(number)))
        .collect();
    games.reverse();
    ladder.rate(1, games.clone());
    assert_eq!(ladder.get(PlayerId(2)).expect("a player").games, 5);
    let mut five = Standings::default();
    five.rate(1, games.split_off(995));
    assert_eq!(ladder, five);
    assert!(rating(&ladder, 2) < 1_500.0);
}

#[test]
fn tokens_of_games_count_and_balances_do_not() {
    // The first player of each pair wins the whole stake, wins by a fold, or loses a token because
    // both fold.
    let mut ladder = Standings::default();
    let games = vec![
        game(1, [10, 11], [10, -10]),
        game(2, [20, 21], [3, -3]),
        game(3, [30, 31], [-1, -1]),
    ];
    ladder.rate(1, games);
    let [whole, fold, none] = [10, 20, 30].map(|id| rating(&ladder, id));
    assert!(whole > fold && fold > 1_500.0 && none < 1_500.0);
    // Both lose when both fold.
    assert_eq!(ladder.get(PlayerId(30)), ladder.get(PlayerId(31)));
    // A player who loses on purpose to a second account gains nothing in total: the winner's rating
    // rises by as much as the loser's falls.
    let lost = 1_500.0 - rating(&ladder, 11);
    assert!((whole - 1_500.0 - lost).abs() < 1e-6);
}

#[test]
fn an_isolated_pair_gains_no_more_than_five_games_a_day_allow() {
    let [mut many, mut five] = [Standings::default(), Standings::default()];
    for day in 1..=60 {
        let games = |count: u64| {
            let games = (1..=count).map(|number| game(1_000 * day + number, [2, 3], [10, -10]));
            games.collect()
        };
        many.rate(day, games(200));
        five.rate(day, games(5));
    }
    assert_eq!(many, five);
    // One player's gain is the other's loss.
    let gained = rating(&many, 2) - 1_500.0;
    let lost = 1_500.0 - rating(&many, 3);
    assert!(
        gained > 0.0 && (gained - lost).abs() < 1e-3,
        "{gained} {lost}"
    );
}

/// Tokens won by two players with one card each; `None` for a tie. Each strategy says whether to
/// play a card of this rank; rank 0 is the two.
fn duel(plays: [fn(u8) -> bool; 2], ranks: [u8; 2]) -> Option<[i64; 2]> {
    let cards = [
        "2c", "3c", "4c", "5c", "6c", "7c", "8c", "9c", "Tc", "Jc", "Qc", "Kc", "Ac",
    ];
    let hand = |rank: u8| -> Hand { vec![cards[usize::from(rank)].parse().expect("a card")] };
    let decide = |seat: usize| {
        if plays[seat](ranks[seat]) {
            Decision::Play
        } else {
            Decision::Fold
        }
    };
    match DealResult::settle(Kind::Single, [decide(0), decide(1)], &ranks.map(hand)) {
        DealResult::Deltas(deltas) => Some(deltas),
        DealResult::Tied => None,
    }
}

// According to the book, the house plays the equilibrium of the single-card game: it plays a ten or
// higher, and folds lower cards.
#[test]
fn always_playing_does_not_beat_the_equilibrium() {
    let equilibrium: fn(u8) -> bool = |rank| rank >= 8;
    let always: fn(u8) -> bool = |_| true;
    let mut deals = Vec::new();
    for one in 0..13 {
        for other in 0..13 {
            deals.extend(duel([equilibrium, always], [one, other]));
        }
    }
    let won = deals.iter().filter(|deltas| deltas[0] > 0).count();
    assert!(
        2 * won < deals.len(),
        "whoever always plays wins more games"
    );
    let mut ladder = Standings::default();
    let mut next = deals.iter().cycle();
    let mut number = 0;
    // Players 100 to 112 play the equilibrium against 200 to 212, who always play.
    for day in 1..=30 {
        let mut games = Vec::new();
        for one in 100..113 {
            for other in 200..213 {
                number += 1;
                games.push(game(number, [one, other], *next.next().expect("a deal")));
            }
        }
        ladder.rate(day, games);
    }
    let mean = |from: u64| (from..from + 13).map(|id| rating(&ladder, id)).sum::<f64>() / 13.0;
    assert!(mean(100) > mean(200), "{} {}", mean(100), mean(200));
    let shown = ladder.ranking();
    assert_eq!(shown.len(), 26);
    assert!(shown.is_sorted_by(|one, other| one.1.rating >= other.1.rating));
}

#[test]
fn players_with_few_games_are_hidden_and_nobody_plays_themselves() {
    let mut ladder = Standings::default();
    let mut number = 0;
    for day in 1..=4 {
        let mut games = Vec::new();
        for _ in 0..5 {
            number += 1;
            games.push(game(number, [2, HOUSE_ID.0], [3, -3]));
            games.push(game(100 + number, [7, 7], [10, -10]));
        }
        assert!(ladder.ranking().is_empty(), "before day {day}");
        assert_eq!(ladder.rate(day, games), [HOUSE_ID, PlayerId(2)]);
    }
    let shown: Vec<_> = ladder
        .ranking()
        .iter()
        .map(|(id, standing)| (id.0, standing.games))
        .collect();
    assert_eq!(shown, [(2, MIN_RATED_GAMES), (0, MIN_RATED_GAMES)]);
}

#[test]
fn days_are_in_utc_and_spans_end_with_the_last_one() {
    // 2026-11-23 is the 20,780th day after 1970-01-01.
    let noon = WallTime::from_millis(20_780 * 86_400_000 + 43_200_000);
    assert_eq!(day_of(noon), 20_780);
    assert_eq!(day_of(start_of_day(20_781)), 20_781);
    let before = start_of_day(20_781).saturating_sub(Duration::from_millis(1));
    assert_eq!(day_of(before), 20_780);
    let first = LadderPeriod::ALL.map(|span| span.first_day(20_780));
    assert_eq!(first, [20_774, 20_751, 0]);
    assert_eq!(
        LadderPeriod::ALL.map(|span| LadderPeriod::from_name(span.name())),
        LadderPeriod::ALL.map(Some)
    );
}
