//! The parts of the page that are the same for every game.

use super::modules::joined;
use crate::drawings::{MODULES, Module};
use std::fmt::Write;
use war::lang::Lang;

/// The page with marks where its parts go.
pub(super) const PAGE: &str = include_str!("page.html");

/// The styles, in the order in which they apply.
const STYLES: &[&str] = &[
    include_str!("base.css"),
    include_str!("table.css"),
    include_str!("chart.css"),
    include_str!("controls.css"),
    include_str!("facts.css"),
    include_str!("print.css"),
];

/// The scripts that those behind them import, and nothing but each other.
const GROUND: &[Module] = &[
    Module {
        name: "dom",
        code: include_str!("dom.js"),
    },
    Module {
        name: "data",
        code: include_str!("data.js"),
    },
    Module {
        name: "words",
        code: include_str!("words.js"),
    },
];

/// The scripts of this page, each after those that it imports; the drawings come before them.
const PAGE_MODULES: &[Module] = &[
    Module {
        name: "rank-card",
        code: include_str!("rank-card.js"),
    },
    Module {
        name: "headline",
        code: include_str!("headline.js"),
    },
    Module {
        name: "seats",
        code: include_str!("seats.js"),
    },
    Module {
        name: "deals",
        code: include_str!("deals.js"),
    },
    Module {
        name: "chart",
        code: include_str!("chart.js"),
    },
    Module {
        name: "check",
        code: include_str!("check.js"),
    },
    Module {
        name: "about",
        code: include_str!("about.js"),
    },
    Module {
        name: "player",
        code: include_str!("player.js"),
    },
    Module {
        name: "keys",
        code: include_str!("keys.js"),
    },
    Module {
        name: "address",
        code: include_str!("address.js"),
    },
    Module {
        name: "main",
        code: include_str!("main.js"),
    },
];

/// The styles of the page.
pub(super) fn style() -> String {
    STYLES.concat()
}

/// The script of the page.
pub(super) fn script() -> String {
    joined(&[GROUND, MODULES, PAGE_MODULES].concat())
}

/// The words of the page by the codes of their languages, as a JSON object.
pub(super) fn all_words() -> String {
    let mut all = String::new();
    for lang in Lang::ALL {
        let comma = if all.is_empty() { "" } else { "," };
        // Writing to a text can't fail.
        let _ = write!(all, "{comma}\"{}\":{}", lang.code(), words(lang).trim_end());
    }
    format!("{{{all}}}")
}

const fn words(lang: Lang) -> &'static str {
    match lang {
        Lang::En => include_str!("../../../../i18n/view.en.json"),
        Lang::Pl => include_str!("../../../../i18n/view.pl.json"),
    }
}
