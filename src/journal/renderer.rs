/// The renderer of a game that printed nothing.
pub const SILENT: u32 = 0;
/// The renderer of the screens that this library has.
pub const SCREENS: u32 = 1;

/// Whether a renderer of this number is known here: what others printed can't be compared.
pub(super) const fn is_known(renderer: u32) -> bool {
    matches!(renderer, SILENT | SCREENS)
}
