//! Mutation of the numbers and strings in a line of JSON.

use super::chance::RandomSource;
use std::ops::Range;

/// Replaces some numbers and strings of a line, so that it usually stays JSON.
///
/// The replacements come from the line itself or from the whole text, or are numbers close to the
/// replaced ones or close to 0.
pub fn replace_tokens(line: &mut Vec<u8>, text: &[u8], chance: &mut RandomSource) {
    for _ in 0..=chance.draw_below(3) {
        let tokens = find_tokens(line);
        let number = tokens.len().max(1);
        let Some(one) = tokens.get(chance.draw_below(number)).cloned() else {
            return;
        };
        let kind = line[one.start];
        let same =
            |token: &Range<usize>, text: &[u8]| (text[token.start] == b'"') == (kind == b'"');
        match chance.draw_below(4) {
            0 => {
                let others: Vec<_> = tokens
                    .into_iter()
                    .filter(|token| same(token, line))
                    .collect();
                let other = others[chance.draw_below(others.len())].clone();
                swap_ranges(line, one, other);
            }
            1 if kind != b'"' => {
                let value: u64 = std::str::from_utf8(&line[one.clone()])
                    .ok()
                    .and_then(|digits| digits.parse().ok())
                    .unwrap_or_default();
                let near = match chance.draw_below(4) {
                    0 => value.wrapping_add(1),
                    1 => value.wrapping_sub(1),
                    2 => 0,
                    _ => chance.draw_below(100) as u64,
                };
                line.splice(one, near.to_string().into_bytes());
            }
            2 if line.get(one.end) == Some(&b',') => {
                // Removes an element of a list.
                line.drain(one.start..=one.end);
            }
            _ => {
                // Only a part is searched, since a text may be long.
                let start = chance.draw_below(text.len().max(1));
                let part = &text[start..text.len().min(start + 1000)];
                let others = self::find_tokens(part).into_iter();
                let others: Vec<_> = others.filter(|token| same(token, part)).collect();
                if !others.is_empty() {
                    let other = others[chance.draw_below(others.len())].clone();
                    line.splice(one, part[other].iter().copied());
                }
            }
        }
    }
}

/// Swaps two parts of a text.
fn swap_ranges(text: &mut Vec<u8>, one: Range<usize>, other: Range<usize>) {
    if one == other {
        return;
    }
    let (first, second) = if one.start < other.start {
        (one, other)
    } else {
        (other, one)
    };
    let (early, late) = (text[first.clone()].to_vec(), text[second.clone()].to_vec());
    text.splice(second, early);
    text.splice(first, late);
}

/// Ranges of the numbers and strings in a text.
fn find_tokens(text: &[u8]) -> Vec<Range<usize>> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let start = at;
        at += 1;
        if text[start] == b'"' {
            let end = text[at..].iter().position(|&byte| byte == b'"');
            let Some(length) = end else { break };
            at += length + 1;
            tokens.push(start..at);
        } else if text[start].is_ascii_digit() {
            let digits = text[at..].iter().take_while(|byte| byte.is_ascii_digit());
            at += digits.count();
            tokens.push(start..at);
        }
    }
    tokens
}
