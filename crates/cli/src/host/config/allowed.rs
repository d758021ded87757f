#[cfg(feature = "table")]
use super::settings::TableSettings;
use super::settings::{FORMATS, KEEP, LEVELS};
use std::ops::RangeInclusive;

/// What a setting may be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Allowed {
    /// One of these words.
    OneOf(&'static [&'static str]),
    /// A whole number from here to there.
    Whole(RangeInclusive<u32>),
    /// A directory.
    Directory,
    /// A host with a port.
    #[cfg(feature = "table")]
    Address,
    /// A host with a port, or `off`.
    #[cfg(feature = "table")]
    AddressOrOff,
    /// Any text.
    #[cfg(feature = "table")]
    Text,
    /// A file that can't be standard input.
    #[cfg(feature = "table")]
    File,
    /// A list of texts.
    #[cfg(feature = "table")]
    Texts,
}

/// The sections with their settings.
fn sections() -> Vec<(&'static str, Vec<(&'static str, Allowed)>)> {
    vec![
        (
            "log",
            vec![
                ("level", Allowed::OneOf(LEVELS)),
                ("format", Allowed::OneOf(FORMATS)),
                ("directory", Allowed::Directory),
                ("keep", Allowed::Whole(KEEP)),
            ],
        ),
        #[cfg(feature = "table")]
        (
            "table",
            vec![
                ("listen", Allowed::Address),
                ("admin", Allowed::AddressOrOff),
                ("peer_listen", Allowed::Address),
                ("advertise", Allowed::Address),
                ("store", Allowed::Text),
                ("key", Allowed::File),
                ("rooms", Allowed::Whole(TableSettings::ROOMS)),
                ("bots", Allowed::Whole(TableSettings::BOTS)),
                ("house_after", Allowed::Whole(TableSettings::HOUSE_AFTER)),
                (
                    "decide_seconds",
                    Allowed::Whole(TableSettings::DECIDE_SECONDS),
                ),
                ("connections", Allowed::Whole(TableSettings::CONNECTIONS)),
                ("rate", Allowed::Whole(TableSettings::RATE)),
                ("new_players", Allowed::Whole(TableSettings::NEW_PLAYERS)),
                ("hosts", Allowed::Texts),
                ("origins", Allowed::Texts),
                ("trust_proxy", Allowed::Text),
            ],
        ),
    ]
}

/// The setting whose value begins at this place of a file, and what it may be.
pub(super) fn setting_at(content: &str, at: usize) -> Option<(&'static str, Allowed)> {
    let line = content[..at].rsplit('\n').next()?;
    let key = line.rsplit_once('=')?.0.trim();
    let key = key.rsplit(['.', ' ', '{', ',']).next()?.trim_matches('"');
    let mut settings = sections().into_iter().flat_map(|(_, settings)| settings);
    settings.find(|(name, _)| *name == key)
}

/// The names that are known where an unknown one stands: those of the section's settings, or
/// all of them with their sections.
pub(super) fn names_at(content: &str, at: usize) -> String {
    let mut lines = content[..at].rsplit('\n');
    // In a header, the name is that of a section.
    let in_header = lines
        .next()
        .is_some_and(|line| line.trim_start().starts_with('['));
    let header = lines.find_map(|line| line.trim().strip_prefix('['));
    let section = header.filter(|_| !in_header);
    let section = section.and_then(|header| header.split(']').next());
    let sections = sections();
    let own = sections
        .iter()
        .find(|(name, _)| Some(*name) == section.map(str::trim));
    let names = |settings: &[(&str, Allowed)]| {
        let names = settings.iter().map(|(name, _)| format!("`{name}`"));
        names.collect::<Vec<_>>().join(", ")
    };
    if let Some((_, settings)) = own {
        return names(settings);
    }
    let all = sections
        .iter()
        .map(|(section, settings)| format!("[{section}] {}", names(settings)));
    all.collect::<Vec<_>>().join("; ")
}
