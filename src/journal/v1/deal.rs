use super::event::{ANY_RANK, Card};
use super::player::Player;
use crate::cards::{Generator, UnknownGenerator};
use crate::journal::header::{Committed, Deal, RecordedRules};
use crate::journal::problem::HeaderError;
use crate::rules::{Variant, XY};
use crate::support::hex::Hex;
use crate::tokens::{self, Secret, TokenRules};
use serde::{Deserialize, Serialize};

/// Where the cards come from.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(in crate::journal) enum DealRecord {
    Shuffled {
        generator: String,
        seed: String,
    },
    Scenario {
        name: String,
    },
    Imported {},
    Committed {
        generator: String,
        game: u64,
        commitment: Hex<32>,
        seed: Hex<32>,
    },
    Fixed {
        generator: String,
        seed: String,
        player: Player,
        cards: Vec<Card<ANY_RANK>>,
    },
}

impl DealRecord {
    /// The record of where these rules have their cards from.
    pub(super) fn new(rules: &RecordedRules) -> Self {
        let deal = match rules {
            RecordedRules::War { deal, .. } => deal,
            RecordedRules::Tokens(committed) => {
                return Self::Committed {
                    generator: tokens::SHUFFLE.to_owned(),
                    game: committed.game,
                    commitment: committed.commitment,
                    seed: committed.secret.reveal(),
                };
            }
        };
        match deal {
            Deal::Shuffled { generator } => Self::Shuffled {
                generator: generator.name().to_owned(),
                seed: generator.seed(),
            },
            Deal::Fixed {
                generator,
                seat,
                cards,
            } => Self::Fixed {
                generator: generator.name().to_owned(),
                seed: generator.seed(),
                player: Player(*seat),
                cards: cards.iter().copied().map(Card).collect(),
            },
            Deal::Scenario { name } => Self::Scenario { name: name.clone() },
            Deal::Imported => Self::Imported {},
        }
    }

    /// Whether the cards follow from a commitment, as those of token games do.
    pub(super) const fn is_committed(&self) -> bool {
        matches!(self, Self::Committed { .. })
    }

    /// Where the cards of a game of this variant come from.
    pub(super) fn of_war(self, variant: &Variant) -> Result<Deal, HeaderError> {
        let deal = self.of_any_war()?;
        if goes_with(variant, &deal) {
            Ok(deal)
        } else {
            Err(HeaderError::BadDeal)
        }
    }

    /// Where the cards of a game of War by any rules come from.
    pub(super) fn of_any_war(self) -> Result<Deal, HeaderError> {
        match self {
            Self::Shuffled { generator, seed } => Ok(Deal::Shuffled {
                generator: generator_of(generator, seed)?,
            }),
            Self::Fixed {
                generator,
                seed,
                player,
                cards,
            } => Ok(Deal::Fixed {
                generator: generator_of(generator, seed)?,
                seat: player.0,
                cards: cards.into_iter().map(|card| card.0).collect(),
            }),
            Self::Scenario { name } if name.contains(['/', '\0']) => {
                Err(HeaderError::BadName(name))
            }
            Self::Scenario { name } => Ok(Deal::Scenario { name }),
            Self::Imported {} => Ok(Deal::Imported),
            Self::Committed { .. } => Err(HeaderError::BadDeal),
        }
    }

    /// The token game by these rules whose cards come from here.
    pub(super) fn of_tokens(self, rules: TokenRules) -> Result<Committed, HeaderError> {
        match self {
            Self::Committed { generator, .. } if generator != tokens::SHUFFLE => {
                Err(match Generator::named(&generator, "") {
                    Err(UnknownGenerator::Name) => HeaderError::UnknownGenerator(generator),
                    _ => HeaderError::BadDeal,
                })
            }
            Self::Committed {
                game,
                commitment,
                seed,
                ..
            } => Ok(Committed {
                rules,
                game,
                commitment,
                secret: Secret::new(seed),
            }),
            _ => Err(HeaderError::BadDeal),
        }
    }
}

/// Whether a game of this variant can have its cards from here.
///
/// Every edition is dealt by a generator of its own and by that of simulated games; tables are
/// printed elsewhere in the X/Y edition alone, which has no scenarios.
fn goes_with(variant: &Variant, deal: &Deal) -> bool {
    let is_xy = variant.id == XY.id;
    match deal {
        Deal::Shuffled { generator } => match generator {
            Generator::ChaCha8 { .. } => !is_xy && !variant.is_custom(),
            Generator::JavaRandom { .. } => is_xy,
            Generator::Xoshiro256PlusPlus { .. } => is_simulated(variant),
        },
        Deal::Fixed { generator, .. } => {
            matches!(generator, Generator::Xoshiro256PlusPlus { .. }) && is_simulated(variant)
        }
        Deal::Imported => is_xy,
        Deal::Scenario { .. } => !is_xy,
    }
}

/// Whether games of this variant are simulated: strategies that were asked for by name are not.
fn is_simulated(variant: &Variant) -> bool {
    variant.is_custom() || variant.is_an_edition()
}

fn generator_of(name: String, seed: String) -> Result<Generator, HeaderError> {
    Generator::named(&name, &seed).map_err(|error| match error {
        UnknownGenerator::Name if name == tokens::SHUFFLE => HeaderError::BadDeal,
        UnknownGenerator::Name => HeaderError::UnknownGenerator(name),
        UnknownGenerator::Seed => HeaderError::BadSeed {
            generator: name,
            seed,
        },
    })
}
