//! The hub: a room with its connections, and every policy of the server that concerns players.
//!
//! The hub has neither sockets nor a clock. [`Hub::run`] carries out a batch of [`HubCommand`]s in
//! a [`UnitOfWork`], which carries the time; [`UnitOfWork::commit`] then returns the deliveries to
//! publish. Secrets and chance come from a [`Randomness`](super::Randomness), so that a hub with a
//! seeded source and a store in memory behaves the same in every run.

mod answers;
mod batch;
mod claims;
mod command;
mod connections;
mod friends;
mod hello;
mod house;
mod matchmaking;
mod opponents;
mod orders;
mod persist;
mod presence;
mod requests;
mod settings;
mod state;
mod unit_of_work;

pub use answers::{
    ANSWER_RETENTION, MAX_REQUESTS_PER_HOUR, MAX_WITHDRAWN_REMATCHES_PER_HOUR, SWEEP_INTERVAL,
};
pub use batch::{DECISION_GRACE, MAX_CLOCK_DRIFT};
pub use command::{ClientId, HubCommand, TimedCommand};
pub use connections::MAX_CONNECTIONS_PER_PLAYER;
pub use matchmaking::{EQUILIBRIA, INCOMING_POLL_INTERVAL, LONE_WAIT};
pub use opponents::FOLLOW_TIMEOUT;
pub use presence::{ABSENCE_TIMEOUT, INVITER_ABSENCE_TIMEOUT};
pub use settings::{DEFAULT_FULL_LOAD, DEFAULT_HOUSE_DELAY, HubSettings, RoomLoad};
pub use state::{Health, Hub};
pub use unit_of_work::{CurrentTime, HubDelivery, UnitOfWork};
