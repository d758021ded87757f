//! TLS between a node and its database.

use super::{Cluster, Database};
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair};
use std::fs;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};
use tempfile::TempDir;
use war_table::server::store::StoreError;
use war_table_cluster::{DatabaseAddress, PostgresTable};

/// Address that is another machine for the program, and this one for the system. The server's
/// certificate names it, and not `127.0.0.1`.
const ELSEWHERE: &str = "0.0.0.0";

/// Rules for users who have to use TLS, may not use it, or log in in other ways.
const RULES: &str = "
hostssl all ann all scram-sha-256
hostnossl all ben all scram-sha-256
hostssl all carl all cert
hostssl all dora all md5
hostssl all emil all password
hostssl all fred all trust
host all all all reject
";

/// Authority that issues certificates.
type Authority = CertifiedIssuer<'static, KeyPair>;

fn new_authority(name: &str) -> Authority {
    let mut params = CertificateParams::new(Vec::new()).expect("no names");
    params.distinguished_name.push(DnType::CommonName, name);
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let key = KeyPair::generate().expect("a key");
    CertifiedIssuer::self_signed(params, key).expect("an authority")
}

/// Issues a certificate for this name; returns it with its key.
fn issue(authority: &Authority, name: &str) -> [String; 2] {
    let mut params = CertificateParams::new(vec![name.to_owned()]).expect("a name");
    params.distinguished_name.push(DnType::CommonName, name);
    let key = KeyPair::generate().expect("a key");
    let certificate = params.signed_by(&key, authority).expect("a certificate");
    [certificate.pem(), key.serialize_pem()]
}

/// Database with TLS, and the files of its clients.
struct EncryptedDatabase {
    database: Database,
    files: TempDir,
}

impl EncryptedDatabase {
    fn start() -> Self {
        let cluster = Arc::new(Cluster::start(""));
        let (authority, files) = (
            new_authority("known"),
            tempfile::tempdir().expect("a directory"),
        );
        let [certificate, key] = issue(&authority, ELSEWHERE);
        cluster.run_with(
            "umask 077; printf %s \"$1\" >data/server.crt; printf %s \"$2\" >data/server.key; \
             printf %s \"$3\" >data/ca.crt; printf %s \"$4\" | cat - data/pg_hba.conf >rules; \
             mv rules data/pg_hba.conf",
            &[&certificate, &key, &authority.pem(), RULES],
        );
        let [carl, carl_key] = issue(&authority, "carl");
        for (name, text) in [
            ("authority.pem", authority.pem()),
            ("stranger.pem", new_authority("stranger").pem()),
            ("carl.pem", carl),
            ("carl.key", carl_key),
        ] {
            fs::write(files.path().join(name), text).expect("a file");
        }
        let database = Database::of(cluster);
        let sql = database.sql();
        for user in ["ann", "ben", "carl", "emil", "fred"] {
            sql.run(&format!(
                "CREATE ROLE {user} SUPERUSER LOGIN PASSWORD 'horse'"
            ));
        }
        sql.run(
            "SET password_encryption = 'md5'; CREATE ROLE dora SUPERUSER LOGIN PASSWORD 'horse'",
        );
        sql.run("ALTER SYSTEM SET ssl_ca_file = 'ca.crt'");
        let started = Self { database, files };
        started.set_tls("on");
        started
    }

