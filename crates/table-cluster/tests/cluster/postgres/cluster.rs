//! PostgreSQL for tests: a private cluster in a temporary directory, not a system service.
//!
//! The cluster ends with the last test that uses it, or with the test process, however the process
//! ends.

#![allow(
    dead_code,
    reason = "the tests of the program need some of it, those of the store others"
)]

use crate::crowd;
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::io::Write as _;
use std::net::TcpListener;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};
use std::{env, fs, thread};
use tempfile::TempDir;
use tokio::runtime::{Builder, Runtime};
use tokio_postgres::{Client, NoTls, Row};
use war_table::server::store::StoreSecret;
use war_table_cluster::DatabaseAddress;

/// Time limit for a cluster's start.
const START_TIMEOUT: Duration = Duration::from_secs(60);
/// Shell script that creates a cluster, and serves it until the other end of standard input is
/// closed. A line of standard input with a signal and a number of seconds ends the server with that
/// signal and restarts it after that time. A server that is still starting ignores signals, so the
/// final `QUIT` is repeated until the server has ended.
const SERVE: &str = r#"
"$1/initdb" --no-sync -D "$2/data" -U war --encoding=UTF8 --locale=C \
    --auth-local=trust --auth-host=scram-sha-256 >"$2/log" 2>&1 || exit 1
start() {
    "$1/postgres" -D "$2/data" -k "$2" -h 127.0.0.1 -p "$3" -c unix_socket_permissions=0777 \
        $4 >>"$2/log" 2>&1 &
    server=$!
}
start "$@"
while read -r signal pause; do
    kill -s "$signal" $server
    wait $server
    sleep "$pause"
    start "$@"
done
while kill -QUIT $server 2>/dev/null; do sleep 0.1; done
rm -rf "$2" 2>/dev/null
"#;

/// Shell script that mounts a small disk in the cluster's directory, gives the disk the owner of
/// that directory, and then runs its arguments.
const ON_SMALL_DISK: &str = r#"
mkdir small && mount -t tmpfs -o size=20m,mode=700 none small && chown --reference=. small || exit
exec "$0" "$@"
"#;

/// Message shown if PostgreSQL is missing.
const MISSING: &str = "PostgreSQL is missing: install it (on Debian: `apt-get install postgresql`; \
                       no service of it is used), or let `.ci/deep --install` do so";

/// Running cluster.
pub(crate) struct Cluster {
    place: TempDir,
    port: u16,
    server: Child,
    /// Standard input of the server's shell, which ends the cluster when this end is closed.
    leash: Option<ChildStdin>,
}

impl Cluster {
    /// The cluster shared by the tests of a process.
    fn shared() -> Arc<Self> {
        static SHARED: Mutex<Weak<Cluster>> = Mutex::new(Weak::new());
        crowd::join();
        let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
        shared.upgrade().unwrap_or_else(|| {
            let started = Arc::new(Self::start(""));
            *shared = Arc::downgrade(&started);
            started
        })
    }

    /// Starts a cluster with these options of `postgres`.
    pub(crate) fn start(options: &str) -> Self {
        Self::start_by(&[], options)
    }

    /// Starts a cluster with an additional small disk. `None` if this system allows no mounts.
    pub(crate) fn on_small_disk() -> Option<Self> {
        let tried = Command::new("unshare").args(["--mount", "true"]).status();
        let may = tried.is_ok_and(|tried| tried.success());
        may.then(|| Self::start_by(&["unshare", "--mount", "sh", "-c", ON_SMALL_DISK], ""))
    }

