//! What a check finds, and what it may still find.

/// A place where a rule of the code's shape is broken.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Violation {
    /// The file, the pair of files or the folder that breaks it: what `NOT_YET` names.
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

/// Says which violations are not among those known, and which known ones are none any more.
pub(super) fn judge(
    rule: &str,
    violations: &[Violation],
    not_yet: &[(&str, &str)],
) -> Result<(), String> {
    let known: Vec<_> = not_yet
        .iter()
        .filter(|(of, _)| *of == rule)
        .map(|(_, what)| *what)
        .collect();
    let new = violations
        .iter()
        .filter(|violation| !known.contains(&violation.what.as_str()))
        .map(|violation| format!("{}\n    {}\n", violation.what, violation.detail));
    let needless = known
        .iter()
        .filter(|known| violations.iter().all(|violation| violation.what != **known))
        .map(|known| format!("take it from `NOT_YET`, it holds now: {known}\n"));
    let text: String = new.chain(needless).collect();
    if text.is_empty() {
        Ok(())
    } else {
        Err(format!("{rule}:\n{text}"))
    }
}
