//! Values of decisions against the house's strategy, for the page and for programs.

use crate::room::format_ranks;
use crate::server::hub::EQUILIBRIA;
use std::collections::BTreeMap;
use war::tokens::Kind;

/// Formats the values as JSON: for each kind of game and each hand, named by its ranks, the expected
/// tokens of playing and of folding, rounded to hundredths.
pub(super) fn to_json() -> String {
    let round = |tokens: f64| (tokens * 100.0).round() / 100.0;
    let kinds = Kind::ALL.iter().zip(EQUILIBRIA.iter());
    let kinds = kinds.map(|(kind, strategy)| {
        let hands = strategy.hand_values().into_iter();
        let hands = hands.map(|values| {
            let ranks = format_ranks(&values.hand);
            (ranks, [round(values.play), round(values.fold)])
        });
        (kind.name(), hands.collect::<BTreeMap<_, _>>())
    });
    let kinds: BTreeMap<_, _> = kinds.collect();
    serde_json::to_string(&kinds).expect("the values are plain numbers")
}