    /// Starts a cluster. `by` is a command that runs the arguments after it, or is empty.
    fn start_by(by: &[&str], options: &str) -> Self {
        crowd::join();
        let programs = programs().expect(MISSING);
        let place = tempfile::tempdir().expect("a directory");
        // Only the server may enter the directory.
        fs::set_permissions(place.path(), fs::Permissions::from_mode(0o700)).expect("rights");
        let port = TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr());
        let port = port.expect("a free port").port();
        let as_somebody = as_somebody(place.path());
        let mut command = by.iter().map(OsStr::new).chain([as_somebody.get_program()]);
        let mut serve = Command::new(command.next().expect("a program"));
        serve.args(command).args(as_somebody.get_args());
        serve.args(["sh", "-c", SERVE, "serve"]);
        serve.args([programs.as_path(), place.path()]);
        serve.args([&port.to_string(), options]);
        let server = serve
            .current_dir(place.path())
            .stdin(Stdio::piped())
            .spawn();
        let mut server = server.expect("a shell");
        let leash = server.stdin.take();
        let cluster = Self {
            place,
            port,
            server,
            leash,
        };
        cluster.wait();
        cluster
    }

    /// Waits until the cluster accepts connections.
    fn wait(&self) {
        let start = Instant::now();
        loop {
            match try_connect(&self.socket("postgres")) {
                Ok(_) => return,
                Err(error) if start.elapsed() > START_TIMEOUT => {
                    panic!("{error:?}\n{}", self.log());
                }
                Err(_) => thread::sleep(Duration::from_millis(50)),
            }
        }
    }

    /// Ends the server by a signal, and restarts it after this many seconds: `INT` is a fast
    /// shutdown, and `QUIT` an immediate one. Returns once the server accepts connections again.
    pub(crate) fn restart(&self, signal: &str, pause: u32) {
        let started = "extract(epoch FROM pg_postmaster_start_time()) * 1000000";
        let started = || {
            let sql = try_connect(&self.socket("postgres")).ok()?;
            sql.try_number(&format!("SELECT {started}"))
        };
        let before = started().expect("a server");
        let mut leash = self.leash.as_ref().expect("a server");
        writeln!(leash, "{signal} {pause}").expect("a shell");
        let start = Instant::now();
        while started().is_none_or(|now| now == before) {
            let log = || self.log();
            assert!(start.elapsed() < START_TIMEOUT, "not again: {}", log());
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Log of the server.
    fn log(&self) -> String {
        fs::read_to_string(self.path("log")).unwrap_or_default()
    }

    /// Path of a file in the cluster's directory.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.place.path().join(name)
    }

    /// Port on which the server listens.
    pub(crate) const fn port(&self) -> u16 {
        self.port
    }

    /// Runs a script in the cluster's directory, as the directory's owner.
    pub(crate) fn run(&self, script: &str) {
        self.run_with(script, &[]);
    }

    /// Runs a script with arguments, like [`run`](Self::run).
    pub(crate) fn run_with(&self, script: &str, arguments: &[&str]) {
        let mut paths = vec![programs().expect(MISSING)];
        paths.extend(env::split_paths(&env::var_os("PATH").unwrap_or_default()));
        let mut command = as_somebody(self.place.path());
        command.args(["sh", "-c", script, "script"]).args(arguments);
        command.env("PATH", env::join_paths(paths).expect("paths"));
        let done = command.current_dir(self.place.path()).status();
        assert!(done.expect("a shell").success(), "{script}");
    }

    /// Address of a database on a socket without authentication.
    fn socket(&self, database: &str) -> String {
        let mut path = String::new();
        for byte in self.place.path().as_os_str().as_encoded_bytes() {
            write!(path, "%{byte:02x}").expect("a string");
        }
        format!("postgres://war@{path}:{}/{database}", self.port)
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        drop(self.leash.take());
        // Waits for the server, so that nothing writes to the directory while it is removed.
        let _ = self.server.wait();
    }
}

/// A test's own database.
pub(crate) struct Database {
    name: String,
    cluster: Arc<Cluster>,
}

impl Database {
    /// Creates an empty database in the shared cluster.
    pub(crate) fn new() -> Self {
        Self::of(Cluster::shared())
    }

    /// Creates an empty database in this cluster.
    pub(crate) fn of(cluster: Arc<Cluster>) -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(1);
        let name = format!("test_{}", NUMBER.fetch_add(1, Ordering::Relaxed));
        let postgres = Sql::connect(&cluster.socket("postgres"));
        postgres.run(&format!("CREATE DATABASE {name}"));
        Self { name, cluster }
    }

    /// Creates an empty database on the small disk of this cluster.
    pub(crate) fn on_small_disk(cluster: Arc<Cluster>) -> Self {
        let postgres = Sql::connect(&cluster.socket("postgres"));
        let place = cluster.place.path().join("small");
        let place = place.display();
        postgres.run(&format!("CREATE TABLESPACE small LOCATION '{place}'"));
        postgres.run("CREATE DATABASE small TABLESPACE small");
        let name = "small".to_owned();
        Self { name, cluster }
    }

    /// Address of the database, as typed by a user.
    pub(crate) fn url(&self) -> String {
        self.cluster.socket(&self.name)
    }

    /// TCP address of the database, which requires a password.
    pub(crate) fn tcp_url(&self, user: &str, password: &str) -> String {
        let Self { name, cluster } = self;
        format!(
            "postgres://{user}:{password}@127.0.0.1:{}/{name}",
            cluster.port
        )
    }

    /// Address of the database.
    pub(crate) fn address(&self) -> DatabaseAddress {
        self.url().parse().expect("an address")
    }

    /// Name of the database.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Cluster of the database.
    pub(crate) fn cluster(&self) -> &Cluster {
        &self.cluster
    }

    /// Path of a game's journal at a table with its store in this database.
    pub(crate) fn journal_path(&self, game: i64) -> String {
        let rows = self.sql().rows("SELECT secret FROM war.about");
        let secret: &[u8] = rows[0].get(0);
        let secret = StoreSecret::new(secret.try_into().expect("32 bytes"));
        let address = secret.journal_address(u64::try_from(game).expect("a number"));
        format!("/games/{address}/journal.json")
    }

    /// Opens another connection to the database.
    pub(crate) fn sql(&self) -> Sql {
        Sql::connect(&self.url())
    }
}

