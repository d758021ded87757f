use super::claim::{Claim, Figure, SourceGames, SourceRow};
use crate::setup::{Dealing, GameSetup};
use war::cards::{Deck, Rank};
use war::rules::Parameters;

const SOURCE: &str = "cristal-smac/bataille, records of Delahaye and Mathieu (2025)";

/// Deal with its outcome by the rules of bataille.
struct KnownDeal {
    name: &'static str,
    /// Hands, as in a scenario file.
    hands: &'static str,
    outcome: DealOutcome,
}

/// Outcome of a deal.
enum DealOutcome {
    Finite { turns: u32, pairs: u32 },
    Endless { period: u32 },
}

macro_rules! deal {
    ($name:literal, $outcome:expr) => {
        KnownDeal {
            name: $name,
            hands: include_str!(concat!("../../../../scenarios/literature/", $name, ".json")),
            outcome: $outcome,
        }
    };
}

/// Deals that lead to the longest known games of their deck, and to endless games.
const DEALS: [KnownDeal; 34] = [
    deal!("bataille_2x4", DealOutcome::Finite { turns: 4, pairs: 8 }),
    deal!(
        "bataille_3x4",
        DealOutcome::Finite {
            turns: 37,
            pairs: 54
        }
    ),
    deal!("bataille_3x4_endless", DealOutcome::Endless { period: 19 }),
    deal!(
        "bataille_4x4",
        DealOutcome::Finite {
            turns: 142,
            pairs: 192
        }
    ),
    deal!("bataille_4x4_endless", DealOutcome::Endless { period: 24 }),
    deal!(
        "bataille_5x4",
        DealOutcome::Finite {
            turns: 453,
            pairs: 562
        }
    ),
    deal!(
        "bataille_6x4",
        DealOutcome::Finite {
            turns: 994,
            pairs: 1190
        }
    ),
    deal!("bataille_6x4_endless", DealOutcome::Endless { period: 36 }),
    deal!(
        "bataille_7x4",
        DealOutcome::Finite {
            turns: 1611,
            pairs: 1880
        }
    ),
    deal!(
        "bataille_8x4",
        DealOutcome::Finite {
            turns: 2308,
            pairs: 2602
        }
    ),
    deal!("bataille_8x4_endless", DealOutcome::Endless { period: 48 }),
    deal!(
        "bataille_9x4",
        DealOutcome::Finite {
            turns: 2708,
            pairs: 3024
        }
    ),
    deal!(
        "bataille_10x4",
        DealOutcome::Finite {
            turns: 3745,
            pairs: 4120
        }
    ),
    deal!(
        "bataille_11x4",
        DealOutcome::Finite {
            turns: 4211,
            pairs: 4582
        }
    ),
    deal!(
        "bataille_11x4_endless",
        DealOutcome::Endless { period: 1152 }
    ),
    deal!(
        "bataille_12x4",
        DealOutcome::Finite {
            turns: 4913,
            pairs: 5346
        }
    ),
    deal!(
        "bataille_13x4",
        DealOutcome::Finite {
            turns: 5610,
            pairs: 6038
        }
    ),
    deal!("bataille_2x1", DealOutcome::Finite { turns: 1, pairs: 1 }),
    deal!("bataille_3x1", DealOutcome::Finite { turns: 3, pairs: 3 }),
    deal!("bataille_4x1", DealOutcome::Finite { turns: 6, pairs: 6 }),
    deal!("bataille_5x1", DealOutcome::Finite { turns: 8, pairs: 8 }),
    deal!(
        "bataille_6x1",
        DealOutcome::Finite {
            turns: 15,
            pairs: 15
        }
    ),
    deal!(
        "bataille_7x1",
        DealOutcome::Finite {
            turns: 15,
            pairs: 15
        }
    ),
    deal!("bataille_7x1_endless", DealOutcome::Endless { period: 8 }),
    deal!(
        "bataille_8x1",
        DealOutcome::Finite {
            turns: 26,
            pairs: 26
        }
    ),
    deal!(
        "bataille_9x1",
        DealOutcome::Finite {
            turns: 28,
            pairs: 28
        }
    ),
    deal!(
        "bataille_10x1",
        DealOutcome::Finite {
            turns: 49,
            pairs: 49
        }
    ),
    deal!(
        "bataille_12x1",
        DealOutcome::Finite {
            turns: 74,
            pairs: 74
        }
    ),
    deal!(
        "bataille_16x1",
        DealOutcome::Finite {
            turns: 246,
            pairs: 246
        }
    ),
    deal!(
        "bataille_22x1",
        DealOutcome::Finite {
            turns: 1391,
            pairs: 1391
        }
    ),
    deal!(
        "bataille_24x1",
        DealOutcome::Finite {
            turns: 886,
            pairs: 886
        }
    ),
    deal!(
        "bataille_32x1",
        DealOutcome::Finite {
            turns: 1810,
            pairs: 1810
        }
    ),
    deal!(
        "bataille_48x1",
        DealOutcome::Finite {
            turns: 4146,
            pairs: 4146
        }
    ),
    deal!(
        "bataille_64x1",
        DealOutcome::Finite {
            turns: 7568,
            pairs: 7568
        }
    ),
];

/// Returns a row for each deal.
pub(super) fn known_deal_rows() -> impl Iterator<Item = SourceRow> {
    DEALS.iter().map(KnownDeal::row)
}

impl KnownDeal {
    fn row(&self) -> SourceRow {
        let exact = |figure, published: u32| Claim::new(figure, published.into(), 0.0);
        SourceRow {
            source: SOURCE,
            games: SourceGames::SingleGame(GameSetup {
                parameters: Parameters::BATAILLE,
                players: 2,
                deck: Deck::Large,
                dealing: Dealing::Given {
                    name: self.name.to_owned(),
                    hands: self.hands(),
                },
            }),
            is_ours: false,
            published_games: None,
            claims: match self.outcome {
                DealOutcome::Finite { turns, pairs } => vec![
                    exact(Figure::MostTurns, turns),
                    exact(Figure::MostPairs, pairs),
                ],
                DealOutcome::Endless { period } => vec![exact(Figure::Period, period)],
            },
        }
    }

    /// Returns the hands, top card first; empty if the file can't be parsed, so that no game is
    /// played.
    fn hands(&self) -> Vec<Vec<Rank>> {
        let numbers: Vec<Vec<u8>> = serde_json::from_str(self.hands).unwrap_or_default();
        let ranks = |hand: Vec<u8>| hand.into_iter().filter_map(Rank::new).collect();
        numbers.into_iter().map(ranks).collect()
    }
}
