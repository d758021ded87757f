//! Tabs and devices that share an account: the last change on any of them holds on all.

use super::driver::Driver;
use super::table::{Player, Table};
use serde_json::json;

/// Breaks the connection of a tab for a moment.
fn interrupt(tab: &Player) {
    tab.run("dispatchEvent(new Event('offline'))");
    tab.wait("!document.querySelector('#link').hidden");
    tab.run("dispatchEvent(new Event('online'))");
    tab.wait("document.querySelector('#link').hidden");
}

/// Opens the page in a second tab of a player's browser. Returns the first tab.
fn open_tab(player: &Player, address: &str) -> String {
    let old = player.open_tab();
    player.go(address);
    player.wait_for_heading("Choose a game");
    old
}

/// Brings the account of another player to this player's browser, by the link with its key.
fn take_account(player: &Player, other: &Player, address: &str) {
    let key = "(({ name, token }) => btoa(JSON.stringify({ name, token })))\
        (JSON.parse(localStorage['war-table']))";
    let key = other.value(key);
    let key = key.as_str().expect("a key").trim_end_matches('=');
    let key = key.replace('+', "-").replace('/', "_");
    player.go(&format!("{address}#key={key}"));
    player.wait("document.querySelector('#offered').open");
    player.click("#offered-take");
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn devices_of_an_account_agree() {
    let table = Table::open(&["--bots", "0"]);
    let driver = Driver::start();
    let laptop = &Player::open(&driver, &table.address, "en", "Eva");
    let phone = &Player::visit(&driver, &table.address, "en");
    take_account(phone, laptop, &table.address);
    phone.wait_for_text("#greeting", "Welcome, Eva. You are player 1.");
    for device in [laptop, phone] {
        device.click("footer a[href='settings']");
    }
    laptop.run("document.querySelector('#settings-name').value = 'Zoe'");
    laptop.click("#settings-form button");
    phone.wait("document.querySelector('#settings-name').value === 'Zoe'");
    phone.click("#settings-watchable");
    laptop.wait("document.querySelector('#settings-watchable').checked");
    laptop.click("#settings-watchable");
    phone.wait("!document.querySelector('#settings-watchable').checked");
    // What a device remembers of its settings is not the last word when it connects again.
    phone.run("localStorage['war-watchable'] = 'on'");
    phone.reload();
    phone.wait("!document.querySelector('#settings-watchable').checked");
    laptop.click("#forget");
    laptop.click("#forget-yes");
    laptop.wait_for_heading("Take a seat");
    phone.wait_for_text(
        "#error-text",
        "this account was deleted, and its key no longer works",
    );
    assert_eq!(
        phone.value("localStorage['war-table'] ?? null"),
        json!(null)
    );
    phone.sit_down("Ida");
    phone.wait_for_text("#greeting", "Welcome, Ida. You are player 2.");
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn an_account_that_is_forgotten_in_one_tab_stays_forgotten() {
    let table = Table::open(&["--bots", "0"]);
    let driver = Driver::start();
    let ann = &Player::open(&driver, &table.address, "en", "Ann");
    let old = open_tab(ann, &table.address);
    ann.click("footer a[href='settings']");
    ann.click("#forget");
    ann.click("#forget-yes");
    ann.wait_for_heading("Take a seat");
    let new = ann.switch_to(&old);
    ann.wait_for_heading("Take a seat");
    ann.run("dispatchEvent(new Event('online'))");
    assert_eq!(ann.value("localStorage['war-table'] ?? null"), json!(null));
    assert!(!table.players().contains("Ann"), "{}", table.players());
    // Who joins in one tab, has joined in the others.
    ann.switch_to(&new);
    ann.sit_down("Bea");
    ann.switch_to(&old);
    ann.wait("document.querySelector('#greeting').innerText.includes('Bea')");
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn an_account_that_is_taken_in_one_tab_is_that_of_the_others() {
    let table = Table::open(&["--bots", "2"]);
    let driver = Driver::start();
    let yan = &Player::open(&driver, &table.address, "en", "Yan");
    let xen = &Player::open(&driver, &table.address, "en", "Xen");
    let old = xen.open_tab();
    take_account(xen, yan, &table.address);
    xen.wait_for_text("#greeting", "Welcome, Yan. You are player 3.");
    xen.switch_to(&old);
    xen.wait_for_text("#greeting", "Welcome, Yan. You are player 3.");
    xen.choose("single");
    xen.play_alone();
    assert_eq!(
        xen.value("JSON.parse(localStorage['war-table']).name"),
        "Yan"
    );
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn a_name_and_a_switch_that_one_tab_changes_hold_in_the_others() {
    let table = Table::open(&["--bots", "2"]);
    let driver = Driver::start();
    let ina = &Player::open(&driver, &table.address, "en", "Ina");
    ina.click("footer a[href='settings']");
    ina.click("#settings-watchable");
    let old = open_tab(ina, &table.address);
    let new = ina.switch_to(&old);
    ina.click("#settings-watchable");
    ina.run("document.querySelector('#settings-name').value = 'Zed'");
    ina.click("#settings-form button");
    ina.wait("JSON.parse(localStorage['war-table']).name === 'Zed'");
    ina.switch_to(&new);
    ina.wait("document.querySelector('#greeting').innerText.includes('Zed')");
    interrupt(ina);
    assert!(table.players().contains("Zed"), "{}", table.players());
    assert_eq!(
        ina.value("document.querySelector('#settings-watchable').checked"),
        false
    );
    // A game that may not be watched is on nobody's list.
    ina.choose("single");
    ina.wait_until_dealt();
    let zoe = &Player::open(&driver, &table.address, "en", "Zoe");
    zoe.wait("document.querySelector('[data-people]').innerText.includes('1 game')");
    assert_eq!(zoe.value("document.querySelector('#open').hidden"), true);
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn a_browser_that_stores_nothing_says_so() {
    let table = Table::open(&["--bots", "0"]);
    let driver = Driver::start();
    let told = "This browser stores nothing, so when you load this page again, you are a new player. \
        To come back as the same one, save your key in the settings.";
    for storage in [
        "Object.defineProperty(window, 'localStorage', { get: () => null })",
        "Object.defineProperty(window, 'localStorage', { get() { throw new Error('denied') } })",
        "Storage.prototype.setItem = () => { throw new Error('full') }",
    ] {
        let ann = &Player::visit(&driver, &table.address, "en");
        ann.prepare(storage);
        ann.reload();
        ann.sit_down("Ann");
        ann.wait_for_text("#error-text", told);
        ann.check_layout("unstored-en");
    }
}
