use super::event::{PlayerRecord, to_json};
use crate::cards::{self, ParseCardError};
use crate::journal::problem::RecordError;
use crate::support::fields::{DataTree, FieldError};
use crate::support::hex::Hex;
use crate::tokens::{self, ClientSeed, Name, Seats, SeedStatus, TokenGame};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// An event of a token game.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(in crate::journal) enum TokenEventRecord {
    Started {
        players: [Name; 2],
    },
    Seeded {
        player: PlayerRecord,
        value: ClientSeed,
    },
    Committed {
        players: PlayerNumbersRecord,
        seed_hashes: [Hex<32>; 2],
    },
    DuelStarted {},
    Opened {
        player: PlayerRecord,
        seed: Hex<32>,
    },
    Forfeited {
        player: PlayerRecord,
    },
    Dealt {
        hands: [Vec<TokenCardRecord>; 2],
    },
    Decided {
        player: PlayerRecord,
        decision: DecisionRecord,
        timed_out: bool,
    },
    Tied {},
    Settled {
        deltas: [i64; 2],
    },
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(in crate::journal) enum DecisionRecord {
    Play,
    Fold,
}

#[derive(Clone, Copy)]
pub(in crate::journal) struct TokenCardRecord(cards::Card);

/// Public numbers of two players.
#[derive(Serialize, Deserialize)]
#[serde(try_from = "[u64; 2]")]
pub(in crate::journal) struct PlayerNumbersRecord([u64; 2]);

impl TryFrom<[u64; 2]> for PlayerNumbersRecord {
    type Error = RecordError;

    fn try_from(players: [u64; 2]) -> Result<Self, RecordError> {
        let players = Seats::are_valid_numbers(players).then_some(Self(players));
        players.ok_or(RecordError::PlayerNumbers)
    }
}

impl TokenEventRecord {
    pub(in crate::journal) fn new(event: &tokens::TokenEvent) -> Self {
        match event {
            tokens::TokenEvent::Started { players } => Self::Started {
                players: players.clone(),
            },
            tokens::TokenEvent::Seeded { seat, value } => Self::Seeded {
                player: PlayerRecord(*seat),
                value: value.clone(),
            },
            tokens::TokenEvent::Committed {
                players,
                seed_hashes,
            } => Self::Committed {
                players: PlayerNumbersRecord(*players),
                seed_hashes: *seed_hashes,
            },
            tokens::TokenEvent::DuelStarted => Self::DuelStarted {},
            tokens::TokenEvent::Opened { seat, seed } => Self::Opened {
                player: PlayerRecord(*seat),
                seed: *seed,
            },
            tokens::TokenEvent::Forfeited { seat } => Self::Forfeited {
                player: PlayerRecord(*seat),
            },
            tokens::TokenEvent::Dealt { hands } => Self::Dealt {
                hands: hand_records(hands),
            },
            tokens::TokenEvent::Decided {
                seat,
                decision,
                timed_out,
            } => Self::Decided {
                player: PlayerRecord(*seat),
                decision: DecisionRecord::new(*decision),
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
            Self::Committed {
                players,
                seed_hashes,
            } => tokens::TokenEvent::Committed {
                players: players.0,
                seed_hashes,
            },
            Self::DuelStarted {} => tokens::TokenEvent::DuelStarted,
            Self::Opened { player, seed } => tokens::TokenEvent::Opened {
                seat: player.0,
                seed,
            },
            Self::Forfeited { player } => tokens::TokenEvent::Forfeited { seat: player.0 },
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
                    DecisionRecord::Play => tokens::Decision::Play,
                    DecisionRecord::Fold => tokens::Decision::Fold,
                },
                timed_out,
            },
            Self::Tied {} => tokens::TokenEvent::Tied,
            Self::Settled { deltas } => tokens::TokenEvent::Settled { deltas },
        }
    }
}

impl DecisionRecord {
    const fn new(decision: tokens::Decision) -> Self {
        match decision {
            tokens::Decision::Play => Self::Play,
            tokens::Decision::Fold => Self::Fold,
        }
    }
}

/// Hashes the number of the deal, the players' seeds, the hands, the decisions, and each player's
/// gain or loss.
pub(in crate::journal) fn hash_token_game(game: &TokenGame) -> Hex<8> {
    #[derive(Serialize)]
    struct State<'a> {
        deal: u32,
        seeds: Seeds<'a>,
        #[serde(skip_serializing_if = "Option::is_none")]
        forfeited: Option<[bool; 2]>,
        hands: Option<[Vec<TokenCardRecord>; 2]>,
        decisions: [Option<DecisionRecord>; 2],
        deltas: Option<[i64; 2]>,
    }
    #[derive(Serialize)]
    #[serde(untagged)]
    enum Seeds<'a> {
        Added(&'a [Option<ClientSeed>; 2]),
        Opened([Option<Hex<32>>; 2]),
    }
    let (seeds, forfeited) = match game.seats() {
        None | Some(Seats::TableSeed) => (Seeds::Added(&[None, None]), None),
        Some(Seats::OptionalSeeds { seeds, .. }) => (Seeds::Added(seeds), None),
        Some(seats @ Seats::CommittedSeeds { seeds, .. }) => {
            let opened = seeds.map(|seed| match seed {
                SeedStatus::Opened(seed) => Some(seed),
                SeedStatus::Awaited | SeedStatus::Forfeited => None,
            });
            (Seeds::Opened(opened), Some(seats.have_forfeited()))
        }
    };
    let state = State {
        deal: game.deals(),
        seeds,
        forfeited,
        hands: game.hands().map(hand_records),
        decisions: game
            .decisions()
            .map(|decided| decided.map(DecisionRecord::new)),
        deltas: game.deltas(),
    };
    Hex::from_hash(&blake3::hash(to_json(&state).as_bytes()))
}

fn hand_records(hands: &[tokens::Hand; 2]) -> [Vec<TokenCardRecord>; 2] {
    let record = |hand: &tokens::Hand| hand.iter().copied().map(TokenCardRecord).collect();
    hands.each_ref().map(record)
}

impl Serialize for TokenCardRecord {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for TokenCardRecord {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<str>::deserialize(deserializer)?;
        let invalid =
            |_: ParseCardError| de::Error::invalid_value(de::Unexpected::Str(&text), &"a card");
        text.parse().map(Self).map_err(invalid)
    }
}

/// Finds an invalid player name, seed or pair of player numbers in the record of an event.
pub(in crate::journal) fn find_invalid_value(record: &DataTree) -> Option<RecordError> {
    let field = |event: &str, field: &str| record.field("event")?.field(event)?.field(field);
    let name = |text: &str| Name::try_from(text.to_owned()).err();
    let names = field("started", "players").map_or(&[][..], DataTree::values);
    if let Some(error) = names.iter().filter_map(DataTree::text).find_map(name) {
        return Some(error.into());
    }
    if let Some(seed) = field("seeded", "value") {
        return ClientSeed::new(seed.text()?).err().map(RecordError::from);
    }
    let numbers = field("committed", "players")?.check::<PlayerNumbersRecord>();
    matches!(numbers, Err(FieldError::Rule(_))).then_some(RecordError::PlayerNumbers)
}
