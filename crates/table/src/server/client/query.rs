//! Queries of a client while they are answered.

use super::{CloseCode, ConnectionEnd};
use crate::protocol::{Message, RequestId};
use crate::server::limits::ClientAddress;
use crate::server::queries::Query;
use crate::server::shared_state::SharedState;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::sleep;

/// Estimated bytes of a message in the store.
const MESSAGE_ESTIMATE: i64 = 320;
/// Longest time that a read may be delayed by the limit of the client's address.
const LONGEST_WAIT: Duration = Duration::from_secs(10);

/// A read from the store that has not finished yet.
pub(super) type PendingRead<T> = Pin<Box<dyn Future<Output = Result<T, ConnectionEnd>> + Send>>;
/// A query being answered.
pub(super) type PendingQuery = PendingRead<QueryAnswer>;

/// Answer to a query, or the id of the request if the query can't be answered now.
pub(super) type QueryAnswer = Result<Message, RequestId>;

/// Estimates the bytes of this many messages or rows.
pub(super) fn estimate_bytes(rows: u64) -> i64 {
    MESSAGE_ESTIMATE.saturating_mul(i64::try_from(rows).unwrap_or(i64::MAX))
}

/// Waits until this address may read this many bytes.
///
/// # Errors
///
/// [`ConnectionEnd`] if the wait would take too long.
pub(super) async fn wait_for_turn(
    shared: &SharedState,
    address: ClientAddress,
    bytes: i64,
) -> Result<(), ConnectionEnd> {
    let now = shared.clock.now();
    let wait = shared.address_limits.count_replayed(address, bytes, now);
    if wait > LONGEST_WAIT {
        shared.address_limits.count_replayed(address, -bytes, now);
        return Err(ConnectionEnd::Close(CloseCode::Policy));
    }
    sleep(wait).await;
    Ok(())
}

/// Answers a query, once the limit of the client's address allows it.
pub(super) async fn answer_query(
    shared: Arc<SharedState>,
    address: ClientAddress,
    query: Query,
) -> Result<QueryAnswer, ConnectionEnd> {
    let now = shared.clock.now();
    if let Some(known) = shared.open_games.get(&query, now) {
        return Ok(Ok(known));
    }
    wait_for_turn(
        &shared,
        address,
        estimate_bytes(query.estimated_row_count()),
    )
    .await?;
    let (id, kind) = (query.id.clone(), query.kind);
    let date = shared.clock.wall_time();
    let answer = shared.read(move |reader| query.answer(reader, date)).await;
    if let Some(answer) = &answer {
        shared.open_games.insert(&kind, answer, now);
    }
    Ok(answer.ok_or(id))
}
