use crate::cards::Rank;
use crate::engine::{self, Seat};
use crate::support::hex::Hex;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::num::NonZeroU16;

/// Highest rank in events of any rules.
pub(super) const ANY_RANK: u8 = Rank::HIGHEST.get();

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::journal) struct Record<E> {
    pub(in crate::journal) seq: u64,
    pub(in crate::journal) turn: u32,
    pub(in crate::journal) event: E,
    pub(in crate::journal) state: Hex<8>,
    #[serde(skip_serializing)]
    pub(in crate::journal) chain: Hex<16>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(in crate::journal) enum EventRecord<const HIGHEST: u8 = ANY_RANK> {
    Dealt {
        hands: Vec<Vec<CardRecord<HIGHEST>>>,
    },
    Reshuffled {
        hands: Vec<Vec<CardRecord<HIGHEST>>>,
    },
    Clash {
        plays: Vec<PlayRecord<HIGHEST>>,
    },
    FaceDown {
        plays: Vec<PlayRecord<HIGHEST>>,
    },
    WarRound {
        round: u32,
        plays: Vec<PlayRecord<HIGHEST>>,
    },
    EndOfCards {
        player: PlayerRecord,
        step: StepRecord,
    },
    Collected {
        player: PlayerRecord,
        cards: Vec<CardRecord<HIGHEST>>,
    },
    Drawn {
        takes: Vec<TakeRecord<HIGHEST>>,
    },
    Won {
        player: PlayerRecord,
    },
    Endless {
        from: u32,
        to: u32,
    },
    DrawnGame {},
    Stopped {
        #[serde(deserialize_with = "deserialize_required")]
        winner: Option<PlayerRecord>,
    },
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::journal) struct PlayRecord<const HIGHEST: u8> {
    pub(super) player: PlayerRecord,
    pub(super) card: CardRecord<HIGHEST>,
    /// The place of the card in the hand; left out for the top card.
    #[serde(
        default,
        deserialize_with = "deserialize_present_index",
        skip_serializing_if = "Option::is_none"
    )]
    pub(super) index: Option<NonZeroU16>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::journal) struct TakeRecord<const HIGHEST: u8> {
    player: PlayerRecord,
    cards: Vec<CardRecord<HIGHEST>>,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(in crate::journal) enum StepRecord {
    FaceDown,
    FaceUp,
    TurnEnd,
}

/// A card; ranks above `HIGHEST` are rejected.
#[derive(Clone, Copy)]
pub(in crate::journal) struct CardRecord<const HIGHEST: u8>(pub(super) Rank);

impl<const HIGHEST: u8> EventRecord<HIGHEST> {
    pub(in crate::journal) fn new(event: &engine::Event) -> Self {
        let cards = |cards: &[Rank]| cards.iter().copied().map(CardRecord).collect();
        let plays = |plays: &[engine::Play]| plays.iter().copied().map(PlayRecord::new).collect();
        match event {
            engine::Event::Dealt { hands } => Self::Dealt {
                hands: hands.iter().map(|hand| cards(hand)).collect(),
            },
            engine::Event::Reshuffled { hands } => Self::Reshuffled {
                hands: hands.iter().map(|hand| cards(hand)).collect(),
            },
            engine::Event::Clash { plays: put } => Self::Clash { plays: plays(put) },
            engine::Event::FaceDown { plays: put } => Self::FaceDown { plays: plays(put) },
            engine::Event::WarRound { round, plays: put } => Self::WarRound {
                round: *round,
                plays: plays(put),
            },
            engine::Event::EndOfCards { seat, step } => Self::EndOfCards {
                player: PlayerRecord(*seat),
                step: match step {
                    engine::TurnStep::FaceDown => StepRecord::FaceDown,
                    engine::TurnStep::FaceUp => StepRecord::FaceUp,
                    engine::TurnStep::TurnEnd => StepRecord::TurnEnd,
                },
            },
            engine::Event::Collected { seat, cards: pot } => Self::Collected {
                player: PlayerRecord(*seat),
                cards: cards(pot),
            },
            engine::Event::Drawn { takes } => Self::Drawn {
                takes: takes
                    .iter()
                    .map(|take| TakeRecord {
                        player: PlayerRecord(take.seat),
                        cards: cards(&take.cards),
                    })
                    .collect(),
            },
            engine::Event::Won { seat } => Self::Won {
                player: PlayerRecord(*seat),
            },
            engine::Event::Endless { from, to } => Self::Endless {
                from: *from,
                to: *to,
            },
            engine::Event::DrawnGame => Self::DrawnGame {},
            engine::Event::Stopped { winner } => Self::Stopped {
                winner: winner.map(PlayerRecord),
            },
        }
    }

    pub(in crate::journal) fn into_domain(self) -> engine::Event {
        let cards =
            |cards: Vec<CardRecord<HIGHEST>>| cards.into_iter().map(|card| card.0).collect();
        let plays = |plays: Vec<PlayRecord<HIGHEST>>| {
            plays.into_iter().map(PlayRecord::into_domain).collect()
        };
        match self {
            Self::Dealt { hands } => engine::Event::Dealt {
                hands: hands.into_iter().map(cards).collect(),
            },
            Self::Reshuffled { hands } => engine::Event::Reshuffled {
                hands: hands.into_iter().map(cards).collect(),
            },
            Self::Clash { plays: put } => engine::Event::Clash { plays: plays(put) },
            Self::FaceDown { plays: put } => engine::Event::FaceDown { plays: plays(put) },
            Self::WarRound { round, plays: put } => engine::Event::WarRound {
                round,
                plays: plays(put),
            },
            Self::EndOfCards { player, step } => engine::Event::EndOfCards {
                seat: player.0,
                step: match step {
                    StepRecord::FaceDown => engine::TurnStep::FaceDown,
                    StepRecord::FaceUp => engine::TurnStep::FaceUp,
                    StepRecord::TurnEnd => engine::TurnStep::TurnEnd,
                },
            },
            Self::Collected { player, cards: pot } => engine::Event::Collected {
                seat: player.0,
                cards: cards(pot),
            },
            Self::Drawn { takes } => engine::Event::Drawn {
                takes: takes
                    .into_iter()
                    .map(|take| engine::TakenCards {
                        seat: take.player.0,
                        cards: cards(take.cards),
                    })
                    .collect(),
            },
            Self::Won { player } => engine::Event::Won { seat: player.0 },
            Self::Endless { from, to } => engine::Event::Endless { from, to },
            Self::DrawnGame {} => engine::Event::DrawnGame,
            Self::Stopped { winner } => engine::Event::Stopped {
                winner: winner.map(|winner| winner.0),
            },
        }
    }
}

impl<const HIGHEST: u8> PlayRecord<HIGHEST> {
    fn new(play: engine::Play) -> Self {
        Self {
            player: PlayerRecord(play.seat),
            card: CardRecord(play.card),
            index: NonZeroU16::new(play.index),
        }
    }

    fn into_domain(self) -> engine::Play {
        engine::Play {
            seat: self.player.0,
            card: self.card.0,
            index: self.index.map_or(0, NonZeroU16::get),
        }
    }
}

impl<const HIGHEST: u8> Serialize for CardRecord<HIGHEST> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(self.0.get())
    }
}

