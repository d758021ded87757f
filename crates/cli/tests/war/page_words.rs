//! The texts of the card table's page and of the viewer: the same in both languages, with every
//! plural, and all of them used.

use super::support::{files_below, project};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

/// Prefix of each page's texts, and the folder of its scripts.
const PAGES: [(&str, &str); 2] = [
    ("page", "crates/table/src/server/page"),
    ("view", "crates/viewer/src/view"),
];

/// Plural categories of a language for whole and fractional numbers, from the CLDR.
const PLURALS: [(&str, &[&str]); 2] = [
    ("en", &["one", "other"]),
    ("pl", &["few", "many", "one", "other"]),
];

#[derive(serde::Deserialize)]
#[serde(untagged)]
enum Words {
    Plain(String),
    Counted(BTreeMap<String, String>),
}

impl Words {
    /// Plural categories. Empty if nothing is counted.
    fn categories(&self) -> Vec<&str> {
        match self {
            Self::Plain(_) => Vec::new(),
            Self::Counted(forms) => forms.keys().map(String::as_str).collect(),
        }
    }

    /// Values inserted in each form.
    fn values(&self) -> Vec<BTreeSet<&str>> {
        let forms: Vec<&String> = match self {
            Self::Plain(text) => vec![text],
            Self::Counted(forms) => forms.values().collect(),
        };
        forms
            .into_iter()
            .map(|text| between(text, "{", "}"))
            .collect()
    }
}

/// Texts between these marks.
fn between<'a>(text: &'a str, open: &str, close: &str) -> BTreeSet<&'a str> {
    let parts = text.split(open).skip(1);
    parts
        .map(|part| part.split_once(close).expect("a closing mark").0)
        .collect()
}

fn words(page: &str, lang: &str) -> BTreeMap<String, Words> {
    let path = project().join("i18n").join(format!("{page}.{lang}.json"));
    let source = fs::read_to_string(path).expect("the words");
    serde_json::from_str(&source).expect("words by their keys")
}

/// Page with its scripts.
fn page(folder: &str) -> String {
    let code = files_below(&project().join(folder))
        .into_iter()
        .filter(|path| {
            let kind = path.extension().and_then(|kind| kind.to_str());
            matches!(kind, Some("html" | "js"))
        });
    code.map(|path| fs::read_to_string(path).expect("a text"))
        .collect()
}

#[test]
fn both_languages_have_the_same_texts_with_the_same_values() {
    for (page, _) in PAGES {
        let [english, polish] = ["en", "pl"].map(|lang| words(page, lang));
        assert!(english.keys().eq(polish.keys()));
        for (key, one) in &english {
            same_values(key, [one, &polish[key]]);
        }
    }
}

#[track_caller]
fn same_values(key: &str, both: [&Words; 2]) {
    let counted = both.map(|words| !words.categories().is_empty());
    assert_eq!(counted[0], counted[1], "{key}");
    let all: Vec<_> = both.iter().flat_map(|words| words.values()).collect();
    // A form for exactly one number need not contain that number.
    let most = all
        .iter()
        .max_by_key(|values| values.len())
        .expect("a form");
    for values in &all {
        let missing: Vec<_> = most.difference(values).collect();
        assert!(
            missing.is_empty() || missing == [&"n"],
            "{key}: {missing:?}"
        );
        assert!(values.is_subset(most), "{key}");
    }
}

#[test]
fn counted_messages_have_every_plural_of_their_language() {
    let all = PAGES
        .iter()
        .flat_map(|page| PLURALS.map(|plural| (page.0, plural)));
    for (page, (lang, plurals)) in all {
        let counted: Vec<_> = words(page, lang)
            .into_iter()
            .filter(|(_, words)| !words.categories().is_empty())
            .collect();
        assert!(counted.iter().any(|(key, _)| key == "tokens"));
        for (key, words) in &counted {
            assert_eq!(words.categories(), plurals, "{lang}: {key}");
        }
    }
}

#[test]
fn pages_use_every_text_and_no_other() {
    for (name, folder) in PAGES {
        let page = page(folder);
        let known = words(name, "en");
        for key in known.keys() {
            assert!(page.contains(&format!("\"{key}\"")), "{key} is never used");
        }
        let marks = ["data-say=\"", "data-label=\"", "say(\"", "message(\""];
        let said = marks.map(|mark| between(&page, mark, "\""));
        for key in said.iter().flatten() {
            assert!(known.contains_key(*key), "{key} has no words");
        }
        let read: usize = said.iter().map(BTreeSet::len).sum();
        assert!(read > known.len() / 2, "{name} says only {read}");
    }
}
