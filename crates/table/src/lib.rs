//! The card table: two token games between people, played over the network.
//!
//! [`protocol`] defines the messages, [`room`] is the state machine of games, [`server`] serves it
//! from a store, [`log`] is what the table commits to, [`fair`] is what a player checks of it,
//! [`ladder`] rates players, [`operator`] asks a table that runs, and [`load`] plays at it by the
//! thousand. The crate
//! stands on the engine and on the viewer, and knows nothing of the command line, nor of several nodes
//! that share a table: to a server, they are another [`Placement`](server::placement::Placement).
//!
//! ```
//! use war_table::log::{LogTree, leaf_hash};
//!
//! let mut tree = LogTree::default();
//! tree.append(leaf_hash(b"a game began"));
//! assert_eq!(tree.size(), 1);
//! ```

#![cfg_attr(
    not(test),
    deny(
        clippy::disallowed_macros,
        clippy::disallowed_methods,
        clippy::disallowed_types
    )
)]

#[cfg(not(unix))]
compile_error!(
    "the card table needs a Unix system: its signals, its file modes and its limits of open \
     files are those of Unix; build without the feature `table`"
);

pub mod fair;
pub mod ladder;
pub mod load;
pub mod log;
pub mod operator;
pub mod protocol;
pub mod room;
pub mod server;
mod wording;
