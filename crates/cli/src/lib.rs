//! The program `war`: the command line, and the environment around the engine.
//!
//! Each command is a file in `commands/` with its arguments, its code and its messages. `machine/`
//! holds the code for files, signals and terminals that commands share. This crate depends on all
//! others of the workspace, and none of them depends on this one. The crate implements no rule of a
//! game: outcomes, figures and verdicts come from the libraries.
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
