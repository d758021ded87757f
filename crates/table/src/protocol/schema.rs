//! The JSON Schema of the protocol.

use super::{Request, Sent};
use schemars::Schema;
use schemars::generate::SchemaSettings;

/// The JSON Schema of the protocol, as it is served: [`generated`] in a file, for people
/// and for programs of other languages.
pub const SCHEMA: &str = include_str!("schema.json");

/// The JSON Schema of the messages in both directions, as their types make it.
#[must_use]
pub fn generated() -> Schema {
    let mut generator = SchemaSettings::draft2020_12().into_generator();
    let request = generator.subschema_for::<Request>();
    let sent = generator.subschema_for::<Sent>();
    let definitions = generator.take_definitions(true);
    schemars::json_schema!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "The card table's protocol, version 2",
        "description": "JSON text messages over the WebSocket `/ws`. A client sends requests, \
            the server sends numbered messages.",
        "anyOf": [request, sent],
        "$defs": definitions,
    })
}
