/// What closes a screen: nine `=` and two empty lines.
pub const SEPARATOR: &str = "=========\n\n\n";

/// The lines around a banner: 64 `=`.
pub(super) const RULE: &str = "================================================================\n";
