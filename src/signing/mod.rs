//! Keys and detached signatures in the format of minisign: Ed25519 over the hash of a file.
//!
//! Who has a secret key can sign, and everybody who has the public key can see that they did.
//! Only what was verified is signed: [`Replayed`] holds a journal's bytes to that.

mod hashed;
mod key;
mod replayed;

pub(crate) use key::{KeyError, PublicKey, SecretKey, Signature, SignatureError};
pub(crate) use replayed::{Bytes, Replayed};
