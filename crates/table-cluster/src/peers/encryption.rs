//! TLS 1.3 around a link.
//!
//! Each node makes a key at its start, which nobody has to know: TLS keeps the link secret, and the
//! proofs of the [`handshake`](super::handshake) tell who is at its other end. They cover a value
//! that both ends derive from their TLS session, so they differ if somebody in between has a
//! session with each end.

use super::handshake::LinkChannel;
use super::wire::LinkError;
use ring::rand::SystemRandom;
use ring::signature::Ed25519KeyPair;
use rustls::client::Resumption;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{
    CryptoProvider, WebPkiSupportedAlgorithms, ring as provider,
    verify_tls13_signature_with_raw_key,
};
use rustls::pki_types::{
    CertificateDer, PrivatePkcs8KeyDer, ServerName, SubjectPublicKeyInfoDer, UnixTime,
};
use rustls::server::AlwaysResolvesServerRawPublicKeys;
use rustls::sign::CertifiedKey;
use rustls::version::TLS13;
use rustls::{
    ClientConfig, ConnectionCommon, DigitallySignedStruct, Error, PeerIncompatible, ServerConfig,
    SignatureScheme,
};
use std::io;
use std::sync::Arc;
use tokio::io::{AsyncRead, AsyncWrite, ReadHalf, WriteHalf};
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio_rustls::{TlsAcceptor, TlsConnector};
use war::support::hex::Hex;

/// First byte of a TLS connection. That of a link in clear is 0.
const TLS_HANDSHAKE: u8 = 22;
/// Label of the value by which proofs are bound to a session.
const EXPORTER_LABEL: &[u8] = b"EXPERIMENTAL war link";

/// Stream of a link, encrypted or not.
pub(super) trait LinkStream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<S: AsyncRead + AsyncWrite + Send + Unpin> LinkStream for S {}

pub(super) type LinkReader = ReadHalf<Box<dyn LinkStream>>;
pub(super) type LinkWriter = WriteHalf<Box<dyn LinkStream>>;

/// Connection of two nodes, before their handshake.
pub(super) struct OpenedLink {
    pub(super) stream: Box<dyn LinkStream>,
    pub(super) channel: LinkChannel,
    /// Key of the listener, if this end dialed and the link is encrypted.
    pub(super) listener_key: Option<NodeKey>,
}

/// Public key that a node made at its start. The other side of a TLS session has the private one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct NodeKey(Vec<u8>);

impl NodeKey {
    /// Name of the running node, for people: the end of the key, which is random.
    pub(super) fn to_id(&self) -> String {
        let end = self.0.last_chunk().copied();
        Hex::<8>::new(end.unwrap_or_default()).to_string()
    }
}

impl OpenedLink {
    pub(super) fn new_clear(socket: TcpStream) -> Self {
        Self {
            stream: Box::new(socket),
            channel: LinkChannel::Clear,
            listener_key: None,
        }
    }

    pub(super) fn split(self) -> (LinkReader, LinkWriter) {
        tokio::io::split(self.stream)
    }
}

/// Permission for links in clear, of version 1: while the table may have nodes that know no other.
#[derive(Debug, Clone)]
pub(crate) struct ClearLinks(watch::Receiver<bool>);

impl ClearLinks {
    pub(crate) const fn new(allowed: watch::Receiver<bool>) -> Self {
        Self(allowed)
    }

    pub(super) fn are_allowed(&self) -> bool {
        *self.0.borrow()
    }

    /// Waits until a link over this channel has to be closed.
    pub(super) async fn refused(mut self, channel: LinkChannel) -> LinkError {
        if channel == LinkChannel::Clear && self.0.wait_for(|allowed| !allowed).await.is_ok() {
            return LinkError::Clear;
        }
        // Encrypted, or the store is gone, and the node with it.
        std::future::pending().await
    }
}

/// End of encrypted links that opens them.
pub(super) struct LinkConnector(TlsConnector);

