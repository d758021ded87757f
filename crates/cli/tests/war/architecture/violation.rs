//! What a check finds.

/// A place where a rule of the code's shape is broken.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Violation {
    /// The file, the pair of files or the folder that breaks it.
    pub(super) what: String,
    /// Where to look, and why.
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

/// Says which violations there are; none may be.
pub(super) fn judge(rule: &str, violations: &[Violation]) -> Result<(), String> {
    if violations.is_empty() {
        return Ok(());
    }
    let found = violations
        .iter()
        .map(|violation| format!("{}\n    {}\n", violation.what, violation.detail));
    Err(format!("{rule}:\n{}", found.collect::<String>()))
}
