use serde::Serialize;

/// A record in its canonical form.
pub(in crate::journal) fn json(record: &impl Serialize) -> String {
    serde_json::to_string(record).expect("records are plain values")
}
