//! The messages between the card table and its players, in versions 2 to 4 of the protocol.
//!
//! A client sends [`Request`]s, the server answers with numbered [`Message`]s, and [`schema`]
//! describes both for programs in other languages. The rooms of a table and its store write
//! messages of version 2: fields of later versions are added at the connection of a client. This part
//! holds no state: it knows neither the room that decides on requests nor the connections that carry
//! them.

mod history;
mod journal_address;
mod message;
pub(crate) mod naming;
mod number;
mod opponent_filter;
mod people;
mod player_id;
mod reason;
mod refusal;
mod request;
pub mod schema;
mod schema_types;
mod table_limits;
mod watched_game;

pub use history::{FinalAction, HandTally, HistoryEntry, KindTally, Tally};
pub use journal_address::{JournalAddress, ParseJournalAddressError};
pub use message::{Cards, Decisions, Message, NumberedMessage, Outcome, ResyncActivity, Reveal};
pub use naming::{NameError, house_name, parse_typed_name};
pub use number::ProtocolVersion;
pub use opponent_filter::OpponentFilter;
pub use people::{
    DailyGames, FriendLink, FriendPresence, LadderEntry, LadderPeriod, MAX_LINKS_PER_PLAYER,
    Opponent, Waiters,
};
pub use player_id::{AccessToken, PlayerId};
pub use reason::{Reason, ReasonError};
pub use refusal::Refusal;
pub use request::{BadRequest, Request, RequestError, RequestId, RequestIdError};
pub use table_limits::TableLimits;
pub use watched_game::{WatchedGame, WatchedResult};
