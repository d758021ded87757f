//! Freedom from side effects: no file, clock, socket, environment, chance or printing.

use super::uses::{Target, Uses};
use super::violation::Violation;

/// What begins like this has an effect, or brings something from outside.
const SIDE_EFFECTS: &[&str] = &[
    "std::fs",
    "std::net",
    "std::env",
    "std::process",
    "std::thread",
    "std::os",
    "std::time::Instant",
    "std::time::SystemTime",
    "std::io::stdin",
    "std::io::stdout",
    "std::io::stderr",
    "std::random",
    "axum",
    "getrandom",
    "hyper",
    "rand::make_rng",
    "rand::random",
    "rand::rng",
    "rand::rngs::SmallRng",
    "rand::rngs::StdRng",
    "rand::rngs::SysRng",
    "rand::rngs::ThreadRng",
    "rand::seq",
    "ratatui::Terminal",
    "ratatui::crossterm",
    "rustix",
    "rusqlite",
    "tempfile",
    "time",
    "tokio",
];

/// What has one of these names, of whatever crate: maps whose order changes from run to run,
/// and everything that prints.
const NAMES: &[&str] = &[
    "HashMap",
    "HashSet",
    "RandomState",
    "dbg!",
    "eprint!",
    "eprintln!",
    "print!",
    "println!",
];

/// Side effects outside of the files and folders that may have them.
///
/// `except` lists such a file or folder with the effects that it may have; an empty list is
/// all of them.
pub(super) fn side_effects(uses: &Uses, except: &[(&str, &[&str])]) -> Vec<Violation> {
    let mut found = Vec::new();
    for used in uses
        .all
        .iter()
        .filter(|used| used.target == Target::Outside)
    {
        let Some(effect) = effect(&used.path) else {
            continue;
        };
        let excepted = except.iter().any(|(place, effects)| {
            lies_in(&used.from, place) && (effects.is_empty() || effects.contains(&effect))
        });
        if !excepted {
            let what = format!("{}: {effect}", used.from);
            found.push(Violation::new(what, format!("{}:{}", used.from, used.line)));
        }
    }
    found
}

fn effect(path: &[String]) -> Option<&'static str> {
    let begins = |effect: &&&str| {
        let mut names = path.iter();
        effect
            .split("::")
            .all(|name| names.next().is_some_and(|own| own == name))
    };
    let named = |name: &&&str| path.iter().any(|own| own == **name);
    let effect = SIDE_EFFECTS.iter().find(begins);
    effect.or_else(|| NAMES.iter().find(named)).copied()
}

fn lies_in(file: &str, place: &str) -> bool {
    file.strip_prefix(place)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}
