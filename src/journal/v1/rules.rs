use super::event::{ANY_RANK, Card, Player};
use crate::cards::{Generator, UnknownGenerator};
use crate::journal::header::{Committed, Deal, RecordedRules};
use crate::journal::problem::HeaderError;
use crate::rules::{
    Collect, Draw, Limit, OutOfCards, Parameters, Piles, Repeated, Rulebook, RulesId, Ruleset,
    VARIANTS, Variant, XY,
};
use crate::support::hex::Hex;
use crate::tokens::{self, Secret, TokenRules};
use serde::{Deserialize, Deserializer, Serialize, de};

const ENDS: &str = "ends";

const GOES_ON: &str = "goes-on";

/// The rules: those of War with their parameters, token games and a program's own rules by
/// their name alone.
#[derive(Serialize)]
#[serde(untagged)]
pub(in crate::journal) enum RulesRecord {
    War(WarRules),
    Own { id: String },
    Tokens { id: String },
}

#[derive(Serialize, PartialEq, Eq)]
pub(in crate::journal) struct WarRules {
    id: String,
    face_down: u8,
    collect: String,
    out_of_cards: String,
    /// What becomes of hands that come back: only where the id does not say it.
    #[serde(skip_serializing_if = "Option::is_none")]
    repetition: Option<String>,
    /// The limit, where there is one and the id does not say it.
    #[serde(skip_serializing_if = "Option::is_none")]
    max_turns: Option<u32>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RulesFields {
    id: String,
    #[serde(default, deserialize_with = "given")]
    face_down: Option<u8>,
    #[serde(default, deserialize_with = "given")]
    collect: Option<String>,
    #[serde(default, deserialize_with = "given")]
    out_of_cards: Option<String>,
    #[serde(default, deserialize_with = "given")]
    repetition: Option<String>,
    #[serde(default, deserialize_with = "given")]
    max_turns: Option<u32>,
}

impl RulesRecord {
    pub(super) fn new(rules: &RecordedRules) -> Self {
        match rules {
            RecordedRules::War { rules, .. } => match rules {
                Ruleset::Edition(variant) => Self::War(WarRules::new(variant)),
                Ruleset::Own(rules) => Self::Own {
                    id: rules.id.to_string(),
                },
            },
            RecordedRules::Tokens(committed) => Self::Tokens {
                id: committed.rules.id().to_owned(),
            },
        }
    }

    /// The rules, with where their cards come from; a program's own are those of its book.
    pub(super) fn into_domain(
        self,
        deal: DealRecord,
        book: &Rulebook,
    ) -> Result<RecordedRules, HeaderError> {
        match self {
            Self::Tokens { id } if deal.is_committed() => {
                let known = TokenRules::named(&id);
                let rules = known.ok_or(HeaderError::UnknownRules(id))?;
                Ok(RecordedRules::Tokens(deal.of_tokens(rules)?))
            }
            Self::War(rules) if !deal.is_committed() => {
                let variant = rules.into_domain()?;
                let deal = deal.of_war(&variant)?;
                let rules = variant.into();
                Ok(RecordedRules::War { rules, deal })
            }
            Self::Own { id } if !deal.is_committed() => {
                let known = book.find(&id).cloned();
                let rules = known.ok_or(HeaderError::OwnRules(id))?.into();
                let deal = deal.of_any_war()?;
                Ok(RecordedRules::War { rules, deal })
            }
            _ => Err(HeaderError::BadDeal),
        }
    }
}

impl WarRules {
    fn new(rules: &Variant) -> Self {
        let parameters = rules.parameters;
        let repetition = (rules.is_custom()).then(|| repetition_name(parameters.repetition));
        let max_turns = match parameters.limit {
            Some(Limit::Turns(turns)) if rules.is_custom() => Some(turns),
            _ => None,
        };
        Self {
            id: rules.id.to_owned(),
            face_down: parameters.face_down,
            collect: parameters.collect.to_string(),
            out_of_cards: parameters.out_of_cards.name().to_owned(),
            repetition: repetition.map(str::to_owned),
            max_turns,
        }
    }

    fn into_domain(self) -> Result<Variant, HeaderError> {
        let mut known = VARIANTS.iter().copied().chain(self.custom());
        let rules = known.find(|variant| Self::new(variant) == self);
        rules.ok_or(HeaderError::UnknownRules(self.id))
    }

    /// The rules put together from these parameters, where the id says that they are.
    fn custom(&self) -> Option<Variant> {
        // The most that a game can be put together with.
        const MOST_FACE_DOWN: u8 = 5;
        let parameters = Parameters {
            face_down: self.face_down,
            collect: Collect::named(&self.collect)?,
            piles: { Piles::ALL.into_iter() }.find(|piles| piles.rules_id() == self.id)?,
            out_of_cards: OutOfCards::named(&self.out_of_cards)?,
            repetition: match self.repetition.as_deref()? {
                ENDS => Repeated::Ends,
                GOES_ON => Repeated::GoesOn,
                _ => return None,
            },
            draw: Draw::Top,
            limit: self.max_turns.map(Limit::Turns),
        };
        let custom = Variant::custom(parameters);
        // Orders for more players than the other parameters are for are for nobody.
        let is_for_some = custom.players.0 <= custom.players.1;
        (is_for_some && self.face_down <= MOST_FACE_DOWN).then_some(custom)
    }
}

impl<'de> Deserialize<'de> for RulesRecord {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let fields = RulesFields::deserialize(deserializer)?;
        fields.into_record().map_err(de::Error::missing_field)
    }
}

impl RulesFields {
    /// The rules, or the field that is missing: a name alone have token games, and rules that
    /// a program brings along.
    fn into_record(self) -> Result<RulesRecord, &'static str> {
        let has_parameters = self.face_down.is_some()
            || self.collect.is_some()
            || self.out_of_cards.is_some()
            || self.repetition.is_some()
            || self.max_turns.is_some();
        let id = self.id;
        if !has_parameters && TokenRules::named(&id).is_some() {
            return Ok(RulesRecord::Tokens { id });
        }
        if !has_parameters && id.parse::<RulesId>().is_ok() {
            return Ok(RulesRecord::Own { id });
        }
        Ok(RulesRecord::War(WarRules {
            id,
            face_down: self.face_down.ok_or("face_down")?,
            collect: self.collect.ok_or("collect")?,
            out_of_cards: self.out_of_cards.ok_or("out_of_cards")?,
            repetition: self.repetition,
            max_turns: self.max_turns,
        }))
    }
}

/// A field that may be left out, but may not be null.
pub(in crate::journal) fn given<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

const fn repetition_name(repetition: Repeated) -> &'static str {
    match repetition {
        Repeated::Ends => ENDS,
        // No rules put together from parameters shuffle hands that come back.
        Repeated::GoesOn | Repeated::Reshuffled => GOES_ON,
    }
}

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
    const fn is_committed(&self) -> bool {
        matches!(self, Self::Committed { .. })
    }

    /// Where the cards of a game of this variant come from.
    fn of_war(self, variant: &Variant) -> Result<Deal, HeaderError> {
        let deal = self.of_any_war()?;
        if goes_with(variant, &deal) {
            Ok(deal)
        } else {
            Err(HeaderError::BadDeal)
        }
    }

    /// Where the cards of a game of War by any rules come from.
    fn of_any_war(self) -> Result<Deal, HeaderError> {
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
    fn of_tokens(self, rules: TokenRules) -> Result<Committed, HeaderError> {
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
