use super::deal::DealRecord;
use crate::journal::header::RecordedRules;
use crate::journal::problem::HeaderError;
use crate::rules::{
    Collect, Draw, Limit, OutOfCards, Parameters, Piles, Repeated, Rulebook, RulesId, Ruleset,
    VARIANTS, Variant,
};
use crate::tokens::TokenRules;
use serde::{Deserialize, Deserializer, Serialize, de};

pub(super) const ENDS: &str = "ends";

pub(super) const GOES_ON: &str = "goes-on";

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
pub(super) struct RulesFields {
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
    pub(super) fn new(rules: &Variant) -> Self {
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

    pub(super) fn into_domain(self) -> Result<Variant, HeaderError> {
        let mut known = VARIANTS.iter().copied().chain(self.custom());
        let rules = known.find(|variant| Self::new(variant) == self);
        rules.ok_or(HeaderError::UnknownRules(self.id))
    }

    /// The rules put together from these parameters, where the id says that they are.
    pub(super) fn custom(&self) -> Option<Variant> {
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

pub(super) const fn repetition_name(repetition: Repeated) -> &'static str {
    match repetition {
        Repeated::Ends => ENDS,
        // No rules put together from parameters shuffle hands that come back.
        Repeated::GoesOn | Repeated::Reshuffled => GOES_ON,
    }
}
