use super::player::Player;
use crate::cards::{self, ParseCardError};
use crate::fields::Tree;
use crate::hex::Hex;
use crate::tokens::{self, ClientSeed, Name, TextError, TokenGame};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// An event of a token game.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(in crate::journal) enum TokenEventRecord {
    Started {
        players: [Name; 2],
    },
    Seeded {
        player: Player,
        value: ClientSeed,
    },
    Dealt {
        hands: [Vec<Card>; 2],
    },
    Decided {
        player: Player,
        decision: Decision,
        timed_out: bool,
    },
    Tied {},
    Settled {
        deltas: [i64; 2],
    },
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(in crate::journal) enum Decision {
    Play,
    Fold,
}

#[derive(Clone, Copy)]
pub(in crate::journal) struct Card(cards::Card);

impl TokenEventRecord {
    pub(in crate::journal) fn new(event: &tokens::TokenEvent) -> Self {
        match event {
            tokens::TokenEvent::Started { players } => Self::Started {
                players: players.clone(),
            },
            tokens::TokenEvent::Seeded { seat, value } => Self::Seeded {
                player: Player(*seat),
                value: value.clone(),
            },
            tokens::TokenEvent::Dealt { hands } => Self::Dealt {
                hands: forms(hands),
            },
            tokens::TokenEvent::Decided {
                seat,
                decision,
                timed_out,
            } => Self::Decided {
                player: Player(*seat),
                decision: Decision::new(*decision),
                timed_out: *timed_out,
            },
            tokens::TokenEvent::Tied => Self::Tied {},
            tokens::TokenEvent::Settled { deltas } => Self::Settled { deltas: *deltas },
        }
    }

    pub(in crate::journal) fn into_domain(self) -> tokens::TokenEvent {
        match self {
            Self::Started { players } => tokens::TokenEvent::Started { players },
            Self::Seeded { player, value } => tokens::TokenEvent::Seeded {
                seat: player.0,
                value,
            },
            Self::Dealt { hands } => tokens::TokenEvent::Dealt {
                hands: hands.map(|hand| hand.into_iter().map(|card| card.0).collect()),
            },
            Self::Decided {
                player,
                decision,
                timed_out,
            } => tokens::TokenEvent::Decided {
                seat: player.0,
                decision: match decision {
                    Decision::Play => tokens::Decision::Play,
                    Decision::Fold => tokens::Decision::Fold,
                },
                timed_out,
            },
            Self::Tied {} => tokens::TokenEvent::Tied,
            Self::Settled { deltas } => tokens::TokenEvent::Settled { deltas },
        }
    }
}

impl Decision {
    const fn new(decision: tokens::Decision) -> Self {
        match decision {
            tokens::Decision::Play => Self::Play,
            tokens::Decision::Fold => Self::Fold,
        }
    }
}

/// The hash of a token game: the deal, the players' seeds, the hands, the decisions and
/// what each player wins.
pub(in crate::journal) fn token_state(game: &TokenGame) -> Hex<8> {
    #[derive(Serialize)]
    struct State<'a> {
        deal: u32,
        seeds: &'a [Option<ClientSeed>; 2],
        hands: Option<[Vec<Card>; 2]>,
        decisions: [Option<Decision>; 2],
        deltas: Option<[i64; 2]>,
    }
    let state = State {
        deal: game.deals(),
        seeds: game.seeds(),
        hands: game.hands().map(forms),
        decisions: game.decisions().map(|decided| decided.map(Decision::new)),
        deltas: game.deltas(),
    };
    Hex::truncated(&blake3::hash(super::json::json(&state).as_bytes()))
}

fn forms(hands: &[tokens::Hand; 2]) -> [Vec<Card>; 2] {
    let form = |hand: &tokens::Hand| hand.iter().copied().map(Card).collect();
    hands.each_ref().map(form)
}

impl Serialize for Card {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Card {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<str>::deserialize(deserializer)?;
        let invalid =
            |_: ParseCardError| de::Error::invalid_value(de::Unexpected::Str(&text), &"a card");
        text.parse().map(Self).map_err(invalid)
    }
}

/// Why a text that a player wrote is none, in the record of an event.
pub(in crate::journal) fn broken_text(record: &Tree) -> Option<TextError> {
    let event = record.field("event")?;
    let names = event
        .field("started")
        .and_then(|names| names.field("players"));
    let seed = event.field("seeded").and_then(|seed| seed.field("value"));
    let name = |text: &str| Name::try_from(text.to_owned()).err();
    let mut names = names
        .map_or(&[][..], Tree::values)
        .iter()
        .filter_map(Tree::text);
    names
        .find_map(name)
        .or_else(|| ClientSeed::new(seed?.text()?).err())
}
