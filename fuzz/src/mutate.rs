//! Changes to journals behind which a reader does not stop at once.
//!
//! Any change breaks the chain, and most break the state after it too. So after a change the chain
//! is made to fit, and sometimes what the rules say of the first fault is put in its place.

use super::chance::Chance;
use super::reader::verdict;
use super::relink::relinked;
use super::tokens::other_tokens;
use war::journal::{Fault, GameError, Problem, RecordError};

/// How many bytes are replayed at most to put faults right: each takes a replay.
const MOST_REPLAYED: usize = 200_000;

/// Changes the first `size` bytes, where there is room for more; the result is how many there are
/// then.
///
/// `bytes` changes bytes of any kind in the same way.
pub fn mutate(
    data: &mut [u8],
    size: usize,
    seed: u32,
    bytes: impl Fn(&mut [u8], usize) -> usize,
) -> usize {
    let mut chance = Chance::new(seed);
    if chance.below(8) == 0 {
        return bytes(data, size);
    }
    let journal = &data[..size];
    let changed = match chance.below(6) {
        0 => moved(journal, &mut chance),
        1 => one_line(journal, &mut chance, |line, _| {
            const ROOM: usize = 64;
            let length = line.len();
            line.resize(length + ROOM, 0);
            let changed = bytes(line, length);
            line.truncate(changed);
        }),
        _ => {
            let tokens = |line: &mut Vec<u8>, chance: &mut _| other_tokens(line, journal, chance);
            one_line(journal, &mut chance, tokens)
        }
    };
    let mut journal = relinked(&changed);
    if chance.below(3) == 0 {
        for _ in 0..MOST_REPLAYED / journal.len().max(1000) {
            let Some(better) = put_right(&journal) else {
                break;
            };
            journal = relinked(&better);
        }
    }
    let size = journal.len().min(data.len());
    data[..size].copy_from_slice(&journal[..size]);
    size
}

/// A journal with one of its lines left out, doubled or exchanged with another.
fn moved(journal: &[u8], chance: &mut Chance) -> Vec<u8> {
    let mut lines: Vec<_> = journal.split_inclusive(|&byte| byte == b'\n').collect();
    if lines.is_empty() {
        return Vec::new();
    }
    let (one, other) = (chance.below(lines.len()), chance.below(lines.len()));
    match chance.below(3) {
        0 => drop(lines.remove(one)),
        1 => lines.insert(other, lines[one]),
        _ => lines.swap(one, other),
    }
    lines.concat()
}

/// A journal with one of its lines changed.
fn one_line(
    journal: &[u8],
    chance: &mut Chance,
    edit: impl FnOnce(&mut Vec<u8>, &mut Chance),
) -> Vec<u8> {
    let mut lines: Vec<_> = journal.split_inclusive(|&byte| byte == b'\n').collect();
    if lines.is_empty() {
        return Vec::new();
    }
    // The header decides how all the others are read.
    let number = match chance.below(3) {
        0 => 0,
        _ => chance.below(lines.len()),
    };
    let mut line = lines[number].to_vec();
    edit(&mut line, chance);
    lines[number] = &line;
    lines.concat()
}

/// The journal with what the rules say in the place of its first fault, where they say anything.
fn put_right(journal: &[u8]) -> Option<Vec<u8>> {
    let fault = verdict(journal).err()?;
    let (found, true_one) = exchange(&fault)?;
    let mut lines: Vec<_> = journal.split_inclusive(|&byte| byte == b'\n').collect();
    let number = usize::try_from(fault.at.line).ok()?.checked_sub(1)?;
    let line = String::from_utf8(lines.get(number)?.to_vec()).ok()?;
    let line = line
        .contains(&found)
        .then(|| line.replacen(&found, &true_one, 1))?;
    lines[number] = line.as_bytes();
    Some(lines.concat())
}

/// What a fault found in its line, and what should stand there.
fn exchange(fault: &Fault) -> Option<(String, String)> {
    if let Some(divergence) = &fault.divergence
        && matches!(fault.problem, Problem::Game(GameError::Event { .. }))
    {
        return Some((divergence.journal.clone(), divergence.rules.clone()));
    }
    let field = |name: &str, [found, expected]: [String; 2]| {
        let named = |value| format!("\"{name}\":{value}");
        Some((named(found), named(expected)))
    };
    match &fault.problem {
        Problem::Record(RecordError::Sequence { expected, found }) => {
            field("seq", [found, expected].map(u64::to_string))
        }
        Problem::Game(error) => match error {
            GameError::Turn {
                found, expected, ..
            } => field("turn", [found, expected].map(u32::to_string)),
            GameError::State {
                found, expected, ..
            } => Some((found.to_string(), expected.to_string())),
            GameError::End {
                field: name,
                found,
                expected,
            } => field(name, [found.clone(), expected.clone()]),
            GameError::Console {
                found,
                found_bytes,
                expected,
                expected_bytes,
            } => {
                let console = |bytes, digest: String| {
                    format!("\"console\":{{\"bytes\":{bytes},\"blake3\":\"{digest}\"}}")
                };
                Some((
                    console(found_bytes, found.to_string()),
                    console(expected_bytes, expected.to_string()),
                ))
            }
            _ => None,
        },
        _ => None,
    }
}
