//! The core of the card table: a state machine of players, queues and running games.
//!
//! A [`Room`] uses no clock, sockets or randomness: the caller passes the time, and the secrets of
//! games that may start come with the commands. [`Room::step`] decides [`RoomEvent`]s, applies
//! them, and writes [messages](crate::protocol::NumberedMessage) to the players about what they
//! may know. Storing the events and sending the messages is up to the server.

mod event;
mod finished_game;
mod notify;
mod order;
mod player;
mod queues;
mod state;
mod step;
mod watched_game;

pub use event::{Match, Parties, RoomEvent};
pub use finished_game::{PlayerGameRecord, format_ranks, is_game_end};
pub use order::{Order, OrderError};
pub use player::{Activity, Player, PlayerStatus};
pub use queues::OpponentChoice;
pub use state::{
    ApplyError, NUMBER_RESERVE, NumberPool, Room, RunningGame, Timeouts, WaitingFriend,
};
pub use step::{Command, Effects, READY_TIME};
