//! Figures of the token games, compared with the library. Those on the page were computed from a
//! list of all pairs of hands, by a program in another language.

use super::page::Page;
use crate::support::project;
use serde_json::Value;
use std::fs;
use war::cards::{Card, Rank};
use war::tokens::equilibrium::Strategy;
use war::tokens::{Decision, Hand, Kind};

/// Tables below a heading: the cells of their rows, without the headings of the columns.
fn tables(heading: &str) -> Vec<Vec<Vec<String>>> {
    let page = Page::read("docs/reference/figures.md");
    let lines = page.lines.iter().skip_while(|line| *line != heading);
    let lines: Vec<_> = lines.collect();
    let tables = lines.split(|line| !line.starts_with('|'));
    let tables = tables.filter(|table| !table.is_empty());
    tables
        .map(|table| table[2..].iter().map(|line| cells(line)).collect())
        .collect()
}

fn cells(line: &str) -> Vec<String> {
    let cells = line.trim_matches('|').split('|');
    cells.map(|cell| cell.trim().to_owned()).collect()
}

#[track_caller]
fn assert_rounded(shown: &str, exact: f64) {
    let value: f64 = shown.replace('−', "-").parse().expect("a number");
    assert!((value - exact).abs() <= 0.000_5, "{shown}: {exact}");
}

/// Ranks of a hand such as `queen 10`.
fn ranks(hand: &str) -> Vec<Rank> {
    let rank = |word| match word {
        "jack" => Rank::new(11),
        "queen" => Rank::new(12),
        "king" => Rank::new(13),
        "ace" => Rank::new(14),
        number => number.parse().ok().and_then(Rank::new),
    };
    hand.split(' ')
        .map(|word| rank(word).expect("a rank"))
        .collect()
}

fn ranks_of(hand: &Hand) -> Vec<Rank> {
    hand.iter().copied().map(Card::rank).collect()
}

#[test]
fn the_figures_of_token_games_are_those_of_the_library() {
    let tables = tables("## Token games");
    let [strategies, hands @ ..] = &tables[..] else {
        panic!("{tables:?}");
    };
    assert_eq!((strategies.len(), hands.len()), (3, Kind::ALL.len()));
    for (column, kind) in Kind::ALL.into_iter().enumerate() {
        let house = Strategy::compute_equilibrium(kind);
        for row in strategies {
            let value = match &*row[0] {
                "the same as the house" => house.value(),
                "always play" => Strategy::always(kind, Decision::Play).value_against(&house),
                "always fold" => Strategy::always(kind, Decision::Fold).value_against(&house),
                other => panic!("{other}"),
            };
            assert_rounded(&row[1 + column], value);
        }
        assert_hands(&house, &hands[column]);
    }
}

/// Values for a player who follows the strategy of the house, who always plays, and who always
/// folds, each for both kinds of games.
fn losses() -> [[f64; 2]; 3] {
    let houses = Kind::ALL.map(Strategy::compute_equilibrium);
    let always = |decision| {
        let lost =
            |kind: Kind| Strategy::always(kind, decision).value_against(&houses[kind as usize]);
        Kind::ALL.map(|kind| -lost(kind))
    };
    let house = [-houses[0].value(), -houses[1].value()];
    [house, always(Decision::Play), always(Decision::Fold)]
}

#[test]
fn players_read_what_the_strategies_lose() {
    let guide = Page::read("docs/guides/table-players.md").lines.join(" ");
    let [[house, house_2], [play, play_2], [fold, fold_2]] = losses();
    for shown in [
        format!("each loses {house:.4} tokens a game on average, or {house_2:.4} with two cards"),
        format!("you lose {play:.4} or {play_2:.4} if you play every hand"),
        format!("and {fold:.4} or {fold_2:.4} if you fold every hand"),
    ] {
        assert!(guide.contains(&shown), "{shown}");
    }
    for lang in ["en", "pl"] {
        let path = project().join(format!("i18n/page.{lang}.json"));
        let words = fs::read_to_string(path).expect("the words");
        let words: Value = serde_json::from_str(&words).expect("JSON");
        let text = words["how-cost"].as_str().expect("a text");
        let numbers = text.split(|letter: char| !letter.is_ascii_digit());
        let numbers: Vec<_> = numbers.filter(|digits| !digits.is_empty()).collect();
        let expected = losses().concat().into_iter();
        let expected = expected.map(|tokens| format!("{:.0}", tokens * 100.0));
        let expected: Vec<_> = ["100".to_owned()].into_iter().chain(expected).collect();
        assert_eq!(numbers, expected, "{lang}");
    }
}

/// Compares the rows of a table with the values of the hands, each of which must have a row.
#[track_caller]
fn assert_hands(house: &Strategy, rows: &[Vec<String>]) {
    let mut hands = house.hand_values();
    for row in rows {
        let (first, last) = row[0].split_once(" to ").unwrap_or((&row[0], &row[0]));
        let range = ranks(first)..=ranks(last);
        let (listed, others): (Vec<_>, Vec<_>) = hands
            .into_iter()
            .partition(|values| range.contains(&ranks_of(&values.hand)));
        assert!(!listed.is_empty(), "{row:?}");
        for values in listed {
            assert_rounded(&row[1], values.play);
            assert_rounded(&row[2], values.fold);
        }
        hands = others;
    }
    assert!(hands.is_empty(), "{hands:?}");
}
