//! What is found when a store is opened, and what is refused.

use super::{Database, open};
use std::thread;
use war::server::rooms::Rooms;
use war::server::store::{PostgresTable, StoreError, TableStore};

#[test]
#[ignore = "needs PostgreSQL; `.ci/run` installs it"]
fn a_store_is_made_once_however_many_nodes_start() {
    let database = Database::new();
    let opened = thread::scope(|scope| {
        let start = || PostgresTable::open(database.address(), None).expect("a store");
        let nodes: Vec<_> = (0..3).map(|_| scope.spawn(start)).collect();
        let tables = nodes.into_iter().map(|node| node.join().expect("a node"));
        let known = tables.map(|table| (table.id(), table.rooms(), *table.secret()));
        known.collect::<Vec<_>>()
    });
    assert_eq!(opened[0], opened[1]);
    assert_eq!(opened[0], opened[2]);
    assert_eq!(opened[0].1.count(), 16);
    let other = Database::new();
    let other = PostgresTable::open(other.address(), Rooms::new(3)).expect("a store");
    assert_eq!(other.rooms().count(), 3);
    assert_eq!(other.census().expect("a store").rooms.len(), 3);
    assert!(other.id() != opened[0].0 && *other.secret() != opened[0].2);
}

#[test]
#[ignore = "needs PostgreSQL; `.ci/run` installs it"]
fn another_number_of_rooms_is_refused() {
    let database = Database::new();
    let made = open(&database);
    let again = PostgresTable::open(database.address(), Rooms::new(2)).expect("the same");
    assert_eq!(again.id(), made.id());
    let refused = PostgresTable::open(database.address(), Rooms::new(3)).err();
    assert!(
        matches!(refused, Some(StoreError::Rooms { found: 2, asked: 3 })),
        "{refused:?}"
    );
}

#[test]
#[ignore = "needs PostgreSQL; `.ci/run` installs it"]
fn a_store_that_this_program_does_not_know_is_refused_and_left_alone() {
    let database = Database::new();
    let sql = database.sql();
    let id = open(&database).id();
    let opens = || PostgresTable::open(database.address(), None);
    // The next version may be served for a while by nodes of both.
    sql.run("UPDATE war.about SET version = 2");
    assert_eq!(opens().expect("a neighbour").id(), id);
    assert_eq!(sql.number("SELECT version FROM war.about"), 2);
    for newer in ["min_version = 2", "min_version = 1, version = 3"] {
        sql.run(&format!("UPDATE war.about SET {newer}"));
        let refused = opens().err();
        assert!(matches!(refused, Some(StoreError::Newer)), "{refused:?}");
    }
    for foreign in [
        "DROP SCHEMA war CASCADE; CREATE SCHEMA war; CREATE TABLE war.horse (name text)",
        "ALTER TABLE war.horse RENAME TO about",
    ] {
        sql.run(foreign);
        let refused = opens().err();
        assert!(matches!(refused, Some(StoreError::Foreign)), "{refused:?}");
    }
    let tables = "SELECT count(*) FROM pg_tables WHERE schemaname = 'war'";
    assert_eq!(sql.number(tables), 1, "nothing was added");
    // Other programs may have schemas of their own, and the operator may make ours.
    sql.run("DROP SCHEMA war CASCADE; CREATE SCHEMA war; CREATE TABLE public.about (id int)");
    opens().expect("a place for a store");
}

#[test]
#[ignore = "needs PostgreSQL; `.ci/run` installs it"]
fn who_may_not_is_refused_without_a_word_of_their_password() {
    let database = Database::new();
    let sql = database.sql();
    let user = format!("ann_{}", database.name());
    sql.run(&format!("CREATE ROLE {user} LOGIN PASSWORD 'horse'"));
    let opens = |url: &str| PostgresTable::open(url.parse().expect("an address"), None);
    let right = database.tcp_url(&user, "horse");
    let without = right.replace(":horse", "");
    let elsewhere = right.replace(database.name(), "nowhere");
    let wrong = right.replace("horse", "mule");
    for url in [&wrong, &without, &elsewhere, &right] {
        let refused = opens(url).err();
        assert!(
            matches!(refused, Some(StoreError::Refused(_))),
            "{url}: {refused:?}"
        );
        let said = format!("{refused:?}");
        assert!(!said.contains("horse") && !said.contains("mule"), "{said}");
    }
    sql.run(&format!(
        "GRANT CREATE ON DATABASE {} TO {user}",
        database.name()
    ));
    opens(&right).expect("a store");
}

#[test]
#[ignore = "needs PostgreSQL; `.ci/run` installs it"]
fn a_database_that_is_not_there_can_t_be_reached() {
    let database = Database::new();
    let url = database.tcp_url("war", "x");
    let (rest, _) = url.rsplit_once(':').expect("a port");
    let refused = PostgresTable::open(format!("{rest}:1/war").parse().expect("it"), None).err();
    assert!(
        matches!(refused, Some(StoreError::Unreachable(_))),
        "{refused:?}"
    );
}
