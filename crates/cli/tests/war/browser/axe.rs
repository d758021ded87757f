//! Accessibility of the viewer's page at levels A and AA, as checked by axe-core.

use super::driver::{Browser, Driver};
use super::viewer_page::ViewerPage;
use crate::support::project;
use serde_json::{Value, json};
use std::fs;

/// Path of axe-core, which `.ci/deep --install axe` installs.
const AXE: &str = "target/browser-tools/node_modules/axe-core/axe.min.js";

/// Screen sizes of a phone, of a phone on its side, and of a small notebook.
const SIZES: [(u64, u64); 3] = [(360, 640), (740, 360), (1366, 657)];

/// Script that runs axe-core. As axe-core can't judge text on a gradient, the whole felt gets the
/// colour of its middle, where contrast is lowest.
const RUN: &str = "
    const flat = new CSSStyleSheet();
    flat.replaceSync('* { background-image: none !important } #table { background: var(--felt) !important }');
    document.adoptedStyleSheets = [flat];
    return axe.run(document, {
        runOnly: LEVELS,
        resultTypes: ['violations'],
    }).then(({ passes, violations }) => [
        passes.length > 10,
        violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html} ${node.failureSummary}`)),
    ]);
";

/// Levels A and AA, as axe-core's tags.
const AA: &[&str] = &["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/// Levels A and AA, and the contrast of level AAA, as axe-core's tags.
pub(super) const AAA: &[&str] = &[
    "wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "wcag2aaa",
];

/// State of the page: a journal, a turn, and an action.
type State = (&'static str, u32, fn(&ViewerPage<'_>));

const STATES: [State; 10] = [
    ("classic_dealt_won", 0, nothing),
    ("classic_dealt_won", 2, nothing),
    ("classic_dealt_won", 19, nothing),
    ("classic_dealt_won", 3, help),
    ("classic_dealt_won", 4, own_journal),
    ("classic_dealt_won", 5, damaged_file),
    ("xy_sample", 40, nothing),
    ("double_card_2_tied", 1, nothing),
    ("double_card_2_tied", 2, nothing),
    ("classic_cut_off", 3, own_journal),
];

const fn nothing(_: &ViewerPage<'_>) {}

fn help(viewed: &ViewerPage<'_>) {
    viewed.browser.press(['?']);
    viewed.browser.wait("document.querySelector('#keys').open");
}

fn own_journal(viewed: &ViewerPage<'_>) {
    viewed.browser.click("#check-own");
    viewed
        .browser
        .wait("!document.querySelector('#checked-verdict').hidden");
}

fn damaged_file(viewed: &ViewerPage<'_>) {
    let file = project().join("tests/conformance/files/105.json");
    viewed.browser.choose_file("#file", &file);
    viewed
        .browser
        .wait("document.querySelector('#checked').dataset.verdict === 'DAMAGED'");
}

/// Source of axe-core.
pub(super) fn axe() -> String {
    fs::read_to_string(project().join(AXE)).unwrap_or_else(|error| {
        panic!("{AXE}: {error}; `.ci/deep --install axe` installs axe-core")
    })
}

/// Result of axe-core at these levels: `[true, []]` if enough checks ran and none failed.
pub(super) fn barriers(browser: &Browser, axe: &str, levels: &[&str]) -> Value {
    browser.run(axe);
    browser.run(&RUN.replace("LEVELS", &json!(levels).to_string()))
}

#[test]
#[ignore = "needs chromium, chromedriver and axe-core"]
fn no_state_of_the_page_violates_axe_rules() {
    let (axe, driver) = (axe(), Driver::start());
    for (number, (name, turn, act)) in STATES.into_iter().enumerate() {
        let viewed = ViewerPage::open(&driver, name, "");
        let address = viewed.browser.value("location.href.split('#')[0]");
        let address = address.as_str().expect("an address");
        for (scheme, (width, height)) in ["light", "dark"]
            .into_iter()
            .flat_map(|scheme| SIZES.map(|size| (scheme, size)))
        {
            let lang = if number % 2 == 0 { "en" } else { "pl" };
            viewed.browser.resize(width, height);
            viewed.browser.prefer(scheme);
            viewed.browser.go("about:blank");
            viewed
                .browser
                .go(&format!("{address}#turn={turn}&lang={lang}"));
            viewed
                .browser
                .wait(&format!("document.body.dataset.turn === '{turn}'"));
            act(&viewed);
            let found = barriers(&viewed.browser, &axe, AA);
            assert_eq!(
                found,
                json!([true, []]),
                "{name} at turn {turn}, {lang}, {scheme}, {width}x{height}"
            );
        }
    }
}
