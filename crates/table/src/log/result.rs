//! What a log turned out to be, as one JSON object for programs.

use super::verify::Findings;
use serde::Serialize;

/// What a log turned out to be, with the key that it was checked with: a JSON object whose
/// fields [`LogResult::to_json`] lists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogResult<'a> {
    /// Where the log was read.
    pub log: &'a str,
    /// The number of the key that it was checked with.
    pub key: &'a str,
    /// The SHA-256 of that key.
    pub fingerprint: &'a str,
    /// How long the log was that it was compared with.
    pub with: Option<u64>,
    /// What it turned out to be.
    pub findings: &'a Findings,
    /// The worst fault in words.
    pub message: Option<String>,
}

#[derive(Serialize)]
struct Json<'a> {
    format: &'static str,
    version: u32,
    log: &'a str,
    table: Option<String>,
    size: Option<u64>,
    root: Option<String>,
    key: &'a str,
    fingerprint: &'a str,
    with: Option<u64>,
    leaves: u64,
    games: u64,
    ended: u64,
    verdict: &'static str,
    code: Option<String>,
    leaf: Option<u64>,
    message: Option<&'a str>,
    faults: u64,
}

impl LogResult<'_> {
    /// The result as JSON, on one line without its end.
    ///
    /// | field | what it holds |
    /// |---|---|
    /// | `format`, `version` | `"war-log-result"` and 1 |
    /// | `log` | the address or the directory |
    /// | `table`, `size`, `root` | what the checkpoint says, if it was signed with the key; else null |
    /// | `key`, `fingerprint` | the number of the key and its SHA-256 |
    /// | `with` | how many leaves the earlier checkpoint has; null without one |
    /// | `leaves` | leaves that were read and are those of the tree |
    /// | `games`, `ended` | games that began in them, and how many of those ended |
    /// | `verdict` | `"VERIFIED"`, `"DAMAGED"`, `"DIVERGED"`, `"UNEXPECTED"` or `"UNSUPPORTED"` |
    /// | `code`, `leaf`, `message` | the worst fault: its code, the leaf that it is about, and the fault in words; null without one |
    /// | `faults` | how many faults were found |
    ///
    /// # Panics
    ///
    /// Never: memory takes every byte.
    #[must_use]
    pub fn to_json(&self) -> String {
        let (findings, worst) = (self.findings, self.findings.worst());
        let json = Json {
            format: "war-log-result",
            version: 1,
            log: self.log,
            table: findings.checkpoint.map(|it| it.table.to_string()),
            size: findings.checkpoint.map(|it| it.size),
            root: findings.checkpoint.map(|it| it.root.to_string()),
            key: self.key,
            fingerprint: self.fingerprint,
            with: self.with,
            leaves: findings.leaves,
            games: findings.games,
            ended: findings.ended,
            verdict: findings.verdict().word(),
            code: worst.map(|fault| fault.code().to_string()),
            leaf: worst.and_then(super::fault::LogFault::leaf),
            message: self.message.as_deref(),
            faults: findings.faults_found,
        };
        serde_json::to_string(&json).expect("memory takes every byte")
    }
}
