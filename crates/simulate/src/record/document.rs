//! Common parts of the documents of runs and of enumerations: head, whole numbers and rules.

use crate::kernel::MAX_PLAYERS;
use crate::setup::{Dealing, GameSetup};
use serde::{Deserialize, Serialize};
use std::fmt::Display;
use std::str::FromStr;
use thiserror::Error;
use war::cards::{Deck, Rank};
use war::engine::Seat;
use war::rules::{
    CardChoice, CollectOrder, OutOfCards, Parameters, Piles, RepetitionRule, TurnLimit,
};

/// Maximum of any count that is read: whole numbers up to this one are exact in every JSON reader,
/// and sums of several of them don't overflow.
pub(super) const MAX_NUMBER: u64 = 1 << 53;

/// Fields that identify the kind and version of a document.
#[derive(Deserialize)]
pub(super) struct DocumentHead {
    format: String,
    version: u32,
    #[serde(default)]
    pub(super) generator: String,
}

impl DocumentHead {
    /// Returns the head of a document of this kind and version.
    pub(super) fn parse(json: &[u8], format: &str, version: u32) -> Result<Self, RunFileError> {
        let head: Self = serde_json::from_slice(json)?;
        if head.format != format {
            return Err(RunFileError::Changed);
        }
        if head.version != version {
            return Err(RunFileError::Version(head.version));
        }
        Ok(head)
    }
}

/// Reason why a document isn't a run.
#[derive(Debug, Error)]
pub enum RunFileError {
    /// Text that isn't a complete document of a run.
    #[error("not a document of a run")]
    Syntax(#[from] serde_json::Error),
    /// Document that another program wrote, or that was changed after it was written.
    #[error("not a run, or changed after it was written")]
    Changed,
    /// Document of this version, which the program doesn't support.
    #[error("a run of version {0}, which is not supported")]
    Version(u32),
    /// Games dealt by this generator, which the program doesn't have.
    #[error("games dealt by the unknown generator `{0}`")]
    Generator(String),
}

/// Whole number, written as text if some JSON readers would round it.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq)]
#[serde(
    into = "WrittenNumber",
    try_from = "WrittenNumber",
    bound(
        serialize = "N: Copy + Display + Into<u128>",
        deserialize = "N: FromStr + From<u64>, N::Err: Display"
    )
)]
pub(super) struct WholeNumber<N = u64>(pub(super) N);

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum WrittenNumber {
    Number(u64),
    Text(String),
}

impl<N: Copy + Display + Into<u128>> From<WholeNumber<N>> for WrittenNumber {
    fn from(WholeNumber(number): WholeNumber<N>) -> Self {
        match u64::try_from(number.into()) {
            Ok(few) if few <= MAX_NUMBER => Self::Number(few),
            _ => Self::Text(number.to_string()),
        }
    }
}

impl<N: FromStr + From<u64>> TryFrom<WrittenNumber> for WholeNumber<N> {
    type Error = N::Err;

    fn try_from(written: WrittenNumber) -> Result<Self, Self::Error> {
        match written {
            WrittenNumber::Number(number) => Ok(Self(number.into())),
            WrittenNumber::Text(text) => text.parse().map(Self),
        }
    }
}

#[derive(Serialize, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub(super) struct RulesRecord {
    players: u8,
    deck: String,
    face_down: u8,
    collect: String,
    /// Arrangement of two piles; `None` for one pile.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    piles: Option<String>,
    out_of_cards: String,
    repetition: String,
    max_turns: Option<u32>,
    /// Edition's turn limit per card, from which `max_turns` is derived; a game stopped by it can
    /// have a winner.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    turns_per_card: Option<u32>,
    deal: DealRecord,
}

#[derive(Serialize, Deserialize, PartialEq)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum DealRecord {
    Shuffled {},
    Fixed { player: u8, cards: Vec<u8> },
    Given { name: String, hands: Vec<Vec<u8>> },
}

