//! The hub: the room with the clients that are connected to it, and every policy of the
//! server that concerns players.
//!
//! It has no socket and no clock: [`Hub::run`] does a batch of [`HubCommand`]s in a
//! [`UnitOfWork`], which says what time it is; [`UnitOfWork::commit`] then returns what to
//! publish. Secrets and chance come from a [`Randomness`](super::Randomness). So a hub
//! with a seeded one and a store in memory repeats exactly.

mod answers;
mod batch;
mod claims;
mod command;
mod connections;
mod hello;
mod house;
mod matchmaking;
mod operated;
mod persist;
mod presence;
mod requests;
mod state;
mod unit_of_work;

pub use answers::{ANSWERS_KEPT, MOST_REQUESTS, MOST_WITHDRAWN, SWEEP_INTERVAL};
pub use batch::{CLOCKS_PART, ON_ITS_WAY};
pub use command::{ClientId, HubCommand, TimedCommand};
pub use connections::MOST_CONNECTIONS_A_PLAYER;
pub use matchmaking::{ALONE, ARRIVALS, FOLLOWED, FULL, HOUSE_AFTER, Load};
pub use presence::{GRACE, INVITED};
pub use state::{Health, Hub, HubSettings};
pub use unit_of_work::{Now, Outbound, Publication, UnitOfWork};
