use super::{Activity, Effects, Room, RoomEvent, Standing};
use crate::protocol::{PlayerId, Reason, naming};
use serde::{Deserialize, Serialize};
use war::tokens::Name;

/// What an operator does with a player; in JSON, as it is sent to a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Order {
    /// The bank gives them tokens, or takes some where the number is negative.
    Adjust {
        /// Who.
        player: PlayerId,
        /// How many.
        tokens: i64,
        /// Why, as they will read it.
        reason: Reason,
    },
    /// They get another name, which they can't change.
    Rename {
        /// Who.
        player: PlayerId,
        /// The new name.
        #[serde(deserialize_with = "naming::deserialize")]
        name: Name,
    },
    /// They may not come any more.
    Ban {
        /// Who.
        player: PlayerId,
    },
    /// They may come again.
    Readmit {
        /// Who.
        player: PlayerId,
    },
    /// Their name goes; what is left is their number.
    Forget {
        /// Who.
        player: PlayerId,
    },
}

/// Why an order can't be carried out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
pub enum OrderError {
    /// Nobody has this number.
    #[error("nobody has this number")]
    UnknownPlayer,
    /// It is a player of the house.
    #[error("it is a player of the house")]
    OfTheHouse,
    /// The player was forgotten.
    #[error("the player was forgotten")]
    Forgotten,
    /// No tokens would be moved.
    #[error("no tokens would be moved")]
    NoTokens,
    /// More tokens than one may be given at once, or have.
    #[error("too many tokens")]
    TooManyTokens,
    /// The player is banned already.
    #[error("the player is banned already")]
    BannedAlready,
    /// The player is not banned.
    #[error("the player is not banned")]
    NotBanned,
}

impl Order {
    /// The most tokens that are moved at once.
    pub const MOST_TOKENS: i64 = 1_000_000_000;

    /// Whom it is about.
    #[must_use]
    pub const fn player(&self) -> PlayerId {
        match self {
            Self::Adjust { player, .. }
            | Self::Rename { player, .. }
            | Self::Ban { player }
            | Self::Readmit { player }
            | Self::Forget { player } => *player,
        }
    }
}

/// As large as a balance may get: every reader of JSON knows such numbers exactly.
const MOST_BALANCE: u64 = (1 << 53) - 1;

impl Room {
    /// Does what an operator asks for; the player must be in the room. `now` is the time in
    /// milliseconds.
    ///
    /// # Errors
    ///
    /// [`OrderError`] where it can't be done: the room is unchanged then.
    pub fn operate(&mut self, order: &Order, now: u64) -> Result<Effects, OrderError> {
        let id = order.player();
        let known = self.player(id).ok_or(OrderError::UnknownPlayer)?;
        if known.house {
            return Err(OrderError::OfTheHouse);
        }
        if known.standing == Standing::Forgotten {
            return Err(OrderError::Forgotten);
        }
        let banned = known.standing == Standing::Banned;
        let waits = matches!(known.activity, Activity::Waiting(..));
        let event = match order {
            Order::Adjust { tokens, reason, .. } => {
                let balance = known.balance.checked_add(*tokens);
                let fits = balance.is_some_and(|balance| balance.unsigned_abs() <= MOST_BALANCE);
                if *tokens == 0 {
                    return Err(OrderError::NoTokens);
                }
                if !fits || tokens.unsigned_abs() > Order::MOST_TOKENS.unsigned_abs() {
                    return Err(OrderError::TooManyTokens);
                }
                RoomEvent::Adjusted {
                    player: id,
                    tokens: *tokens,
                    reason: reason.clone(),
                }
            }
            Order::Rename { name, .. } => {
                self.fix_name(id, name.clone());
                return Ok(Effects::default());
            }
            Order::Ban { .. } if banned => return Err(OrderError::BannedAlready),
            Order::Ban { .. } => RoomEvent::Banned { player: id },
            Order::Readmit { .. } if !banned => return Err(OrderError::NotBanned),
            Order::Readmit { .. } => RoomEvent::Readmitted { player: id },
            Order::Forget { .. } => RoomEvent::Forgotten { player: id },
        };
        let mut effects = Effects::default();
        let goes = matches!(
            event,
            RoomEvent::Banned { .. } | RoomEvent::Forgotten { .. }
        );
        if goes && waits {
            let cancelled = RoomEvent::Cancelled { player: id };
            self.take(cancelled, now, &mut effects);
        }
        self.take(event, now, &mut effects);
        Ok(effects)
    }
}
