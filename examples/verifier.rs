//! A verifier: reads journals, plays their games again by the rules, and says what it found.
//!
//! ```sh
//! cargo run --example verifier -- journals/*.json
//! ```

use std::io::Read;
use std::{env, fs};
use war::journal::{Fault, ReadError};
use war::replay::Replay;

/// What a journal turned out to be, in one line.
pub(crate) fn verdict(journal: impl Read) -> String {
    match verify(journal) {
        Ok(turns) => format!("VERIFIED: {turns} turns by the rules"),
        Err(ReadError::Fault(fault)) => told(&fault),
        Err(ReadError::Io(error)) => format!("not read: {error}"),
    }
}

/// The number of turns of a journal that verifies.
fn verify(journal: impl Read) -> Result<u32, ReadError> {
    let mut replay = Replay::open(journal, None)?;
    // Each call checks one event against the rules and shows it to a projection. `()` is the
    // projection that looks away.
    while replay.event(&mut ())? {}
    Ok(replay.end()?.turns)
}

fn told(fault: &Fault) -> String {
    let verdict = fault.verdict().word();
    match &fault.divergence {
        None => format!("{verdict} at {fault}"),
        Some(parted) => format!(
            "{verdict} at {fault}\n  journal: {}\n  rules:   {}",
            parted.journal, parted.rules
        ),
    }
}

fn main() {
    for path in env::args_os().skip(1) {
        let name = path.display();
        match fs::File::open(&path) {
            Ok(file) => println!("{name}: {}", verdict(file)),
            Err(error) => println!("{name}: not opened: {error}"),
        }
    }
}
