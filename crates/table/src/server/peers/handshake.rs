//! The handshake: both sides say which version of the link they speak, and prove that they know
//! the secret of the store, before anything else is read.
//!
//! The dialer begins with a greeting; the listener answers with its own one and its proof; the
//! dialer checks that, and sends its proof. Both proofs are about both greetings, so that none of
//! an earlier connection is worth anything.

use super::error::LinkError;
use super::proof::{LinkSecret, Nonces, Role};
use super::wire::{Frames, send};
use crate::server::randomness::{Randomness, SystemRandomness};
use serde::{Deserialize, Serialize};
use tokio::io::{AsyncRead, AsyncWrite};
use war::support::hex::Hex;

/// The version of the link's protocol. Fields that may be missing can be added without a new one.
pub(super) const VERSION: u16 = 1;
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
