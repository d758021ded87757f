use super::{
    DailyGames, FriendLink, FriendPresence, HandTally, HistoryEntry, JournalAddress, KindTally,
    LadderEntry, LadderPeriod, Opponent, OpponentFilter, PlayerId, ProtocolVersion, Reason,
    Refusal, RequestId, Tally, Waiters, WatchedGame, schema_types,
};
use crate::time::{TableTime, WallTime};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use war::cards::Card;
use war::support::hex::Hex;
use war::tokens::{Decision, Kind, Name};

/// A server message with its sequence number.
///
/// Messages to a player are numbered from 1 without gaps, across all of the player's connections.
/// `welcome`, `settings`, `links`, `friend`, `people`, `error`, `resync`, `games`, `figures`, `score`, `ladder`, `watched` and
/// `forgotten` are not part of the sequence: they belong to a connection, and their `seq` is that of
/// the player's last message before them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Sent")]
pub struct NumberedMessage {
    /// The sequence number.
    pub seq: u64,
    /// The message.
    #[serde(flatten)]
    pub message: Message,
}

/// A message from the server to a player.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Message {
    /// Answers `hello`.
    Welcome {
        /// The player's number.
        player: PlayerId,
        /// The player's name.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(with = "schema_types::Name")]
        name: Option<Name>,
        /// True if others may watch the player's games. Missing while parts of the table still run an
        /// earlier version.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(with = "bool")]
        watchable: Option<bool>,
        /// The player's balance after message `seq`.
        balance: i64,
        /// Time of the server's clock, in milliseconds since 1970. Deadlines refer to this clock.
        now_ms: u64,
        /// The version of the protocol.
        #[schemars(with = "schema_types::VersionSchema")]
        protocol: ProtocolVersion,
        /// The table's ID.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schemars(with = "schema_types::Hex<16>")]
        table: Option<Hex<16>>,
        /// The table's public Ed25519 key.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schemars(with = "schema_types::Hex<32>")]
        key: Option<Hex<32>>,
        /// The `id` of the `hello`.
        in_reply_to: RequestId,
    },
    /// The player's settings: answers `settings`, and reports a change over another connection of the
    /// player.
    Settings {
        /// The player's name. Differs from the requested name if an operator chose the name.
        #[schemars(with = "schema_types::Name")]
        name: Name,
        /// True if others may watch the player's games.
        watchable: bool,
        /// The `id` of the request; missing for a change over another connection.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(with = "RequestId")]
        in_reply_to: Option<RequestId>,
    },
    /// The player's friend links: answers `create_link`, `revoke_link` and `links`.
    Links {
        /// The links, oldest first.
        links: Vec<FriendLink>,
        /// The `id` of the request.
        in_reply_to: RequestId,
    },
    /// Presence of the friend with whom a player waits: sent when the wait begins, and at each
    /// change.
    Friend {
        /// The friend link's ID.
        #[schemars(with = "schema_types::Hex<8>")]
        link: Hex<8>,
        /// The friend; missing if nobody is present.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(with = "Opponent")]
        opponent: Option<Opponent>,
        /// The friend's presence.
        presence: FriendPresence,
    },
    /// Start of the player's wait for an opponent.
    Waiting {
        /// The kind of game.
        #[schemars(with = "schema_types::Kind")]
        game: Kind,
        /// The requested opponent; missing if the player waits for anyone.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(with = "OpponentFilter")]
        with: Option<OpponentFilter>,
        /// False if the player waits for a friend, but is not ready to play; else missing.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(with = "bool")]
        ready: Option<bool>,
        /// The `id` of the `choose`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(with = "RequestId")]
        in_reply_to: Option<RequestId>,
    },
    /// End of the player's wait: the player cancelled, was disconnected for too long, or chose the
    /// game before the server was updated.
    Cancelled {
        /// The kind of game.
        #[schemars(with = "schema_types::Kind")]
        game: Kind,
        /// The `id` of the `cancel`; missing if the player did not cancel.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(with = "RequestId")]
        in_reply_to: Option<RequestId>,
    },
    /// Offer of a rematch by the opponent of a finished game, who waits for the player to accept.
    RematchWanted {
        /// The number of that game.
        game_id: u64,
    },
    /// Withdrawal of a rematch offer by the opponent of a finished game. Sent only to players who
    /// neither wait nor play, so a client may drop the offer as soon as its player chooses a game.
    RematchWithdrawn {
        /// The number of that game.
        game_id: u64,
    },
    /// End of the player's wait because the server is shutting down and starts no more games.
    Draining {
        /// The kind of game.
        #[schemars(with = "schema_types::Kind")]
        game: Kind,
    },
    /// Start of a game: the player now opens their seed.
    Started {
        /// The number of the game.
        game_id: u64,
        /// The kind of game.
        #[schemars(with = "schema_types::Kind")]
        game: Kind,
        /// The player's seat: 1 if the player's hand is dealt first, 2 if second.
        seat: u8,
        /// The opponent.
        opponent: Opponent,
        /// The opponent's balance as the game starts.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(with = "i64")]
        opponent_balance: Option<i64>,
        /// The SHA-256 of both players' seeds, by seat.
        #[schemars(with = "[schema_types::Hex<32>; 2]")]
        seed_hashes: [Hex<32>; 2],
        /// The SHA-256 of the table's seed, which is revealed after the game.
        #[schemars(with = "schema_types::Hex<32>")]
        commitment: Hex<32>,
        /// Start of the game in milliseconds since 1970, as in its leaf in the table's log.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schemars(with = "u64")]
        time_ms: Option<u64>,
        /// The table's ID.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schemars(with = "schema_types::Hex<16>")]
        table: Option<Hex<16>>,
        /// The table's Ed25519 signature of this start, over the line `war-table started/1`, the
        /// table's ID and the lines of the leaf.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schemars(with = "schema_types::Hex<64>")]
        signature: Option<Hex<64>>,
        /// Deadline for opening the seed, in milliseconds since 1970.
        deadline_ms: u64,
        /// Milliseconds left until the deadline.
        left_ms: u64,
        /// The `id` of the `choose`, if the opponent was there already.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(with = "RequestId")]
        in_reply_to: Option<RequestId>,
    },
    /// Acceptance of the player's seed.
    Seeded {
        /// The number of the game.
        game_id: u64,
        /// The `id` of the `seed`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(with = "RequestId")]
        in_reply_to: Option<RequestId>,
    },
    /// First deal of a game.
    Dealt {
        /// The number of the game.
        game_id: u64,
        /// The number of the deal: always 1, as later deals are sent as `redealt`.
        deal: u32,
        /// The player's cards.
        #[schemars(with = "Vec<schema_types::Card>")]
        cards: Vec<Card>,
        /// Deadline for the decision, in milliseconds since 1970. A hand without a decision by then
        /// is folded.
        deadline_ms: u64,
        /// Milliseconds left until the deadline.
        left_ms: u64,
    },
    /// New deadline for the player: the game resumed after a pause, or the server's clock was set.
    Clock {
        /// The number of the game.
        game_id: u64,
        /// The new deadline, in milliseconds since 1970.
        deadline_ms: u64,
        /// Milliseconds left until the deadline.
        left_ms: u64,
    },
    /// Acceptance of the player's decision, or a fold because the time ran out.
    Decided {
        /// The number of the game.
        game_id: u64,
        /// The number of the deal.
        deal: u32,
        /// The decision.
        #[schemars(with = "schema_types::Decision")]
        decision: Decision,
        /// True if the hand was folded because time ran out.
        timed_out: bool,
        /// The `id` of the `decide`; missing if the time ran out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(with = "RequestId")]
        in_reply_to: Option<RequestId>,
    },
    /// Notice that the opponent has decided. Does not reveal the decision.
    OpponentDecided {
        /// The number of the game.
        game_id: u64,
        /// The number of the deal.
        deal: u32,
    },
    /// New deal after a tie, in which both players played equal hands.
    Redealt {
        /// The number of the game.
        game_id: u64,
        /// The number of the deal, 2 or more.
        deal: u32,
        /// The player's cards.
        #[schemars(with = "Vec<schema_types::Card>")]
        cards: Vec<Card>,
        /// Deadline for the decision, in milliseconds since 1970. A hand without a decision by then
        /// is folded.
        deadline_ms: u64,
        /// Milliseconds left until the deadline.
        left_ms: u64,
    },
    /// End of a game, after which the player may choose the next one.
    Result {
        /// The number of the game.
        game_id: u64,
        /// Outcome for the player.
        outcome: Outcome,
        /// Tokens won; negative if lost.
        delta: i64,
        /// The player's balance after the game.
        balance: i64,
        /// Both decisions; missing if no cards were dealt.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        decisions: Option<Decisions>,
        /// Seats of the players who did not open their seeds in time, and so folded; missing if
        /// there are none.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        forfeited: Vec<u8>,
        /// Both hands; missing unless both played.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cards: Option<Cards>,
        /// The secrets of the game, from which every deal can be recomputed.
        reveal: Reveal,
        /// The final digest of the game's journal.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schemars(with = "schema_types::Hex<16>")]
        digest: Option<Hex<16>>,
        /// End of the game in milliseconds since 1970, as in its leaf in the table's log; missing,
        /// like `leaves`, if the game began before the table had a log.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(with = "u64")]
        time_ms: Option<u64>,
        /// Positions of the game's start leaf and end leaf in the table's log, counted from 0.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(with = "[u64; 2]")]
        leaves: Option<[u64; 2]>,
        /// Address of the game's journal.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(with = "JournalAddress")]
        journal: Option<JournalAddress>,
    },
    /// Transfer of tokens by an operator, to the player or from the player.
    Adjusted {
        /// Number of tokens; negative if taken.
        tokens: i64,
        /// The player's new balance.
        balance: i64,
        /// The operator's reason.
        reason: Reason,
    },
    /// Answers `people`, with counts up to two seconds old. Not part of the sequence.
    People {
        /// Number of connected players; on a table of several nodes, the sum over all nodes.
        here: u64,
        /// Number of running games.
        running: u64,
        /// Numbers of players who wait for anyone, by kind of game.
        waiting: Waiters,
        /// The `id` of the request.
        in_reply_to: RequestId,
    },
    /// Notice that some messages requested with `resume` are no longer stored; the messages from
    /// `first_seq` on follow. The notice is not part of the sequence, and has the `seq` before
    /// `first_seq`.
    Resync {
        /// Sequence number of the first stored message.
        first_seq: u64,
        /// The player's balance before that message.
        balance: i64,
        /// The player's activity at that point.
        place: ResyncActivity,
        /// The player's cards at that point: always empty, as messages are removed only up to the
        /// end of a game.
        #[schemars(with = "Vec<schema_types::Card>")]
        cards: Vec<Card>,
    },
    /// Answers `games`: the player's finished games, latest first. Fewer games than requested means
    /// that there are no more.
    Games {
        /// The games.
        games: Vec<HistoryEntry>,
        /// The `id` of the request.
        in_reply_to: RequestId,
    },
    /// Answers `figures`: statistics over all of the player's finished games.
    Figures {
        /// Totals over all games.
        total: Tally,
        /// Totals by kind of game, for the kinds that the player has played.
        kinds: Vec<KindTally>,
        /// Totals by final hand, for the hands that the player has held.
        hands: Vec<HandTally>,
        /// The `id` of the request.
        in_reply_to: RequestId,
    },
    /// Answers `ladder`.
    Ladder {
        /// The requested period.
        span: LadderPeriod,
        /// End of the last rated day, in milliseconds since 1970; missing if no day has been rated
        /// yet.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(with = "u64")]
        until_ms: Option<u64>,
        /// Listed players, highest rating first: at most 100.
        top: Vec<LadderEntry>,
        /// The player's own entry, listed or not; missing if none of their games has been rated.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        own: Option<LadderEntry>,
        /// The player's games of the public queue since the start of the day in UTC, by opponent.
        /// At most five with the same opponent count.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(with = "Vec<DailyGames>")]
        today: Option<Vec<DailyGames>>,
        /// The `id` of the request.
        in_reply_to: RequestId,
    },
    /// Answers `score`: the games between the player and an opponent.
    Score {
        /// The opponent.
        opponent: PlayerId,
        /// Number of games that the player won.
        won: u64,
        /// Number of games that the opponent won. Nobody wins a game that both fold.
        lost: u64,
        /// Tokens that the player won; negative if lost.
        tokens: i64,
        /// The `id` of the request.
        in_reply_to: RequestId,
    },
    /// Answers `watch`.
    Watched {
        /// The games, latest start first: at most 20, and up to a second old. Empty if no matching
        /// game is open to watchers.
        games: Vec<WatchedGame>,
        /// The `id` of the request.
        in_reply_to: RequestId,
    },
    /// Answers `forget`: the player's token is gone, and the connection ends.
    Forgotten {
        /// The `id` of the request.
        in_reply_to: RequestId,
    },
    /// Refusal of a request, which changed nothing. An error that is sent without any request means
    /// that the player may not stay connected.
    Error {
        /// The reason, for programs.
        code: Refusal,
        /// The reason, for people.
        message: String,
        /// The `id` of the request, if it could be read.
        in_reply_to: Option<RequestId>,
    },
}

