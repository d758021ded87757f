//! A simulated world around the card table, in one thread and without a real clock. The seed of the
//! world determines everything in it. Runs find violations of the laws of the table.
//!
//! The table is the server's own code: [`TimedHub`](war_table::server::TimedHub), and the
//! [`Session`](war_table::server::client::Session) of each connection. The world provides the rest:
//! nodes and their clocks, the store, the network, the players, and all failures.
//!
//! The store is in memory and fails on request. Tests of the card table also use the module
//! [`store`] without the world.
//!
//! The crate depends on the engine and the card table, and only tests depend on it. It must not use
//! a real clock, file or socket, or a seed would not reproduce its run. The laws must not ask the
//! server, but rebuild all state from the committed writes.
//!
//! # Examples
//!
//! ```
//! use clap::Parser;
//! use war_table_world::{Options, run_world};
//!
//! #[derive(Parser)]
//! struct CommandLine {
//!     #[command(flatten)]
//!     options: Options,
//! }
//!
//! let command_line = CommandLine::parse_from(["world", "--players", "5", "--kills", "1"]);
//! let report = run_world(1, &command_line.options, |games| games < 10).unwrap();
//! assert!(report.games >= 10);
//! assert_eq!(report.journals, report.games);
//! ```

#![cfg_attr(
    not(test),
    deny(
        clippy::disallowed_macros,
        clippy::disallowed_methods,
        clippy::disallowed_types
    )
)]

mod access;
mod buggy_store;
mod connection;
mod gateway;
mod incidents;
mod laws;
mod leases;
mod network;
mod node;
mod options;
mod player;
mod player_actions;
mod report;
mod room_owner;
mod schedule;
pub mod store;
mod world;

pub use laws::LawViolation;
pub use options::{Bug, Options};
pub use report::{RunReport, RunViolation, run_world};
