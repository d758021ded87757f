use super::{Activity, Effects, PlayerStatus, Room, RoomEvent};
use crate::protocol::{PlayerId, Reason, naming};
use crate::time::TableTime;
use serde::{Deserialize, Serialize};
use war::tokens::Name;

/// An operator's order about a player, sent to a table as JSON.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Order {
    /// Moves tokens from the bank to the player.
    Adjust {
        /// The player.
        player: PlayerId,
        /// Number of tokens; negative to take some.
        tokens: i64,
        /// The reason shown to the player.
        reason: Reason,
    },
    /// Gives the player a name that they can't change.
    Rename {
        /// The player.
        player: PlayerId,
        /// The new name.
        #[serde(deserialize_with = "naming::deserialize")]
        name: Name,
    },
    /// Bans the player.
    Ban {
        /// The player.
        player: PlayerId,
    },
    /// Lifts a ban.
    Readmit {
        /// The player.
        player: PlayerId,
    },
    /// Deletes the player's name, leaving only their number.
    Forget {
        /// The player.
        player: PlayerId,
    },
}

/// Reason why an order can't be carried out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
pub enum OrderError {
    /// Order about a number that no player has.
    #[error("nobody has this number")]
    UnknownPlayer,
    /// Order about a house player.
    #[error("it is a player of the house")]
    OfTheHouse,
    /// Order about a player who was forgotten.
    #[error("the player was forgotten")]
    Forgotten,
    /// Transfer of zero tokens.
    #[error("no tokens would be moved")]
    NoTokens,
    /// Transfer of more tokens than one order may move, or than a balance can hold.
    #[error("too many tokens")]
    TooManyTokens,
    /// Ban of a player who is already banned.
    #[error("the player is banned already")]
    BannedAlready,
    /// Readmission of a player who is not banned.
    #[error("the player is not banned")]
    NotBanned,
}

impl Order {
    /// Maximum number of tokens that one order may move.
    pub const MAX_TOKENS: i64 = 1_000_000_000;

    /// The player that the order is about.
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

/// Largest absolute value of a balance: every JSON parser represents this number exactly.
const MAX_BALANCE: u64 = (1 << 53) - 1;

impl Room {
    /// Carries out an operator's order. The player must be in the room.
    ///
    /// # Errors
    ///
    /// [`OrderError`] if the order is not possible; the room is then unchanged.
    pub fn execute_order(&mut self, order: &Order, now: TableTime) -> Result<Effects, OrderError> {
        let id = order.player();
        let known = self.player(id).ok_or(OrderError::UnknownPlayer)?;
        if known.house {
            return Err(OrderError::OfTheHouse);
        }
        if known.status == PlayerStatus::Forgotten {
            return Err(OrderError::Forgotten);
        }
        let banned = known.status == PlayerStatus::Banned;
        let waits = matches!(known.activity, Activity::Waiting(..));
        let event = match order {
            Order::Adjust { tokens, reason, .. } => {
                let balance = known.balance.checked_add(*tokens);
                let fits = balance.is_some_and(|balance| balance.unsigned_abs() <= MAX_BALANCE);
                if *tokens == 0 {
                    return Err(OrderError::NoTokens);
                }
                if !fits || tokens.unsigned_abs() > Order::MAX_TOKENS.unsigned_abs() {
                    return Err(OrderError::TooManyTokens);
                }
                RoomEvent::Adjusted {
                    player: id,
                    tokens: *tokens,
                    reason: reason.clone(),
                }
            }
            Order::Rename { name, .. } => {
                self.set_fixed_name(id, name.clone());
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
            self.apply_and_notify(cancelled, now, &mut effects);
        }
        self.apply_and_notify(event, now, &mut effects);
        Ok(effects)
    }
}
