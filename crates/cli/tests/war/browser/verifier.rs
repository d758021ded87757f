//! The verifier in the viewer's page: its verdicts on the page's own journal, and on files that are
//! chosen or dropped.

use super::driver::Driver;
use super::table::{Table, with_two};
use super::viewer_page::ViewerPage;
use crate::support::project;
use crate::view::data;
use ct_codecs::{Base64, Encoder};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Final digest of the journal that these pages show.
const DIGEST: &str = "65beb305410a611f291a47ef8b561854";

/// Drops a file onto the page.
const DROP: &str = "
    const transfer = new DataTransfer();
    const bytes = Uint8Array.from(atob(FILE), (letter) => letter.charCodeAt(0));
    transfer.items.add(new File([bytes], 'dropped.json'));
    const dropped = new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true });
    document.querySelector('#table').dispatchEvent(dropped);
    return dropped.defaultPrevented;
";

/// Waits for the page's verdict on a journal. Returns verdict, reason and comparison.
#[track_caller]
fn wait_for_verdict(viewed: &ViewerPage<'_>) -> [String; 3] {
    let browser = &viewed.browser;
    browser.wait("!document.querySelector('#checked-verdict').hidden");
    ["#checked-verdict", "#checked-why", "#checked-same"].map(|part| browser.text(part))
}

/// Appearance of the verdict, and whether the comparison warns.
fn appearance(viewed: &ViewerPage<'_>) -> Value {
    viewed.browser.value(
        "[document.querySelector('#checked-verdict').dataset.is,
          document.querySelector('#checked-same').classList.contains('warns')]",
    )
}

fn chosen(viewed: &ViewerPage<'_>, file: &Path) -> [String; 3] {
    viewed.browser.choose_file("#file", file);
    wait_for_verdict(viewed)
}

fn journal(name: &str) -> PathBuf {
    project().join("journals").join(name)
}

const VERIFIED: &str = "53 events, 19 turns: player 2 wins. What the game printed is not checked \
                        here; war replay checks that, too.";

