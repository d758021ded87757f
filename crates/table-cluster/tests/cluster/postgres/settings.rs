//! Requirements on a database, and settings of each connection.

use super::{Cluster, Database, begin, join, open, take};
use std::sync::Arc;
use war_table::protocol::PlayerId;
use war_table::room::RoomEvent;
use war_table::server::store::StoreError;
use war_table::time::WallTime;
use war_table_cluster::PostgresTable;

#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn a_database_that_can_lose_commits_is_refused() {
    let cluster = Arc::new(Cluster::start("-c fsync=off"));
    let database = Database::of(cluster);
    let refused = PostgresTable::open(database.address(), None).err();
    assert!(
        matches!(&refused, Some(StoreError::Setting { name: "fsync", found, needed: "on" }) if found == "off"),
        "{refused:?}"
    );
    let schemas = "SELECT count(*) FROM pg_namespace WHERE nspname = 'war'";
    assert_eq!(database.sql().number(schemas), 0, "nothing was made");
}

#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn a_read_only_database_is_refused() {
    let database = Database::new();
    let name = database.name();
    open(&database);
    let read_only = format!("ALTER DATABASE {name} SET default_transaction_read_only = on");
    database.sql().run(&read_only);
    let refused = PostgresTable::open(database.address(), None).err();
    assert!(
        matches!(&refused, Some(StoreError::Setting { name: "transaction_read_only", found, .. }) if found == "on"),
        "{refused:?}"
    );
}

#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn commits_wait_for_the_disk_and_no_wait_exceeds_a_lease() {
    let database = Database::new();
    let (sql, name) = (database.sql(), database.name());
    sql.run(&format!(
        "ALTER DATABASE {name} SET synchronous_commit = off; \
         ALTER DATABASE {name} SET statement_timeout = 0; \
         CREATE TABLE public.seen (name text, setting text);"
    ));
    let room = take(&open(&database), 0, "a");
    sql.run(
        "CREATE FUNCTION public.look() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
             INSERT INTO public.seen SELECT name, setting FROM pg_catalog.pg_settings; \
             RETURN NULL; END $$; \
         CREATE TRIGGER look AFTER INSERT ON war.batch EXECUTE FUNCTION public.look();",
    );
    join(&*room, &[1], true);
    let seen = |name: &str| {
        let found = format!("SELECT setting FROM public.seen WHERE name = '{name}'");
        sql.rows(&found)[0].get::<_, String>(0)
    };
    assert_eq!(seen("synchronous_commit"), "on");
    for below_the_lease in [
        "statement_timeout",
        "lock_timeout",
        "idle_in_transaction_session_timeout",
    ] {
        let set: u32 = seen(below_the_lease).parse().expect("a number");
        assert!((1..3000).contains(&set), "{below_the_lease} is {set}");
    }
}

#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn a_full_disk_is_reported_as_such() {
    let database = Database::new();
    let room = take(&open(&database), 0, "a");
    database.sql().run(
        "CREATE FUNCTION public.fill() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
             RAISE EXCEPTION 'no space left' USING ERRCODE = '53100'; END $$; \
         CREATE TRIGGER fill BEFORE INSERT ON war.event EXECUTE FUNCTION public.fill();",
    );
    let joined = RoomEvent::Joined {
        player: PlayerId(1),
        name: None,
        house: true,
    };
    let mut transaction = begin(&*room);
    transaction
        .record(&joined, WallTime::from_millis(1))
        .expect("an event");
    let failed = transaction.commit().err();
    assert!(matches!(failed, Some(StoreError::Full(_))), "{failed:?}");
    assert_eq!(database.sql().number("SELECT count(*) FROM war.batch"), 0);
    // The failed batch was certainly rolled back, so the room can continue.
    drop(begin(&*room));
}
