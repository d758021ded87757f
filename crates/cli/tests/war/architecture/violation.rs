//! Violations that the checks find.

/// Place where an architecture rule is broken.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Violation {
    /// File, pair of files or folder that breaks the rule.
    pub(super) what: String,
    /// Location and reason.
    pub(super) detail: String,
}

impl Violation {
    pub(super) fn new(what: impl Into<String>, detail: impl Into<String>) -> Self {
        Self {
            what: what.into(),
            detail: detail.into(),
        }
    }
}

/// Fails with a description of all violations, if there are any.
pub(super) fn expect_none(rule: &str, violations: &[Violation]) -> Result<(), String> {
    if violations.is_empty() {
        return Ok(());
    }
    let found = violations
        .iter()
        .map(|violation| format!("{}\n    {}\n", violation.what, violation.detail));
    Err(format!("{rule}:\n{}", found.collect::<String>()))
}
