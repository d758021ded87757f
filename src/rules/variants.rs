use super::classic::CLASSIC;
use super::duels::{DUELS, DUELS_DEFAULT, DUELS_RANDOM, DUELS_SHUFFLE};
use super::variant::Variant;
use super::xy::XY;

/// All named variants: the one registry of editions.
///
/// Journals, screens, the simulator and the tests read this list. To add an edition, define it in a
/// new file and list it here; `CONTRIBUTING.md` names the few places that don't read this list.
///
/// # Examples
///
/// ```
/// use war::rules::VARIANTS;
///
/// let editions = VARIANTS.iter().filter(|variant| variant.is_edition());
/// let names: Vec<_> = editions.map(|variant| variant.name()).collect();
/// assert_eq!(names, ["classic", "duels", "xy"]);
/// ```
pub const VARIANTS: &[Variant] = &[
    CLASSIC,
    DUELS,
    DUELS_DEFAULT,
    DUELS_SHUFFLE,
    DUELS_RANDOM,
    XY,
];
