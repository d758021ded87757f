//! Messages in both languages: the same in each, with every plural, and none unused.

use super::support::{project, source_folders};
use fluent_syntax::ast::{
    self, Entry, Expression, InlineExpression, Pattern, PatternElement, VariantKey,
};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use war::i18n::{Catalogue, Lang, Message, text};

/// Variables used by each message and each of its attributes.
type Variables = BTreeMap<String, BTreeSet<String>>;

/// Messages of a language, in the order of its catalogue.
fn messages(lang: Lang) -> Vec<ast::Message<String>> {
    let path = project().join("i18n").join(format!("{}.ftl", lang.code()));
    let source = fs::read_to_string(path).expect("the catalogue");
    let resource = fluent_syntax::parser::parse(source).expect("a well-formed catalogue");
    let messages = resource.body.into_iter().filter_map(|entry| match entry {
        Entry::Message(message) => Some(message),
        _ => None,
    });
    messages.collect()
}

fn catalogue(lang: Lang) -> Variables {
    let mut known = Variables::new();
    for message in messages(lang) {
        let mut put = |name: String, pattern: &Pattern<String>| {
            let mut values = BTreeSet::new();
            collect(pattern, &mut values);
            let old = known.insert(name.clone(), values);
            assert!(old.is_none(), "{}: {name} is a duplicate", lang.code());
        };
        let id = &message.id.name;
        put(
            id.clone(),
            message.value.as_ref().expect("a message has words"),
        );
        for attribute in &message.attributes {
            put(format!("{id}.{}", attribute.id.name), &attribute.value);
        }
    }
    known
}

fn collect(pattern: &Pattern<String>, values: &mut BTreeSet<String>) {
    for element in &pattern.elements {
        let PatternElement::Placeable { expression } = element else {
            continue;
        };
        let (Expression::Inline(inline)
        | Expression::Select {
            selector: inline, ..
        }) = expression;
        if let InlineExpression::VariableReference { id } = inline {
            values.insert(id.name.clone());
        }
        if let Expression::Select { variants, .. } = expression {
            for variant in variants {
                collect(&variant.value, values);
            }
        }
    }
}

#[test]
fn both_languages_have_the_same_messages_with_the_same_values() {
    assert_eq!(catalogue(Lang::En), catalogue(Lang::Pl));
}

#[test]
fn the_program_knows_every_message_in_the_order_of_both_catalogues() {
    let used: Vec<_> = Message::ALL.iter().map(|message| message.id()).collect();
    for lang in Lang::ALL {
        let known = messages(lang).into_iter().map(|message| message.id.name);
        assert_eq!(used, known.collect::<Vec<_>>(), "{}", lang.code());
    }
}

/// Plural categories of a language for whole numbers, from the CLDR.
const PLURALS: [(Lang, &[&str]); 2] = [
    (Lang::En, &["one", "other"]),
    (Lang::Pl, &["few", "many", "one"]),
];

/// Collects the plural categories of each selector on a number, nested ones included.
fn plurals(pattern: &Pattern<String>, found: &mut Vec<BTreeSet<String>>) {
    const ALL: [&str; 6] = ["zero", "one", "two", "few", "many", "other"];
    for element in &pattern.elements {
        let PatternElement::Placeable {
            expression: Expression::Select { variants, .. },
        } = element
        else {
            continue;
        };
        let mut is_number = false;
        let mut categories = BTreeSet::new();
        for variant in variants {
            match &variant.key {
                VariantKey::NumberLiteral { .. } => is_number = true,
                VariantKey::Identifier { name } => {
                    is_number |= ALL.contains(&name.as_str());
                    categories.insert(name.clone());
                }
            }
            plurals(&variant.value, found);
        }
        if is_number {
            found.push(categories);
        }
    }
}

#[test]
fn counted_messages_have_every_plural_of_their_language() {
    for (lang, expected) in PLURALS {
        let mut count = 0;
        for message in messages(lang) {
            let attributes = message.attributes.iter().map(|attribute| &attribute.value);
            for pattern in message.value.iter().chain(attributes) {
                let mut found = Vec::new();
                plurals(pattern, &mut found);
                for categories in &found {
                    let is_whole = categories.iter().eq(expected);
                    let told = (lang.code(), &message.id.name);
                    assert!(is_whole, "{told:?}: {categories:?}");
                }
                count += found.len();
            }
        }
        assert!(count > 10, "{}: {count} selectors", lang.code());
    }
}

#[test]
fn every_message_is_used_by_the_code() {
    fn read(path: &std::path::Path, code: &mut String) {
        for entry in fs::read_dir(path).expect("the sources") {
            let path = entry.expect("a file").path();
            if path.is_dir() {
                read(&path, code);
            } else if path.extension().is_some_and(|end| end == "rs") {
                let source = fs::read_to_string(path).expect("a source");
                code.extend(source.split_whitespace());
            }
        }
    }
    let mut code = String::new();
    for folder in source_folders() {
        read(&folder, &mut code);
    }
    let is_part = |next: char| next == '_' || next.is_ascii_alphanumeric();
    for message in Message::ALL {
        let words = message.id().split('-');
        let name: String = words
            .map(|word| word[..1].to_uppercase() + &word[1..])
            .collect();
        let way = format!("text!({name}");
        let mut places = code.match_indices(&way);
        let used = places.any(|(at, _)| !code[at + way.len()..].starts_with(is_part));
        assert!(used, "{way} is nowhere");
    }
}

#[test]
fn polish_plurals_of_players_and_rounds_are_correct() {
    let polish = Catalogue::built_in(Lang::Pl);
    let rounds = |rounds: u32| polish.format_text(&text!(WarLasted, rounds = rounds));
    assert_eq!(rounds(1), "Wojna trwała 1 rundę.");
    assert_eq!(rounds(2), "Wojna trwała 2 rundy.");
    assert_eq!(rounds(5), "Wojna trwała 5 rund.");
    assert_eq!(rounds(12), "Wojna trwała 12 rund.");
    assert_eq!(rounds(22), "Wojna trwała 22 rundy.");
    let players =
        |players: u32| polish.format_text(&text!(Dealing, players = players, deck = "MAŁA"));
    assert_eq!(players(1), "WOJNA, 1 gracz, MAŁA talia, ROZDANIE");
    assert_eq!(players(3), "WOJNA, 3 gracze, MAŁA talia, ROZDANIE");
    assert_eq!(players(5), "WOJNA, 5 graczy, MAŁA talia, ROZDANIE");
}
