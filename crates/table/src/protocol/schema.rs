//! The JSON Schema of the protocol.

use super::{NumberedMessage, Request};
use schemars::Schema;
use schemars::generate::SchemaSettings;

/// The JSON Schema of version 4 of the protocol as the server publishes it: the output of
/// [`generate_schema`], checked in for people and for programs in other languages.
pub const PROTOCOL_SCHEMA: &str = include_str!("schema.json");

/// The JSON Schema of version 3 of the protocol, which never changes.
pub const PROTOCOL_3_SCHEMA: &str = include_str!("schema-3.json");

/// The JSON Schema of version 2 of the protocol, which never changes.
pub const PROTOCOL_2_SCHEMA: &str = include_str!("schema-2.json");

/// Generates the JSON Schema of the messages in both directions from their types.
#[must_use]
pub fn generate_schema() -> Schema {
    let mut generator = SchemaSettings::draft2020_12().into_generator();
    let request = generator.subschema_for::<Request>();
    let sent = generator.subschema_for::<NumberedMessage>();
    let definitions = generator.take_definitions(true);
    schemars::json_schema!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "The card table's protocol, version 4",
        "description": "JSON text messages over the WebSocket `/ws`. A client sends requests, \
            the server sends numbered messages.",
        "anyOf": [request, sent],
        "$defs": definitions,
    })
}
