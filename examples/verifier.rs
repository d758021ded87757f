//! A verifier: reads journals, replays their games by the rules, and prints its verdicts.
//!
//! ```sh
//! cargo run --example verifier -- journals/*.json
//! ```

use std::io::Read;
use std::{env, fs};
use war::journal::{Judgement, Proof};
use war::replay::verify;

/// Describes the verdict on a journal.
pub(crate) fn describe_verdict(journal: impl Read) -> String {
    match verify(journal) {
        Ok(judgement) => describe(&judgement),
        Err(error) => format!("not read: {error}"),
    }
}

fn describe(judgement: &Judgement) -> String {
    if let (Some(end), Some(proof)) = (judgement.end(), judgement.proof()) {
        let cards = match proof {
            Proof::Seed(generator) => format!("cards from seed {}", generator.seed()),
            Proof::Commitment => "dealt as committed".to_owned(),
            Proof::Journal => "cards taken from the journal".to_owned(),
        };
        return format!("{judgement}: {} turns by the rules, {cards}", end.turns);
    }
    // If the game diverges from the rules, the event of the journal and that of the rules are
    // shown.
    let divergence = judgement
        .fault()
        .and_then(|fault| fault.divergence.as_ref());
    let sides = divergence.map(|parted| {
        let (journal, rules) = (&parted.journal, &parted.rules);
        format!("\n  journal: {journal}\n  rules:   {rules}")
    });
    format!("{judgement}{}", sides.unwrap_or_default())
}

fn main() {
    for path in env::args_os().skip(1) {
        let name = path.display();
        match fs::File::open(&path) {
            Ok(file) => println!("{name}: {}", describe_verdict(file)),
            Err(error) => println!("{name}: not opened: {error}"),
        }
    }
}
