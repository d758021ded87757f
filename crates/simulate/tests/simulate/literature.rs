//! Rows of published figures, compared with ours.

use std::num::NonZero;
use war::cards::Deck;
use war_simulate::literature::{
    Claim, Figure, PlaySettings, SourceGames, parse_table, share_of_sweeps, source_rows,
};
use war_simulate::{Enumeration, Estimate};

const TABLE: &str = include_str!("../../src/literature/literature.tsv");

// This test keeps `source_rows` from panicking.
#[test]
fn every_line_of_the_table_is_a_figure() {
    let rows = parse_table(TABLE).unwrap_or_else(|error| panic!("literature.tsv, {error}"));
    let figures: usize = rows.iter().map(|row| row.claims.len()).sum();
    assert_eq!(figures, TABLE.lines().count() - 1);
    assert_eq!(source_rows().len(), rows.len());
    assert!(rows.len() > 80, "{} rows", rows.len());
}

#[test]
fn a_new_row_is_a_line() {
    let line = "Somebody, a page (2026)\tpublished\t1000\tsimulate --rules household\tmean pairs\t248\t0.5\t\n";
    let rows = parse_table(&format!("{TABLE}{line}")).expect("a table");
    let row = rows.last().expect("a row");
    assert_eq!(
        (row.published_games, row.claims[0].figure, row.is_ours),
        (Some(1_000), Figure::MeanPairs, false)
    );
    assert_eq!(
        row.to_command(20, 3).as_deref(),
        Some("war simulate --rules household --games 20 --seed 3")
    );
    let playing = PlaySettings {
        games: 2_000,
        seed: 1,
        jobs: NonZero::<usize>::MIN,
    };
    let ours = playing.play_row(row, |_| ())(Figure::MeanPairs).expect("a figure");
    assert!(row.claims[0].agrees_with(ours), "{ours:?}");
}

#[test]
fn an_invalid_line_is_named_with_its_mistake() {
    let heading = TABLE.lines().next().expect("a heading");
    let good = "Source\tpublished\t\tsimulate --deck small\tmean turns\t5\t0.1\t";
    for (old, new, problem) in [
        (
            "\tpublished",
            "",
            "expected 8 columns with tabs between them, found 7",
        ),
        (
            "published",
            "printed",
            "`printed` is not a kind of source; write `published` or `reference`",
        ),
        (
            "\t\t",
            "\tmany\t",
            "`many` is not a number in the column `games`",
        ),
        (
            "\t5\t",
            "\t5,0\t",
            "`5,0` is not a number in the column `published`",
        ),
        ("0.1", "", "`` is not a number in the column `tolerance`"),
        (
            "mean turns",
            "mean tuns",
            "`mean tuns` is not a figure; take the name of one from another line",
        ),
        ("small", "smal", "`smal` is not a value of `--deck`"),
        (
            "--deck small",
            "--decks 5",
            "`--decks` is not an option of commands in this table",
        ),
        (
            "--deck small",
            "--players 3 --out-of-cards loses",
            "`--out-of-cards loses` doesn't work with 3 players",
        ),
        (
            "--deck small",
            "--deal [[1]]",
            "the hands of `--deal` can't be played: ",
        ),
        (
            "simulate --deck",
            "play",
            "`play small` is not a command of this table; ",
        ),
    ] {
        let line = good.replacen(old, new, 1);
        assert_ne!(line, good);
        let error = parse_table(&format!("{heading}\n{good}\n{line}\n")).expect_err(&line);
        let message = error.to_string();
        assert!(
            message.starts_with(&format!("line 3: {problem}")),
            "{line}: {message}"
        );
    }
    let error = parse_table(good).expect_err("a heading is missing");
    assert!(
        error
            .to_string()
            .starts_with("line 1: expected the heading `source`, tab, `kind`")
    );
}

#[test]
fn figures_of_the_same_games_may_differ_by_rounding_only() {
    let mut compared = 0;
    for row in source_rows() {
        if !matches!(
            row.games,
            SourceGames::JavaSeeds(_) | SourceGames::Enumerated(..)
        ) {
            continue;
        }
        for claim in row.claims {
            let off = |margins: f64| Estimate {
                value: claim.published + margins * claim.margin + 1e-6 * margins,
                error: 0.0,
            };
            assert!(claim.agrees_with(off(0.0)), "{claim:?}");
            assert!(!claim.agrees_with(off(1.1)), "{claim:?}");
            assert!(!claim.agrees_with(off(-1.1)), "{claim:?}");
            // Means of turns and of pairs of all deals were published with two decimals.
            let is_mean = matches!(claim.figure, Figure::MeanTurns | Figure::MeanPairs);
            let two_places = matches!(row.games, SourceGames::Enumerated(..)) && is_mean;
            let rounding = if two_places { 0.005 } else { 0.0005 };
            assert!(claim.margin <= rounding, "{claim:?}");
            compared += 1;
        }
    }
    assert!(compared > 10, "{compared} figures");
}

#[test]
fn the_literature_agrees_with_few_games() {
    const FEW_DEALS: u64 = 30_000;
    let playing = PlaySettings {
        games: 2_000,
        seed: 1,
        jobs: NonZero::<usize>::MIN,
    };
    let (mut compared, mut left_out) = (0, 0);
    for row in source_rows() {
        if let SourceGames::Enumerated(parameters, deck) = row.games {
            let all = Enumeration::new(parameters, deck).expect("a deck");
            if all.deals() > FEW_DEALS {
                left_out += 1;
                continue;
            }
        }
        let ours = playing.play_row(&row, |_| ());
        for claim in &row.claims {
            let ours = ours(claim.figure).expect("a figure");
            let claim = row.add_sampling_error(claim, ours, playing.games);
            assert!(
                claim.agrees_with(ours),
                "{}: {claim:?}, {ours:?}",
                row.source
            );
            compared += 1;
            // The comparison rejects a figure that is far off.
            let off = Claim {
                published: claim.published * 3.0 + 1.0,
                ..claim
            };
            assert!(!off.agrees_with(ours), "{}: {off:?}, {ours:?}", row.source);
        }
    }
    assert!(compared > 100, "{compared} figures were compared");
    assert!(left_out < 6, "{left_out} rows");
}

/// Returns the number of orders of the cards from index `from` on, and the number of those in which
/// each card at an even place is higher than the next one.
fn count_orders(cards: &mut [u8], from: usize) -> (u32, u32) {
    if from == cards.len() {
        let sweeps = cards.chunks(2).all(|pair| pair[0] > pair[1]);
        return (1, u32::from(sweeps));
    }
    let (mut all, mut sweeps) = (0, 0);
    for other in from..cards.len() {
        cards.swap(from, other);
        let more = count_orders(cards, from + 1);
        (all, sweeps) = (all + more.0, sweeps + more.1);
        cards.swap(from, other);
    }
    (all, sweeps)
}

#[test]
fn the_share_of_sweeps_matches_a_full_count() {
    for shape in ["2x1", "4x1", "8x1", "2x2", "3x2", "4x2", "2x4"] {
        let deck = Deck::from_shape(shape).expect("a shape");
        let mut cards = deck
            .cards()
            .iter()
            .map(|card| card.get())
            .collect::<Vec<_>>();
        let (all, sweeps) = count_orders(&mut cards, 0);
        let share = f64::from(sweeps) / f64::from(all);
        assert!(
            (share_of_sweeps(deck) / share - 1.0).abs() < 1e-12,
            "{shape}"
        );
    }
    let odd = Deck::from_shape("5x1").expect("a shape");
    assert!(share_of_sweeps(odd).abs() < f64::EPSILON);
}