impl<'de, const HIGHEST: u8> Deserialize<'de> for CardRecord<HIGHEST> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = u8::deserialize(deserializer)?;
        Rank::new(value)
            .filter(|card| card.get() <= HIGHEST)
            .map(Self)
            .ok_or_else(|| unexpected(value, &"a card"))
    }
}

/// Deserializes an index that is present, and so must not be null.
fn deserialize_present_index<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<NonZeroU16>, D::Error> {
    NonZeroU16::deserialize(deserializer).map(Some)
}

/// A player, recorded by their seat number.
#[derive(Clone, Copy)]
pub(in crate::journal) struct PlayerRecord(pub(super) Seat);

impl Serialize for PlayerRecord {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(self.0.number())
    }
}

impl<'de> Deserialize<'de> for PlayerRecord {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = u8::deserialize(deserializer)?;
        Seat::from_number(value)
            .map(Self)
            .ok_or_else(|| unexpected(value, &"a player"))
    }
}

/// Deserializes a field that may be null but not missing.
pub(in crate::journal) fn deserialize_required<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<PlayerRecord>, D::Error> {
    Option::deserialize(deserializer)
}

/// Error for a number outside the expected values.
fn unexpected<E: de::Error>(value: u8, expected: &dyn de::Expected) -> E {
    E::invalid_value(de::Unexpected::Unsigned(value.into()), expected)
}

/// Writes a record in its canonical form.
pub(in crate::journal) fn to_json(record: &impl Serialize) -> String {
    serde_json::to_string(record).expect("records are plain values")
}
