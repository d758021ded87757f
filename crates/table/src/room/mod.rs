//! The card table's core: who is there, who waits, which games run, and what each command
//! brings about.
//!
//! A [`Room`] is a state machine without clock, sockets or chance of its own: you pass it
//! the time, and the secrets of the games it may start come with the commands.
//! [`Room::step`] decides [`RoomEvent`]s, applies them, and tells each player what they may know
//! of them in [`Notice`]s. A server stores the events and sends the notices; how is not
//! this part's business.

mod access_token;
mod bad_request;
mod command;
mod described;
mod event;
mod finished_game;
mod meeting;
mod message;
mod naming;
mod notice;
mod number;
mod numbers;
mod opponent;
mod order;
mod past;
mod player;
mod player_id;
mod queues;
mod reason;
mod refusal;
mod request;
mod request_id;
mod revealed;
mod rung;
pub mod schema;
mod span;
mod state;
mod step;
mod waiters;
mod watched;

pub use access_token::AccessToken;
pub use bad_request::{BadRequest, RequestError};
pub use command::Command;
pub use event::{Match, Parties, RoomEvent};
pub use finished_game::{Deed, FinishedGame, is_end};
pub use meeting::{Meeting, Whom};
pub use message::{Cards, Decisions, Message, Outcome, Place, Reveal, Sent};
pub use naming::{NameError, house_name, typed as typed_name};
pub use notice::Notice;
pub use number::Protocol;
pub use numbers::{NUMBERS_AT_HAND, Numbers};
pub use opponent::Opponent;
pub use order::{Order, OrderError};
pub use past::{HandTally, KindTally, PastGame, Tally};
pub use player::{Activity, Player, Standing};
pub use player_id::PlayerId;
pub use reason::{Reason, ReasonError};
pub use refusal::Refusal;
pub use request::Request;
pub use request_id::{RequestId, RequestIdError};
pub use rung::Rung;
pub use span::Span;
pub use state::{ApplyError, Room, Running, Timeouts};
pub use step::Effects;
pub use waiters::Waiters;
pub use watched::{WatchedGame, WatchedResult};
