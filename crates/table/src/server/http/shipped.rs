//! What the card table's page consists of, embedded in the program.

use sha2::{Digest, Sha256};
use war::support::hex::Hex;
use war_viewer::drawings;
use war_viewer::view::SHA256;

/// How many bytes of a hash tell one version of the page from another.
const VERSION_BYTES: usize = 8;

const CSS: &str = "text/css; charset=utf-8";
const SVG: &str = "image/svg+xml";
const MANIFEST: &str = "application/manifest+json";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const JSON: &str = "application/json";

/// A file: its name, its type and its content.
pub(super) type Embedded = (&'static str, &'static str, &'static str);

/// Files of the page: their names, types and contents.
macro_rules! files {
    ($($kind:ident $name:literal)*) => {
        &[$(($name, $kind, include_str!(concat!("../page/", $name)))),*]
    };
}

/// The files of the page but for those that other parts own.
const FILES: &[Embedded] = files! {
    CSS "table.css"
    CSS "frame.css"
    CSS "lobby.css"
    CSS "game.css"
    CSS "dock.css"
    CSS "result.css"
    CSS "small.css"
    CSS "wide.css"
    CSS "checks.css"
    CSS "past.css"
    CSS "pages.css"
    SVG "icon.svg"
    MANIFEST "manifest.webmanifest"
    SCRIPT "acts.js"
    SCRIPT "alerts.js"
    SCRIPT "announcer.js"
    SCRIPT "card-names.js"
    SCRIPT "company.js"
    SCRIPT "connection.js"
    SCRIPT "controls.js"
    SCRIPT "deal.js"
    SCRIPT "dom.js"
    SCRIPT "fair.js"
    SCRIPT "games.js"
    SCRIPT "hear.js"
    SCRIPT "held.js"
    SCRIPT "log.js"
    SCRIPT "logbook.js"
    SCRIPT "motion.js"
    SCRIPT "outside.js"
    SCRIPT "pages.js"
    SCRIPT "past.js"
    SCRIPT "qr.js"
    SCRIPT "referee.js"
    SCRIPT "requests.js"
    SCRIPT "seeds.js"
    SCRIPT "settings.js"
    SCRIPT "signature.js"
    SCRIPT "state.js"
    SCRIPT "storage.js"
    SCRIPT "store.js"
    SCRIPT "table.js"
    SCRIPT "tiles.js"
    SCRIPT "view-company.js"
    SCRIPT "view-game.js"
    SCRIPT "view-key.js"
    SCRIPT "view-log.js"
    SCRIPT "view-pages.js"
    SCRIPT "view-past.js"
    SCRIPT "view-result.js"
    SCRIPT "view-title.js"
    SCRIPT "view-watch.js"
    SCRIPT "view.js"
    SCRIPT "watch.js"
    SCRIPT "words.js"
};

/// The words, and what the page shares with the one that shows a game.
const SHARED: &[Embedded] = &[
    ("sha256.js", SCRIPT, SHA256.code),
    (
        "words/en.json",
        JSON,
        include_str!("../../../../../i18n/page.en.json"),
    ),
    (
        "words/pl.json",
        JSON,
        include_str!("../../../../../i18n/page.pl.json"),
    ),
];

/// The page itself. Its files are named by `href` and `src` as they lie in its folder.
const PAGE: &str = include_str!("../page/index.html");

/// All files but for the page itself.
pub(super) fn files() -> Vec<(String, &'static str, &'static str)> {
    let drawings = drawings::MODULES
        .iter()
        .map(|module| (format!("{}.js", module.name), SCRIPT, module.code));
    let own = FILES.iter().chain(SHARED);
    own.map(|&(name, kind, content)| (name.to_owned(), kind, content))
        .chain(drawings)
        .collect()
}

/// What no other version of these files has.
pub(super) fn version(files: &[(String, &str, &str)]) -> String {
    let mut hash = Sha256::new();
    for (name, _, content) in files {
        for part in [name.as_str(), content] {
            hash.update(part.len().to_le_bytes());
            hash.update(part);
        }
    }
    let hash: [u8; 32] = hash.finalize().into();
    Hex::new(hash).to_string()[..2 * VERSION_BYTES].to_owned()
}

/// The page, which names its files where they are for ever: below the version's own folder. Scripts
/// import one another by relative paths, so that they stay in it.
pub(super) fn page(files: &[(String, &str, &str)], version: &str) -> String {
    let mut page = PAGE.to_owned();
    for (name, ..) in files {
        for attribute in ["href", "src"] {
            let plain = format!("{attribute}=\"/{name}\"");
            page = page.replace(&plain, &format!("{attribute}=\"/v/{version}/{name}\""));
        }
    }
    page
}

#[cfg(test)]
mod tests {
    use super::{files, page, version};

    #[test]
    fn every_change_of_a_file_is_another_version() {
        let files = files();
        let now = version(&files);
        for at in 0..files.len() {
            let mut others = files.clone();
            others[at].2 = "changed";
            assert_ne!(version(&others), now, "{}", files[at].0);
            others.remove(at);
            assert_ne!(version(&others), now, "{}", files[at].0);
        }
    }

    #[test]
    fn the_page_names_its_files_below_the_version() {
        let page = page(&files(), "abc");
        assert!(page.contains("<script type=\"module\" src=\"/v/abc/table.js\">"));
        assert!(page.contains("<link rel=\"stylesheet\" href=\"/v/abc/table.css\">"));
        let plain = page.split("=\"/").skip(1).filter(|part| {
            let path = part.split('"').next().unwrap_or_default();
            [".js", ".css"].iter().any(|end| path.ends_with(end)) && !path.starts_with("v/abc/")
        });
        assert_eq!(plain.collect::<Vec<_>>(), [""; 0]);
    }
}
