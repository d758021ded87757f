use crate::engine::Seat;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// A player, recorded by the number of their seat.
#[derive(Clone, Copy)]
pub(in crate::journal) struct Player(pub(super) Seat);

impl Serialize for Player {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(self.0.number())
    }
}

impl<'de> Deserialize<'de> for Player {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = u8::deserialize(deserializer)?;
        Seat::from_number(value)
            .map(Self)
            .ok_or_else(|| no(value, &"a player"))
    }
}

/// A field that may be null but must be there.
pub(in crate::journal) fn required<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Player>, D::Error> {
    Option::deserialize(deserializer)
}

/// A number that is not among those expected.
pub(super) fn no<E: de::Error>(value: u8, expected: &dyn de::Expected) -> E {
    E::invalid_value(de::Unexpected::Unsigned(value.into()), expected)
}
