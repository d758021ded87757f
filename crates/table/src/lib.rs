//! The card table: two token games between people, played over the network.
//!
//! [`protocol`] defines the messages, [`room`] is the state machine of games, [`server`] serves the
//! games from a store, [`log`] holds the table's commitments, [`fair`] lets a player check them,
//! [`ladder`] rates players, [`daily`] deals the daily duel, [`operator`] defines the requests that
//! administer a running table, [`time`] has the types of the table's clocks, and [`load`] tests a
//! table with thousands of players. The crate depends on the engine and the viewer, but not on the
//! command line or the cluster: several nodes that share a table plug into the server as another
//! [`Placement`](server::placement::Placement).
//!
//! ```
//! use war_table::log::{LogTree, hash_leaf};
//!
//! let mut tree = LogTree::default();
//! tree.append(hash_leaf(b"a game began"));
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

pub mod daily;
mod error_messages;
pub mod fair;
pub mod ladder;
pub mod load;
pub mod log;
pub mod operator;
pub mod protocol;
pub mod room;
pub mod server;
pub mod time;
