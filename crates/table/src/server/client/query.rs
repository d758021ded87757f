//! What a client asks to see, while it is read.

use super::{CloseCode, End};
use crate::protocol::{Message, RequestId};
use crate::server::limits::Address;
use crate::server::queries::Query;
use crate::server::shared::Shared;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::sleep;

/// What a message of the store is reckoned to have, in bytes, before it is read.
const RECKONED: i64 = 320;
/// The longest time that a client waits for its turn, in milliseconds.
const LONGEST_WAIT: u64 = 10_000;

/// What is being read.
pub(super) type Pending<T> = Pin<Box<dyn Future<Output = Result<T, End>> + Send>>;
/// The answer that is on its way.
pub(super) type PendingQuery = Pending<Seen>;

/// What was seen, or the name of the request that can't be answered now.
pub(super) type Seen = Result<Message, RequestId>;

/// What so many messages or rows of the store are reckoned to have, in bytes, before they are read.
pub(super) fn reckoned(rows: u64) -> i64 {
    RECKONED.saturating_mul(i64::try_from(rows).unwrap_or(i64::MAX))
}

/// Waits until it is the turn of this address to read so many bytes.
///
/// # Errors
///
/// [`End`] where that would take too long.
pub(super) async fn turn(shared: &Shared, address: Address, bytes: i64) -> Result<(), End> {
    let now = shared.clock.now();
    let wait = shared.crowds.replay(address, bytes, now);
    if wait > LONGEST_WAIT {
        shared.crowds.replay(address, -bytes, now);
        return Err(End::Close(CloseCode::Policy));
    }
    sleep(Duration::from_millis(wait)).await;
    Ok(())
}

/// Reads what a client asks to see, when it is the turn of its address.
pub(super) async fn look(shared: Arc<Shared>, address: Address, look: Query) -> Result<Seen, End> {
    let now = shared.clock.now();
    if let Some(known) = shared.open_games.answer(&look, now) {
        return Ok(Ok(known));
    }
    turn(&shared, address, reckoned(look.rows())).await?;
    let (id, at) = (look.id.clone(), look.at);
    let seen = shared.read(move |reader| look.answer(reader)).await;
    if let Some(answer) = &seen {
        shared.open_games.keep(&at, answer, now);
    }
    Ok(seen.ok_or(id))
}
