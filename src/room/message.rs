use super::{AccessToken, PlayerId, Refusal, RequestId, described, revealed};
use crate::cards::Card;
use crate::hex::Hex;
use crate::tokens::{ClientSeed, Decision, Kind, Name};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A message of the server, with its number.
///
/// The messages to a player are numbered from 1 without a gap, over all their connections.
/// `welcome` and `error` answer a connection alone: they are not part of that sequence, and
/// their `seq` is the number of the player's last message before them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Sent {
    /// The number.
    pub seq: u64,
    /// The message.
    #[serde(flatten)]
    pub message: Message,
}

/// What the server says to a player.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Message {
    /// Answers `hello`.
    Welcome {
        /// The player's number.
        player: PlayerId,
        /// The token to come back with; a client that has it is this player.
        #[serde(with = "revealed::access_token")]
        #[schemars(with = "described::Hex<32>")]
        token: AccessToken,
        /// The tokens of the player, as they are after message `seq`.
        balance: i64,
        /// The server's clock, in milliseconds since 1970: deadlines refer to it.
        now_ms: u64,
        /// The `id` of the `hello`.
        in_reply_to: RequestId,
    },
    /// The player waits for an opponent.
    Waiting {
        /// The game.
        #[schemars(with = "described::Kind")]
        game: Kind,
    },
    /// The player waits no longer: they said so, or were gone for too long.
    Cancelled {
        /// The game.
        #[schemars(with = "described::Kind")]
        game: Kind,
    },
    /// A game starts.
    Started {
        /// Its number.
        game_id: u64,
        /// What is played.
        #[schemars(with = "described::Kind")]
        game: Kind,
        /// The player's seat, 1 or 2: their hand is dealt first or second.
        seat: u8,
        /// What the opponent is called.
        #[schemars(with = "described::Name")]
        opponent: Name,
        /// The SHA-256 of the seed that is revealed after the game.
        #[schemars(with = "described::Hex<32>")]
        commitment: Hex<32>,
    },
    /// The player's seed is taken.
    Seeded {
        /// The seed.
        #[schemars(with = "described::ClientSeed")]
        value: ClientSeed,
    },
    /// Cards are dealt.
    Dealt {
        /// The player's cards.
        #[schemars(with = "Vec<described::Card>")]
        cards: Vec<Card>,
        /// When time is up and folds, in milliseconds since 1970.
        deadline_ms: u64,
    },
    /// The game went on after a pause, or the server's clock was set: the player has this
    /// time to do what is awaited of them.
    Clock {
        /// The number of the game.
        game_id: u64,
        /// When time is up, in milliseconds since 1970.
        deadline_ms: u64,
        /// How many milliseconds are left until then.
        left_ms: u64,
    },
    /// The player's decision is taken.
    Decided {
        /// The decision.
        #[schemars(with = "described::Decision")]
        decision: Decision,
        /// Whether time took it.
        timed_out: bool,
    },
    /// Both played equal hands: new cards are dealt.
    Redealt {
        /// The player's cards.
        #[schemars(with = "Vec<described::Card>")]
        cards: Vec<Card>,
        /// When time is up and folds, in milliseconds since 1970.
        deadline_ms: u64,
    },
    /// The game is over, and the player may choose the next one.
    Result {
        /// The number of the game.
        game_id: u64,
        /// How it came out for the player.
        outcome: Outcome,
        /// What they won; negative for what they lost.
        delta: i64,
        /// Their tokens after the game.
        balance: i64,
        /// What was decided.
        decisions: Decisions,
        /// The cards of both, where both played.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cards: Option<Cards>,
        /// What was secret: with it every deal of the game can be computed.
        reveal: Reveal,
    },
    /// A request is not granted; nothing has changed.
    Error {
        /// Why, for programs.
        code: Refusal,
        /// Why, for people.
        message: String,
        /// The `id` of the request, where it could be read.
        in_reply_to: Option<RequestId>,
    },
}

impl Message {
    /// Shows deadlines, which the room counts in its own time, by another clock.
    pub fn show_deadlines(&mut self, shown: impl Fn(u64) -> u64) {
        if let Self::Dealt { deadline_ms, .. }
        | Self::Redealt { deadline_ms, .. }
        | Self::Clock { deadline_ms, .. } = self
        {
            *deadline_ms = shown(*deadline_ms);
        }
    }
}

/// How a game came out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The player won.
    Won,
    /// The opponent won.
    Lost,
    /// Both folded, and both lost.
    BothFolded,
}

/// What both players decided in the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Decisions {
    /// The player.
    #[schemars(with = "described::Decision")]
    pub yours: Decision,
    /// Their opponent.
    #[schemars(with = "described::Decision")]
    pub theirs: Decision,
}

/// The cards that were compared in the end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Cards {
    /// The player's.
    #[schemars(with = "Vec<described::Card>")]
    pub yours: Vec<Card>,
    /// Their opponent's.
    #[schemars(with = "Vec<described::Card>")]
    pub theirs: Vec<Card>,
}

/// What the deals of a game were derived from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Reveal {
    /// The server's seed; its SHA-256 is the commitment.
    #[schemars(with = "described::Hex<32>")]
    pub seed: Hex<32>,
    /// The players' seeds, by seat; empty where none was given.
    #[schemars(with = "[described::ClientSeed; 2]")]
    pub client_seeds: [ClientSeed; 2],
    /// How many times cards were dealt.
    pub deals: u32,
}
