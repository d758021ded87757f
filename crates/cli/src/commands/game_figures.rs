//! Figures of a recorded game for other programs, as JSON or CSV.

use clap::ValueEnum;
use serde_json::{Map, Value, json};
use war::journal::RecordedRules;
use war::projections::statistics::{
    Statistics, TokenPlayerStatistics, TokenStatistics, WarPlayerStatistics, WarStatistics,
};

/// Format of figures for other programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FigureFormat {
    /// A JSON object of the game, with its players
    Json,
    /// Comma-separated values, a row for each player
    Csv,
}

/// Named figures of a player, in the order of the columns; a missing one is `None`.
type PlayerFigures = Vec<(&'static str, Option<i64>)>;

/// Formats the figures of a game.
pub(super) fn format_figures(
    format: FigureFormat,
    rules: &RecordedRules,
    statistics: &Statistics,
) -> String {
    let (game, players) = match rules {
        RecordedRules::War { .. } => {
            let players = statistics.war.players().iter().map(war_player);
            (war_game(&statistics.war), players.collect::<Vec<_>>())
        }
        RecordedRules::Tokens(_) => {
            let players = statistics.tokens.players().iter().map(token_player);
            (token_game(&statistics.tokens), players.collect())
        }
    };
    match format {
        FigureFormat::Json => format_json(rules.id(), game, &players),
        FigureFormat::Csv => format_csv(&players),
    }
}

fn war_game(war: &WarStatistics) -> Vec<(&'static str, Value)> {
    let longest = war
        .longest_war()
        .map(|longest| json!({"cards": longest.cards, "turn": longest.turn}));
    let largest = war
        .largest_pile()
        .map(|pile| json!({"cards": pile.cards, "player": pile.seat.number(), "turn": pile.turn}));
    vec![
        ("turns", war.turns().into()),
        ("wars", war.wars().into()),
        ("longest_war", longest.into()),
        ("largest_pile", largest.into()),
        ("lead_changes", war.lead_changes().into()),
    ]
}

fn token_game(tokens: &TokenStatistics) -> Vec<(&'static str, Value)> {
    vec![
        ("deals", tokens.deals().into()),
        ("ties", tokens.ties().into()),
    ]
}

fn war_player(player: &WarPlayerStatistics) -> PlayerFigures {
    let cards = |cards: usize| i64::try_from(cards).ok();
    vec![
        ("dealt", cards(player.dealt)),
        ("max_cards", cards(player.max_cards)),
        ("max_cards_turn", Some(player.max_cards_turn.into())),
        ("cards", cards(player.cards)),
        ("turns_won", Some(player.turns_won.into())),
        ("wars_won", Some(player.wars_won.into())),
        ("out_turn", player.out_turn.map(i64::from)),
    ]
}

fn token_player(player: &TokenPlayerStatistics) -> PlayerFigures {
    vec![
        ("played", Some(player.played.into())),
        ("folded", Some(player.folded.into())),
        ("timed_out", Some(player.timed_out.into())),
        ("tokens", player.tokens),
    ]
}

fn format_json(rules: &str, game: Vec<(&str, Value)>, players: &[PlayerFigures]) -> String {
    let players = (1..).zip(players).map(|(number, figures): (i64, _)| {
        let mut player = Map::from_iter([("player".to_owned(), number.into())]);
        player.extend(
            figures
                .iter()
                .map(|&(name, figure)| (name.to_owned(), figure.into())),
        );
        Value::Object(player)
    });
    let mut all = Map::from_iter([("rules".to_owned(), rules.into())]);
    all.extend(
        game.into_iter()
            .map(|(name, figure)| (name.to_owned(), figure)),
    );
    all.insert("players".to_owned(), players.collect());
    format!("{:#}\n", Value::Object(all))
}

fn format_csv(players: &[PlayerFigures]) -> String {
    let names = players.first().into_iter().flatten().map(|(name, _)| *name);
    let header = ["player"].into_iter().chain(names);
    let mut csv = header.collect::<Vec<_>>().join(",") + "\n";
    for (number, figures) in (1..).zip(players) {
        let cells = figures
            .iter()
            .map(|(_, figure)| figure.map(|figure| figure.to_string()));
        let row = [Some(i32::to_string(&number))].into_iter().chain(cells);
        let row = row.map(Option::unwrap_or_default);
        csv += &(row.collect::<Vec<_>>().join(",") + "\n");
    }
    csv
}
