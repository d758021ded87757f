//! The card table's page as one document, so that a browser needs a single request to open it.

use super::assets;
use std::fmt::Write;
use war_viewer::document::{bundle_modules, embed_json, fill_template, security_policy};

/// Template of the page.
const TEMPLATE: &str = include_str!("../page/index.html");

/// Texts of the page, by language code.
const TEXTS: [(&str, &str); 2] = [
    ("en", include_str!("../../../../../i18n/page.en.json")),
    ("pl", include_str!("../../../../../i18n/page.pl.json")),
];

/// What the page may load besides its own style and script: the log, its icon and its manifest. It
/// connects to its table.
const LOADED: &str =
    "connect-src 'self'; img-src 'self'; manifest-src 'self'; frame-ancestors 'none'";

/// Page with its styles, scripts and texts.
pub(super) struct Document {
    pub(super) html: String,
    /// Content security policy, which names the styles and scripts by their hashes.
    pub(super) policy: String,
}

impl Document {
    pub(super) fn build() -> Self {
        let style = assets::style();
        let script = bundle_modules(&assets::scripts());
        let parts = [("style", &style), ("texts", &texts()), ("script", &script)];
        Self {
            html: fill_template(TEMPLATE, &parts.map(|(mark, part)| (mark, part.as_str()))),
            policy: format!("{}; {LOADED}", security_policy(&style, &[&script])),
        }
    }
}

/// Returns the texts in both languages as a JSON object.
fn texts() -> String {
    let mut all = String::new();
    for (lang, texts) in TEXTS {
        let comma = if all.is_empty() { "" } else { "," };
        // Writing to a string never fails.
        let _ = write!(all, "{comma}\"{lang}\":{}", embed_json(texts.trim_end()));
    }
    format!("{{{all}}}")
}
