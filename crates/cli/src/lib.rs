//! The program `war`: the command line, and the machine around the engine.
//!
//! Everything that plays, records or judges a game is the library's; this crate reads what was
//! typed, opens files and terminals, and says in words what came of it.

#[cfg(all(feature = "table", not(unix)))]
compile_error!(
    "the card table needs a Unix system: its signals, its file modes and its limits of open \
     files are those of Unix; build without the feature `table`"
);

#[cfg(all(feature = "watch", not(unix)))]
compile_error!(
    "`war watch` needs a Unix system: its signals and its terminals are those of Unix; build \
     with `--no-default-features`"
);

mod arguments;
mod command_line;
mod commands;
mod context;
mod failure;
mod machine;
mod program;
mod verdict;
#[cfg(feature = "watch")]
pub mod watch;

pub use program::run;