    /// Switches TLS of the server on or off.
    fn set_tls(&self, value: &str) {
        let sql = self.database.sql();
        sql.run(&format!("ALTER SYSTEM SET ssl = {value}"));
        sql.run("SELECT pg_reload_conf()");
        let start = Instant::now();
        let count =
            format!("SELECT count(*) FROM pg_settings WHERE name = 'ssl' AND setting = '{value}'");
        while self.database.sql().number(&count) == 0 {
            assert!(start.elapsed() < Duration::from_secs(10), "not {value}");
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Address with these options, in which `@` is the directory of the files.
    fn address(&self, user: &str, host: &str, options: &str) -> DatabaseAddress {
        let url = self.database.tcp_url(user, "horse");
        let url = url.replace("127.0.0.1", host);
        let options = options.replace('@', &self.files.path().display().to_string());
        format!("{url}?{options}").parse().expect("an address")
    }

    /// Opens the store; returns the version of TLS that its connections use.
    fn open(&self, user: &str, host: &str, options: &str) -> Result<Option<String>, StoreError> {
        let table = PostgresTable::open(self.address(user, host, options), None)?;
        let versions = format!(
            "SELECT DISTINCT version FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) \
             WHERE usename = '{user}'"
        );
        let rows = self.database.sql().rows(&versions);
        assert_eq!(rows.len(), 1, "all connections are alike");
        drop(table);
        Ok(rows[0].get(0))
    }

    /// Expects connections with TLS 1.3.
    fn expect_encrypted(&self, user: &str, host: &str, options: &str) {
        let version = self.open(user, host, options);
        let version = version.unwrap_or_else(|error| panic!("{user} {host} {options}: {error:?}"));
        assert_eq!(
            version.as_deref(),
            Some("TLSv1.3"),
            "{user} {host} {options}"
        );
    }

    /// Expects connections in clear.
    fn expect_clear(&self, user: &str, host: &str, options: &str) {
        let version = self.open(user, host, options);
        let version = version.unwrap_or_else(|error| panic!("{user} {host} {options}: {error:?}"));
        assert_eq!(version, None, "{user} {host} {options}");
    }

    fn refusal(&self, user: &str, host: &str, options: &str) -> StoreError {
        let refused = self.open(user, host, options);
        refused.expect_err(&format!("{user} {host} {options}"))
    }

    /// Expects that the certificate is refused for this reason.
    fn expect_untrusted(&self, host: &str, options: &str, reason: &str) {
        match self.refusal("ann", host, options) {
            StoreError::Untrusted(cause) => {
                assert!(
                    cause.to_string().contains(reason),
                    "{host} {options}: {cause}"
                );
            }
            other => panic!("{host} {options}: {other:?}"),
        }
    }
}

#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn a_certificate_is_verified_as_the_address_says() {
    let encrypted = EncryptedDatabase::start();
    let (known, unknown) = ("sslrootcert=@/authority.pem", "sslrootcert=@/stranger.pem");
    encrypted.expect_encrypted("ann", ELSEWHERE, known);
    encrypted.expect_encrypted(
        "ann",
        ELSEWHERE,
        &format!("{known}&channel_binding=require"),
    );
    encrypted.expect_untrusted(ELSEWHERE, unknown, "UnknownIssuer");
    encrypted.expect_untrusted(
        ELSEWHERE,
        "sslrootcert=@/stranger.pem&sslmode=verify-ca",
        "UnknownIssuer",
    );
    encrypted.expect_untrusted(
        ELSEWHERE,
        "sslrootcert=@/stranger.pem&sslmode=require",
        "UnknownIssuer",
    );
    encrypted.expect_untrusted("127.0.0.1", known, "not valid for name");
    encrypted.expect_encrypted("ann", "127.0.0.1", &format!("{known}&sslmode=verify-ca"));
    encrypted.expect_encrypted("ann", "127.0.0.1", "sslmode=require");
    // The authorities of the system don't know the server, even if there are none.
    let refused = encrypted.refusal("ann", ELSEWHERE, "");
    assert!(
        matches!(refused, StoreError::Untrusted(_) | StoreError::TlsFile(_)),
        "{refused:?}"
    );
    for missing in ["sslrootcert=@/none.pem", "sslrootcert=@/carl.key"] {
        let refused = encrypted.refusal("ann", ELSEWHERE, missing);
        assert!(matches!(refused, StoreError::TlsFile(_)), "{refused:?}");
    }
}

#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn weaker_modes_connect_where_they_are_written() {
    let encrypted = EncryptedDatabase::start();
    for (mode, may_be_clear) in [("require", false), ("prefer", true), ("allow", true)] {
        let options = format!("sslmode={mode}");
        // This user is let in only with TLS.
        encrypted.expect_encrypted("ann", ELSEWHERE, &options);
        let weak = encrypted
            .address("ann", ELSEWHERE, &options)
            .weak_protection();
        assert_eq!(
            weak.map(|weak| weak.may_be_clear),
            Some(may_be_clear),
            "{mode}"
        );
    }
    let refused = encrypted.refusal("ann", ELSEWHERE, "sslmode=disable");
    assert!(matches!(refused, StoreError::Refused(_)), "{refused:?}");
    // This user is let in only without TLS.
    for mode in ["disable", "prefer", "allow"] {
        encrypted.expect_clear("ben", ELSEWHERE, &format!("sslmode={mode}"));
    }
    encrypted.expect_clear("ben", "127.0.0.1", "");
    let refused = encrypted.refusal("ben", ELSEWHERE, "sslmode=require");
    assert!(matches!(refused, StoreError::Refused(_)), "{refused:?}");
    encrypted.set_tls("off");
    for options in ["", "sslmode=require", "sslrootcert=@/authority.pem"] {
        let refused = encrypted.refusal("ben", ELSEWHERE, options);
        assert!(
            matches!(refused, StoreError::NoTls),
            "{options}: {refused:?}"
        );
    }
    encrypted.expect_clear("ben", ELSEWHERE, "sslmode=prefer");
}

#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn logins_that_keep_the_password_secret_are_accepted() {
    let encrypted = EncryptedDatabase::start();
    let known = "sslrootcert=@/authority.pem";
    encrypted.expect_encrypted("fred", ELSEWHERE, known);
    let with_certificate = format!("{known}&sslcert=@/carl.pem&sslkey=@/carl.key");
    encrypted.expect_encrypted("carl", ELSEWHERE, &with_certificate);
    let refused = encrypted.refusal("carl", ELSEWHERE, known);
    assert!(matches!(refused, StoreError::Refused(_)), "{refused:?}");
    for (user, expected) in [("dora", "md5"), ("emil", "password")] {
        let refused = encrypted.refusal(user, ELSEWHERE, known);
        assert!(
            matches!(refused, StoreError::UnsafeLogin { method } if method == expected),
            "{user}: {refused:?}"
        );
    }
}
