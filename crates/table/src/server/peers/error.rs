use std::io;

/// Why a link ended.
///
/// It never shows what was in a frame: that may be secret.
#[derive(Debug, thiserror::Error)]
pub(super) enum LinkError {
    /// The other node closed it, or nobody needs it any more.
    #[error("it was closed")]
    Closed,
    /// It could not be made, read or written.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// Nothing came for too long.
    #[error("the other node is silent")]
    Silent,
    /// The other node does not take what it is sent.
    #[error("the other node does not take what it is sent")]
    Stuck,
    /// A frame is longer than any may be.
    #[error("a frame of {0} bytes is too long")]
    TooLong(usize),
    /// A frame means nothing.
    #[error("a frame means nothing")]
    Garbled,
    /// The other node speaks another version of the link's protocol.
    #[error("the other node speaks version {theirs} of the link, and this one version {ours}")]
    Version {
        /// The version of the other node.
        theirs: u16,
        /// The version of this one.
        ours: u16,
    },
    /// The other node does not know the secret of this table's store.
    #[error("the other node does not know the secret of this table")]
    Secret,
}
