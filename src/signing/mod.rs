//! Keys and detached signatures in the format of minisign: Ed25519 over the hash of a file.
//!
//! Who has a secret key can sign, and everybody who has the public key can see that they did.
//! Only what was verified is signed: `Seen` holds a file that is read again to that.

mod hashed;
mod key;
#[cfg(feature = "table-key")]
mod table_key;

pub use hashed::{Hashed, Seen};
pub use key::{KeyError, PublicKey, SecretKey, Signature, SignatureError};
#[cfg(feature = "table-key")]
pub use table_key::{TableKey, TableKeyError};
