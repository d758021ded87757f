//! Logs served over TLS, and trust in their certificates.

use super::test_log::TestLog;
use crate::support::{Run, Sandbox, project};
use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use std::net::TcpListener;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;

fn file(name: &str) -> PathBuf {
    project().join("tests/tls").join(name)
}

/// Serves the files of a directory with this certificate. Returns the port.
fn served(directory: PathBuf, certificate: &str) -> u16 {
    let key = PrivateKeyDer::from_pem_file(file(&format!("{certificate}.key"))).expect("a key");
    let certificate = CertificateDer::from_pem_file(file(&format!("{certificate}.pem")));
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("protocols")
        .with_no_client_auth()
        .with_single_cert(vec![certificate.expect("a certificate")], key);
    let config = Arc::new(config.expect("a certificate with its key"));
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let connection = ServerConnection::new(Arc::clone(&config)).expect("a connection");
            let stream = StreamOwned::new(connection, stream.expect("a connection"));
            // Fails if the client does not trust the server and has disconnected.
            let _ = super::read::answer(stream, &directory, "404 Not Found");
        }
    });
    port
}

/// Verifies the log at this address, with this file in `SSL_CERT_FILE`.
fn verify(sandbox: &Sandbox, address: &str, authorities: Option<PathBuf>) -> Run {
    let mut program = sandbox.command(&["log", "verify", address]);
    program.envs(authorities.map(|file| ("SSL_CERT_FILE", file)));
    Run::of(&mut program)
}

#[test]
fn a_private_authority_is_trusted_if_it_is_named() {
    let sandbox = Sandbox::new();
    TestLog::games(1).write(&sandbox);
    for (certificate, authority) in [("server", "authority.pem"), ("alone", "alone.pem")] {
        let port = served(sandbox.path(""), certificate);
        for host in ["localhost", "127.0.0.1"] {
            let address = format!("https://{host}:{port}/log");
            let run = verify(&sandbox, &address, Some(file(authority))).exits_with(0);
            assert!(run.stdout.starts_with("VERIFIED "), "{run:#?}");
        }
    }
}

#[test]
fn an_untrusted_certificate_is_reported_with_a_hint() {
    let sandbox = Sandbox::new();
    TestLog::games(1).write(&sandbox);
    let port = served(sandbox.path(""), "server");
    let address = format!("https://localhost:{port}/log");
    // Neither Mozilla's authorities nor the one in the file issued the server's certificate.
    for authorities in [None, Some(file("alone.pem"))] {
        let run = verify(&sandbox, &address, authorities).exits_with(4);
        let told = format!(
            "error: can't trust `{address}/key`: the certificate of the server was refused \
             (UnknownIssuer)\nhint: if a private authority issued it, name a file with the \
             authority's certificate in `SSL_CERT_FILE`\n"
        );
        assert_eq!((run.stdout, run.stderr), (String::new(), told));
    }
    let polish = sandbox.war(&["--lang", "pl", "log", "verify", &address]);
    polish
        .exits_with(4)
        .reports("certyfikat serwera został odrzucony (UnknownIssuer)");
    // The name in this address is not in the certificate.
    let address = format!("https://[::ffff:127.0.0.1]:{port}/log");
    let run = verify(&sandbox, &address, Some(file("authority.pem"))).exits_with(4);
    run.reports("certificate not valid for name");
}

#[test]
fn a_file_without_certificates_is_reported() {
    let sandbox = Sandbox::new();
    let address = "https://localhost:1/log";
    for (name, told) in [
        ("server.key", "has no certificate in PEM"),
        ("missing.pem", "can't read"),
    ] {
        let run = verify(&sandbox, address, Some(file(name))).exits_with(4);
        let run = run.reports(told);
        assert!(run.stderr.contains(name), "{run:#?}");
    }
    // Without TLS there are no certificates.
    TestLog::games(1).write(&sandbox);
    let address = super::read::served(sandbox.path(""), "404 Not Found");
    verify(&sandbox, &address, Some(file("missing.pem"))).exits_with(0);
}
