//! A program with its own rules: it records a game, opens the journal again and verifies it, and
//! shows that a forged journal is rejected.
//!
//! ```sh
//! cargo run --manifest-path examples/own_rules/Cargo.toml -- sprint.json
//! cargo run -- replay sprint.json
//! ```
//!
//! The second command doesn't know the rules, and reports their id.

use own_rules::{Sprint, sprint_rules};
use std::env;
use std::error::Error;
use std::fs;
use war::cards::{Deck, Generator};
use war::journal::{JournalFile, Medium, Verdict};
use war::lang::Lang;
use war::recording::{NewGame, Recorder};
use war::replay::{Replay, ReplayItem, verify, verify_with};
use war::rules::{ProgramRules, Rulebook};

fn record(rules: ProgramRules, medium: impl Medium) -> Result<(), Box<dyn Error>> {
    let generator = Generator::ChaCha8 { seed: 1 };
    let opening = NewGame::shuffled(rules, Deck::Large, 3, generator)?;
    let recorder = Recorder::new("own_rules 0.1.0", opening, Lang::En).write_to(medium);
    let end = recorder.play()?;
    println!("recorded: {:?} after {} turns", end.reason, end.turns);
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut journal = Vec::new();
    if let Some(path) = env::args_os().nth(1) {
        record(sprint_rules(), JournalFile::create(path.as_ref())?)?;
        journal = fs::read(path)?;
    } else {
        record(sprint_rules(), &mut journal)?;
    }

    // With the rules in its rulebook, the program can replay the journal.
    let book = Rulebook::default().with_rules(sprint_rules());
    for item in Replay::open_with(&book, &journal[..], None)? {
        match item? {
            ReplayItem::War(_) | ReplayItem::Tokens(_) => {}
            ReplayItem::Verdict(judgement) => println!("known rules: {judgement}"),
        }
    }

    // Without the rules, verification reports that the rules belong to another program.
    println!("unknown rules: {}", verify(&journal[..])?);

    // With the same id but different rules, the chain is intact and the game diverges.
    let mut forged = Vec::new();
    let longer = ProgramRules {
        start: || Box::new(Sprint::new(51)),
        ..sprint_rules()
    };
    record(longer, &mut forged)?;
    let judgement = verify_with(&book, &forged[..])?;
    println!("forged: {judgement}");
    assert_eq!(judgement.verdict(), Verdict::Diverged);
    Ok(())
}
