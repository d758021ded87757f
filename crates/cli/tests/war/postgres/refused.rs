//! Messages about a database that can't be the store of a table.

use super::{Cluster, Database, open};
use crate::support::Sandbox;
use std::sync::Arc;
use war_table::server::rooms::RoomCount;
use war_table_cluster::PostgresTable;

/// Tries to open a table at a store. Returns the messages in both languages.
fn refusal(sandbox: &Sandbox, store: &str, code: i32) -> [String; 2] {
    refusal_with(sandbox, store, &[], code)
}

/// Tries to open a table at a store, with more options. Returns the messages in both languages.
fn refusal_with(sandbox: &Sandbox, store: &str, more: &[&str], code: i32) -> [String; 2] {
    ["en", "pl"].map(|lang| {
        let listen = ["--lang", lang, "serve", "--listen", "127.0.0.1:0"];
        let options = ["--store", store, "--key", "table.key"];
        let run = sandbox.war(&[&listen[..], &options, more].concat());
        let run = run.exits_with(code);
        assert!(!sandbox.path("table.key").exists(), "a key for nothing");
        assert_eq!(run.stdout, "");
        assert!(!run.stderr.contains("horse"), "{}", run.stderr);
        run.stderr
    })
}

/// Checks the messages and their hints.
fn assert_messages(said: &[String; 2], en: &str, pl: &str, parts: &[&str]) {
    for (said, expected) in said.iter().zip([en, pl]) {
        assert!(said.contains(expected), "{said}");
        for part in parts {
            assert!(said.contains(part), "{said}");
        }
        // A password in an argument causes a warning and another hint.
        let lines = if said.contains("WAR_TABLE_STORE") {
            4
        } else {
            2
        };
        assert_eq!(said.lines().count(), lines, "{said}");
    }
}

#[test]
fn an_unusable_address_is_explained_without_its_password() {
    let sandbox = Sandbox::new();
    assert_messages(
        &refusal(&sandbox, "postgres://ann:horse@db:port/war", 2),
        "can't be read",
        "nie można odczytać adresu",
        &["%40"],
    );
    let without_key = ["--store", "postgres://ann:horse@db/war"];
    let run = sandbox.war(&[&["serve"][..], &without_key].concat());
    let run = run.exits_with(2);
    assert!(run.stderr.contains("all nodes"), "{}", run.stderr);
    assert!(!run.stderr.contains("horse"), "{}", run.stderr);
    assert_messages(
        &refusal(&sandbox, "postgres:///war", 2),
        "names no host",
        "brakuje hosta",
        &["%2Frun%2Fpostgresql"],
    );
    assert_messages(
        &refusal(&sandbox, "postgres://ann:horse@db/war?sslmode=require", 2),
        "encrypted connections are not supported",
        "szyfrowane połączenia nie są obsługiwane",
        &["sslmode=require"],
    );
    assert_messages(
        &refusal(&sandbox, "postgres://ann:horse@127.0.0.1:1/war", 4),
        "can't reach the database",
        "nie można połączyć się",
        &[
            "`postgres://ann@127.0.0.1:1/war`",
            "Connection refused",
            "WAR_TABLE_STORE",
        ],
    );
}

#[test]
fn a_file_store_has_no_number_of_rooms() {
    let sandbox = Sandbox::new();
    assert_messages(
        &refusal_with(&sandbox, "sqlite:t.db", &["--rooms", "16"], 2),
        "only a table in a database has several rooms",
        "kilka pokojów ma tylko stół w bazie danych",
        &["`sqlite:t.db`", "`--rooms`"],
    );
    assert!(!sandbox.path("t.db").exists());
}

#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn another_number_of_rooms_is_refused() {
    let (sandbox, database) = (Sandbox::new(), Database::new());
    open(&database);
    assert_messages(
        &refusal_with(&sandbox, &database.url(), &["--rooms", "3"], 4),
        "has 2 rooms, not 3",
        "ma 2 pokoje, a nie 3",
        &[database.name()],
    );
}

#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn an_unsuitable_database_is_explained() {
    let (sandbox, database) = (Sandbox::new(), Database::new());
    let (sql, url) = (database.sql(), database.url());
    assert_messages(
        &refusal(&sandbox, &database.tcp_url("ann", "horse"), 4),
        "refused access",
        "odmówiła dostępu",
        &["password authentication failed for user \"ann\"", "GRANT"],
    );
    assert_messages(
        &refusal(&sandbox, &url.replace(database.name(), "nowhere"), 4),
        "refused access",
        "odmówiła dostępu",
        &["database \"nowhere\" does not exist"],
    );
    open(&database);
    sql.run("UPDATE war.about SET version = 9");
    assert_messages(
        &refusal(&sandbox, &url, 4),
        "created by a newer version",
        "nowsza wersja programu",
        &[database.name()],
    );
    sql.run("DROP TABLE war.about");
    assert_messages(
        &refusal(&sandbox, &url, 4),
        "is not the store of a card table",
        "nie należy do stołu karcianego",
        &[database.name(), "`war`"],
    );
    let name = database.name();
    sql.run(&format!(
        "ALTER DATABASE {name} SET default_transaction_read_only = on"
    ));
    assert_messages(
        &refusal(&sandbox, &url, 4),
        "and a table needs `off`",
        "a stół wymaga `off`",
        &["`transaction_read_only = on`"],
    );
    let database = Database::of(Arc::new(Cluster::start("-c fsync=off")));
    assert_messages(
        &refusal(&sandbox, &database.url(), 4),
        "and a table needs `on`",
        "a stół wymaga `on`",
        &["`fsync = off`"],
    );
}

#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn a_node_with_another_key_is_refused() {
    let (sandbox, database) = (Sandbox::new(), Database::new());
    let table = PostgresTable::open(database.address(), Some(RoomCount::ONE)).expect("a store");
    assert!(!table.has_key().expect("a store"));
    assert!(table.agree_on_key(&[7; 32]).expect("a store"));
    assert!(table.agree_on_key(&[7; 32]).expect("a store"), "as before");
    assert!(!table.agree_on_key(&[8; 32]).expect("a store"));
    let url = database.url();
    assert_messages(
        &refusal(&sandbox, &url, 4),
        "is not the key of the table",
        "to nie klucz stołu",
        &["`table.key`"],
    );
}
