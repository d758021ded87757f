//! Messages about a database that can't be the store of a table.

use super::fake_server::{FakeServer, Login, certificates};
use super::{Cluster, Database, open};
use crate::support::{Run, Sandbox};
use crate::table::Server;
use std::fs;
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
        &refusal(&sandbox, "postgres://ann:horse@db/war?sslmode=horse", 2),
        "not one that PostgreSQL has",
        "PostgreSQL nie ma takiego",
        &["`verify-full`"],
    );
    let without_key = "postgres://ann:horse@db/war?sslcert=ann.pem";
    assert_messages(
        &refusal(&sandbox, without_key, 2),
        "don't go together",
        "nie pasują do siebie",
        &["`sslkey`"],
    );
    let unread = "postgres://ann:horse@localhost:1/war?sslrootcert=none.pem";
    assert_messages(
        &refusal(&sandbox, unread, 4),
        "can't use TLS with the database",
        "nie można użyć TLS z bazą danych",
        &["`none.pem`", "`sslrootcert`"],
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

// The address is another machine for the program, and this one for Linux.
#[test]
fn a_database_elsewhere_has_to_prove_what_it_is() {
    let sandbox = Sandbox::new();
    let without = FakeServer::start(Login::ClearPassword);
    let url = format!("postgres://ann:horse@0.0.0.0:{}/war", without.port);
    assert_messages(
        &refusal(&sandbox, &url, 4),
        "offers no TLS",
        "nie oferuje TLS",
        &["`postgres://ann@0.0.0.0:", "`sslmode=disable`"],
    );
    let untrusted = FakeServer::start_with_tls(Login::ClearPassword);
    let authority = certificates().join("authority.pem");
    let url = format!("postgres://ann:horse@0.0.0.0:{}/war", untrusted.port);
    let url = format!("{url}?sslrootcert={}", authority.display());
    assert_messages(
        &refusal(&sandbox, &url, 4),
        "can't trust the database",
        "nie można zaufać bazie danych",
        &["certificate not valid for name", "`subjectAltName`"],
    );
}

#[test]
fn the_authorities_of_the_system_are_trusted() {
    let sandbox = Sandbox::new();
    let server = FakeServer::start_with_tls(Login::ClearPassword);
    let url = format!(
        "postgres://ann:horse@localhost:{}/war?sslmode=verify-full",
        server.port
    );
    for (file, says) in [
        // TLS works, and the login that comes next is refused.
        ("authority.pem", "the password was not sent"),
        ("alone.pem", "UnknownIssuer"),
        ("none.pem", "none.pem"),
    ] {
        let mut program = sandbox.command(&["table", "verify"]);
        program.env("WAR_TABLE_STORE", &url);
        program.env("SSL_CERT_FILE", certificates().join(file));
        let run = Run::of(&mut program).exits_with(4);
        assert!(run.stderr.contains(says), "{file}: {}", run.stderr);
    }
}

#[test]
fn a_login_that_shows_the_password_is_refused() {
    let sandbox = Sandbox::new();
    for (login, method) in [
        (Login::ClearPassword, "`password`"),
        (Login::Md5Password, "`md5`"),
    ] {
        let server = FakeServer::start(login);
        let url = format!("postgres://ann:horse@127.0.0.1:{}/war", server.port);
        assert_messages(
            &refusal(&sandbox, &url, 4),
            "the password was not sent",
            "hasła nie wysłano",
            &[method, "`scram-sha-256`"],
        );
    }
}

/// Every command that connects to a database.
fn commands(store: &str) -> [Vec<&str>; 7] {
    [
        vec![
            "serve",
            "--listen",
            "127.0.0.1:0",
            "--key",
            "table.key",
            "--store",
            store,
        ],
        vec!["table", "restored", "--store", store],
        vec!["table", "move", store, "sqlite:new.db"],
        vec!["table", "move", "sqlite:table.db", store],
        vec!["table", "players", "--store", store],
        vec!["table", "export", "7", "--store", store],
        vec!["table", "verify", "--store", store],
    ]
}

#[test]
fn every_command_warns_of_a_weak_way_to_the_database() {
    let sandbox = Sandbox::new();
    let mut made = Server::start(&sandbox, &[]);
    made.signal("TERM");
    made.end();
    let server = FakeServer::start(Login::ClearPassword);
    for (mode, [en, pl]) in [
        ("disable", ["can read and change", "mogą czytać i zmieniać"]),
        ("allow", ["can read and change", "mogą czytać i zmieniać"]),
        ("prefer", ["can read and change", "mogą czytać i zmieniać"]),
        ("require", ["can pose as the database", "może podszyć się"]),
        (
            "verify-ca",
            ["can pose as the database", "może podszyć się"],
        ),
    ] {
        let url = format!(
            "postgres://ann:horse@0.0.0.0:{}/war?sslmode={mode}",
            server.port
        );
        for command in commands(&url) {
            for (lang, says) in [("en", en), ("pl", pl)] {
                let run = sandbox.war(&[&["--lang", lang], &command[..]].concat());
                let run = run.exits_with(4);
                let warned = format!("`sslmode={mode}`");
                assert!(run.stderr.contains(says), "{command:?}: {}", run.stderr);
                assert!(run.stderr.contains(&warned), "{command:?}: {}", run.stderr);
                assert!(!run.stderr.contains("horse"), "{command:?}: {}", run.stderr);
            }
        }
        let here = url.replace("0.0.0.0", "127.0.0.1");
        let run = sandbox
            .war(&["table", "verify", "--store", &here])
            .exits_with(4);
        assert!(!run.stderr.contains("with `sslmode="), "{}", run.stderr);
    }
}

#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn a_node_warns_of_a_weak_way_to_the_database() {
    let (sandbox, database) = (Sandbox::new(), Database::new());
    let user = format!("ann_{}", database.name());
    database.sql().run(&format!(
        "CREATE ROLE {user} LOGIN SUPERUSER PASSWORD 'horse'"
    ));
    let url = database.tcp_url(&user, "horse");
    let url = format!("{}?sslmode=disable", url.replace("127.0.0.1", "0.0.0.0"));
    let mut server = Server::start(&sandbox, &["--store", &url, "--key", "table.key"]);
    server.signal("TERM");
    let (_, errors) = server.end();
    assert!(
        errors.contains("with `sslmode=disable`, others"),
        "{errors}"
    );
    let log = &sandbox.logs()[0];
    assert!(log.contains("the way to the database is not safe"), "{log}");
    assert!(!log.contains("horse"), "{log}");
}

