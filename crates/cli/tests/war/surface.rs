//! The frozen surface: names that operators, log readers, translators, stores and browsers know.
//!
//! Code may be renamed freely; these names may not. Each is collected from the sources or from a
//! running program and compared with a file in `tests/surface`, as are help texts. Codes, settings
//! and environment variables are compared with the book, messages and requests with the schema.

use super::shared::frozen_names;
use super::support::{project, source_folders};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Texts of the files with this extension in a folder and its subfolders.
fn texts_below(folder: &Path, extension: &str) -> Vec<String> {
    let mut texts = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            texts.extend(texts_below(&path, extension));
        } else if path.extension().is_some_and(|found| found == extension) {
            texts.push(fs::read_to_string(path).expect("text"));
        }
    }
    texts
}

/// Text up to the matching closing parenthesis.
fn arguments(text: &str) -> &str {
    let (mut depth, mut is_quoted, mut is_escaped) = (1, false, false);
    let end = text.find(|c| {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' if is_quoted => is_escaped = true,
            '"' => is_quoted = !is_quoted,
            '(' if !is_quoted => depth += 1,
            ')' if !is_quoted => depth -= 1,
            _ => {}
        }
        depth == 0
    });
    &text[..end.expect("a closing parenthesis")]
}

#[test]
fn log_messages_and_keys_are_frozen() {
    let mut statements = BTreeSet::new();
    for text in source_folders()
        .iter()
        .flat_map(|folder| texts_below(folder, "rs"))
    {
        for level in ["trace", "debug", "info", "warn", "error", "crit", "o"] {
            for (at, _) in text.match_indices(&format!("{level}!(")) {
                let is_whole = !text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
                let arguments = arguments(&text[at + level.len() + 2..]);
                let names: Vec<_> = arguments.split('"').skip(1).step_by(2).collect();
                if is_whole && !names.is_empty() {
                    statements.insert(format!("{level}: {}", names.join(", ")));
                }
            }
        }
    }
    frozen_names("log.txt", statements);
}

#[test]
fn keys_of_the_catalogues_are_frozen() {
    let mut keys = BTreeSet::new();
    let read = |name: &str| fs::read_to_string(project().join("i18n").join(name)).expect(name);
    for line in read("en.ftl").lines() {
        if let Some((key, _)) = line.split_once('=')
            && !line.starts_with('#')
            && key
                .trim()
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || "-.".contains(c))
        {
            keys.insert(format!("en.ftl: {}", key.trim_end()));
        }
    }
    for name in ["page.en.json", "view.en.json"] {
        let words: serde_json::Value = serde_json::from_str(&read(name)).expect(name);
        let words = words.as_object().expect("an object").keys();
        keys.extend(words.map(|key| format!("{name}: {key}")));
    }
    frozen_names("catalogues.txt", keys);
}

#[test]
fn keys_that_browsers_store_are_frozen() {
    let mut keys = BTreeSet::new();
    for text in source_folders()
        .iter()
        .flat_map(|folder| texts_below(folder, "js"))
    {
        let strings = text.split('"').skip(1).step_by(2);
        let stored = strings.filter(|string| {
            let key = string.strip_prefix("war-").unwrap_or_default();
            !key.is_empty() && key.chars().all(|c| c.is_ascii_lowercase())
        });
        keys.extend(stored.map(str::to_owned));
    }
    frozen_names("browser-storage.txt", keys);
}
