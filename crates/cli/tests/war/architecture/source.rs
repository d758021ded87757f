//! Parsed source file with its comments.

use crate::support::project;
use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};
use std::fs;
use std::path::Path;

/// Parsed source file of the package.
pub(super) struct Source {
    /// Path in the package, such as `src/cards/deck.rs`.
    pub(super) path: String,
    pub(super) file: syn::File,
    /// Text with spaces in place of code.
    comments: String,
}

impl Source {
    /// Parses a file with this path and text.
    pub(super) fn new(path: &str, text: &str) -> Self {
        let tokens: TokenStream = text
            .parse()
            .unwrap_or_else(|error| panic!("{path}: {error}"));
        let mut spans = Vec::new();
        code_spans(tokens.clone(), text, &mut spans);
        let blank = blank(text);
        let mut comments = text.as_bytes().to_vec();
        for span in spans {
            let bytes = span.byte_range();
            comments[bytes.clone()].copy_from_slice(&blank[bytes]);
        }
        let file = syn::parse2(tokens).unwrap_or_else(|error| panic!("{path}: {error}"));
        let utf8 = |bytes| String::from_utf8(bytes).expect("tokens end between characters");
        Self {
            path: path.to_owned(),
            file,
            comments: utf8(comments),
        }
    }

    /// Comment lines with their numbers. Code is blanked.
    pub(super) fn comments(&self) -> impl Iterator<Item = (usize, &str)> {
        (1..).zip(self.comments.lines())
    }

    /// Names of the modules that lead to the file: `["cards", "deck"]` for `src/cards/deck.rs`.
    pub(super) fn module(&self) -> Vec<String> {
        let path = within(&self.path);
        let path = path.strip_suffix(".rs").unwrap_or(path);
        let mut names: Vec<_> = path.split('/').map(str::to_owned).collect();
        if names.last().is_some_and(|name| name == "mod") || path == "lib" {
            names.pop();
        }
        names
    }
}

/// Path of a source within its crate, such as `cards/deck.rs` for `src/cards/deck.rs`.
pub(super) fn within(path: &str) -> &str {
    path.split_once("src/").map_or(path, |(_, within)| within)
}

/// Sources in these folders of the project, sorted by path.
pub(super) fn sources_in(folders: &[&str]) -> Vec<Source> {
    let mut paths = Vec::new();
    for folder in folders {
        walk(&project().join(folder), &mut paths);
    }
    paths.sort();
    paths
        .iter()
        .map(|path| {
            let text = fs::read_to_string(project().join(path)).expect("a source");
            Source::new(path, &text)
        })
        .collect()
}

fn walk(directory: &Path, paths: &mut Vec<String>) {
    for entry in fs::read_dir(directory).expect("a directory of sources") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            walk(&path, paths);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let path = path.strip_prefix(project()).expect("a path in the project");
            paths.push(path.to_str().expect("a plain path").replace('\\', "/"));
        }
    }
}

/// Text with every byte replaced by a space, except line ends.
fn blank(text: &str) -> Vec<u8> {
    let bytes = text.bytes();
    bytes
        .map(|byte| if byte == b'\n' { byte } else { b' ' })
        .collect()
}

/// Collects the spans of tokens, except those that a doc comment expands to.
fn code_spans(tokens: TokenStream, text: &str, spans: &mut Vec<Span>) {
    for token in tokens {
        let written = &text[token.span().byte_range()];
        if written.starts_with("//") || written.starts_with("/*") {
            continue;
        }
        match token {
            TokenTree::Group(group) => {
                if group.delimiter() != Delimiter::None {
                    spans.extend([group.span_open(), group.span_close()]);
                }
                code_spans(group.stream(), text, spans);
            }
            token => spans.push(token.span()),
        }
    }
}
