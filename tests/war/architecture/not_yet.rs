//! Where the rules of the code's shape do not hold yet.

/// A rule, and the file, pair of files or folder that still breaks it.
///
/// This list only ever gets shorter: a line that is not needed any more is a failure too.
pub(super) const NOT_YET: &[(&str, &str)] = &[
    ("circles", "src/app/serve/connection.rs"),
    ("circles", "src/app/serve/desk.rs"),
    ("circles", "src/app/serve/floor/house.rs"),
    ("circles", "src/app/serve/floor/mod.rs"),
    ("circles", "src/app/serve/floor/requests.rs"),
    ("circles", "src/app/serve/http.rs"),
    ("circles", "src/app/serve/page.rs"),
    ("circles", "src/app/serve/store/batch.rs"),
    ("circles", "src/app/serve/store/mod.rs"),
    ("circles", "src/app/serve/store/reader.rs"),
    (
        "back up",
        "src/app/serve/floor/house.rs -> src/app/serve/floor/mod.rs",
    ),
    (
        "back up",
        "src/app/serve/floor/requests.rs -> src/app/serve/floor/mod.rs",
    ),
    (
        "back up",
        "src/app/serve/store/batch.rs -> src/app/serve/store/mod.rs",
    ),
    (
        "back up",
        "src/app/serve/store/reader.rs -> src/app/serve/store/mod.rs",
    ),
    ("repeated", "src/room/notice.rs and src/room/state.rs"),
    (
        "repeated",
        "src/simulate/simulator.rs and src/simulate/simulator.rs",
    ),
    ("long files", "src/simulate/literature.rs"),
    ("small app", "src/app"),
    ("words", "src/app/cli/table.rs"),
    ("words", "src/app/commands/table_load/client.rs"),
    ("words", "src/app/commands/table_load/mod.rs"),
    ("words", "src/app/serve/connection.rs"),
    ("words", "src/app/serve/desk.rs"),
    ("words", "src/app/serve/floor/house.rs"),
    ("words", "src/app/serve/floor/mod.rs"),
    ("words", "src/app/serve/floor/requests.rs"),
    ("words", "src/app/serve/mod.rs"),
    ("words", "src/app/serve/store/mod.rs"),
    ("words", "src/room/command.rs"),
    ("words", "src/room/event.rs"),
    ("words", "src/room/message.rs"),
    ("words", "src/room/mod.rs"),
    ("words", "src/room/player.rs"),
    ("words", "src/room/state.rs"),
    ("words", "src/room/step.rs"),
];
