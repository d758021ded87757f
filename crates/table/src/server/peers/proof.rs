use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use war::support::hex::Hex;
use war::support::redacted::Redacted;

/// What all nodes of a table know, and nobody else: the secret of its store.
#[derive(Debug, Clone, Copy)]
pub(in crate::server) struct LinkSecret(Redacted<[u8; 32]>);

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
    pub(in crate::server) const fn new(secret: [u8; 32]) -> Self {
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
