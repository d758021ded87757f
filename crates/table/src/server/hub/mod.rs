//! The hub: the room with the clients that are connected to it, and every policy of the
//! server that concerns players.
//!
//! It has no socket and no clock: [`Hub::run`] does a batch of [`HubCommand`]s in a
//! [`UnitOfWork`], which says what time it is; [`UnitOfWork::commit`] then returns what to
//! publish. Secrets and chance come from a [`Randomness`](super::Randomness). So a hub
//! with a seeded one and a store in memory repeats exactly.

mod batch;
mod claims;
mod command;
mod hello;
mod house;
mod meeting;
mod operated;
mod persist;
mod requests;
mod sending;
mod state;
mod unit_of_work;

pub use command::{ClientId, HubCommand, TimedCommand};
pub use state::{
    ALONE, ANSWERS_KEPT, ARRIVALS, CLOCKS_PART, FOLLOWED, FULL, GRACE, HOUSE_AFTER, Health, Hub,
    HubSettings, INVITED, Load, MOST_CONNECTIONS_A_PLAYER, MOST_REQUESTS, MOST_WITHDRAWN,
    ON_ITS_WAY, SWEEP_INTERVAL,
};
pub use unit_of_work::{Now, Outbound, Publication, UnitOfWork};
