//! The messages between the card table and its players, version 2 of the protocol.
//!
//! A client sends [`Request`]s, the server answers with numbered [`Message`]s, and [`schema`]
//! describes both for programs in other languages. This part holds no state: it knows neither the
//! room that decides on requests nor the connections that carry them.

mod described;
mod history;
mod message;
pub(crate) mod naming;
mod notice;
mod number;
mod people;
mod player_id;
mod reason;
mod refusal;
mod request;
pub mod schema;
mod watched;
mod whom;

pub use history::{Deed, HandTally, KindTally, PastGame, Tally};
pub use message::{Cards, Decisions, Message, Outcome, Place, Reveal, Sent};
pub use naming::{NameError, house_name, typed as typed_name};
pub use notice::Notice;
pub use number::Protocol;
pub use people::{Opponent, Rung, Span, Waiters};
pub use player_id::{AccessToken, PlayerId};
pub use reason::{Reason, ReasonError};
pub use refusal::Refusal;
pub use request::{BadRequest, Request, RequestError, RequestId, RequestIdError};
pub use watched::{WatchedGame, WatchedResult};
pub use whom::Whom;
