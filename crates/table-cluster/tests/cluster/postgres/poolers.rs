//! Connection poolers between a node and its database.

use super::{Cluster, Database};
use std::fs;
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::time::{Duration, Instant};
use war_table::server::store::StoreError;
use war_table_cluster::PostgresTable;

/// Running `PgBouncer` in front of a cluster.
struct Pooler {
    cluster: Arc<Cluster>,
    port: u16,
}

impl Pooler {
    fn start(cluster: &Arc<Cluster>, settings: &str) -> Self {
        let port = TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr());
        let port = port.expect("a free port").port();
        let place = cluster.path("");
        let place = place.display();
        let configuration = format!(
            "[databases]\n* = host={place} port={} user=war\n\
             [pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {port}\nauth_type = any\n\
             unix_socket_dir =\nlogfile = {place}/pooler.log\npidfile = {place}/pooler.pid\n\
             {settings}\n",
            cluster.port()
        );
        fs::write(cluster.path("pooler.ini"), configuration).expect("a file");
        cluster.run("PATH=$PATH:/usr/sbin pgbouncer -q -d pooler.ini");
        let since = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(since.elapsed() < Duration::from_secs(20), "no pooler");
            std::thread::sleep(Duration::from_millis(10));
        }
        let cluster = Arc::clone(cluster);
        Self { cluster, port }
    }

    /// Opens the store of a database through the pooler.
    fn open(&self, database: &Database) -> Result<PostgresTable, StoreError> {
        let url = format!("postgres://war@127.0.0.1:{}/{}", self.port, database.name());
        PostgresTable::open(url.parse().expect("an address"), None)
    }
}

impl Drop for Pooler {
    fn drop(&mut self) {
        let end = "kill $(cat pooler.pid); while [ -e pooler.pid ]; do sleep 0.05; done";
        self.cluster.run(end);
    }
}

#[test]
#[ignore = "needs PostgreSQL and PgBouncer; `.ci/deep` installs them"]
fn only_a_pooler_that_leaves_each_session_its_connection_is_accepted() {
    let cluster = Arc::new(Cluster::start(""));
    for settings in [
        "pool_mode = transaction",
        "pool_mode = transaction\nserver_round_robin = 1",
        "pool_mode = transaction\ndefault_pool_size = 1",
        "pool_mode = statement",
    ] {
        let pooler = Pooler::start(&cluster, settings);
        let database = Database::of(Arc::clone(&cluster));
        let refused = pooler.open(&database).err();
        assert!(
            matches!(refused, Some(StoreError::Pooled)),
            "{settings}: {refused:?}"
        );
        let schemas = "SELECT count(*) FROM pg_namespace WHERE nspname = 'war'";
        assert_eq!(
            database.sql().number(schemas),
            0,
            "{settings}: something was made"
        );
    }
    let pooler = Pooler::start(&cluster, "pool_mode = session");
    let database = Database::of(Arc::clone(&cluster));
    let opened = pooler.open(&database);
    assert!(opened.is_ok(), "{:?}", opened.err());
}
