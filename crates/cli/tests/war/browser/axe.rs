//! What axe-core, which looks for barriers in pages, finds in the page that shows a game: nothing of
//! the levels A and AA.

use super::driver::{Browser, Driver};
use super::viewed::Viewed;
use crate::support::project;
use serde_json::{Value, json};
use std::fs;

/// Where `.ci/deep --install axe` installs it.
const AXE: &str = "target/browser-tools/node_modules/axe-core/axe.min.js";

/// A phone, one on its side, and a small notebook.
const SIZES: [(u64, u64); 3] = [(360, 640), (740, 360), (1366, 657)];

/// What axe-core finds. It can't judge letters upon a gradient, so the felt is as light everywhere
/// as in its middle, where letters are the hardest to read.
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

/// The levels A and AA.
const AA: &[&str] = &["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/// The contrast of the level AAA as well.
pub(super) const AAA: &[&str] = &[
    "wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "wcag2aaa",
];

/// A state of the page: a journal, a turn, and what is done there.
type State = (&'static str, u32, fn(&Viewed<'_>));

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

const fn nothing(_: &Viewed<'_>) {}

fn help(viewed: &Viewed<'_>) {
    viewed.browser.press(['?']);
    viewed.browser.wait("document.querySelector('#keys').open");
}

fn own_journal(viewed: &Viewed<'_>) {
    viewed.browser.click("#check-own");
    viewed
        .browser
        .wait("!document.querySelector('#checked-verdict').hidden");
}

fn damaged_file(viewed: &Viewed<'_>) {
    let file = project().join("tests/conformance/files/105.json");
    viewed.browser.choose_file("#file", &file);
    viewed
        .browser
        .wait("document.querySelector('#checked').dataset.verdict === 'DAMAGED'");
}

/// The program of axe-core.
pub(super) fn axe() -> String {
    fs::read_to_string(project().join(AXE)).unwrap_or_else(|error| {
        panic!("{AXE}: {error}; `.ci/deep --install axe` installs axe-core")
    })
}

/// Whether axe-core looked at enough, and what it finds at these levels.
pub(super) fn barriers(browser: &Browser, axe: &str, levels: &[&str]) -> Value {
    browser.run(axe);
    browser.run(&RUN.replace("LEVELS", &json!(levels).to_string()))
}

#[test]
#[ignore = "needs chromium, chromedriver and axe-core"]
fn no_state_of_the_page_has_a_barrier() {
    let (axe, driver) = (axe(), Driver::start());
    for (number, (name, turn, act)) in STATES.into_iter().enumerate() {
        let viewed = Viewed::open(&driver, name, "");
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
