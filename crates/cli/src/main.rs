//! Entry point of `war`; the library holds the program.

use std::process::ExitCode;

fn main() -> ExitCode {
    war_cli::run()
}