impl LinkConnector {
    pub(super) fn new() -> Self {
        let provider = Arc::new(provider::default_provider());
        let verifier = AnyKey(provider.signature_verification_algorithms);
        let mut config = ClientConfig::builder_with_provider(provider)
            .with_protocol_versions(&[&TLS13])
            .expect("the provider has cipher suites for TLS 1.3")
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(verifier))
            .with_no_client_auth();
        config.resumption = Resumption::disabled();
        Self(TlsConnector::from(Arc::new(config)))
    }

    /// Begins TLS with a node.
    ///
    /// # Errors
    ///
    /// [`LinkError::Clear`] if the node closes the connection, as nodes without TLS do.
    pub(super) async fn connect(&self, socket: TcpStream) -> Result<OpenedLink, LinkError> {
        // Keys have no names.
        let node = ServerName::from(socket.peer_addr()?.ip());
        let stream = self.0.connect(node, socket).await;
        let stream = stream.map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof | io::ErrorKind::ConnectionReset => LinkError::Clear,
            _ => LinkError::Io(error),
        })?;
        let session = stream.get_ref().1;
        let channel = encrypted_channel(session)?;
        let key = session.peer_certificates().and_then(|keys| keys.first());
        let listener_key = key.map(|key| NodeKey(key.to_vec()));
        Ok(OpenedLink {
            stream: Box::new(stream),
            channel,
            listener_key,
        })
    }
}

/// End of encrypted links that accepts them.
pub(crate) struct LinkAcceptor {
    tls: TlsAcceptor,
    key: NodeKey,
}

impl LinkAcceptor {
    /// Creates the end with a new key.
    pub(crate) fn new() -> Self {
        let provider = provider::default_provider();
        let made = new_key(&provider).and_then(|key| {
            let public_key = key.end_entity_cert()?.to_vec();
            let builder = ServerConfig::builder_with_provider(Arc::new(provider));
            let builder = builder.with_protocol_versions(&[&TLS13])?;
            let keys = AlwaysResolvesServerRawPublicKeys::new(Arc::new(key));
            let mut config = builder
                .with_no_client_auth()
                .with_cert_resolver(Arc::new(keys));
            config.send_tls13_tickets = 0;
            Ok((config, public_key))
        });
        let (config, key) = made.expect("the provider has cipher suites for TLS 1.3, and Ed25519");
        Self {
            tls: TlsAcceptor::from(Arc::new(config)),
            key: NodeKey(key),
        }
    }

    /// Name of this running node, for people.
    pub(crate) fn node_id(&self) -> String {
        self.key.to_id()
    }

    pub(super) const fn key(&self) -> &NodeKey {
        &self.key
    }

    /// Begins TLS if the other side does; else the link is in clear.
    pub(super) async fn accept(&self, socket: TcpStream) -> Result<OpenedLink, LinkError> {
        let mut first = [0];
        socket.peek(&mut first).await?;
        if first != [TLS_HANDSHAKE] {
            return Ok(OpenedLink::new_clear(socket));
        }
        let stream = self.tls.accept(socket).await?;
        let channel = encrypted_channel(stream.get_ref().1)?;
        Ok(OpenedLink {
            stream: Box::new(stream),
            channel,
            listener_key: None,
        })
    }
}

/// Makes the key of a node.
fn new_key(provider: &CryptoProvider) -> Result<CertifiedKey, Error> {
    let key = Ed25519KeyPair::generate_pkcs8(&SystemRandom::new());
    let key = key.map_err(|_| Error::FailedToGetRandomBytes)?;
    let key = PrivatePkcs8KeyDer::from(key.as_ref().to_vec());
    let key = provider.key_provider.load_private_key(key.into())?;
    let public = key.public_key();
    let public = public.map_or_else(Vec::new, |public| public.to_vec());
    Ok(CertifiedKey::new(vec![public.into()], key))
}

/// Derives the channel that proofs are bound to, the same at both ends of a TLS session.
fn encrypted_channel<D>(session: &ConnectionCommon<D>) -> Result<LinkChannel, LinkError> {
    let exported = session.export_keying_material([0; 32], EXPORTER_LABEL, None);
    let exported = exported.map_err(io::Error::other)?;
    Ok(LinkChannel::Encrypted(exported))
}

/// Verifier that accepts every key, since the proofs tell who has it.
#[derive(Debug)]
struct AnyKey(WebPkiSupportedAlgorithms);

impl ServerCertVerifier for AnyKey {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        Err(PeerIncompatible::Tls12NotOffered.into())
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        key: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let key = SubjectPublicKeyInfoDer::from(key.as_ref());
        verify_tls13_signature_with_raw_key(message, &key, signed, &self.0)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.supported_schemes()
    }

    fn requires_raw_public_keys(&self) -> bool {
        true
    }
}
