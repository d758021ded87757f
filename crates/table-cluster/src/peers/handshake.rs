//! Handshake of a link: both sides exchange their protocol versions and prove that they know the
//! secret of the store.
//!
//! The dialer, which opens the connection, sends a greeting; the listener answers with a greeting
//! that contains a proof; the dialer checks the proof and sends its own proof. Both proofs cover
//! the nonces of both greetings, which prevents replays of earlier connections, and the session of
//! an encrypted channel, which prevents that somebody in between has a session with each end.

use super::wire::{FrameReader, LinkError, send_frame};
use hmac::{Hmac, KeyInit, Mac};
use serde::{Deserialize, Serialize};
use sha2::Sha256;
use std::convert::Infallible;
use tokio::io::{AsyncRead, AsyncWrite};
use war::support::hex::Hex;
use war::support::redacted::RedactedValue;
use war_table::server::{Randomness, SystemRandomness};

/// Channel over which a link begins. Each kind has a version of the link's protocol. Optional fields
/// can be added without a new version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LinkChannel {
    /// In clear: version 1.
    Clear,
    /// TLS: version 2, with a value that only the ends of this TLS session can derive.
    Encrypted([u8; 32]),
}

impl LinkChannel {
    const fn version(self) -> u16 {
        match self {
            Self::Clear => 1,
            Self::Encrypted(_) => ENCRYPTED_VERSION,
        }
    }
}

/// Version of links over TLS.
const ENCRYPTED_VERSION: u16 = 2;
/// Longest frame of a handshake, in bytes.
const MAX_HANDSHAKE_FRAME: usize = 1024;

/// First frame of each side.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Greeting {
    version: u16,
    nonce: Hex<32>,
    /// Proof of the listener. `None` in the dialer's greeting, or if the listener does not support
    /// the dialer's version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    proof: Option<Hex<32>>,
}

/// Second frame of the dialer.
#[derive(Debug, Serialize, Deserialize)]
struct DialerProof {
    proof: Hex<32>,
}

/// Performs the handshake as the node that opened the connection.
pub(super) async fn initiate<R: AsyncRead + Unpin, W: AsyncWrite + Unpin>(
    frames: &mut FrameReader<R>,
    write: &mut W,
    secret: &LinkSecret,
    channel: LinkChannel,
) -> Result<(), LinkError> {
    let nonces = verify_listener(frames, write, secret, channel).await?;
    let proof = secret.prove(Role::Dialer, channel, &nonces);
    send_frame(write, &DialerProof { proof }).await
}

/// Performs the first half of the handshake as the node that opened the connection, up to the proof
/// of the other one. This node proves nothing.
pub(super) async fn verify_listener<R: AsyncRead + Unpin, W: AsyncWrite + Unpin>(
    frames: &mut FrameReader<R>,
    write: &mut W,
    secret: &LinkSecret,
    channel: LinkChannel,
) -> Result<Nonces, LinkError> {
    let ours = Greeting::new(channel.version());
    send_frame(write, &ours).await?;
    let theirs: Greeting = frames.read_frame(MAX_HANDSHAKE_FRAME).await?;
    theirs.check_version(channel.version())?;
    let nonces = Nonces {
        dialer: ours.nonce,
        listener: theirs.nonce,
    };
    let proof = theirs.proof.ok_or(LinkError::Garbled)?;
    if secret.is_valid_proof(&proof, Role::Listener, channel, &nonces) {
        Ok(nonces)
    } else {
        Err(LinkError::Secret)
    }
}

/// Performs the handshake as the node that accepted the connection.
pub(super) async fn respond<R: AsyncRead + Unpin, W: AsyncWrite + Unpin>(
    frames: &mut FrameReader<R>,
    write: &mut W,
    secret: &LinkSecret,
    channel: LinkChannel,
) -> Result<(), LinkError> {
    let theirs: Greeting = frames.read_frame(MAX_HANDSHAKE_FRAME).await?;
    let mut ours = Greeting::new(channel.version());
    if let Err(error) = theirs.check_version(channel.version()) {
        // Lets the other node report the reason as well.
        send_frame(write, &ours).await?;
        return Err(error);
    }
    let nonces = Nonces {
        dialer: theirs.nonce,
        listener: ours.nonce,
    };
    ours.proof = Some(secret.prove(Role::Listener, channel, &nonces));
    send_frame(write, &ours).await?;
    let DialerProof { proof } = frames.read_frame(MAX_HANDSHAKE_FRAME).await?;
    if secret.is_valid_proof(&proof, Role::Dialer, channel, &nonces) {
        Ok(())
    } else {
        Err(LinkError::Secret)
    }
}

/// Refuses a link in clear, and tells the other node why.
pub(super) async fn refuse<R: AsyncRead + Unpin, W: AsyncWrite + Unpin>(
    frames: &mut FrameReader<R>,
    write: &mut W,
) -> Result<Infallible, LinkError> {
    let theirs: Greeting = frames.read_frame(MAX_HANDSHAKE_FRAME).await?;
    send_frame(write, &Greeting::new(ENCRYPTED_VERSION)).await?;
    Err(LinkError::Version {
        theirs: theirs.version,
        ours: ENCRYPTED_VERSION,
    })
}

impl Greeting {
    /// Creates a greeting with a random nonce.
    fn new(version: u16) -> Self {
        let mut nonce = [0; 32];
        SystemRandomness.fill(&mut nonce);
        Self {
            version,
            nonce: Hex::new(nonce),
            proof: None,
        }
    }

    const fn check_version(&self, ours: u16) -> Result<(), LinkError> {
        let theirs = self.version;
        if theirs == ours {
            Ok(())
        } else {
            Err(LinkError::Version { theirs, ours })
        }
    }
}

/// Secret of a table's store, shared by all of its nodes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LinkSecret(RedactedValue<[u8; 32]>);

/// Side of a link that proves its knowledge of the secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// The node that opened the connection.
    Dialer,
    /// The node that accepted the connection.
    Listener,
}

/// Random numbers of both sides, which make each handshake unique.
#[derive(Debug, Clone, Copy)]
pub(super) struct Nonces {
    pub(super) dialer: Hex<32>,
    pub(super) listener: Hex<32>,
}

impl LinkSecret {
    pub(crate) const fn new(secret: [u8; 32]) -> Self {
        Self(RedactedValue(secret))
    }

    /// Computes the proof that `role` knows the secret.
    pub(super) fn prove(&self, role: Role, channel: LinkChannel, nonces: &Nonces) -> Hex<32> {
        let proof = self.mac(role, channel, nonces).finalize();
        Hex::new(proof.into_bytes().into())
    }

    /// Returns true if the proof of `role` is valid, in constant time.
    pub(super) fn is_valid_proof(
        &self,
        proof: &Hex<32>,
        role: Role,
        channel: LinkChannel,
        nonces: &Nonces,
    ) -> bool {
        let mac = self.mac(role, channel, nonces);
        mac.verify_slice(proof.bytes()).is_ok()
    }

    fn mac(&self, role: Role, channel: LinkChannel, nonces: &Nonces) -> Hmac<Sha256> {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.0.0).expect("any key will do");
        // Prevents a reflection attack: the proofs of the two sides differ.
        mac.update(match role {
            Role::Dialer => b"war link dialer  ",
            Role::Listener => b"war link listener",
        });
        mac.update(&channel.version().to_be_bytes());
        mac.update(nonces.dialer.bytes());
        mac.update(nonces.listener.bytes());
        if let LinkChannel::Encrypted(session) = channel {
            mac.update(&session);
        }
        mac
    }
}
