//! Files of the card table's page, built into the program.

use war_viewer::SHA256_MODULE;
use war_viewer::document::bundle_styles;
use war_viewer::drawings::{DRAWING_MODULES, ScriptModule};

const CSS: &str = "text/css; charset=utf-8";
const SVG: &str = "image/svg+xml";
const PNG: &str = "image/png";
const MANIFEST: &str = "application/manifest+json";
const SCRIPT: &str = "text/javascript; charset=utf-8";

/// Style sheet of the page.
struct StyleSheet {
    name: &'static str,
    code: &'static str,
}

/// Embeds files in the folder of the page, given by their paths without extension.
macro_rules! embed {
    ($kind:ident $extension:literal: $($name:literal)*) => {
        &[$($kind {
            name: $name,
            code: include_str!(concat!("../page/", $name, $extension)),
        }),*]
    };
}

/// Style sheets, in the order in which they apply.
const STYLES: &[StyleSheet] = embed! { StyleSheet ".css":
    "styles/table"
    "styles/frame"
    "styles/lobby"
    "styles/game"
    "styles/dock"
    "styles/result"
    "styles/small"
    "styles/wide"
    "styles/verification"
    "styles/pages"
    "styles/history"
};

/// Scripts of the page alone.
const SCRIPTS: &[ScriptModule] = embed! { ScriptModule ".js":
    "controllers/account"
    "controllers/actions"
    "controllers/connection-listener"
    "controllers/daily"
    "controllers/friends"
    "controllers/history"
    "controllers/input"
    "controllers/router"
    "controllers/spectator"
    "fairness/deal"
    "fairness/game-record"
    "fairness/log-format"
    "fairness/log-monitor"
    "fairness/merkle-tree"
    "fairness/referee"
    "fairness/seeds"
    "fairness/tiles"
    "fairness/verification"
    "protocol/connection"
    "protocol/environment"
    "protocol/request-queue"
    "state/coach"
    "state/invitations"
    "state/ladder"
    "state/reducer"
    "state/rules"
    "state/storage"
    "state/store"
    "table"
    "views/account-key"
    "views/coach"
    "views/daily"
    "views/game"
    "views/history"
    "views/lobby"
    "views/log"
    "views/page"
    "views/result"
    "views/settings"
    "views/spectator"
    "widgets/alerts"
    "widgets/animation"
    "widgets/announcer"
    "widgets/dom"
    "widgets/hands"
    "widgets/labels"
    "widgets/qr-code"
    "widgets/words"
};

const ICON: &str = include_str!("../page/icon.svg");
/// Icon for home screens, which need a bitmap.
const TOUCH_ICON: &[u8] = include_bytes!("../page/touch-icon.png");
const WEB_MANIFEST: &str = include_str!("../page/manifest.webmanifest");

/// Returns the style sheets as one.
pub(super) fn style() -> String {
    bundle_styles(STYLES.iter().map(|sheet| sheet.code))
}

/// Returns all scripts of the page, some of which it shares with the viewer.
pub(super) fn scripts() -> Vec<ScriptModule> {
    [SCRIPTS, DRAWING_MODULES, &[SHA256_MODULE]].concat()
}

/// File that the server offers under this path.
pub(super) struct Asset {
    pub(super) path: String,
    pub(super) content_type: &'static str,
    pub(super) content: &'static [u8],
}

/// Returns the files that the page links, and the sources of its style and scripts.
pub(super) fn files() -> Vec<Asset> {
    let asset = |path: String, content_type, content| Asset {
        path,
        content_type,
        content,
    };
    let text = |path, content_type, text: &'static str| asset(path, content_type, text.as_bytes());
    let styles = STYLES.iter();
    let styles = styles.map(|sheet| text(format!("/{}.css", sheet.name), CSS, sheet.code));
    let scripts = scripts().into_iter();
    let scripts = scripts.map(|module| text(format!("/{}.js", module.name), SCRIPT, module.code));
    let linked = [
        text("/icon.svg".to_owned(), SVG, ICON),
        asset("/touch-icon.png".to_owned(), PNG, TOUCH_ICON),
        text("/manifest.webmanifest".to_owned(), MANIFEST, WEB_MANIFEST),
    ];
    styles.chain(scripts).chain(linked).collect()
}
