use super::claim::{Claim, Figure, Games, Row};
use crate::setup::{Dealing, GameSetup};
use war::cards::{Deck, Rank};
use war::rules::Parameters;

const SOURCE: &str = "cristal-smac/bataille, records of Delahaye and Mathieu (2025)";

/// A deal with what it comes to by the rules of bataille.
struct Deal {
    name: &'static str,
    /// The hands as a scenario file has them.
    hands: &'static str,
    ends: Ends,
}

/// How a game ends.
enum Ends {
    After { turns: u32, pairs: u32 },
    Never { period: u32 },
}

macro_rules! deal {
    ($name:literal, $ends:expr) => {
        Deal {
            name: $name,
            hands: include_str!(concat!("../../../../scenarios/literature/", $name, ".json")),
            ends: $ends,
        }
    };
}

/// The longest games known of a deck, and games without an end.
const DEALS: [Deal; 34] = [
    deal!("bataille_2x4", Ends::After { turns: 4, pairs: 8 }),
    deal!(
        "bataille_3x4",
        Ends::After {
            turns: 37,
            pairs: 54
        }
    ),
    deal!("bataille_3x4_endless", Ends::Never { period: 19 }),
    deal!(
        "bataille_4x4",
        Ends::After {
            turns: 142,
            pairs: 192
        }
    ),
    deal!("bataille_4x4_endless", Ends::Never { period: 24 }),
    deal!(
        "bataille_5x4",
        Ends::After {
            turns: 453,
            pairs: 562
        }
    ),
    deal!(
        "bataille_6x4",
        Ends::After {
            turns: 994,
            pairs: 1190
        }
    ),
    deal!("bataille_6x4_endless", Ends::Never { period: 36 }),
    deal!(
        "bataille_7x4",
        Ends::After {
            turns: 1611,
            pairs: 1880
        }
    ),
    deal!(
        "bataille_8x4",
        Ends::After {
            turns: 2308,
            pairs: 2602
        }
    ),
    deal!("bataille_8x4_endless", Ends::Never { period: 48 }),
    deal!(
        "bataille_9x4",
        Ends::After {
            turns: 2708,
            pairs: 3024
        }
    ),
    deal!(
        "bataille_10x4",
        Ends::After {
            turns: 3745,
            pairs: 4120
        }
    ),
    deal!(
        "bataille_11x4",
        Ends::After {
            turns: 4211,
            pairs: 4582
        }
    ),
    deal!("bataille_11x4_endless", Ends::Never { period: 1152 }),
    deal!(
        "bataille_12x4",
        Ends::After {
            turns: 4913,
            pairs: 5346
        }
    ),
    deal!(
        "bataille_13x4",
        Ends::After {
            turns: 5610,
            pairs: 6038
        }
    ),
    deal!("bataille_2x1", Ends::After { turns: 1, pairs: 1 }),
    deal!("bataille_3x1", Ends::After { turns: 3, pairs: 3 }),
    deal!("bataille_4x1", Ends::After { turns: 6, pairs: 6 }),
    deal!("bataille_5x1", Ends::After { turns: 8, pairs: 8 }),
    deal!(
        "bataille_6x1",
        Ends::After {
            turns: 15,
            pairs: 15
        }
    ),
    deal!(
        "bataille_7x1",
        Ends::After {
            turns: 15,
            pairs: 15
        }
    ),
    deal!("bataille_7x1_endless", Ends::Never { period: 8 }),
    deal!(
        "bataille_8x1",
        Ends::After {
            turns: 26,
            pairs: 26
        }
    ),
    deal!(
        "bataille_9x1",
        Ends::After {
            turns: 28,
            pairs: 28
        }
    ),
    deal!(
        "bataille_10x1",
        Ends::After {
            turns: 49,
            pairs: 49
        }
    ),
    deal!(
        "bataille_12x1",
        Ends::After {
            turns: 74,
            pairs: 74
        }
    ),
    deal!(
        "bataille_16x1",
        Ends::After {
            turns: 246,
            pairs: 246
        }
    ),
    deal!(
        "bataille_22x1",
        Ends::After {
            turns: 1391,
            pairs: 1391
        }
    ),
    deal!(
        "bataille_24x1",
        Ends::After {
            turns: 886,
            pairs: 886
        }
    ),
    deal!(
        "bataille_32x1",
        Ends::After {
            turns: 1810,
            pairs: 1810
        }
    ),
    deal!(
        "bataille_48x1",
        Ends::After {
            turns: 4146,
            pairs: 4146
        }
    ),
    deal!(
        "bataille_64x1",
        Ends::After {
            turns: 7568,
            pairs: 7568
        }
    ),
];

/// A row for each deal.
pub(super) fn rows() -> impl Iterator<Item = Row> {
    DEALS.iter().map(Deal::row)
}

impl Deal {
    fn row(&self) -> Row {
        let exact = |figure, published: u32| Claim::new(figure, published.into(), 0.0);
        Row {
            source: SOURCE,
            games: Games::One(GameSetup {
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
            claims: match self.ends {
                Ends::After { turns, pairs } => vec![
                    exact(Figure::Longest, turns),
                    exact(Figure::MostPairs, pairs),
                ],
                Ends::Never { period } => vec![exact(Figure::Period, period)],
            },
        }
    }

    /// The hands, top card first; none where the file holds no cards, and then nothing is played.
    fn hands(&self) -> Vec<Vec<Rank>> {
        let numbers: Vec<Vec<u8>> = serde_json::from_str(self.hands).unwrap_or_default();
        let ranks = |hand: Vec<u8>| hand.into_iter().filter_map(Rank::new).collect();
        numbers.into_iter().map(ranks).collect()
    }
}
