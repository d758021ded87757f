//! Parser for the project's Markdown files.

use crate::support::project;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Markdown file.
pub(super) struct Page {
    /// Path from the project's root, with `/` separators.
    pub(super) name: String,
    pub(super) lines: Vec<String>,
}

/// Fenced block of a page.
pub(super) struct Block<'a> {
    pub(super) page: &'a Page,
    /// Text after the opening fence, on the same line.
    pub(super) language: &'a str,
    /// Indices of the lines between the fences.
    pub(super) lines: Range<usize>,
}

impl Page {
    pub(super) fn read(name: &str) -> Self {
        let text = fs::read_to_string(project().join(name)).expect(name);
        Self {
            name: name.to_owned(),
            lines: text.lines().map(str::to_owned).collect(),
        }
    }

    /// README and every page of the book.
    pub(super) fn all() -> Vec<Self> {
        let mut names = vec!["README.md".to_owned()];
        names.extend(markdown_below("docs"));
        let pages: Vec<_> = names.iter().map(|name| Self::read(name)).collect();
        assert!(pages.len() > 10, "{names:?} are few pages");
        pages
    }

    /// Every page with links to check: README, the book, and the other Markdown files in the
    /// project's root.
    pub(super) fn all_with_links() -> Vec<Self> {
        let root = fs::read_dir(project()).expect("the root");
        let names = root.map(|entry| entry.expect("a file").file_name());
        let names = names.map(|name| name.to_string_lossy().into_owned());
        let others = names.filter(|name| is_markdown(name.as_ref()) && name != "README.md");
        let others = others.map(|name| Self::read(&name));
        Self::all().into_iter().chain(others).collect()
    }

    pub(super) fn text(&self) -> String {
        self.lines.join("\n") + "\n"
    }

    pub(super) fn write(&self) {
        fs::write(project().join(&self.name), self.text()).expect("the page");
    }

    /// Fenced blocks.
    pub(super) fn blocks(&self) -> Vec<Block<'_>> {
        let mut blocks = Vec::new();
        let mut open = None;
        for (number, line) in self.lines.iter().enumerate() {
            let Some(language) = line.strip_prefix("```") else {
                continue;
            };
            open = match open {
                None => Some((language, number + 1)),
                Some((language, start)) => {
                    blocks.push(Block {
                        page: self,
                        language,
                        lines: start..number,
                    });
                    None
                }
            };
        }
        assert!(open.is_none(), "{}: a block is not closed", self.name);
        blocks
    }

    /// Text of the fenced blocks in a language.
    pub(super) fn blocks_in(&self, language: &str) -> Vec<String> {
        let blocks = self.blocks().into_iter();
        let blocks = blocks.filter(|block| block.language == language);
        blocks.map(|block| block.text()).collect()
    }

    /// Lines outside of fenced blocks.
    pub(super) fn prose(&self) -> Vec<&str> {
        let blocks = self.blocks();
        let fenced = |number: &usize| {
            let mut blocks = blocks.iter();
            blocks.any(|block| (block.lines.start - 1..=block.lines.end).contains(number))
        };
        let numbers = (0..self.lines.len()).filter(|number| !fenced(number));
        numbers.map(|number| self.lines[number].as_str()).collect()
    }

    /// Headings, without their marks.
    pub(super) fn headings(&self) -> Vec<&str> {
        let lines = self.prose().into_iter();
        let headings = lines.filter(|line| line.starts_with('#'));
        headings
            .map(|line| line.trim_start_matches('#').trim())
            .collect()
    }
}

impl Block<'_> {
    pub(super) fn text(&self) -> String {
        let lines = &self.page.lines[self.lines.clone()];
        lines.iter().map(|line| format!("{line}\n")).collect()
    }
}

/// Markdown files of a directory and its subdirectories, sorted by name.
fn markdown_below(directory: &str) -> Vec<String> {
    let entries = fs::read_dir(project().join(directory)).expect(directory);
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("a file").path()).collect();
    paths.sort();
    let mut names = Vec::new();
    for path in paths {
        let file = path.file_name().expect("a name").to_string_lossy();
        let name = format!("{directory}/{file}");
        if path.is_dir() {
            names.extend(markdown_below(&name));
        } else if is_markdown(&path) {
            names.push(name);
        }
    }
    names
}

fn is_markdown(path: &Path) -> bool {
    path.extension() == Some("md".as_ref())
}

/// Path from the project's root to the target of a page's link.
pub(super) fn resolved(page: &str, target: &str) -> String {
    let mut parts: Vec<&str> = page.split('/').collect();
    parts.pop();
    for part in target.split('/') {
        match part {
            "." | "" => {}
            ".." => assert!(parts.pop().is_some(), "{page}: {target} leads out"),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// Returns true if the project has this file or directory.
pub(super) fn is_there(path: &str) -> bool {
    project().join(path).exists()
}
