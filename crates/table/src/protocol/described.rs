//! The vocabulary of other parts, as the schema of the protocol describes it: cards and
//! token games know nothing of schemas.

#![expect(dead_code, reason = "these types only describe")]

use super::number::{LARGEST, MOST_GAMES};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use std::borrow::Cow;

/// A [`Card`](war::cards::Card).
#[derive(JsonSchema)]
#[schemars(
    description = "A card: its rank (2 to 9, T, J, Q, K, A) and its suit (c, d, h, s).",
    extend("pattern" = "^[2-9TJQKA][cdhs]$")
)]
pub(super) struct Card(String);

/// A [`Kind`](war::tokens::Kind).
#[derive(JsonSchema)]
#[schemars(description = "A game: a card each, or two.")]
pub(super) enum Kind {
    /// A card each.
    #[schemars(rename = "single-card-game")]
    Single,
    /// Two cards each.
    #[schemars(rename = "double-card-game")]
    Double,
}

/// A [`Decision`](war::tokens::Decision).
#[derive(JsonSchema)]
#[schemars(
    description = "What a player does with their hand.",
    rename_all = "snake_case"
)]
pub(super) enum Decision {
    /// They play it.
    Play,
    /// They fold it.
    Fold,
}

/// A [`Name`](war::tokens::Name).
#[derive(JsonSchema)]
#[schemars(
    description = "The name of a player: 1 to 32 characters.",
    extend("minLength" = 1, "maxLength" = 32)
)]
pub(super) struct Name(String);

/// A [`Name`](war::tokens::Name) that a player may take.
#[derive(JsonSchema)]
#[schemars(
    description = "A name to be called by: 1 to 32 characters (Unicode code points) in Unicode's \
        normal form NFC that can all be seen, with at least one letter or digit, and without spaces \
        at either end. Names that look like those of the house, such as `House 1`, are refused.",
    extend("minLength" = 1, "maxLength" = 32)
)]
pub(super) struct TypedName(String);

/// A whole number of a request.
#[derive(JsonSchema)]
#[schemars(inline, extend("maximum" = LARGEST))]
pub(super) struct Whole(u64);

/// The number of a deal in a request.
#[derive(JsonSchema)]
#[schemars(inline, extend("maximum" = u32::MAX))]
pub(super) struct Deal(u32);

/// How many games are asked for at once.
#[derive(JsonSchema)]
#[schemars(inline, extend("minimum" = 1, "maximum" = MOST_GAMES))]
pub(super) struct Limit(u64);

/// A [`Hex`](war::support::hex::Hex).
pub(super) struct Hex<const N: usize>;

impl<const N: usize> JsonSchema for Hex<N> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        format!("Hex{N}").into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let pattern = format!("^[0-9a-f]{{{}}}$", 2 * N);
        json_schema!({ "type": "string", "pattern": pattern })
    }
}

/// The [`Protocol`](super::Protocol).
pub(super) struct Protocol;

impl JsonSchema for Protocol {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Protocol".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "integer", "const": super::Protocol::VERSION })
    }
}
