//! The card table's core: who is there, who waits, which games run, and what each command
//! brings about.
//!
//! A [`Room`] is a state machine without clock, sockets or chance of its own: you pass it
//! the time, and the secrets of the games it may start come with the commands.
//! [`Room::step`] decides [`RoomEvent`]s, applies them, and tells each player what they may know
//! of them in [`Notice`]s. A server stores the events and sends the notices; how is not
//! this part's business.

mod described;
mod event;
mod finished_game;
mod meeting;
mod message;
mod naming;
mod notice;
mod number;
mod order;
mod people;
mod player;
mod player_id;
mod refusal;
mod request;
pub mod schema;
mod state;
mod step;
mod watched;

pub use event::{Match, Parties, Reason, ReasonError, RoomEvent};
pub use finished_game::{Deed, FinishedGame, HandTally, KindTally, PastGame, Tally, is_end};
pub use meeting::{Meeting, Whom};
pub use message::{Cards, Decisions, Message, Outcome, Place, Reveal, Sent};
pub use naming::{NameError, house_name, typed as typed_name};
pub use notice::Notice;
pub use number::Protocol;
pub use order::{Order, OrderError};
pub use people::{Opponent, Rung, Span, Waiters};
pub use player::{Activity, Player, Standing};
pub use player_id::{AccessToken, PlayerId};
pub use refusal::Refusal;
pub use request::{BadRequest, Request, RequestError, RequestId, RequestIdError};
pub use state::{ApplyError, NUMBERS_AT_HAND, Numbers, Room, Running, Timeouts};
pub use step::{Command, Effects};
pub use watched::{WatchedGame, WatchedResult};
