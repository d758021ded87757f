use crate::room::PlayerId;
use std::collections::BTreeMap;

/// The messages after which a player is free.
const ENDS: [&str; 3] = ["result", "cancelled", "draining"];

/// The last of the old messages to each player after which they were free.
pub(super) fn last_ends(
    outbox: &BTreeMap<(PlayerId, u64), String>,
    is_old: impl Fn(&(PlayerId, u64)) -> bool,
) -> BTreeMap<PlayerId, u64> {
    let kinds = ENDS.map(|kind| format!("\"type\":\"{kind}\""));
    let ends = |body: &str| kinds.iter().any(|kind| body.contains(kind));
    let old = outbox
        .iter()
        .filter(|(key, body)| is_old(key) && ends(body));
    old.map(|((player, seq), _)| (*player, *seq)).collect()
}
