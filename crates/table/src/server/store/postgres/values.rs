//! Values of rows. The database counts with a sign.

use crate::room::{Activity, Player, PlayerId, RoomEvent, Standing};
use crate::server::rooms::RoomNumber;
use crate::server::store::{Damage, StoreError};
use tokio_postgres::Row;
use war::tokens::Name;

/// A number as the database counts: no number of ours is larger than it can count to.
pub(super) fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// A number of the database that is never negative.
pub(super) fn number(signed: i64) -> Result<u64, StoreError> {
    u64::try_from(signed).map_err(|_| Damage::Layout.into())
}

/// The number of a room.
pub(super) fn room(signed: i32) -> Result<RoomNumber, StoreError> {
    let number = u16::try_from(signed).map_err(|_| Damage::Layout)?;
    Ok(RoomNumber(number))
}

/// What a row has to have to be a player.
pub(super) const PLAYER: &str = "id, name, balance, seq, house, name_is_fixed, standing, watchable";

/// The player of a row that has them first.
pub(super) fn player(row: &Row) -> Result<(PlayerId, Player), StoreError> {
    let standing = Standing::named(row.get(6));
    let player = Player {
        name: Name::new(row.get(1)).map_err(|_| Damage::Name)?,
        balance: row.get(2),
        seq: number(row.get(3))?,
        house: row.get(4),
        name_is_fixed: row.get(5),
        standing: standing.ok_or(Damage::Player)?,
        watchable: row.get(7),
        activity: Activity::Free,
    };
    Ok((PlayerId(number(row.get(0))?), player))
}

/// The event of a row that has its body first.
pub(super) fn event(row: &Row) -> Result<RoomEvent, StoreError> {
    Ok(serde_json::from_str(row.get(0)).map_err(|_| Damage::Event)?)
}
