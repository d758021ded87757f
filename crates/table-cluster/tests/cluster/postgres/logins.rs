//! Servers that ask for a login which would show them the password.

use super::fake_server::{FakeServer, Login, certificates};
use war_table::server::store::StoreError;
use war_table_cluster::PostgresTable;

#[test]
fn a_password_is_sent_neither_in_clear_nor_as_md5() {
    let authority = certificates().join("authority.pem");
    for (login, expected) in [
        (Login::ClearPassword, "password"),
        (Login::Md5Password, "md5"),
    ] {
        let clear = FakeServer::start(login);
        let encrypted = FakeServer::start_with_tls(login);
        let clear_url = format!("postgres://ann:horse@127.0.0.1:{}/war", clear.port);
        let encrypted_url = format!(
            "postgres://ann:horse@localhost:{}/war?sslrootcert={}",
            encrypted.port,
            authority.display()
        );
        for (server, url) in [(clear, clear_url), (encrypted, encrypted_url)] {
            let refused = PostgresTable::open(url.parse().expect("an address"), None).err();
            let method = match refused {
                Some(StoreError::UnsafeLogin { method }) => method,
                other => panic!("{url}: {other:?}"),
            };
            assert_eq!(method, expected);
            let received = server.received();
            let received = String::from_utf8_lossy(&received);
            assert!(received.contains("ann"), "it asked: {received:?}");
            assert!(!received.contains("horse"), "{received:?}");
            let last = "application_name\0war\0\0";
            assert!(received.ends_with(last), "more came: {received:?}");
        }
    }
}

// Nothing follows the request for TLS, not even the name of the user.
#[test]
fn a_server_without_tls_learns_nothing() {
    for options in [
        "sslmode=verify-full",
        "sslmode=verify-ca",
        "sslmode=require",
    ] {
        let server = FakeServer::start(Login::ClearPassword);
        let url = format!(
            "postgres://ann:horse@127.0.0.1:{}/war?{options}",
            server.port
        );
        let refused = PostgresTable::open(url.parse().expect("an address"), None).err();
        assert!(matches!(refused, Some(StoreError::NoTls)), "{refused:?}");
        assert_eq!(server.received(), [0, 0, 0, 8, 4, 210, 22, 47], "{options}");
    }
}
