//! The card table's protocol: its schema, and what is no request.

use super::support::project;
use std::fs;
use war::room::schema::{SCHEMA, generated};

#[test]
fn the_schema_is_that_of_the_messages() {
    let generated = serde_json::to_string_pretty(&generated()).expect("a schema") + "\n";
    if generated != SCHEMA {
        let path = project().join("target/schema.json");
        fs::write(&path, generated).expect("a file");
        panic!(
            "messages have changed: review {} and copy it to src/room/",
            path.display()
        );
    }
}
