//! The command line of War; see the library for everything it does.

use std::process::ExitCode;

fn main() -> ExitCode {
    war_cli::run()
}
