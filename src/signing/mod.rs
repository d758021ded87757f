//! Keys and detached signatures in the format of minisign: Ed25519 over the hash of a file.
//!
//! The holder of a secret key signs, and everybody with the public key can check the signature.
//! Only verified journals are signed: [`ContentHash`] makes sure that a file still has the same
//! bytes when it is read again.

mod content_hash;
mod key;
#[cfg(feature = "table-key")]
mod table_key;

pub use content_hash::{ContentHash, HashingReader};
pub use key::{KeyError, PublicKey, SecretKey, Signature, SignatureError};
#[cfg(feature = "table-key")]
pub use table_key::{TableKey, TableKeyError};
