//! Schemas of the engine's types for cards and token games. The messages use these types, which do
//! not implement `JsonSchema` themselves.

#![expect(dead_code, reason = "these types only describe")]

use super::number::{MAX_GAMES_PER_REQUEST, MAX_NUMBER};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use std::borrow::Cow;

/// Schema of a [`Card`](war::cards::Card).
#[derive(JsonSchema)]
#[schemars(
    description = "A card: its rank (2 to 9, T, J, Q, K, A) and its suit (c, d, h, s).",
    extend("pattern" = "^[2-9TJQKA][cdhs]$")
)]
pub(super) struct Card(String);

/// Schema of a [`Kind`](war::tokens::Kind).
#[derive(JsonSchema)]
#[schemars(description = "A kind of game: one card each, or two.")]
pub(super) enum Kind {
    /// One card each.
    #[schemars(rename = "single-card-game")]
    Single,
    /// Two cards each.
    #[schemars(rename = "double-card-game")]
    Double,
}

/// Schema of a [`Decision`](war::tokens::Decision).
#[derive(JsonSchema)]
#[schemars(
    description = "A player's decision on their hand.",
    rename_all = "snake_case"
)]
pub(super) enum Decision {
    /// Playing the hand.
    Play,
    /// Folding the hand.
    Fold,
}

/// Schema of a [`Name`](war::tokens::Name).
#[derive(JsonSchema)]
#[schemars(
    description = "A player's name: 1 to 32 characters.",
    extend("minLength" = 1, "maxLength" = 32)
)]
pub(super) struct Name(String);

/// Schema of a [`Name`](war::tokens::Name) that a player may choose.
#[derive(JsonSchema)]
#[schemars(
    description = "A name that a player chooses: 1 to 32 visible characters (Unicode code points) \
        in Unicode's normal form NFC, with at least one letter or digit, and without spaces at \
        either end. Names that look like those of the house, such as `House 1`, are refused.",
    extend("minLength" = 1, "maxLength" = 32)
)]
pub(super) struct TypedName(String);

/// An integer in a request.
#[derive(JsonSchema)]
#[schemars(inline, extend("maximum" = MAX_NUMBER))]
pub(super) struct Integer(u64);

/// The number of a deal in a request.
#[derive(JsonSchema)]
#[schemars(inline, extend("maximum" = u32::MAX))]
pub(super) struct DealNumber(u32);

/// The number of games in one request.
#[derive(JsonSchema)]
#[schemars(inline, extend("minimum" = 1, "maximum" = MAX_GAMES_PER_REQUEST))]
pub(super) struct GameLimit(u64);

/// Schema of a [`Hex`](war::support::hex::Hex).
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

/// Schema of the [`ProtocolVersion`](super::ProtocolVersion).
pub(super) struct VersionSchema;

impl JsonSchema for VersionSchema {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "ProtocolVersion".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "integer", "const": u64::from(super::ProtocolVersion::LATEST) })
    }
}
