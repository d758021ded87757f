//! Opening a store: existing contents, and refusals.

use super::{Database, node, open, room_record, take};
use std::thread;
use war_table::protocol::Waiters;
use war_table::server::Headcount;
use war_table::server::rooms::RoomCount;
use war_table::server::store::StoreError;
use war_table::time::WallTime;
use war_table_cluster::{PostgresTable, TableStore};

#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn a_store_is_created_once_however_many_nodes_start() {
    let database = Database::new();
    let opened = thread::scope(|scope| {
        let start = || PostgresTable::open(database.address(), None).expect("a store");
        let nodes: Vec<_> = (0..3).map(|_| scope.spawn(start)).collect();
        let tables = nodes.into_iter().map(|node| node.join().expect("a node"));
        let known = tables.map(|table| (table.id(), table.rooms(), table.secret()));
        known.collect::<Vec<_>>()
    });
    assert_eq!(opened[0], opened[1]);
    assert_eq!(opened[0], opened[2]);
    assert_eq!(opened[0].1.count(), 16);
    let other = Database::new();
    let other = PostgresTable::open(other.address(), RoomCount::new(3)).expect("a store");
    assert_eq!(other.rooms().count(), 3);
    assert_eq!(other.census().expect("a store").rooms.len(), 3);
    assert!(other.id() != opened[0].0 && other.secret() != opened[0].2);
}

#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn a_store_in_another_cluster_is_refused_until_it_is_confirmed() {
    let database = Database::new();
    let sql = database.sql();
    let id = open(&database).id();
    let cluster = "SELECT cluster FROM war.about";
    let system = "SELECT system_identifier FROM pg_control_system()";
    assert_eq!(sql.number(cluster), sql.number(system));
    let opens = || PostgresTable::open(database.address(), None);
    let is_refused = || {
        sql.run("UPDATE war.about SET cluster = 1");
        let refused = opens().err();
        assert!(
            matches!(refused, Some(StoreError::UnconfirmedCopy)),
            "{refused:?}"
        );
        assert_eq!(sql.number(cluster), 1);
    };
    is_refused();
    PostgresTable::confirm_copy(&database.address()).expect("a store");
    assert_eq!(opens().expect("the same table").id(), id);
    is_refused();
    let now = WallTime::from_millis(1);
    PostgresTable::prepare_restored(&database.address(), now).expect("a store");
    assert_ne!(opens().expect("another table").id(), id);
    // A store from before version 5 does not know its cluster.
    sql.run("UPDATE war.about SET cluster = NULL");
    opens().expect("a store");
    assert_eq!(sql.number(cluster), sql.number(system));
}

#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn another_number_of_rooms_is_refused() {
    let database = Database::new();
    let made = open(&database);
    let again = PostgresTable::open(database.address(), RoomCount::new(2)).expect("the same");
    assert_eq!(again.id(), made.id());
    let refused = PostgresTable::open(database.address(), RoomCount::new(3)).err();
    assert!(
        matches!(refused, Some(StoreError::Rooms { found: 2, asked: 3 })),
        "{refused:?}"
    );
}

#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn an_unknown_store_is_refused_and_left_unchanged() {
    let database = Database::new();
    let sql = database.sql();
    let id = open(&database).id();
    let opens = || PostgresTable::open(database.address(), None);
    // A store of the next version may be served for a while by nodes of both versions.
    let version = sql.number("SELECT version FROM war.about");
    let (next, later) = (version + 1, version + 2);
    sql.run(&format!("UPDATE war.about SET version = {next}"));
    assert_eq!(opens().expect("a neighbour").id(), id);
    assert_eq!(sql.number("SELECT version FROM war.about"), next);
    for newer in [
        format!("min_version = {next}"),
        format!("min_version = 1, version = {later}"),
    ] {
        sql.run(&format!("UPDATE war.about SET {newer}"));
        let refused = opens().err();
        assert!(
            matches!(refused, Some(StoreError::NewerVersion)),
            "{refused:?}"
        );
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
    // Other programs may have their own schemas, and an operator may create the schema `war`.
    sql.run("DROP SCHEMA war CASCADE; CREATE SCHEMA war; CREATE TABLE public.about (id int)");
    opens().expect("a place for a store");
}

