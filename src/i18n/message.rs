/// The attribute of a message that holds its advice.
pub(super) const HINT: &str = "hint";

/// The name of a message in the catalogues.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Message(pub(super) &'static str);

impl Message {
    /// The name as it is in the catalogues.
    #[must_use]
    pub const fn id(self) -> &'static str {
        self.0
    }
}

include!(concat!(env!("OUT_DIR"), "/message_ids.rs"));
