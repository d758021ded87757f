//! Mutations of journals, such that a reader does not stop at the first change.
//!
//! Any change breaks the chain, and most break the state after it too. So after a change the chain
//! is recomputed, and sometimes the first faults are replaced with the values that the rules give.

use super::chance::RandomSource;
use super::reader::verify_journal;
use super::relink::relink;
use super::tokens::replace_tokens;
use war::journal::{Fault, GameError, Problem, RecordError};

/// Maximum number of bytes to replay in order to correct a journal's faults: each correction
/// replays the whole journal.
const MAX_REPLAYED: usize = 200_000;

/// Mutates the first `size` bytes of a buffer, and returns their new number.
///
/// `bytes` does the same for arbitrary bytes, without regard to journals.
pub fn mutate(
    data: &mut [u8],
    size: usize,
    seed: u32,
    bytes: impl Fn(&mut [u8], usize) -> usize,
) -> usize {
    let mut chance = RandomSource::new(seed);
    if chance.draw_below(8) == 0 {
        return bytes(data, size);
    }
    let journal = &data[..size];
    let changed = match chance.draw_below(6) {
        0 => move_line(journal, &mut chance),
        1 => edit_line(journal, &mut chance, |line, _| {
            const ROOM: usize = 64;
            let length = line.len();
            line.resize(length + ROOM, 0);
            let changed = bytes(line, length);
            line.truncate(changed);
        }),
        _ => {
            let tokens = |line: &mut Vec<u8>, chance: &mut _| replace_tokens(line, journal, chance);
            edit_line(journal, &mut chance, tokens)
        }
    };
    let mut journal = relink(&changed);
    if chance.draw_below(3) == 0 {
        for _ in 0..MAX_REPLAYED / journal.len().max(1000) {
            let Some(better) = correct(&journal) else {
                break;
            };
            journal = relink(&better);
        }
    }
    let size = journal.len().min(data.len());
    data[..size].copy_from_slice(&journal[..size]);
    size
}

/// Removes, duplicates or swaps lines of a journal.
fn move_line(journal: &[u8], chance: &mut RandomSource) -> Vec<u8> {
    let mut lines: Vec<_> = journal.split_inclusive(|&byte| byte == b'\n').collect();
    if lines.is_empty() {
        return Vec::new();
    }
    let (one, other) = (
        chance.draw_below(lines.len()),
        chance.draw_below(lines.len()),
    );
    match chance.draw_below(3) {
        0 => drop(lines.remove(one)),
        1 => lines.insert(other, lines[one]),
        _ => lines.swap(one, other),
    }
    lines.concat()
}

/// Edits one line of a journal.
fn edit_line(
    journal: &[u8],
    chance: &mut RandomSource,
    edit: impl FnOnce(&mut Vec<u8>, &mut RandomSource),
) -> Vec<u8> {
    let mut lines: Vec<_> = journal.split_inclusive(|&byte| byte == b'\n').collect();
    if lines.is_empty() {
        return Vec::new();
    }
    // The header is chosen more often than any other line, as it decides how the others are read.
    let number = match chance.draw_below(3) {
        0 => 0,
        _ => chance.draw_below(lines.len()),
    };
    let mut line = lines[number].to_vec();
    edit(&mut line, chance);
    lines[number] = &line;
    lines.concat()
}

/// Replaces the first fault of a journal with the value that the rules give; `None` if there is no
/// fault or no such value.
fn correct(journal: &[u8]) -> Option<Vec<u8>> {
    let fault = verify_journal(journal).err()?;
    let (found, replacement) = correction(&fault)?;
    let mut lines: Vec<_> = journal.split_inclusive(|&byte| byte == b'\n').collect();
    let number = usize::try_from(fault.at.line).ok()?.checked_sub(1)?;
    let line = String::from_utf8(lines.get(number)?.to_vec()).ok()?;
    let line = line
        .contains(&found)
        .then(|| line.replacen(&found, &replacement, 1))?;
    lines[number] = line.as_bytes();
    Some(lines.concat())
}

/// Wrong text in the line of a fault, and its replacement.
fn correction(fault: &Fault) -> Option<(String, String)> {
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
