//! A world of players around a card table, in one thread and without a clock: whatever happens in
//! it follows from its seed. It finds what breaks a law of the table.
//!
//! The table is the server's own: [`TimedHub`](war_table::server::TimedHub) with its hub, and the
//! [`Session`](war_table::server::client::Session) of each connection. The world is all around it:
//! nodes and their clocks, the store, the network, the players, and everything that fails.
//!
//! The store of this world is one in memory that fails when asked to; tests of the card table use it
//! without the rest, as [`store`].
//!
//! The crate stands on the engine and on the card table. Nothing but tests stands on it: it is never
//! a part of the program. It must not know a real clock, a file or a socket, or a seed would not
//! repeat itself; and its laws must not ask the server, but count all anew from what was written.
//!
//! # Examples
//!
//! ```
//! use clap::Parser;
//! use war_table_world::{Options, play};
//!
//! #[derive(Parser)]
//! struct Typed {
//!     #[command(flatten)]
//!     options: Options,
//! }
//!
//! let typed = Typed::parse_from(["world", "--players", "5", "--kills", "1"]);
//! let report = play(1, &typed.options, |games| games < 10).unwrap();
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

mod acting;
mod connection;
mod failing;
mod gateway;
mod laws;
mod network;
mod node;
mod options;
mod player;
mod post;
mod report;
mod schedule;
mod serving;
mod sharing;
pub mod store;
mod world;

pub use laws::Broken;
pub use options::{Bug, Options};
pub use report::{Failure, Report, play};
