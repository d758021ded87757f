//! Secrets where they have to be written out: in messages to their owner and from them, and
//! in the events of a store.

/// An access token in the message that grants it.
pub(super) mod access_token {
    use crate::hex::Hex;
    use crate::room::AccessToken;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

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

/// An access token that need not be there, but may not be null.
pub(super) mod optional_access_token {
    use super::access_token;
    use crate::room::AccessToken;
    use serde::{Deserializer, Serialize, Serializer};

    #[expect(clippy::ref_option, reason = "serde hands over the field")]
    pub(in crate::room) fn serialize<S: Serializer>(
        token: &Option<AccessToken>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let token = token.as_ref().map(AccessToken::reveal);
        token.serialize(serializer)
    }

    pub(in crate::room) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<AccessToken>, D::Error> {
        access_token::deserialize(deserializer).map(Some)
    }
}

/// The secret of a game in the event that starts it.
pub(super) mod secret {
    use crate::hex::Hex;
    use crate::tokens::Secret;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

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
