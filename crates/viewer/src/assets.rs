//! Parts of the page that are the same for every game: styles, scripts and messages.

use crate::document::{bundle_modules, bundle_styles};
use crate::drawings::{DRAWING_MODULES, ScriptModule};
use std::fmt::Write;
use war::lang::Lang;

/// Template of the page, with marks in place of its parts.
pub(crate) const PAGE_TEMPLATE: &str = include_str!("view/page.html");

/// Style sheets, in the order in which they apply.
const STYLES: &[&str] = &[
    include_str!("view/base.css"),
    include_str!("view/table.css"),
    include_str!("view/chart.css"),
    include_str!("view/controls.css"),
    include_str!("view/facts.css"),
    include_str!("view/print.css"),
];

/// Basic scripts, which import nothing from the other groups.
const BASE_MODULES: &[ScriptModule] = &[
    ScriptModule {
        name: "dom",
        code: include_str!("view/dom.js"),
    },
    ScriptModule {
        name: "data",
        code: include_str!("view/data.js"),
    },
    ScriptModule {
        name: "words",
        code: include_str!("view/words.js"),
    },
];

/// Scripts of this page.
const PAGE_MODULES: &[ScriptModule] = &[
    ScriptModule {
        name: "rank-card",
        code: include_str!("view/rank-card.js"),
    },
    ScriptModule {
        name: "headline",
        code: include_str!("view/headline.js"),
    },
    ScriptModule {
        name: "seats",
        code: include_str!("view/seats.js"),
    },
    ScriptModule {
        name: "deals",
        code: include_str!("view/deals.js"),
    },
    ScriptModule {
        name: "chart",
        code: include_str!("view/chart.js"),
    },
    ScriptModule {
        name: "check",
        code: include_str!("view/check.js"),
    },
    ScriptModule {
        name: "facts",
        code: include_str!("view/facts.js"),
    },
    ScriptModule {
        name: "player",
        code: include_str!("view/player.js"),
    },
    ScriptModule {
        name: "keys",
        code: include_str!("view/keys.js"),
    },
    ScriptModule {
        name: "address",
        code: include_str!("view/address.js"),
    },
    ScriptModule {
        name: "main",
        code: include_str!("view/main.js"),
    },
];

/// Script with SHA-256 and HMAC, for this and other pages.
pub const SHA256_MODULE: ScriptModule = ScriptModule {
    name: "sha256",
    code: include_str!("view/verify/sha256.js"),
};

/// Scripts of the verifier, which read a journal, play its game by the rules and compare every
/// event. They implement the book's page on the journal format. Each comes after those that it
/// imports.
const VERIFIER_MODULES: &[ScriptModule] = &[
    SHA256_MODULE,
    ScriptModule {
        name: "blake3",
        code: include_str!("view/verify/blake3.js"),
    },
    ScriptModule {
        name: "fault",
        code: include_str!("view/verify/fault.js"),
    },
    ScriptModule {
        name: "json-reader",
        code: include_str!("view/verify/json-reader.js"),
    },
    ScriptModule {
        name: "records",
        code: include_str!("view/verify/records.js"),
    },
    ScriptModule {
        name: "validators",
        code: include_str!("view/verify/validators.js"),
    },
    ScriptModule {
        name: "fields",
        code: include_str!("view/verify/fields.js"),
    },
    ScriptModule {
        name: "chance",
        code: include_str!("view/verify/chance.js"),
    },
    ScriptModule {
        name: "corrections",
        code: include_str!("view/verify/corrections.js"),
    },
    ScriptModule {
        name: "editions",
        code: include_str!("view/verify/editions.js"),
    },
    ScriptModule {
        name: "holder",
        code: include_str!("view/verify/holder.js"),
    },
    ScriptModule {
        name: "war-game",
        code: include_str!("view/verify/war-game.js"),
    },
    ScriptModule {
        name: "token-game",
        code: include_str!("view/verify/token-game.js"),
    },
    ScriptModule {
        name: "journal",
        code: include_str!("view/verify/journal.js"),
    },
    ScriptModule {
        name: "expose",
        code: include_str!("view/verify/expose.js"),
    },
];

/// Returns the style sheet of the page.
pub(crate) fn style() -> String {
    bundle_styles(STYLES.iter().copied())
}

/// Returns the script of the page.
pub(crate) fn page_script() -> String {
    bundle_modules(&[BASE_MODULES, DRAWING_MODULES, PAGE_MODULES].concat())
}

/// Returns the script of the verifier, which defines the global function `verifyJournal`.
pub(crate) fn verifier_script() -> String {
    bundle_modules(VERIFIER_MODULES)
}

/// Converts the messages of the page to a JSON object, by language code.
pub(crate) fn messages_to_json() -> String {
    let mut all = String::new();
    for lang in Lang::ALL {
        let comma = if all.is_empty() { "" } else { "," };
        // Writing to a string never fails.
        let _ = write!(
            all,
            "{comma}\"{}\":{}",
            lang.code(),
            messages(lang).trim_end()
        );
    }
    format!("{{{all}}}")
}

const fn messages(lang: Lang) -> &'static str {
    match lang {
        Lang::En => include_str!("../../../i18n/view.en.json"),
        Lang::Pl => include_str!("../../../i18n/view.pl.json"),
    }
}
