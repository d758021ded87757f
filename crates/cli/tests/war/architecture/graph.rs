//! Dependency rules between parts, files, folders and projections.

use super::source::{Source, within};
use super::uses::{Target, Uses};
use super::violation::Violation;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Uses of a part by another part that doesn't list it as a dependency.
pub(super) fn parts(uses: &Uses, may_use: &[(&str, &[&str])]) -> Vec<Violation> {
    let mut found = Vec::new();
    for used in &uses.all {
        let part = part_of(&used.from);
        let Some((_, allowed)) = may_use.iter().find(|(name, _)| *name == part) else {
            continue;
        };
        let Some(other) = used.path.first().filter(|_| used.target != Target::Outside) else {
            continue;
        };
        let is_part = uses.file(std::slice::from_ref(other)).is_some();
        if is_part && other != part && !allowed.contains(&other.as_str()) {
            let location = format!("{}:{}", used.from, used.line);
            found.push(Violation::new(format!("{part} -> {other}"), location));
        }
    }
    found
}

/// Parts of a crate, each named by the first module of its path. The two crate roots are left out.
pub(super) fn all_parts(sources: &[Source]) -> BTreeSet<&str> {
    let parts = sources.iter().map(|source| part_of(&source.path));
    parts
        .filter(|part| !["lib", "main"].contains(part))
        .collect()
}

fn part_of(path: &str) -> &str {
    let path = within(path);
    let end = path.find(['/', '.']).unwrap_or(path.len());
    &path[..end]
}

/// Dependency cycles between files, each with its shortest path.
pub(super) fn cycles(uses: &Uses) -> Vec<Violation> {
    let files = uses.files();
    let mut next: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (from, to) in files.keys() {
        next.entry(from).or_default().push(to);
    }
    let round = |start: &&str| {
        let mut came_from: BTreeMap<&str, &str> = BTreeMap::new();
        let mut queue = VecDeque::from([*start]);
        while let Some(file) = queue.pop_front() {
            for to in next.get(file).into_iter().flatten() {
                if !came_from.contains_key(to) {
                    came_from.insert(to, file);
                    queue.push_back(to);
                }
            }
        }
        let mut way = vec![*start];
        let mut file = *came_from.get(start)?;
        while file != *start {
            way.push(file);
            file = came_from[file];
        }
        way.push(*start);
        way.reverse();
        let step = |step: &[&str]| format!("{}:{}", step[0], files[&(step[0], step[1])]);
        let steps: Vec<_> = way.windows(2).map(step).collect();
        Some(Violation::new(*start, steps.join(" -> ")))
    };
    next.keys().filter_map(round).collect()
}

/// Uses of an item that the `mod.rs` of a parent folder defines.
pub(super) fn upward(uses: &Uses, sources: &[Source]) -> Vec<Violation> {
    let mut found = Vec::new();
    let modules: BTreeMap<_, _> = sources
        .iter()
        .map(|source| (source.path.as_str(), source.module()))
        .collect();
    for ((from, to), line) in uses.files() {
        let module = &modules[from];
        let above = (0..module.len()).any(|length| uses.file(&module[..length]) == Some(to));
        if above {
            let what = format!("{from} -> {to}");
            found.push(Violation::new(what, format!("{from}:{line}")));
        }
    }
    found
}

/// Uses of one projection by another.
pub(super) fn projections(uses: &Uses) -> Vec<Violation> {
    let name = |file: &str| {
        let file = file.strip_prefix("src/projections/")?;
        let end = file.find(['/', '.'])?;
        Some(file[..end].to_owned()).filter(|name| name != "mod")
    };
    let mut found = Vec::new();
    for ((from, to), line) in uses.files() {
        if let (Some(one), Some(other)) = (name(from), name(to))
            && one != other
        {
            let what = format!("{from} -> {to}");
            found.push(Violation::new(what, format!("{from}:{line}")));
        }
    }
    found
}