#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn unauthorized_users_are_refused_without_printing_their_password() {
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
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn a_missing_database_cannot_be_reached() {
    let database = Database::new();
    let url = database.tcp_url("war", "x");
    let (rest, _) = url.rsplit_once(':').expect("a port");
    let refused = PostgresTable::open(format!("{rest}:1/war").parse().expect("it"), None).err();
    assert!(
        matches!(refused, Some(StoreError::Unreachable(_))),
        "{refused:?}"
    );
}

// Nodes of adjacent versions serve a table together, so the older version is excluded only once
// none of its nodes is left.
#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn older_nodes_are_excluded_once_none_is_left() {
    let database = Database::new();
    let (sql, table) = (database.sql(), open(&database));
    let version = sql.number("SELECT version FROM war.about");
    let least = || sql.number("SELECT min_version FROM war.about");
    assert_eq!(least(), 1);
    // A node of version 1 sets only these columns.
    sql.run("INSERT INTO war.node (address, beat) VALUES ('old', 1)");
    table
        .record_beat(&node("new"), Headcount::default())
        .expect("a store");
    assert_eq!(least(), 1);
    let room = take(&table, 1, "new");
    assert_eq!(least(), 1);
    sql.run("DELETE FROM war.node WHERE address = 'old'");
    sql.run("UPDATE war.room SET owner = 'old', epoch = epoch + 1, beat = beat + 1 WHERE id = 1");
    table
        .record_beat(&node("new"), Headcount::default())
        .expect("a store");
    assert_eq!(
        least(),
        1,
        "a room is an older node's, though a newer one had it"
    );
    drop(room);
    drop(take(&table, 1, "new"));
    assert_eq!(least(), version);
}

#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn each_node_shows_the_people_it_counted_last() {
    let database = Database::new();
    let table = open(&database);
    let people = |here| Headcount {
        here,
        running: 20,
        waiting: Waiters {
            single_card_game: 3,
            double_card_game: 4,
        },
    };
    for (name, here) in [("a", 50), ("b", 7), ("a", 60)] {
        table
            .record_beat(&node(name), people(here))
            .expect("a store");
    }
    let census = table.census().expect("a store");
    let shown = census.nodes.iter();
    let shown: Vec<_> = shown.map(|node| (&*node.address.0, node.people)).collect();
    assert_eq!(shown, [("a", people(60)), ("b", people(7))]);
    assert_eq!(census.other_headcount(&node("a")), people(7));
    let all = census.other_headcount(&node("c"));
    assert_eq!((all.here, all.running), (67, 40));
    assert_eq!(all.waiting.single_card_game, 6);
    assert_eq!(all.waiting.double_card_game, 8);
}

#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn an_outdated_node_takes_no_room_and_shuts_down() {
    let database = Database::new();
    let (sql, table) = (database.sql(), open(&database));
    let seen = room_record(&table, 0);
    sql.run("UPDATE war.about SET min_version = version + 1");
    let taken = table.take(&seen, &node("old")).expect("a store");
    assert!(taken.is_none());
    let refused = table.census().err();
    assert!(
        matches!(refused, Some(StoreError::NewerVersion)),
        "{refused:?}"
    );
}

// The database may have been replaced by a backup or another database.
#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn an_earlier_heartbeat_is_noticed_even_by_observers() {
    let database = Database::new();
    let (sql, table) = (database.sql(), open(&database));
    sql.run("UPDATE war.room SET epoch = 5, beat = 50 WHERE id = 1");
    table.census().expect("a store");
    for earlier in ["beat = 49", "beat = 51, epoch = 4"] {
        sql.run(&format!("UPDATE war.room SET {earlier} WHERE id = 1"));
        let noticed = table.census().err();
        assert!(
            matches!(noticed, Some(StoreError::StaleCopy)),
            "{noticed:?}"
        );
    }
}

// Their nodes know no other links.
#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn links_in_clear_are_needed_only_while_a_store_takes_older_nodes() {
    let database = Database::new();
    let (sql, table) = (database.sql(), open(&database));
    let needed = table.duplicate().watch_need_of_clear_links();
    assert!(!*needed.borrow(), "nothing is known yet");
    for (min_version, expected) in [(1, true), (4, true), (5, false), (6, false)] {
        sql.run(&format!("UPDATE war.about SET min_version = {min_version}"));
        // Fails if this node is too old itself.
        let _ = table.census();
        assert_eq!(*needed.borrow(), expected, "{min_version}");
    }
}
