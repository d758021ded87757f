//! The size of files, and repeated lines.

use super::source::Source;
use super::violation::Violation;
use std::collections::{BTreeMap, BTreeSet};
use syn::visit::{self, Visit};

/// This many lines in a row may not be repeated.
const REPEATED: usize = 6;

/// Files with more lines than this.
pub(super) fn long_files(sources: &[Source], most: usize) -> Vec<Violation> {
    let long = sources.iter().filter(|source| source.lines() > most);
    long.map(|source| {
        let lines = format!("{} lines, and {most} are allowed", source.lines());
        Violation::new(&source.path, lines)
    })
    .collect()
}

/// A folder whose files have this many lines or more.
pub(super) fn large_folder(sources: &[Source], folder: &str, limit: usize) -> Vec<Violation> {
    let inside = |source: &&Source| source.path.starts_with(&format!("{folder}/"));
    let lines: usize = sources.iter().filter(inside).map(Source::lines).sum();
    let detail = format!("{lines} lines, and less than {limit} are allowed");
    let large = lines >= limit;
    large
        .then(|| Violation::new(folder, detail))
        .into_iter()
        .collect()
}

/// Lines that are in two places: six or more in a row.
pub(super) fn repeated(sources: &[Source]) -> Vec<Violation> {
    let files: Vec<_> = sources.iter().map(telling_lines).collect();
    let mut places: BTreeMap<Vec<&str>, Vec<(usize, usize)>> = BTreeMap::new();
    for (file, lines) in files.iter().enumerate() {
        for (start, run) in lines.windows(REPEATED).enumerate() {
            let run = run.iter().map(|(_, line)| line.as_str()).collect();
            places.entry(run).or_default().push((file, start));
        }
    }
    let mut pairs = BTreeSet::new();
    for places in places.values() {
        for (index, one) in places.iter().enumerate() {
            let apart = |other: &&(usize, usize)| one.0 != other.0 || one.1 + REPEATED <= other.1;
            pairs.extend(
                places[index + 1..]
                    .iter()
                    .filter(apart)
                    .map(|other| (*one, *other)),
            );
        }
    }
    // Of longer runs, only where they begin.
    let begins = |((file, start), (other, other_start)): &&((usize, usize), (usize, usize))| {
        let before = start.checked_sub(1).zip(other_start.checked_sub(1));
        before.is_none_or(|(start, other_start)| {
            !pairs.contains(&((*file, start), (*other, other_start)))
        })
    };
    let violation = |((file, start), (other, other_start)): &((usize, usize), (usize, usize))| {
        let place = |file: usize, start: usize| (&sources[file].path, files[file][start].0);
        let (one, line) = place(*file, *start);
        let (other, other_line) = place(*other, *other_start);
        let detail = format!("{one}:{line} and {other}:{other_line}");
        Violation::new(format!("{one} and {other}"), detail)
    };
    pairs.iter().filter(begins).map(violation).collect()
}

/// The lines of a file that say something, with their numbers and single spaces.
fn telling_lines(source: &Source) -> Vec<(usize, String)> {
    let mut skipped = Skipped::default();
    skipped.visit_file(&source.file);
    let folded = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    let telling = |(number, line): (usize, &str)| {
        let says = line.contains(char::is_alphanumeric) && !skipped.0.contains(&number);
        says.then(|| (number, folded(line)))
    };
    source.code().filter_map(telling).collect()
}

/// The lines of imports and attributes.
#[derive(Default)]
struct Skipped(BTreeSet<usize>);

impl<'ast> Visit<'ast> for Skipped {
    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        let first = item.use_token.span.start().line;
        self.0.extend(first..=item.semi_token.span.end().line);
        visit::visit_item_use(self, item);
    }

    fn visit_attribute(&mut self, attribute: &'ast syn::Attribute) {
        let first = attribute.pound_token.span.start().line;
        let last = attribute.bracket_token.span.close().end().line;
        self.0.extend(first..=last);
    }
}
