//! Examples of a page: commands, each with the output shown below it.

use super::page::Block;
use std::ops::Range;

/// Line that stands for any number of lines.
const ANY: &str = "...";

/// Command in a `console` block.
pub(super) struct Example {
    pub(super) command: String,
    pub(super) shown: Vec<String>,
    /// Line indices of the output in the page.
    pub(super) lines: Range<usize>,
}

/// Examples of a block: `$ ` begins a command, and `> ` continues it.
pub(super) fn examples(block: &Block<'_>) -> Vec<Example> {
    let mut examples: Vec<Example> = Vec::new();
    for number in block.lines.clone() {
        let line = &block.page.lines[number];
        if let Some(command) = line.strip_prefix("$ ") {
            examples.push(Example {
                command: command.to_owned(),
                shown: Vec::new(),
                lines: number + 1..number + 1,
            });
            continue;
        }
        let location = || format!("{}:{}", block.page.name, number + 1);
        let example = examples.last_mut();
        let example = example.unwrap_or_else(|| panic!("{}: no command comes first", location()));
        match line.strip_prefix("> ") {
            Some(more) if example.shown.is_empty() => {
                example.command = format!("{}\n{more}", example.command);
                example.lines = number + 1..number + 1;
            }
            _ => {
                example.shown.push(line.clone());
                example.lines.end = number + 1;
            }
        }
    }
    examples
}

impl Example {
    /// Compares the output with the one shown, in which `...` stands for any lines.
    pub(super) fn fits(&self, output: &str) -> bool {
        let output: Vec<&str> = output.lines().collect();
        let mut parts = self.shown.split(|line| line == ANY);
        let Some(mut rest) = parts.next().and_then(|first| output.strip_start(first)) else {
            return false;
        };
        let parts: Vec<_> = parts.collect();
        let Some((last, middle)) = parts.split_last() else {
            return rest.is_empty();
        };
        for part in middle {
            let Some(at) = (0..=rest.len()).find(|&at| rest[at..].strip_start(part).is_some())
            else {
                return false;
            };
            rest = &rest[at + part.len()..];
        }
        let at = rest.len().checked_sub(last.len());
        at.is_some_and(|at| rest[at..].strip_start(last).is_some())
    }

    /// Output to show in place of the old one: everything that was printed, except for the lines
    /// that `...` still stands for.
    pub(super) fn renewed(&self, output: &str) -> Vec<String> {
        let output: Vec<&str> = output.lines().collect();
        let mut costs = vec![vec![0; output.len() + 1]; self.shown.len() + 1];
        for old in (0..=self.shown.len()).rev() {
            for new in (0..=output.len()).rev() {
                costs[old][new] = self.best(&output, &costs, old, new).0;
            }
        }
        let (mut old, mut new) = (0, 0);
        let mut renewed = Vec::new();
        while (old, new) != (self.shown.len(), output.len()) {
            let (_, step) = self.best(&output, &costs, old, new);
            match step {
                Step::Leave => renewed.push(ANY.to_owned()),
                Step::Take | Step::Add => renewed.push(output[new].to_owned()),
                Step::Skip | Step::Drop => {}
            }
            old += usize::from(matches!(step, Step::Take | Step::Drop | Step::Leave));
            new += usize::from(matches!(step, Step::Take | Step::Add | Step::Skip));
        }
        renewed
    }

    /// Cheapest step from here, with the total cost of this step and all later ones.
    fn best(&self, output: &[&str], costs: &[Vec<u32>], old: usize, new: usize) -> (u32, Step) {
        let (shown, printed) = (self.shown.get(old), output.get(new));
        let steps = [
            match shown {
                Some(shown) if shown == ANY => Some((0, old + 1, new, Step::Leave)),
                Some(_) => Some((LINE_COST, old + 1, new, Step::Drop)),
                None => None,
            },
            match (shown, printed) {
                (Some(shown), Some(_)) if shown == ANY => Some((0, old, new + 1, Step::Skip)),
                (Some(shown), Some(printed)) => {
                    Some((distance(shown, printed), old + 1, new + 1, Step::Take))
                }
                _ => None,
            },
            printed.map(|_| (LINE_COST, old, new + 1, Step::Add)),
        ];
        let steps = steps.into_iter().flatten();
        let steps = steps.map(|(cost, old, new, step)| (cost + costs[old][new], step));
        steps
            .min_by_key(|(cost, _)| *cost)
            .unwrap_or((0, Step::Take))
    }
}

/// Edit step from the lines shown to the lines printed.
#[derive(Clone, Copy)]
enum Step {
    /// Replaces the shown line by the printed one.
    Take,
    /// Adds the printed line.
    Add,
    /// Removes the shown line, which is no longer printed.
    Drop,
    /// Leaves the printed line to `...`.
    Skip,
    /// Ends the lines that `...` stands for.
    Leave,
}

/// Cost of a line that is new, or no longer printed.
const LINE_COST: u32 = 60;

/// Cost of replacing one line by another: lower the more they have in common.
fn distance(one: &str, other: &str) -> u32 {
    if one == other {
        return 0;
    }
    let same = |(a, b): &(char, char)| a == b;
    let before = one.chars().zip(other.chars()).take_while(same).count();
    let behind = one.chars().rev().zip(other.chars().rev());
    let behind = behind.take_while(same).count();
    let longer = one.chars().count().max(other.chars().count());
    let shared = (before + behind).min(longer);
    100 - u32::try_from(99 * shared / longer).expect("at most 99")
}

trait StripStart {
    /// Remaining lines after these, if the list begins with them.
    fn strip_start(&self, start: &[String]) -> Option<&Self>;
}

impl StripStart for [&str] {
    fn strip_start(&self, start: &[String]) -> Option<&Self> {
        let fits = self.len() >= start.len() && self.iter().zip(start).all(|(a, b)| a == b);
        fits.then(|| &self[start.len()..])
    }
}
