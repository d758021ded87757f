//! Secrets where they have to be written out: in messages to their owner and from them, and
//! in the events of a store.

/// An access token in the message that shows who comes.
pub(super) mod access_token {
    use crate::room::AccessToken;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use war::support::hex::Hex;

    pub(in crate::room) fn serialize<S: Serializer>(
        token: &AccessToken,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        token.reveal().serialize(serializer)
    }

    pub(in crate::room) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<AccessToken, D::Error> {
        Hex::deserialize(deserializer).map(AccessToken::new)
    }
}

/// The secret of a game in the event that starts it.
pub(super) mod secret {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use war::support::hex::Hex;
    use war::tokens::Secret;

    pub(in crate::room) fn serialize<S: Serializer>(
        secret: &Secret,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        secret.reveal().serialize(serializer)
    }

    pub(in crate::room) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Secret, D::Error> {
        Hex::deserialize(deserializer).map(Secret::new)
    }
}