#[test]
#[ignore = "needs chromium and chromedriver"]
fn a_page_verifies_its_own_journal() {
    let driver = Driver::start();
    let viewed = ViewerPage::open(&driver, "classic_dealt_won", "");
    viewed.browser.click("#check-own");
    let same = "The page says the same about its journal.";
    assert_eq!(wait_for_verdict(&viewed), ["VERIFIED", VERIFIED, same]);
    assert_eq!(viewed.browser.text("#checked-digest"), DIGEST);
    assert_eq!(appearance(&viewed), json!(["good", false]));
    assert_eq!(
        viewed.browser.text("#checked-file"),
        "classic_dealt_won.json"
    );
    viewed.quiet();
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn the_page_of_a_token_game_verifies_it() {
    let table = Table::open(&["--bots", "0", "--decide-seconds", "300"]);
    with_two(&table, |ann, ola| {
        ann.meet(ola, "single");
        for player in [ann, ola] {
            player.wait_until_ready();
            player.click("#fold");
        }
        ann.wait("document.body.dataset.stage === 'result'");
        let path = ann.attribute("#journal", "href");
        let path = path
            .trim_start_matches('/')
            .replace("journal.json", "view?lang=pl");
        ann.go(&format!("{}{path}", table.address));
        ann.wait("document.body.dataset.turn !== undefined");
        ann.click("#check-own");
        ann.wait_for_text("#checked-verdict", "VERIFIED");
        ann.wait_for_text("#checked-same", "Strona podaje to samo o swoim dzienniku.");
        let why = ann.text("#checked-why");
        assert!(
            why.starts_with("7 zdarzeń, 1 tura: obaj gracze pasują."),
            "{why}"
        );
    });
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn a_page_that_lies_about_its_journal_is_exposed() {
    let driver = Driver::start();
    let viewed = ViewerPage::open(&driver, "classic_dealt_won", "");
    let honest = viewed.sandbox.read("game.html");
    let about = data(&honest, "about");
    for (said, lie) in [
        (DIGEST, "0123456789abcdef0123456789abcdef"),
        ("VERIFIED", "INCOMPLETE"),
    ] {
        assert!(about.contains(said));
        let page = honest.replace(about, &about.replace(said, lie));
        let path = viewed.sandbox.write("game.html", page);
        viewed.browser.go(&format!("file://{}", path.display()));
        viewed.browser.reload();
        viewed
            .browser
            .wait("document.body.dataset.turn !== undefined");
        viewed.browser.click("#check-own");
        let lies = "The page says something else about its journal: don't trust it.";
        assert_eq!(
            wait_for_verdict(&viewed),
            ["VERIFIED", VERIFIED, lies],
            "{lie}"
        );
        assert_eq!(appearance(&viewed), json!(["good", true]), "{lie}");
    }
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn files_are_compared_with_the_page_s_journal() {
    let driver = Driver::start();
    let viewed = ViewerPage::open(&driver, "classic_dealt_won", "");
    let [verdict, _, compared] = chosen(&viewed, &journal("classic_dealt_won.json"));
    let same = "This is the journal of this page: the final digests are the same.";
    assert_eq!([verdict.as_str(), &compared], ["VERIFIED", same]);
    let [verdict, why, compared] = chosen(&viewed, &journal("xy_sample.json"));
    // The file field is empty again, so that the same file can be chosen once more.
    let field = "document.querySelector('#file').value";
    assert_eq!(viewed.browser.value(field), "");
    let other = "This is not the journal of this page: the final digests differ.";
    assert_eq!([verdict.as_str(), &compared], ["VERIFIED", other]);
    assert!(
        why.starts_with("128 events, 51 turns: player 1 wins."),
        "{why}"
    );
    // A copy in which one card differs is dropped.
    let text = fs::read_to_string(journal("classic_dealt_won.json")).expect("a journal");
    let changed = text.replacen("\"card\":13", "\"card\":12", 1);
    assert_ne!(text, changed);
    let file = json!(Base64::encode_to_string(changed).expect("base 64"));
    let dropped = viewed.browser.run(&DROP.replace("FILE", &file.to_string()));
    assert_eq!(dropped, true, "the browser would open the file");
    assert_eq!(
        wait_for_verdict(&viewed),
        [
            "DAMAGED",
            "The hash chain doesn't match: something was changed after it was recorded. (WJ202, \
             line 3) 1 event before this point is intact.",
            "Without two final digests, it can't be compared with the journal of this page."
        ]
    );
    assert_eq!(appearance(&viewed), json!(["bad", false]));
    // A file may vanish before it is read. The page accepts a file dragged over it.
    let unreadable = "
        const file = new File([], 'gone.json');
        file.arrayBuffer = () => Promise.reject(new Error('gone'));
        const dropped = new Event('drop', { cancelable: true });
        dropped.dataTransfer = { files: [file] };
        window.dispatchEvent(dropped);
        const over = new DragEvent('dragover', { cancelable: true });
        return window.dispatchEvent(over);";
    assert_eq!(viewed.browser.run(unreadable), false, "it is not taken");
    viewed.browser.wait_for_text(
        "#checked-why",
        "This file can't be read here. war replay reads files of any size.",
    );
    // The page still shows its game.
    assert_eq!(viewed.scrubbed(&[19])[0]["turn"], "19");
    viewed.quiet();
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn every_kind_of_fault_changes_the_verdict() {
    let driver = Driver::start();
    let viewed = ViewerPage::open(&driver, "classic_dealt_won", "");
    let suite = project().join("tests/conformance");
    let list = fs::read_to_string(suite.join("expected.tsv")).expect("the list");
    let mut kinds = BTreeMap::new();
    for row in list.lines().skip(1) {
        let columns: Vec<_> = row.split('\t').collect();
        if let [file, verdict, code, line, "-", _] = columns[..] {
            kinds.entry((verdict, code)).or_insert((file, line));
        }
    }
    assert!(kinds.len() > 15, "{kinds:?}");
    for ((verdict, code), (file, line)) in kinds {
        let [found, why, _] = chosen(&viewed, &suite.join(file));
        assert_eq!(found, verdict, "{file}: {why}");
        let location = format!("({code}, line {line})");
        assert_eq!(why.contains(&location), code != "-", "{file}: {why}");
    }
    viewed.quiet();
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn a_newer_file_replaces_one_that_is_being_verified() {
    let driver = Driver::start();
    let viewed = ViewerPage::open(&driver, "classic_dealt_won", "");
    let game = ["2", "large", "--seed", "2215", "--journal", "long.json"];
    viewed.sandbox.war(&game).exits_with(0);
    viewed
        .browser
        .choose_file("#file", &viewed.sandbox.path("long.json"));
    viewed
        .browser
        .wait("/^Verifying: [1-9]/.test(document.querySelector('#checked-why').innerText)");
    let [verdict, why, _] = chosen(&viewed, &journal("xy_sample.json"));
    assert_eq!(verdict, "VERIFIED");
    assert!(why.starts_with("128 events"), "{why}");
    // The page stays responsive while it verifies.
    viewed
        .browser
        .choose_file("#file", &viewed.sandbox.path("long.json"));
    assert_eq!(viewed.scrubbed(&[7])[0]["turn"], "7");
    viewed.quiet();
}