#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn connections_for_all_rooms_are_counted_at_the_start() {
    let (sandbox, database) = (Sandbox::new(), Database::new());
    let (sql, name) = (database.sql(), database.name().to_owned());
    let user = format!("ann_{name}");
    sql.run(&format!(
        "CREATE ROLE {user} LOGIN PASSWORD 'horse' CONNECTION LIMIT 23; \
         GRANT CREATE ON DATABASE {name} TO {user}"
    ));
    let url = database.tcp_url(&user, "horse");
    let start = || {
        let mut server = Server::start(&sandbox, &["--store", &url, "--key", "table.key"]);
        server.signal("TERM");
        server.end().1
    };
    // 7 for the node, and one for each of its 16 rooms.
    let errors = start();
    assert!(!errors.contains("connections"), "{errors}");
    sql.run(&format!("ALTER ROLE {user} CONNECTION LIMIT 22"));
    let errors = start();
    assert!(errors.contains("allows 22 connections"), "{errors}");
    assert!(
        errors.contains("the table needs 23: 7 for each of its nodes (1)"),
        "{errors}"
    );
    assert!(
        errors.contains("the `CONNECTION LIMIT` of the user"),
        "{errors}"
    );
    let log = sandbox.logs().concat();
    assert!(log.contains("too few connections to the database"), "{log}");
    sql.run("INSERT INTO war.node (address, beat, version) VALUES ('b:1', 1, 5)");
    sql.run(&format!(
        "ALTER ROLE {user} CONNECTION LIMIT -1; ALTER DATABASE {name} CONNECTION LIMIT 29"
    ));
    let errors = start();
    assert!(errors.contains("allows 29 connections"), "{errors}");
    assert!(
        errors.contains("needs 30: 7 for each of its nodes (2)"),
        "{errors}"
    );
    assert!(errors.contains("of the database"), "{errors}");
    sql.run(&format!("ALTER ROLE {user} CONNECTION LIMIT 7"));
    fs::remove_file(sandbox.path("table.key")).expect("a key");
    assert_messages(
        &refusal(&sandbox, &url, 4),
        "allows 7 connections, but a node needs at least 8",
        "to 7, a węzeł potrzebuje co najmniej 8",
        &["`CONNECTION LIMIT`"],
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
