//! The command line of `war journal sign` and `war journal verify`.

use clap::{Args, ValueHint};
use std::ffi::OsString;
use std::path::PathBuf;

pub(super) const SIGN_EXAMPLES: &str = "\
Examples:
  war journal sign a.json --key war.key  verify a.json, and write a.json.minisig
  minisign -G -p war.pub -s war.key      make the keys that it takes

If a password protects the key, the terminal asks for it. A signature is never
overwritten.";

pub(super) const VERIFY_EXAMPLES: &str = "\
Examples:
  war journal verify a.json b.json --public-key war.pub
  war journal verify a.json --public-key RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3

`minisign -V -m a.json -p war.pub` checks the signature alone.";

#[derive(Debug, Args)]
pub(crate) struct Sign {
    /// Journals to sign
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Secret key, a file that `minisign -G` made
    #[arg(long, value_name = "FILE")]
    pub(crate) key: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct Verify {
    /// Journals to verify; the signature of FILE is FILE.minisig
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Public key: the file or the key itself
    #[arg(long, value_name = "KEY", value_hint = ValueHint::FilePath)]
    pub(crate) public_key: OsString,
}
