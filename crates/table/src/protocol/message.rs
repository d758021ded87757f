use super::{
    HandTally, KindTally, Opponent, PastGame, PlayerId, Protocol, Reason, Refusal, RequestId, Rung,
    Span, Tally, Waiters, WatchedGame, Whom, described,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use war::cards::Card;
use war::support::hex::Hex;
use war::tokens::{Decision, Kind, Name};

/// A message of the server, with its number.
///
/// The messages to a player are numbered from 1 without a gap, over all their connections.
/// `welcome`, `people`, `error`, `resync`, `games`, `figures`, `ladder`, `watched` and `forgotten` answer
/// a connection alone: they are not part of that sequence, and their `seq` is the number of the player's
/// last message before them.
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
        /// What the player is called: their `hello` can't change a name that the operator chose.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(with = "described::Name")]
        name: Option<Name>,
        /// The tokens of the player, as they are after message `seq`.
        balance: i64,
        /// The server's clock, in milliseconds since 1970: deadlines refer to it.
        now_ms: u64,
        /// The version of the protocol.
        #[schemars(with = "described::Protocol")]
        protocol: Protocol,
        /// The table's number.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schemars(with = "described::Hex<16>")]
        table: Option<Hex<16>>,
        /// The public key by which the table signs: Ed25519.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schemars(with = "described::Hex<32>")]
        key: Option<Hex<32>>,
        /// The `id` of the `hello`.
        in_reply_to: RequestId,
    },
    /// The player waits for an opponent.
    Waiting {
        /// The game.
        #[schemars(with = "described::Kind")]
        game: Kind,
        /// For whom, where it is not for anyone.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(with = "Whom")]
        with: Option<Whom>,
    },
    /// The player waits no longer: they said so, were gone for too long, or
    /// chose before the server was updated.
    Cancelled {
        /// The game.
        #[schemars(with = "described::Kind")]
        game: Kind,
    },
    /// The opponent of a game that is over waits to play once more with the player.
    RematchWanted {
        /// The number of that game.
        game_id: u64,
    },
    /// The opponent of a game that is over does not wait any more to play once more. It is said to a
    /// player who neither waits nor plays; others may forget it when they choose a game.
    RematchWithdrawn {
        /// The number of that game.
        game_id: u64,
    },
    /// The server shuts down: the player waits no longer, and no game starts.
    Draining {
        /// The game.
        #[schemars(with = "described::Kind")]
        game: Kind,
    },
    /// A game starts: the player opens their seed now.
    Started {
        /// Its number.
        game_id: u64,
        /// What is played.
        #[schemars(with = "described::Kind")]
        game: Kind,
        /// The player's seat, 1 or 2: their hand is dealt first or second.
        seat: u8,
        /// Who the opponent is.
        opponent: Opponent,
        /// The tokens of the opponent as the game starts.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(with = "i64")]
        opponent_balance: Option<i64>,
        /// The SHA-256 of both players' seeds, by seat.
        #[schemars(with = "[described::Hex<32>; 2]")]
        seed_hashes: [Hex<32>; 2],
        /// The SHA-256 of the table's seed, which is revealed after the game.
        #[schemars(with = "described::Hex<32>")]
        commitment: Hex<32>,
        /// When the game started, in milliseconds since 1970, as its leaf in the table's log says.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schemars(with = "u64")]
        time_ms: Option<u64>,
        /// The table's number.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schemars(with = "described::Hex<16>")]
        table: Option<Hex<16>>,
        /// The table's signature of this start: Ed25519 over the line `war-table started/1`, the
        /// table's number and the lines of the leaf.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schemars(with = "described::Hex<64>")]
        signature: Option<Hex<64>>,
        /// When the time to open the seed is up, in milliseconds since 1970.
        deadline_ms: u64,
        /// How many milliseconds are left until then.
        left_ms: u64,
    },
    /// The player's seed is taken.
    Seeded {
        /// The number of the game.
        game_id: u64,
    },
    /// Cards are dealt.
    Dealt {
        /// The number of the game.
        game_id: u64,
        /// The number of the deal: 1.
        deal: u32,
        /// The player's cards.
        #[schemars(with = "Vec<described::Card>")]
        cards: Vec<Card>,
        /// When time is up and folds, in milliseconds since 1970.
        deadline_ms: u64,
        /// How many milliseconds are left until then.
        left_ms: u64,
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
        /// The number of the game.
        game_id: u64,
        /// The number of the deal.
        deal: u32,
        /// The decision.
        #[schemars(with = "described::Decision")]
        decision: Decision,
        /// Whether time took it.
        timed_out: bool,
    },
    /// The opponent has decided.
    OpponentDecided {
        /// The number of the game.
        game_id: u64,
        /// The number of the deal.
        deal: u32,
    },
    /// Both played equal hands: new cards are dealt.
    Redealt {
        /// The number of the game.
        game_id: u64,
        /// The number of the deal.
        deal: u32,
        /// The player's cards.
        #[schemars(with = "Vec<described::Card>")]
        cards: Vec<Card>,
        /// When time is up and folds, in milliseconds since 1970.
        deadline_ms: u64,
        /// How many milliseconds are left until then.
        left_ms: u64,
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
        /// What was decided, where cards were dealt.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        decisions: Option<Decisions>,
        /// The seats of those who did not open their seed in time, and so folded; missing where
        /// both opened it.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        forfeited: Vec<u8>,
        /// The cards of both, where both played.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cards: Option<Cards>,
        /// What was secret: with it every deal of the game can be computed.
        reveal: Reveal,
        /// The final digest of the game's journal.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schemars(with = "described::Hex<16>")]
        digest: Option<Hex<16>>,
        /// When the game was over, in milliseconds since 1970, as its leaf in the table's log says;
        /// missing, as `leaves`, where the game began before there was a log.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(with = "u64")]
        time_ms: Option<u64>,
        /// The places of the game's leaves in the table's log, from 0: of its start and of its
        /// end.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(with = "[u64; 2]")]
        leaves: Option<[u64; 2]>,
    },
    /// An operator gave the player tokens, or took some.
    Adjusted {
        /// How many; negative where they were taken.
        tokens: i64,
        /// Their tokens now.
        balance: i64,
        /// Why.
        reason: Reason,
    },
    /// Answers `people`, as it was up to two seconds ago. It is not part of the sequence.
    People {
        /// How many players are connected; at a table of several nodes, those at each of them.
        here: u64,
        /// How many games run.
        running: u64,
        /// How many players wait for anyone, by game.
        waiting: Waiters,
        /// The `id` of the request.
        in_reply_to: RequestId,
    },
    /// Messages that the player asks for with `resume` are not kept any more: those from
    /// `first_seq` on follow. It is not part of the sequence; its `seq` is the number before.
    Resync {
        /// The number of the first message that is kept.
        first_seq: u64,
        /// The tokens of the player before that message.
        balance: i64,
        /// What the player was doing then.
        place: Place,
        /// Their cards then: none, for messages about a game are removed together.
        #[schemars(with = "Vec<described::Card>")]
        cards: Vec<Card>,
    },
    /// Answers `games`: games of the player that are over, the last one first. Fewer than were asked
    /// for are all that there are.
    Games {
        /// The games.
        games: Vec<PastGame>,
        /// The `id` of the request.
        in_reply_to: RequestId,
    },
    /// Answers `figures`: what came of all games of the player that are over.
    Figures {
        /// Of all of them.
        total: Tally,
        /// By kind: those that were played.
        kinds: Vec<KindTally>,
        /// By the hand that the player held in the end: those that they held.
        hands: Vec<HandTally>,
        /// The `id` of the request.
        in_reply_to: RequestId,
    },
    /// Answers `ladder`.
    Ladder {
        /// Over how many days.
        span: Span,
        /// When the last day that counts was over, in milliseconds since 1970; missing before the
        /// first one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(with = "u64")]
        until_ms: Option<u64>,
        /// Those who are shown, the highest rating first: 100 at most.
        top: Vec<Rung>,
        /// The player, wherever they are; missing where none of their games was rated.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        own: Option<Rung>,
        /// The `id` of the request.
        in_reply_to: RequestId,
    },
    /// Answers `watch`.
    Watched {
        /// The games, the one that began last first: 20 at most, and up to a second old. None where no
        /// such game is open to watchers.
        games: Vec<WatchedGame>,
        /// The `id` of the request.
        in_reply_to: RequestId,
    },
    /// Answers `forget`: nobody has the player's token any more, and the connection ends.
    Forgotten {
        /// The `id` of the request.
        in_reply_to: RequestId,
    },
    /// A request is not granted, and nothing has changed; or, where it answers none, the player
    /// may not stay.
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
        if let Self::Started { deadline_ms, .. }
        | Self::Dealt { deadline_ms, .. }
        | Self::Redealt { deadline_ms, .. }
        | Self::Clock { deadline_ms, .. } = self
        {
            *deadline_ms = shown(*deadline_ms);
        }
    }
}

/// What a player is doing where messages were removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    /// They neither wait nor play: messages are removed up to the end of a game.
    Free,
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
    /// The table's seed; its SHA-256 is the commitment.
    #[schemars(with = "described::Hex<32>")]
    pub seed: Hex<32>,
    /// The players' seeds, by seat; null where one was not opened.
    #[schemars(with = "[Option<described::Hex<32>>; 2]")]
    pub client_seeds: [Option<Hex<32>>; 2],
    /// The SHA-256 of the players' seeds, by seat; missing in a game that began under version 1
    /// of the rules.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "[described::Hex<32>; 2]")]
    pub seed_hashes: Option<[Hex<32>; 2]>,
    /// How many times cards were dealt.
    pub deals: u32,
}
