//! Configuration of TLS for connections to a database: authorities, certificates, and checks.

use super::tls_options::{TlsMode, TlsOptions};
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::verify_server_cert_signed_by_trust_anchor;
use rustls::crypto::{
    CryptoProvider, WebPkiSupportedAlgorithms, ring, verify_tls12_signature, verify_tls13_signature,
};
use rustls::pki_types::pem::{self, PemObject};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime};
use rustls::server::ParsedCertificate;
use rustls::{ClientConfig, DigitallySignedStruct, Error, RootCertStore, SignatureScheme};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// Protocol that a client names if TLS begins without a request for it.
const PROTOCOL: &[u8] = b"postgresql";

/// Error of the files that TLS needs.
#[derive(Debug, thiserror::Error)]
pub(super) enum TlsFileError {
    /// File that can't be read, or has no certificate or key in PEM.
    #[error("`{}`: {reason}", file.display())]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// Fault of the file.
        reason: String,
    },
    /// Certificate that does not go with the key.
    #[error("`{}` and its key: {reason}", certificate.display())]
    Identity {
        /// File with the certificate.
        certificate: PathBuf,
        /// Fault of the pair.
        reason: Error,
    },
    /// System without trusted authorities.
    #[error("this system has no certificates of trusted authorities{0}")]
    NoAuthorities(&'static str),
}

/// Builds the configuration of a connection. The files are read each time, so that a node uses
/// certificates that were renewed.
///
/// # Errors
///
/// [`TlsFileError`] if a file can't be used.
pub(super) fn build_config(options: &TlsOptions) -> Result<ClientConfig, TlsFileError> {
    let provider = Arc::new(ring::default_provider());
    let builder = ClientConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .expect("the provider has cipher suites for both versions");
    let builder = if options.mode == TlsMode::VerifyFull {
        builder.with_root_certificates(trusted_authorities(options)?)
    } else {
        let roots = match options.mode {
            TlsMode::VerifyCa => Some(trusted_authorities(options)?),
            _ => None,
        };
        let verifier = NamelessVerifier::new(&provider, roots);
        let builder = builder.dangerous();
        builder.with_custom_certificate_verifier(Arc::new(verifier))
    };
    let mut config = match &options.identity {
        None => builder.with_no_client_auth(),
        Some((certificate, key)) => {
            let unreadable = |error| unreadable(key, error);
            let secret = PrivateKeyDer::from_pem_file(key).map_err(unreadable)?;
            let authenticated = builder.with_client_auth_cert(certificates(certificate)?, secret);
            authenticated.map_err(|reason| TlsFileError::Identity {
                certificate: certificate.clone(),
                reason,
            })?
        }
    };
    if options.is_direct {
        config.alpn_protocols = vec![PROTOCOL.to_vec()];
    }
    Ok(config)
}

/// Authorities whose certificates are accepted.
fn trusted_authorities(options: &TlsOptions) -> Result<RootCertStore, TlsFileError> {
    let Some(file) = &options.authorities else {
        return system_authorities();
    };
    let mut roots = RootCertStore::empty();
    for certificate in certificates(file)? {
        roots
            .add(certificate)
            .map_err(|error| TlsFileError::Unreadable {
                file: file.clone(),
                reason: error.to_string(),
            })?;
    }
    Ok(roots)
}

/// Authorities that the system trusts, or those that `SSL_CERT_FILE` names; read once, as there are
/// more than a hundred.
fn system_authorities() -> Result<RootCertStore, TlsFileError> {
    static SYSTEM: OnceLock<(RootCertStore, String)> = OnceLock::new();
    let (roots, errors) = SYSTEM.get_or_init(|| {
        let mut roots = RootCertStore::empty();
        let loaded = rustls_native_certs::load_native_certs();
        // Certificates that can't be parsed are left out, as others do.
        roots.add_parsable_certificates(loaded.certs);
        let errors = loaded.errors.iter().map(|error| format!("; {error}"));
        (roots, errors.collect())
    });
    if roots.is_empty() {
        return Err(TlsFileError::NoAuthorities(errors));
    }
    Ok(roots.clone())
}

/// Reads the certificates in a file; there is at least one.
fn certificates(file: &Path) -> Result<Vec<CertificateDer<'static>>, TlsFileError> {
    let found = CertificateDer::pem_file_iter(file).and_then(Iterator::collect);
    let found: Vec<_> = found.map_err(|error| unreadable(file, error))?;
    if found.is_empty() {
        return Err(unreadable(file, pem::Error::NoItemsFound));
    }
    Ok(found)
}

fn unreadable(file: &Path, error: pem::Error) -> TlsFileError {
    let reason = match error {
        pem::Error::Io(error) => error.to_string(),
        pem::Error::NoItemsFound => "it has no certificate or key in PEM".to_owned(),
        error => error.to_string(),
    };
    TlsFileError::Unreadable {
        file: file.to_owned(),
        reason,
    }
}

/// Verifier that accepts a certificate for any name.
#[derive(Debug)]
struct NamelessVerifier {
    /// Authorities of which one has to have issued the certificate; `None` if anybody may have.
    roots: Option<RootCertStore>,
    algorithms: WebPkiSupportedAlgorithms,
}

impl NamelessVerifier {
    const fn new(provider: &CryptoProvider, roots: Option<RootCertStore>) -> Self {
        let algorithms = provider.signature_verification_algorithms;
        Self { roots, algorithms }
    }
}

impl ServerCertVerifier for NamelessVerifier {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        if let Some(roots) = &self.roots {
            let certificate = ParsedCertificate::try_from(certificate)?;
            verify_server_cert_signed_by_trust_anchor(
                &certificate,
                roots,
                intermediates,
                now,
                self.algorithms.all,
            )?;
        }
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls12_signature(message, certificate, signed, &self.algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls13_signature(message, certificate, signed, &self.algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.algorithms.supported_schemes()
    }
}
