//! The card table's core: who is there, who waits, which games run, and what each command
//! brings about.
//!
//! A [`Room`] is a state machine without clock, sockets or chance of its own: you pass it
//! the time, and the secrets of the games it may start come with the commands.
//! [`Room::step`] decides [`RoomEvent`]s, applies them, and tells each player what they may know
//! of them in [`Notice`](crate::protocol::Notice)s. A server stores the events and sends the
//! notices; how is not this part's business.

mod event;
mod finished_game;
mod meeting;
mod notify;
mod order;
mod player;
mod state;
mod step;
mod watched;

pub use event::{Match, Parties, RoomEvent};
pub use finished_game::{FinishedGame, is_end};
pub use meeting::Meeting;
pub use order::{Order, OrderError};
pub use player::{Activity, Player, Standing};
pub use state::{ApplyError, NUMBERS_AT_HAND, Numbers, Room, Running, Timeouts};
pub use step::{Command, Effects};