impl Message {
    /// Returns true for a message that answers a `choose`, `cancel`, `seed` or `decide`, if it has
    /// one of these as its cause.
    #[must_use]
    pub const fn is_answer(&self) -> bool {
        matches!(
            self,
            Self::Waiting { .. }
                | Self::Started { .. }
                | Self::Cancelled { .. }
                | Self::Seeded { .. }
                | Self::Decided { .. }
        )
    }

    /// Converts deadlines from the room's own time to the wall clock.
    pub fn convert_deadlines(&mut self, shown: impl Fn(TableTime) -> WallTime) {
        if let Self::Started { deadline_ms, .. }
        | Self::Dealt { deadline_ms, .. }
        | Self::Redealt { deadline_ms, .. }
        | Self::Clock { deadline_ms, .. } = self
        {
            *deadline_ms = shown(TableTime::from_millis(*deadline_ms)).as_millis();
        }
    }
}

/// A player's activity at the point up to which messages were removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ResyncActivity {
    /// Neither waiting nor playing: messages are removed up to the end of a game.
    Free,
}

/// Outcome of a game for one player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Game won by the player.
    Won,
    /// Game won by the opponent.
    Lost,
    /// Game that both players folded, and in which both lost tokens.
    BothFolded,
}

/// Both players' final decisions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Decisions {
    /// The player's decision.
    #[schemars(with = "schema_types::Decision")]
    pub yours: Decision,
    /// The opponent's decision.
    #[schemars(with = "schema_types::Decision")]
    pub theirs: Decision,
}

/// Hands compared at the end of a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Cards {
    /// The player's cards.
    #[schemars(with = "Vec<schema_types::Card>")]
    pub yours: Vec<Card>,
    /// The opponent's cards.
    #[schemars(with = "Vec<schema_types::Card>")]
    pub theirs: Vec<Card>,
}

/// Secrets that the deals of a game were derived from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Reveal {
    /// The table's seed; its SHA-256 is the commitment.
    #[schemars(with = "schema_types::Hex<32>")]
    pub seed: Hex<32>,
    /// The players' seeds, by seat; null for a seed that was not opened.
    #[schemars(with = "[Option<schema_types::Hex<32>>; 2]")]
    pub client_seeds: [Option<Hex<32>>; 2],
    /// The SHA-256 of the players' seeds, by seat; missing if the game began under version 1 of the
    /// rules.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "[schema_types::Hex<32>; 2]")]
    pub seed_hashes: Option<[Hex<32>; 2]>,
    /// Number of deals.
    pub deals: u32,
}
