//! The program `war`: the command line, and the machine around the engine.
//!
//! It reads what was typed, opens files and terminals, and says in words what came of it. Each
//! command is a file in `commands/` with its arguments, its run and its messages; `machine/` has
//! what they share of files, signals and terminals. It stands on all other crates, and none of them
//! knows it. It holds no rule of a game: an outcome, a figure or a verdict comes from the library.
//!
//! ```no_run
//! // All of `main`; the arguments are those of the process.
//! let code: std::process::ExitCode = war_cli::run();
//! ```

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
