//! Generates a type for each message of `i18n/en.ftl`.

use fluent_syntax::ast::{
    CallArguments, Entry, Expression, InlineExpression, Message, Pattern, PatternElement, Resource,
};
use std::collections::BTreeSet;
use std::error::Error;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=i18n/en.ftl");
    let project = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let catalogue = fs::read_to_string(project.join("i18n/en.ftl"))?;
    let resource = fluent_syntax::parser::parse(catalogue)
        .map_err(|(_, errors)| format!("i18n/en.ftl is not well-formed: {errors:?}"))?;
    fs::write(out.join("messages.rs"), messages_code(&resource)?)?;
    fs::write(out.join("message_ids.rs"), message_ids_code(&resource))?;
    Ok(())
}

/// Code of a struct for each message, with a field for each of its arguments.
fn messages_code(resource: &Resource<String>) -> Result<String, std::fmt::Error> {
    let mut code = String::new();
    for message in resource.body.iter().filter_map(as_message) {
        let id = &message.id.name;
        let mut names = BTreeSet::new();
        for pattern in patterns(message) {
            add_arguments(resource, pattern, &mut names);
        }
        let (mut fields, mut values) = (String::new(), String::new());
        for name in names {
            let field = name.replace('-', "_");
            write!(fields, "pub {field}: Value, ")?;
            write!(values, "({name:?}, message.{field}), ")?;
        }
        let name = type_name(id);
        let parameter = if values.is_empty() { "_" } else { "message" };
        writeln!(
            code,
            "pub struct {name} {{ {fields}}}\n\
             impl From<{name}> for Text {{\n    \
             fn from({parameter}: {name}) -> Self {{ Self::of({id:?}, vec![{values}]) }}\n}}"
        )?;
    }
    Ok(code)
}

/// Code of the list of all message names.
fn message_ids_code(resource: &Resource<String>) -> String {
    let messages = resource.body.iter().filter_map(as_message);
    let ids: Vec<_> = messages
        .map(|message| format!("Self({:?})", message.id.name))
        .collect();
    format!(
        "impl Message {{\n    \
         /// All messages, in the order of the catalogue.\n    \
         pub const ALL: &[Self] = &[{}];\n}}",
        ids.join(", ")
    )
}

fn as_message(entry: &Entry<String>) -> Option<&Message<String>> {
    match entry {
        Entry::Message(message) => Some(message),
        _ => None,
    }
}

/// Patterns of a message: that of its own text, and those of its attributes.
fn patterns(message: &Message<String>) -> impl Iterator<Item = &Pattern<String>> {
    let attributes = message.attributes.iter().map(|attribute| &attribute.value);
    message.value.iter().chain(attributes)
}

/// Adds the names of all arguments that a pattern uses.
fn add_arguments(
    resource: &Resource<String>,
    pattern: &Pattern<String>,
    names: &mut BTreeSet<String>,
) {
    for element in &pattern.elements {
        let PatternElement::Placeable { expression } = element else {
            continue;
        };
        add_from_expression(resource, expression, names);
    }
}

fn add_from_expression(
    resource: &Resource<String>,
    expression: &Expression<String>,
    names: &mut BTreeSet<String>,
) {
    match expression {
        Expression::Inline(inline) => add_from_inline(resource, inline, names),
        Expression::Select { selector, variants } => {
            add_from_inline(resource, selector, names);
            for variant in variants {
                add_arguments(resource, &variant.value, names);
            }
        }
    }
}

fn add_from_inline(
    resource: &Resource<String>,
    inline: &InlineExpression<String>,
    names: &mut BTreeSet<String>,
) {
    match inline {
        InlineExpression::VariableReference { id } => {
            names.insert(id.name.clone());
        }
        InlineExpression::MessageReference { id, .. } => {
            let mut messages = resource.body.iter().filter_map(as_message);
            if let Some(message) = messages.find(|message| message.id.name == id.name) {
                for pattern in patterns(message) {
                    add_arguments(resource, pattern, names);
                }
            }
        }
        // A term sees only the arguments in parentheses after its name.
        InlineExpression::TermReference { arguments, .. } => {
            add_from_call(resource, arguments.as_ref(), names);
        }
        InlineExpression::FunctionReference { arguments, .. } => {
            add_from_call(resource, Some(arguments), names);
        }
        InlineExpression::Placeable { expression } => {
            add_from_expression(resource, expression, names);
        }
        InlineExpression::StringLiteral { .. } | InlineExpression::NumberLiteral { .. } => {}
    }
}

fn add_from_call(
    resource: &Resource<String>,
    call: Option<&CallArguments<String>>,
    names: &mut BTreeSet<String>,
) {
    let Some(call) = call else { return };
    for argument in &call.positional {
        add_from_inline(resource, argument, names);
    }
    for argument in &call.named {
        add_from_inline(resource, &argument.value, names);
    }
}

/// Turns `journal-bad-seed` into `JournalBadSeed`.
fn type_name(id: &str) -> String {
    let word = |word: &str| {
        let (first, rest) = word.split_at(1);
        first.to_uppercase() + rest
    };
    id.split('-').map(word).collect()
}
