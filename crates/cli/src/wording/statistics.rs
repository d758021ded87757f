//! The statistics of a game, as a table for people.

use war::i18n::{Catalogue, Count, Text, text};
use war::journal::RecordedRules;
use war::projections::statistics::{
    Statistics, TokenPlayer, TokenStatistics, WarPlayer, WarStatistics,
};
use war_simulate::plot::chart;

/// What stands where a player has no such figure.
const NOTHING: &str = "-";

/// The titles of a drawing of a game by these rules.
pub(crate) fn drawing_titles(rules: &RecordedRules, statistics: &Statistics) -> [Text; 2] {
    let war = &statistics.war;
    [
        text!(
            StatsPlotTitle,
            rules = rules.id(),
            players = war.players().len()
        ),
        text!(
            StatsPlotFigures,
            turns = Count(war.turns().into()),
            wars = Count(war.wars().into()),
            changes = Count(war.lead_changes().into())
        ),
    ]
}

/// All there is to say of a game by these rules: its figures, those of its players, and the
/// chart of their cards, if it has any.
pub(crate) fn statistics_text(
    rules: &RecordedRules,
    statistics: &Statistics,
    catalogue: &Catalogue,
) -> String {
    let (figures, players, chart) = match rules {
        RecordedRules::War { .. } => {
            let war = &statistics.war;
            let chart = chart(war.course());
            (
                war_text(rules.id(), war),
                war_players(war, catalogue),
                chart,
            )
        }
        RecordedRules::Tokens(_) => {
            let tokens = &statistics.tokens;
            let players = token_players(tokens, catalogue);
            (token_text(rules.id(), tokens), players, String::new())
        }
    };
    let mut all = catalogue.text(&figures);
    all.push_str("\n\n");
    all.push_str(&table(&players, catalogue));
    if !chart.is_empty() {
        let title = catalogue.text(&text!(StatsChart));
        all.extend(["\n", &title, "\n\n", &chart]);
    }
    all
}

fn war_text(rules: &str, war: &WarStatistics) -> Text {
    let longest = war.longest_war().map_or(text!(StatsNone), |longest| {
        let (cards, turn) = (Count(longest.cards.into()), Count(longest.turn.into()));
        text!(StatsLongest, cards = cards, turn = turn)
    });
    let largest = war.largest_pile().map_or(text!(StatsNone), |pile| {
        text!(
            StatsLargest,
            cards = Count(pile.cards as u64),
            player = pile.seat.to_string(),
            turn = Count(pile.turn.into())
        )
    });
    text!(
        StatsWar,
        rules = rules,
        turns = Count(war.turns().into()),
        wars = Count(war.wars().into()),
        longest = longest,
        largest = largest,
        changes = Count(war.lead_changes().into())
    )
}

fn token_text(rules: &str, tokens: &TokenStatistics) -> Text {
    text!(
        StatsTokens,
        rules = rules,
        deals = Count(tokens.deals().into()),
        ties = Count(tokens.ties().into())
    )
}

/// A table of texts: its heads, and a row for each player.
struct Players {
    heads: Vec<Text>,
    rows: Vec<Vec<String>>,
}

fn war_players(war: &WarStatistics, catalogue: &Catalogue) -> Players {
    let row = |player: &WarPlayer| {
        let cards = [player.dealt, player.most].map(|cards| catalogue.count(&cards));
        let turns = [player.turns_won, player.wars_won].map(|turns| catalogue.count(&turns));
        let most_in = catalogue.count(&player.most_in);
        let held = catalogue.count(&player.cards);
        let out = player.out_in.map(|turn| catalogue.count(&turn));
        let out = out.unwrap_or_else(|| NOTHING.to_owned());
        let row = cards.into_iter().chain([most_in, held]).chain(turns);
        row.chain([out]).collect()
    };
    Players {
        heads: vec![
            text!(StatsDealt),
            text!(StatsMost),
            text!(StatsMostIn),
            text!(StatsHeld),
            text!(StatsTurnsWon),
            text!(StatsWarsWon),
            text!(StatsOutIn),
        ],
        rows: war.players().iter().map(row).collect(),
    }
}

fn token_players(tokens: &TokenStatistics, catalogue: &Catalogue) -> Players {
    let row = |player: &TokenPlayer| {
        let hands = [player.played, player.folded, player.timed_out];
        let hands = hands.map(|hands| catalogue.count(&hands)).into_iter();
        let won = player.tokens.map(|tokens| format!("{tokens:+}"));
        let won = won.unwrap_or_else(|| NOTHING.to_owned());
        hands.chain([won]).collect()
    };
    Players {
        heads: vec![
            text!(StatsPlayed),
            text!(StatsFolded),
            text!(StatsTimedOut),
            text!(StatsWonTokens),
        ],
        rows: tokens.players().iter().map(row).collect(),
    }
}

/// The rows under their heads, numbered, each column as wide as its widest text.
fn table(players: &Players, catalogue: &Catalogue) -> String {
    let player = text!(StatsPlayer);
    let heads = [&player].into_iter().chain(&players.heads);
    let heads: Vec<_> = heads.map(|head| catalogue.text(head)).collect();
    let numbered = (1..).zip(&players.rows).map(|(number, row): (usize, _)| {
        let number = [number.to_string()].into_iter();
        number.chain(row.iter().cloned()).collect::<Vec<_>>()
    });
    let rows: Vec<_> = [heads].into_iter().chain(numbered).collect();
    let width = |column: usize| {
        let widths = rows.iter().map(|row| row[column].chars().count());
        widths.max().unwrap_or_default()
    };
    let widths: Vec<_> = (0..=players.heads.len()).map(width).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths);
        let cells: Vec<_> = cells
            .map(|(cell, width)| format!("{cell:>width$}"))
            .collect();
        cells.join("  ") + "\n"
    };
    rows.iter().map(line).collect()
}
