use crate::kernel::MOST_PLAYERS;
use crate::setup::{Dealing, GameSetup};
use serde::{Deserialize, Serialize};
use war::cards::{Deck, Rank};
use war::engine::Seat;
use war::rules::{Collect, Draw, Limit, OutOfCards, Parameters, Piles, Repeated};

#[derive(Serialize, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub(super) struct RulesRecord {
    players: u8,
    deck: String,
    face_down: u8,
    collect: String,
    /// Where won cards go, unless it is under the hand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    piles: Option<String>,
    out_of_cards: String,
    repetition: String,
    max_turns: Option<u32>,
    /// The limit of an edition's own that `max_turns` comes from: it can name a winner.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    turns_per_card: Option<u32>,
    deal: Deal,
}

#[derive(Serialize, Deserialize, PartialEq)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum Deal {
    Shuffled {},
    Fixed { player: u8, cards: Vec<u8> },
    Given { name: String, hands: Vec<Vec<u8>> },
}

impl GameSetup {
    /// The option by which these rules differ from others, or `None` where the games are the
    /// same.
    #[must_use]
    pub fn difference(&self, other: &Self) -> Option<&'static str> {
        let (a, b) = (RulesRecord::new(self), RulesRecord::new(other));
        let given = |rules: &RulesRecord| matches!(rules.deal, Deal::Given { .. });
        let deck = a.deck != b.deck && !(given(&a) && given(&b));
        let differences = [
            (!a.deal.is_like(&b.deal), "--deal, --fix"),
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

impl Deal {
    /// Whether the same is dealt, whatever its file is called.
    pub(super) fn is_like(&self, other: &Self) -> bool {
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
            Repeated::Ends => "ends",
            Repeated::GoesOn | Repeated::Reshuffled => "goes-on",
        };
        Self {
            players: rules.players,
            deck: rules.deck.name(),
            face_down: parameters.face_down,
            collect: parameters.collect.to_string(),
            piles: parameters.piles.name_of_two().map(str::to_owned),
            out_of_cards: parameters.out_of_cards.name().to_owned(),
            repetition: repetition.to_owned(),
            max_turns: rules.most_turns(),
            turns_per_card: match parameters.limit {
                Some(Limit::TurnsPerCard(turns)) => Some(turns),
                Some(Limit::Turns(_)) | None => None,
            },
            deal: match &rules.dealing {
                Dealing::Shuffled => Deal::Shuffled {},
                Dealing::Fixed { seat, cards } => Deal::Fixed {
                    player: seat.number(),
                    cards: numbers(cards),
                },
                Dealing::Given { name, hands } => Deal::Given {
                    name: name.clone(),
                    hands: hands.iter().map(numbers).collect(),
                },
            },
        }
    }

    pub(super) fn lift(&self) -> Option<GameSetup> {
        let ranks = |numbers: &Vec<u8>| {
            let ranks = numbers.iter().copied().map(Rank::new);
            ranks.collect::<Option<Vec<_>>>()
        };
        let dealing = match &self.deal {
            Deal::Shuffled {} => Dealing::Shuffled,
            Deal::Fixed { player, cards } => Dealing::Fixed {
                seat: Seat::from_number(*player)?,
                cards: ranks(cards)?,
            },
            Deal::Given { name, hands } => Dealing::Given {
                name: name.clone(),
                hands: hands.iter().map(ranks).collect::<Option<_>>()?,
            },
        };
        let parameters = Parameters {
            face_down: self.face_down,
            collect: Collect::named(&self.collect)?,
            piles: self
                .piles
                .as_deref()
                .map_or(Some(Piles::One), Piles::named)?,
            out_of_cards: OutOfCards::named(&self.out_of_cards)?,
            repetition: match self.repetition.as_str() {
                "ends" => Repeated::Ends,
                "goes-on" => Repeated::GoesOn,
                _ => return None,
            },
            draw: Draw::Top,
            limit: match self.turns_per_card {
                Some(turns) => Some(Limit::TurnsPerCard(turns)),
                None => self.max_turns.map(Limit::Turns),
            },
        };
        let seats = 2..=MOST_PLAYERS;
        seats.contains(&self.players.into()).then_some(GameSetup {
            parameters,
            players: self.players,
            deck: Deck::any(&self.deck)?,
            dealing,
        })
    }
}
