//! Dependencies between files: every path resolved to the file that defines it.

use super::names::{FileNames, Module, PathUse};
use super::source::Source;
use std::collections::{BTreeMap, BTreeSet};

/// Longest chain of imports that is followed. A longer one is taken for a cycle.
const LONGEST_CHAIN: usize = 16;

/// Resolved path.
pub(super) struct Use {
    /// File that contains the path.
    pub(super) from: String,
    pub(super) line: usize,
    /// Path from the root of this or another crate.
    pub(super) path: Vec<String>,
    pub(super) target: Target,
}

/// Destination of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Target {
    /// Item defined in this file of the crate.
    File(String),
    /// Module of the crate. Doesn't count as a use: longer paths show the items used.
    Module,
    /// Another crate, or a local name.
    Outside,
}

/// Modules of the crate, and all paths in them.
pub(super) struct Uses {
    modules: BTreeMap<Vec<String>, Module>,
    pub(super) all: Vec<Use>,
}

impl Uses {
    /// Resolves the paths in all files of a crate.
    pub(super) fn of(sources: &[Source]) -> Self {
        let files: Vec<_> = sources.iter().map(FileNames::of).collect();
        let tests: BTreeSet<_> = files.iter().flat_map(|file| file.tests.clone()).collect();
        let mut modules = BTreeMap::new();
        let mut named = Vec::new();
        for file in files {
            let for_tests = |module: &[String]| {
                (1..=module.len()).any(|length| tests.contains(&module[..length]))
            };
            let kept = |name: &PathUse| !for_tests(&name.module);
            named.extend(file.named.into_iter().filter(kept));
            let kept = |(module, _): &(Vec<String>, Module)| !for_tests(module);
            modules.extend(file.modules.into_iter().filter(kept));
        }
        let mut uses = Self {
            modules,
            all: Vec::new(),
        };
        uses.all = named.iter().map(|named| uses.follow(named)).collect();
        uses
    }

    /// Pairs of files of which the first uses the second, each with the line of such a use.
    pub(super) fn files(&self) -> BTreeMap<(&str, &str), usize> {
        let mut files = BTreeMap::new();
        for used in &self.all {
            if let Target::File(to) = &used.target
                && *to != used.from
            {
                files
                    .entry((used.from.as_str(), to.as_str()))
                    .or_insert(used.line);
            }
        }
        files
    }

    /// File of a module.
    pub(super) fn file(&self, module: &[String]) -> Option<&str> {
        self.modules.get(module).map(|module| module.file.as_str())
    }

    fn follow(&self, named: &PathUse) -> Use {
        let absolute = self.absolute(&named.module, &named.segments, 0);
        let (path, target) = match absolute {
            Ok(path) => {
                let target = self.resolve(&path, 0).unwrap_or(Target::Outside);
                (path, target)
            }
            Err(path) => (path, Target::Outside),
        };
        Use {
            from: self.modules[&named.module].file.clone(),
            line: named.line,
            path,
            target,
        }
    }

    /// Path from the root of this crate, or as `Err` a path that leads out of the crate.
    fn absolute(
        &self,
        module: &[String],
        segments: &[String],
        depth: usize,
    ) -> Result<Vec<String>, Vec<String>> {
        let first = segments[0].as_str();
        let rest = &segments[1..];
        let here = &self.modules[module];
        match first {
            "crate" => Ok(rest.to_vec()),
            "self" => Ok([module, rest].concat()),
            "super" => {
                let supers = segments.iter().take_while(|name| *name == "super").count();
                let parent = &module[..module.len().saturating_sub(supers)];
                Ok([parent, &segments[supers..]].concat())
            }
            _ if self
                .modules
                .contains_key(&[module, &segments[..1]].concat())
                || here.items.contains(first) =>
            {
                Ok([module, segments].concat())
            }
            _ => match here.imports.get(first) {
                Some(import) if import[0] != first && depth < LONGEST_CHAIN => {
                    let joined = |path: Vec<String>| [&path[..], rest].concat();
                    let import = self.absolute(module, import, depth + 1);
                    import.map(joined).map_err(joined)
                }
                _ => Err(segments.to_vec()),
            },
        }
    }

    /// Destination of a path from the crate's root, through re-exports.
    fn resolve(&self, path: &[String], depth: usize) -> Option<Target> {
        if depth > LONGEST_CHAIN {
            return None;
        }
        let mut inside = 0;
        while inside < path.len() {
            let here = &self.modules[&path[..inside]];
            let name = &path[inside];
            let rest = &path[inside + 1..];
            if self.modules.contains_key(&path[..=inside]) && !rest.is_empty() {
                inside += 1;
                continue;
            }
            if here.items.contains(name) {
                return Some(Target::File(here.file.clone()));
            }
            if let Some(import) = here.imports.get(name) {
                return match self.absolute(&path[..inside], import, 0) {
                    Ok(import) => self.resolve(&[&import[..], rest].concat(), depth + 1),
                    Err(_) => Some(Target::Outside),
                };
            }
            if self.modules.contains_key(&path[..=inside]) {
                return Some(Target::Module);
            }
            let by_glob = here.globs.iter().find_map(|glob| {
                let glob = self.absolute(&path[..inside], glob, 0).ok()?;
                let defined = self.modules.get(&glob)?;
                let known = defined.items.contains(name) || defined.imports.contains_key(name);
                known.then(|| [&glob[..], &path[inside..]].concat())
            });
            return match by_glob {
                Some(path) => self.resolve(&path, depth + 1),
                // The item may be made by a macro.
                None => Some(Target::File(here.file.clone())),
            };
        }
        Some(Target::Module)
    }
}
