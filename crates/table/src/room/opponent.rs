use super::{PlayerId, described};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use war::tokens::Name;

/// Who somebody plays against.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Opponent {
    /// Their public number.
    pub player: PlayerId,
    /// What they are called now; stores do not keep it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "described::Name")]
    pub name: Option<Name>,
    /// Whether they belong to the house: the computer plays.
    pub house: bool,
}
