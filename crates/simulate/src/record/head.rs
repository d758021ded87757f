use serde::Deserialize;
use thiserror::Error;

/// The most that is read of anything: whole numbers up to here are exact in every reader of
/// JSON, and sums of some of them can be counted.
pub(super) const MOST: u64 = 1 << 53;

/// The part of a document that says which kind it is.
#[derive(Deserialize)]
pub(super) struct Head {
    format: String,
    version: u32,
    #[serde(default)]
    pub(super) generator: String,
}

impl Head {
    /// The head of a document of this kind and version.
    pub(super) fn read(json: &[u8], format: &str, version: u32) -> Result<Self, RunFileError> {
        let head: Self = serde_json::from_slice(json)?;
        if head.format != format {
            return Err(RunFileError::Changed);
        }
        if head.version != version {
            return Err(RunFileError::Version(head.version));
        }
        Ok(head)
    }
}

/// Why a document is not a run.
#[derive(Debug, Error)]
pub enum RunFileError {
    /// It is not a document of a run, or not a whole one.
    #[error("not a document of a run")]
    Syntax(#[from] serde_json::Error),
    /// It is one of another program, or was changed after it was written.
    #[error("not a run, or changed after it was written")]
    Changed,
    /// It has this version, which the program does not know.
    #[error("a run of version {0}, which is not supported")]
    Version(u32),
    /// Its games were dealt by this generator, which is not the program's.
    #[error("games dealt by the unknown generator `{0}`")]
    Generator(String),
}
