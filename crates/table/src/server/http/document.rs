//! The card table's page as one document, so that a browser needs a single request to open it.

use super::assets;
use axum::http::HeaderValue;
use war::i18n::{Catalogue, Lang, text};
use war::tokens::Kind;
use war_viewer::document::{
    bundle_modules, embed_json, embed_text, fill_template, security_policy,
};

/// Template of the page, with indentation.
const TEMPLATE: &str = include_str!("../page/index.html");

/// Returns the texts of the page in a language, as a JSON object.
pub(super) const fn texts(lang: Lang) -> &'static str {
    match lang {
        Lang::En => include_str!("../../../../../i18n/page.en.json"),
        Lang::Pl => include_str!("../../../../../i18n/page.pl.json"),
    }
}

/// Place of the tags about the address in the template.
const PREVIEW_MARK: &str = "{{preview}}";

/// What the page may load besides its own style and script: the log, its icon and its manifest. It
/// connects to its table.
const LOADED: &str =
    "connect-src 'self'; img-src 'self'; manifest-src 'self'; frame-ancestors 'none'";

/// Page with its styles, scripts and the texts of one language, in two parts. Between them are the
/// tags about the address.
pub(super) struct Document {
    pub(super) lang: Lang,
    pub(super) start: String,
    pub(super) rest: String,
    /// Content security policy, which names the styles and scripts by their hashes.
    pub(super) policy: HeaderValue,
}

/// Facts about an address that programs show with a link to it.
pub(super) struct Preview<'a> {
    /// Address of the home page, seen from this one.
    pub(super) home: &'a str,
    pub(super) title: &'a str,
    pub(super) about: &'a str,
    /// Name of the player who invites, and the game, for the script of the page.
    pub(super) invitation: Option<(&'a str, Kind)>,
}

impl Preview<'_> {
    /// Returns the tags for the head of the document.
    pub(super) fn to_html(&self) -> String {
        let home = self.home;
        let [title, about] = [self.title, self.about].map(embed_text);
        let invitation = self.invitation.map(|(name, game)| {
            let (name, game) = (embed_text(name), game.name());
            format!("<meta name=\"inviter\" content=\"{name}\" data-game=\"{game}\">\n")
        });
        let invitation = invitation.unwrap_or_default();
        format!(
            "{invitation}<meta name=\"description\" content=\"{about}\">\n\
             <meta property=\"og:title\" content=\"{title}\">\n\
             <meta property=\"og:description\" content=\"{about}\">\n\
             <meta property=\"og:image\" content=\"{home}touch-icon.png\">\n\
             <link rel=\"icon\" href=\"{home}icon.svg\" type=\"image/svg+xml\">\n\
             <link rel=\"apple-touch-icon\" href=\"{home}touch-icon.png\">\n\
             <link rel=\"manifest\" href=\"{home}manifest.webmanifest\">"
        )
    }
}

impl Document {
    pub(super) fn build(lang: Lang) -> Self {
        let style = assets::style();
        let script = bundle_modules(&assets::scripts());
        let texts = embed_json(texts(lang).trim_end());
        let parts = [("style", &style), ("texts", &texts), ("script", &script)];
        let lines: Vec<_> = TEMPLATE.lines().map(str::trim_start).collect();
        let template = lines.join("\n");
        let (start, rest) = template.split_once(PREVIEW_MARK).unwrap_or_default();
        let policy = format!("{}; {LOADED}", security_policy(&style, &[&script]));
        Self {
            lang,
            start: fill_template(start, &[("lang", lang.code())]),
            rest: fill_template(rest, &parts.map(|(mark, part)| (mark, part.as_str()))),
            // Hashes and the names of directives are valid in a header.
            policy: HeaderValue::try_from(policy).unwrap_or(HeaderValue::from_static("")),
        }
    }

    /// Returns the document with the tags of most addresses.
    pub(super) fn to_html(&self) -> String {
        let catalogue = Catalogue::built_in(self.lang);
        let preview = Preview {
            home: "",
            title: &catalogue.format_text(&text!(PreviewTitle)),
            about: &catalogue.format_text(&text!(PreviewAbout)),
            invitation: None,
        };
        format!("{}{}{}", self.start, preview.to_html(), self.rest)
    }
}