impl GameSetup {
    /// Returns the command-line option in which the two setups differ, or `None` if their games are
    /// the same.
    #[must_use]
    pub fn find_differing_option(&self, other: &Self) -> Option<&'static str> {
        let (a, b) = (RulesRecord::new(self), RulesRecord::new(other));
        let given = |rules: &RulesRecord| matches!(rules.deal, DealRecord::Given { .. });
        let deck = a.deck != b.deck && !(given(&a) && given(&b));
        let differences = [
            (!a.deal.deals_same_cards(&b.deal), "--deal, --fix"),
            (a.players != b.players, "--players"),
            (deck, "--deck"),
            (a.face_down != b.face_down, "--face-down"),
            (a.collect != b.collect, "--collect"),
            (a.piles != b.piles, "--piles"),
            (a.out_of_cards != b.out_of_cards, "--out-of-cards"),
            (a.max_turns != b.max_turns, "--max-turns"),
            (a.turns_per_card != b.turns_per_card, "--max-turns"),
            (a.repetition != b.repetition, "--rules"),
        ];
        let found = differences.into_iter().find(|(differ, _)| *differ);
        found.map(|(_, option)| option)
    }
}

impl DealRecord {
    /// Returns true if the same cards are dealt, whatever the scenario's name.
    fn deals_same_cards(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Given { hands: a, .. }, Self::Given { hands: b, .. }) => a == b,
            _ => self == other,
        }
    }
}

impl RulesRecord {
    pub(super) fn new(rules: &GameSetup) -> Self {
        let parameters = rules.parameters;
        let numbers = |cards: &Vec<Rank>| cards.iter().map(|card| card.get()).collect();
        let repetition = match parameters.repetition {
            RepetitionRule::Ends => "ends",
            RepetitionRule::GoesOn | RepetitionRule::Reshuffled => "goes-on",
        };
        Self {
            players: rules.players,
            deck: rules.deck.name(),
            face_down: parameters.face_down,
            collect: parameters.collect.to_string(),
            piles: parameters.piles.non_default_name().map(str::to_owned),
            out_of_cards: parameters.out_of_cards.name().to_owned(),
            repetition: repetition.to_owned(),
            max_turns: rules.max_turns(),
            turns_per_card: match parameters.limit {
                Some(TurnLimit::TurnsPerCard(turns)) => Some(turns),
                Some(TurnLimit::Turns(_)) | None => None,
            },
            deal: match &rules.dealing {
                Dealing::Shuffled => DealRecord::Shuffled {},
                Dealing::Fixed { seat, cards } => DealRecord::Fixed {
                    player: seat.number(),
                    cards: numbers(cards),
                },
                Dealing::Given { name, hands } => DealRecord::Given {
                    name: name.clone(),
                    hands: hands.iter().map(numbers).collect(),
                },
            },
        }
    }

    pub(super) fn to_setup(&self) -> Option<GameSetup> {
        let ranks = |numbers: &Vec<u8>| {
            let ranks = numbers.iter().copied().map(Rank::new);
            ranks.collect::<Option<Vec<_>>>()
        };
        let dealing = match &self.deal {
            DealRecord::Shuffled {} => Dealing::Shuffled,
            DealRecord::Fixed { player, cards } => Dealing::Fixed {
                seat: Seat::from_number(*player)?,
                cards: ranks(cards)?,
            },
            DealRecord::Given { name, hands } => Dealing::Given {
                name: name.clone(),
                hands: hands.iter().map(ranks).collect::<Option<_>>()?,
            },
        };
        let parameters = Parameters {
            face_down: self.face_down,
            collect: CollectOrder::from_name(&self.collect)?,
            piles: self
                .piles
                .as_deref()
                .map_or(Some(Piles::One), Piles::from_name)?,
            out_of_cards: OutOfCards::from_name(&self.out_of_cards)?,
            repetition: match self.repetition.as_str() {
                "ends" => RepetitionRule::Ends,
                "goes-on" => RepetitionRule::GoesOn,
                _ => return None,
            },
            card_choice: CardChoice::Top,
            limit: match self.turns_per_card {
                Some(turns) => Some(TurnLimit::TurnsPerCard(turns)),
                None => self.max_turns.map(TurnLimit::Turns),
            },
        };
        let seats = 2..=MAX_PLAYERS;
        seats.contains(&self.players.into()).then_some(GameSetup {
            parameters,
            players: self.players,
            deck: Deck::parse(&self.deck)?,
            dealing,
        })
    }
}
