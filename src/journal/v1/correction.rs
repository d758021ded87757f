use crate::cards;
use crate::journal::problem::HeaderError;
use crate::setup;
use serde::{Deserialize, Serialize};

/// What was typed wrong; what it became follows from it.
#[derive(Clone, Serialize, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum Correction {
    Both { players: String, deck: String },
    PlayersOutOfRange { provided: String },
    PlayersUnparseable { provided: String },
    PlayersMissing {},
    DeckMissing {},
    DeckUnrecognized { provided: String },
}

impl Correction {
    pub(super) fn new(correction: &setup::Correction) -> Self {
        match correction.clone() {
            setup::Correction::Both { players, deck } => Self::Both { players, deck },
            setup::Correction::PlayersOutOfRange { provided, .. } => {
                Self::PlayersOutOfRange { provided }
            }
            setup::Correction::PlayersUnparseable { provided } => {
                Self::PlayersUnparseable { provided }
            }
            setup::Correction::PlayersMissing => Self::PlayersMissing {},
            setup::Correction::DeckMissing => Self::DeckMissing {},
            setup::Correction::DeckUnrecognized { provided } => Self::DeckUnrecognized { provided },
        }
    }

    /// What was corrected: all of it had to be, and nothing else.
    pub(super) fn into_domain(
        corrections: &[Self],
        (fewest, most): (u8, u8),
    ) -> Result<Vec<setup::Correction>, HeaderError> {
        let small = cards::Deck::Small.name();
        // Two play, unless the rules are for more.
        let players_by_rules = fewest.max(2).to_string();
        let (mut players, mut deck) = (Some(players_by_rules.as_str()), Some(small.as_str()));
        for correction in corrections {
            match correction {
                Self::Both {
                    players: typed,
                    deck: typed_deck,
                } => {
                    players = Some(typed.as_str());
                    deck = Some(typed_deck.as_str());
                }
                Self::PlayersOutOfRange { provided } | Self::PlayersUnparseable { provided } => {
                    players = Some(provided);
                }
                Self::PlayersMissing {} => players = None,
                Self::DeckMissing {} => deck = None,
                Self::DeckUnrecognized { provided } => deck = Some(provided),
            }
        }
        let corrected = setup::Setup::from_options(players, deck, fewest..=most).corrections;
        if corrected
            .iter()
            .map(Self::new)
            .eq(corrections.iter().cloned())
        {
            Ok(corrected)
        } else {
            Err(HeaderError::BadCorrection)
        }
    }
}
