//! The handshake: both sides say which version of the link they speak, and prove that they know
//! the secret of the store, before anything else is read.
//!
//! The dialer begins with a greeting; the listener answers with its own one and its proof; the
//! dialer checks that, and sends its proof. Both proofs are about both greetings, so that none of
//! an earlier connection is worth anything.

use super::wire::{Frames, LinkError, send};
use hmac::{Hmac, KeyInit, Mac};
use serde::{Deserialize, Serialize};
use sha2::Sha256;
use tokio::io::{AsyncRead, AsyncWrite};
use war::support::hex::Hex;
use war::support::redacted::Redacted;
use war_table::server::{Randomness, SystemRandomness};

/// The version of the link's protocol. Fields that may be missing can be added without a new one.
const VERSION: u16 = 1;
/// The longest frame of a handshake, in bytes.
const LONGEST: usize = 1024;

/// The first frame of each side.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Greeting {
    version: u16,
    nonce: Hex<32>,
    /// That of the listener, where it speaks the dialer's version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    proof: Option<Hex<32>>,
}

/// The second frame of the dialer.
#[derive(Debug, Serialize, Deserialize)]
struct Proven {
    proof: Hex<32>,
}

/// Shakes hands with the node that this one has connected to.
pub(super) async fn dial<R: AsyncRead + Unpin, W: AsyncWrite + Unpin>(
    frames: &mut Frames<R>,
    write: &mut W,
    secret: &LinkSecret,
) -> Result<(), LinkError> {
    let ours = Greeting::new();
    send(write, &ours).await?;
    let theirs: Greeting = frames.next(LONGEST).await?;
    theirs.check_version()?;
    let nonces = Nonces {
        dialer: ours.nonce,
        listener: theirs.nonce,
    };
    let proof = theirs.proof.ok_or(LinkError::Garbled)?;
    if !secret.accepts(&proof, Role::Listener, VERSION, &nonces) {
        return Err(LinkError::Secret);
    }
    let proof = secret.prove(Role::Dialer, VERSION, &nonces);
    send(write, &Proven { proof }).await
}

/// Shakes hands with a node that has connected to this one.
pub(super) async fn listen<R: AsyncRead + Unpin, W: AsyncWrite + Unpin>(
    frames: &mut Frames<R>,
    write: &mut W,
    secret: &LinkSecret,
) -> Result<(), LinkError> {
    let theirs: Greeting = frames.next(LONGEST).await?;
    let mut ours = Greeting::new();
    if let Err(error) = theirs.check_version() {
        // So that the other node can say why as well.
        send(write, &ours).await?;
        return Err(error);
    }
    let nonces = Nonces {
        dialer: theirs.nonce,
        listener: ours.nonce,
    };
    ours.proof = Some(secret.prove(Role::Listener, VERSION, &nonces));
    send(write, &ours).await?;
    let Proven { proof } = frames.next(LONGEST).await?;
    if secret.accepts(&proof, Role::Dialer, VERSION, &nonces) {
        Ok(())
    } else {
        Err(LinkError::Secret)
    }
}

impl Greeting {
    /// A greeting as nobody has sent one before.
    pub(super) fn new() -> Self {
        let mut nonce = [0; 32];
        SystemRandomness.fill(&mut nonce);
        Self {
            version: VERSION,
            nonce: Hex::new(nonce),
            proof: None,
        }
    }

    const fn check_version(&self) -> Result<(), LinkError> {
        match self.version {
            VERSION => Ok(()),
            theirs => Err(LinkError::Version {
                theirs,
                ours: VERSION,
            }),
        }
    }
}

/// What all nodes of a table know, and nobody else: the secret of its store.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LinkSecret(Redacted<[u8; 32]>);

/// Who proves that it knows the secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// Who made the connection.
    Dialer,
    /// Who took it.
    Listener,
}

/// What makes a handshake a new one: a number of each side that was never used before.
#[derive(Debug, Clone, Copy)]
pub(super) struct Nonces {
    pub(super) dialer: Hex<32>,
    pub(super) listener: Hex<32>,
}

impl LinkSecret {
    pub(crate) const fn new(secret: [u8; 32]) -> Self {
        Self(Redacted(secret))
    }

    /// What shows in this handshake that this side knows the secret.
    pub(super) fn prove(&self, role: Role, version: u16, nonces: &Nonces) -> Hex<32> {
        let proof = self.mac(role, version, nonces).finalize();
        Hex::new(proof.into_bytes().into())
    }

    /// Whether this is the proof of that side. How long that takes says nothing about it.
    pub(super) fn accepts(
        &self,
        proof: &Hex<32>,
        role: Role,
        version: u16,
        nonces: &Nonces,
    ) -> bool {
        let mac = self.mac(role, version, nonces);
        mac.verify_slice(proof.bytes()).is_ok()
    }

    fn mac(&self, role: Role, version: u16, nonces: &Nonces) -> Hmac<Sha256> {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.0.0).expect("any key will do");
        // The other side's proof, sent back, must not be this side's.
        mac.update(match role {
            Role::Dialer => b"war link dialer  ",
            Role::Listener => b"war link listener",
        });
        mac.update(&version.to_be_bytes());
        mac.update(nonces.dialer.bytes());
        mac.update(nonces.listener.bytes());
        mac
    }
}
