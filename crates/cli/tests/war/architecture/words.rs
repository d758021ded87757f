//! Words in texts for people: comments, messages, the page and the documentation.

use super::source::Source;
use super::violation::Violation;
use crate::support::project;
use std::fs;

/// Text for people.
pub(super) struct Prose {
    path: String,
    text: String,
}

impl Prose {
    /// Text of a file with this path.
    pub(super) fn new(path: &str, text: &str) -> Self {
        let (path, text) = (path.to_owned(), text.to_owned());
        Self { path, text }
    }

    /// Comments of a source file, on their original lines.
    pub(super) fn of_comments(source: &Source) -> Self {
        let lines: Vec<_> = source.comments().map(|(_, line)| line).collect();
        Self::new(&source.path, &lines.join("\n"))
    }

    /// Text of each of these files, and of the files in these folders with one of these endings.
    pub(super) fn of_files(roots: &[&str], ends: &[&str]) -> Vec<Self> {
        let mut files = Vec::new();
        for root in roots {
            Self::walk(root, ends, &mut files);
        }
        files
    }

    fn walk(path: &str, ends: &[&str], files: &mut Vec<Self>) {
        let full_path = project().join(path);
        if full_path.is_dir() {
            for entry in fs::read_dir(full_path).expect("a folder") {
                let name = entry.expect("an entry").file_name();
                let name = name.to_str().expect("a plain name");
                Self::walk(&format!("{path}/{name}"), ends, files);
            }
        } else if ends.iter().any(|end| path.ends_with(end)) {
            let text = fs::read_to_string(full_path).expect("a text");
            files.push(Self::new(path, &text));
        }
    }

    /// Lower-case words, each with its line.
    fn words(&self) -> Vec<(usize, String)> {
        let words = |(number, line): (usize, &str)| {
            let lower = line.to_lowercase();
            let words = lower.split(|letter: char| !letter.is_alphanumeric());
            let words = words.filter(|word| !word.is_empty());
            let words: Vec<_> = words.map(|word| (number, word.to_owned())).collect();
            words
        };
        (1..).zip(self.text.lines()).flat_map(words).collect()
    }
}

/// Occurrences of these words or phrases, except within an allowed phrase.
pub(super) fn refused(texts: &[Prose], refused: &[&str], allowed: &[&str]) -> Vec<Violation> {
    let mut found = Vec::new();
    for prose in texts {
        let words = prose.words();
        let starts_at = |phrase: &str, at: usize| {
            let mut rest = words[at..].iter().map(|(_, word)| word.as_str());
            phrase.split(' ').all(|word| rest.next() == Some(word))
        };
        let is_allowed = |phrase: &str, at: usize| {
            let length = phrase.split(' ').count();
            allowed.iter().any(|longer| {
                let first = (at + length).saturating_sub(longer.split(' ').count());
                (first..=at).any(|start| starts_at(longer, start))
            })
        };
        for (at, (line, _)) in words.iter().enumerate() {
            for phrase in refused {
                if starts_at(phrase, at) && !is_allowed(phrase, at) {
                    let detail = format!("{}:{line}: `{phrase}`", prose.path);
                    found.push(Violation::new(&prose.path, detail));
                }
            }
        }
    }
    found
}
