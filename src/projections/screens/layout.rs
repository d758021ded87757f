/// The version of the screens' wording and layout.
///
/// A journal names the version that printed its game: bytes can only be compared with
/// those of the same version.
pub const RENDERER: u32 = 1;

/// What closes a screen: nine `=` and two empty lines.
pub const SEPARATOR: &str = "=========\n\n\n";

/// The lines around a banner: 64 `=`.
pub(super) const RULE: &str = "================================================================\n";
