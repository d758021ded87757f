//! Both languages are complete, and no message stands unused.

use super::support::project;
use fluent_syntax::ast::{Entry, Expression, InlineExpression, Pattern, PatternElement};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use war::i18n::{Catalogue, Lang, Message, Text};

/// For each message and each of its attributes, the values it uses.
type Catalog = BTreeMap<String, BTreeSet<String>>;

fn catalogue(lang: Lang) -> Catalog {
    let path = project().join("i18n").join(format!("{}.ftl", lang.code()));
    let source = fs::read_to_string(path).expect("the catalogue");
    let resource = fluent_syntax::parser::parse(source).expect("a well-formed catalogue");
    let mut messages = Catalog::new();
    for entry in &resource.body {
        let Entry::Message(message) = entry else {
            continue;
        };
        let mut put = |name: String, pattern: &Pattern<String>| {
            let mut values = BTreeSet::new();
            collect(pattern, &mut values);
            let old = messages.insert(name.clone(), values);
            assert!(old.is_none(), "{}: {name} is there twice", lang.code());
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
    messages
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
fn every_message_used_exists_and_every_message_is_used() {
    let used: BTreeSet<_> = Message::ALL
        .iter()
        .map(|message| message.id().to_owned())
        .collect();
    let known = catalogue(Lang::En);
    let known: BTreeSet<_> = known
        .into_keys()
        .filter(|name| !name.contains('.'))
        .collect();
    assert_eq!(used, known);
}

#[test]
fn every_message_named_in_the_code_is_used_by_it() {
    fn read(path: &std::path::Path, code: &mut String) {
        for entry in fs::read_dir(path).expect("the sources") {
            let path = entry.expect("a file").path();
            if path.is_dir() {
                read(&path, code);
            } else if !path.ends_with("i18n/message.rs") {
                code.push_str(&fs::read_to_string(path).expect("a source"));
            }
        }
    }
    let mut code = String::new();
    read(&project().join("src"), &mut code);
    for message in Message::ALL {
        let name = message.id().replace('-', "_").to_uppercase();
        let pattern = format!("Message::{name}");
        let used = code.match_indices(&pattern).any(|(at, _)| {
            let next = code[at + pattern.len()..].chars().next();
            !next.is_some_and(|next| next == '_' || next.is_ascii_alphanumeric())
        });
        assert!(used, "{pattern} is never used");
    }
}

#[test]
fn polish_counts_players_and_rounds() {
    let polish = Catalogue::of(Lang::Pl).expect("the catalogue");
    let rounds = |rounds: u32| polish.text(&Text::new(Message::WAR_LASTED).with("rounds", rounds));
    assert_eq!(rounds(1), "Wojna trwała 1 rundę.");
    assert_eq!(rounds(2), "Wojna trwała 2 rundy.");
    assert_eq!(rounds(5), "Wojna trwała 5 rund.");
    assert_eq!(rounds(12), "Wojna trwała 12 rund.");
    assert_eq!(rounds(22), "Wojna trwała 22 rundy.");
    let players = |players: u32| {
        let text = Text::new(Message::DEALING).with("players", players);
        polish.text(&text.with("deck", "MAŁA"))
    };
    assert_eq!(players(1), "WOJNA, 1 gracz, MAŁA talia, ROZDANIE");
    assert_eq!(players(3), "WOJNA, 3 gracze, MAŁA talia, ROZDANIE");
    assert_eq!(players(5), "WOJNA, 5 graczy, MAŁA talia, ROZDANIE");
}
