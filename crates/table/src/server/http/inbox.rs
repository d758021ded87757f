//! The way of an operator's order from any node to the one that serves.

use super::orders::{PATIENCE, carry_out};
use crate::operator::{Answer, Ask};
use crate::server::rooms::RoomNumber;
use crate::server::shared::Shared;
use slog::info;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, sleep};

/// How often a node looks into the inbox, and into it for an answer.
const LOOK: Duration = Duration::from_millis(250);
/// How long an order may lie there: a takeover takes less, and nobody takes an older one.
const TO_BE_TAKEN: Duration = Duration::from_secs(8);

/// Asks the node that owns this room, or any room, for something; `None` where nobody knows whether
/// it was done.
pub(super) async fn hand_in(
    shared: &Arc<Shared>,
    ask: &Ask,
    room: Option<RoomNumber>,
) -> Option<Answer> {
    if shared.inbox.is_none() {
        return Some(Answer::NotServed);
    }
    let text = serde_json::to_string(ask).expect("questions are plain values");
    let handed_in = shared.with_inbox(move |inbox| inbox.hand_in(&text, room));
    let (id, start) = (handed_in.await?, Instant::now());
    while start.elapsed() < PATIENCE {
        sleep(LOOK).await;
        let known = id.clone();
        let looked = shared.with_inbox(move |inbox| inbox.answer(&known));
        if let Some(answer) = looked.await.flatten() {
            return serde_json::from_str(&answer).ok().flatten();
        }
        if start.elapsed() > TO_BE_TAKEN {
            let known = id.clone();
            let withdrawn = shared.with_inbox(move |inbox| inbox.withdraw(&known));
            if withdrawn.await == Some(true) {
                return Some(Answer::NotServed);
            }
        }
    }
    None
}

/// Does what other nodes handed in, while this one serves, until the server is closing.
pub(in crate::server) async fn serve_inbox(shared: Arc<Shared>) {
    if shared.inbox.is_none() {
        return;
    }
    let mut closing = shared.closing.clone();
    loop {
        tokio::select! {
            () = sleep(LOOK) => {}
            _ = closing.changed() => return,
        }
        loop {
            let here = shared.directory.borrow().rooms_here();
            if here.is_empty() {
                break;
            }
            let taken = shared.with_inbox(move |inbox| inbox.take(&here)).await;
            let Some((id, ask)) = taken.flatten() else {
                break;
            };
            let answer = match serde_json::from_str(&ask) {
                // They have gone elsewhere by now: nothing was done.
                Ok(ask) => carry_out(&shared, &ask)
                    .await
                    .unwrap_or(Some(Answer::NotServed)),
                Err(_) => None,
            };
            info!(shared.log, "did what another node was asked"; "done" => answer.is_some());
            let answer = serde_json::to_string(&answer).expect("answers are plain values");
            let settled = shared.with_inbox(move |inbox| inbox.settle(&id, &answer));
            // Who waits for it waits in vain where that fails.
            settled.await;
        }
    }
}