/// Connection of a test to a database.
pub(crate) struct Sql {
    client: Client,
    runtime: Runtime,
}

impl Sql {
    pub(super) fn connect(url: &str) -> Self {
        try_connect(url).expect("a database")
    }

    /// Runs statements; panics if one fails.
    pub(crate) fn run(&self, sql: &str) {
        let done = self.runtime.block_on(self.client.batch_execute(sql));
        done.unwrap_or_else(|error| panic!("{sql}: {error:?}"));
    }

    /// Runs statements; returns true if they succeeded.
    pub(crate) fn tries(&self, sql: &str) -> bool {
        let done = self.runtime.block_on(self.client.batch_execute(sql));
        done.is_ok()
    }

    /// Rows returned by a query.
    pub(crate) fn rows(&self, sql: &str) -> Vec<Row> {
        let rows = self.runtime.block_on(self.client.query(sql, &[]));
        rows.unwrap_or_else(|error| panic!("{sql}: {error:?}"))
    }

    /// Number returned by a query; `None` if the query fails.
    fn try_number(&self, sql: &str) -> Option<i64> {
        let sql = format!("SELECT ({sql})::bigint");
        let row = self.runtime.block_on(self.client.query_one(&sql, &[]));
        row.ok().map(|row| row.get(0))
    }

    /// Number returned by a query.
    pub(crate) fn number(&self, sql: &str) -> i64 {
        self.rows(&format!("SELECT ({sql})::bigint"))[0].get(0)
    }
}

fn try_connect(url: &str) -> Result<Sql, tokio_postgres::Error> {
    let runtime = Builder::new_current_thread().enable_all().build();
    let runtime = runtime.expect("a runtime");
    let (client, connection) = runtime.block_on(tokio_postgres::connect(url, NoTls))?;
    drop(runtime.spawn(connection));
    Ok(Sql { client, runtime })
}

/// Directory of PostgreSQL's programs: one on the `PATH`, or else one of Debian's.
fn programs() -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let mut places: Vec<_> = env::split_paths(&path).collect();
    let versions = fs::read_dir("/usr/lib/postgresql");
    let versions = versions.into_iter().flatten().flatten();
    places.extend(versions.map(|version| version.path().join("bin")));
    places.retain(|place| place.join("initdb").exists() && place.join("postgres").exists());
    places.into_iter().next()
}

/// Command prefix for the server. PostgreSQL refuses to run as root, so if the tests run as root,
/// another user becomes the owner of the directory and runs the server.
fn as_somebody(place: &Path) -> Command {
    let id = |which: &str, name: &[&str]| -> Option<u32> {
        let id = Command::new("id").arg(which).args(name).output().ok()?;
        String::from_utf8(id.stdout).ok()?.trim().parse().ok()
    };
    if id("-u", &[]) != Some(0) {
        return Command::new("env");
    }
    let owner = fs::metadata(place).expect("a directory");
    let known = ["postgres", "nobody"].into_iter();
    let mut known = known.filter_map(|name| id("-u", &[name]).zip(id("-g", &[name])));
    let (user, group) = match (owner.uid(), owner.gid()) {
        (0, _) => known.next().expect("a user that is not root"),
        owner => owner,
    };
    chown(place, Some(user), Some(group)).expect("a place to give away");
    let mut command = Command::new("setpriv");
    command.args([format!("--reuid={user}"), format!("--regid={group}")]);
    command.args(["--clear-groups", "--"]);
    command
}

#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn a_cluster_leaves_nothing_behind_even_if_a_test_fails() {
    let started = std::panic::catch_unwind(|| {
        let cluster = Cluster::start("");
        let (place, port) = (cluster.place.path().to_owned(), cluster.port);
        assert!(place.join("data").exists() && TcpListener::bind(("127.0.0.1", port)).is_err());
        std::panic::panic_any((place, port))
    });
    let left = started.expect_err("it failed");
    let (place, port) = left.downcast_ref::<(PathBuf, u16)>().expect("a place");
    assert!(!place.exists());
    TcpListener::bind(("127.0.0.1", *port)).expect("nobody listens");
}
