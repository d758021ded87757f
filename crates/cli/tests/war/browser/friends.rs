//! Games with friends through a link, and games against the house for players without an opponent.

use super::table::{Player, Table, with_browser, with_two};

/// Address of the link that a player shows.
fn friend_address(player: &Player) -> String {
    player.wait("!document.querySelector('#invite').hidden");
    let address = player.value("document.querySelector('#invite-link').value");
    address.as_str().expect("an address").to_owned()
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn friends_play_again_and_again_by_one_link() {
    let table = Table::open(&["--bots", "2", "--decide-seconds", "90"]);
    with_two(&table, |ann, ola| {
        ann.wait_for_text("section:not([hidden]) [data-people]", "1 other person here");
        ann.click("[data-friend=single-card-game]");
        let address = friend_address(ann);
        ann.check_layout("friend-waiting-en");
        ola.go(&address);
        ola.wait_for_text("#invited-title", "Ann chce zagrać");
        ola.check_layout("invited-pl");
        // The secret does not stay in the address.
        ola.wait("location.hash === '' && location.pathname === '/'");
        ann.wait_for_text(
            "#waiting-lead",
            "Single-card game. Ola is here. You play as soon as Ola agrees.",
        );
        ann.wait("document.querySelector('#invite-copy').className === 'second'");
        ola.click("#invited-accept");
        ann.wait_until_dealt();
        ola.wait_until_dealt();
        ann.wait_for_text("#opponent", "Against Ola (player 4)");
        ann.play_out(ola);
        ann.wait_for_text("#rematch-wanted", "Ola (player 4) is here.");
        ann.check_layout("friend-result-en");
        ann.wait("document.querySelector('#rematch').className === 'first'");
        ann.wait_for_text("#again", "Play others");
        ola.click("footer a[href=games]");
        ann.click("#rematch");
        ola.wait_for_text("#away-text", "Ann chce zagrać");
        ola.wait("document.querySelector('#away-close').hidden");
        ola.click("#away-back");
        ola.wait_for_text("#rematch-wanted", "Prośba o rewanż: Ann, gracz 3.");
        ola.click("#rematch");
        ann.wait_until_dealt();
        ola.wait_until_dealt();
        ann.play_out(ola);
        ann.wait(
            "/^Ann \\d : \\d Ola, [+−-]?\\d+$/.test(document.querySelector('#score').textContent)",
        );
        // Ann learns at once that Ola has left.
        ola.click("#another");
        ola.wait_for_heading("Wybierz grę");
        ann.wait_for_text("#rematch-wanted", "Ola (player 4) has left.");
        ann.wait("document.querySelector('#house-instead').className === 'first'");
        ann.check_layout("friend-left-en");
        ann.click("#house-instead");
        ann.wait_until_dealt();
        ann.wait_for_text("#opponent", "Against the computer: House 1 (player 1)");
        // The link is still valid.
        ola.go(&address);
        ola.wait_for_text("#invited-title", "Ann chce zagrać");
        // Ann sees that Ola waits, over the result of another game and in the lobby.
        ola.click("#invited-accept");
        ann.click("#fold");
        ann.wait("document.body.dataset.stage === 'result'");
        ann.wait_for_text("#rematch-wanted", "Ola wants to play");
        ann.click("#another");
        ann.wait_for_text("#invited-title", "Ola wants to play");
        ann.wait("document.querySelector('#away').hidden");
        ann.click("footer a[href=games]");
        ann.wait_for_text("#away-text", "Ola wants to play");
        ann.click("#away-back");
        ann.wait_for_heading("Choose a game");
    });
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn a_revoked_link_says_so() {
    let table = Table::open(&["--bots", "0"]);
    with_two(&table, |ann, ola| {
        ann.click("[data-friend=double-card-game]");
        let address = friend_address(ann);
        ann.click("#cancel");
        ann.wait_for_heading("Choose a game");
        ola.go(&address);
        ola.wait("!document.querySelector('#invited').hidden");
        ann.go(&address.replace("/with/", "/settings?").replace('#', "-"));
        ann.wait("document.querySelectorAll('#links button').length === 1");
        ann.check_focus_stays("#links button");
        ann.click("#links button");
        ann.wait("document.querySelector('#links-part').hidden");
        ola.click("#invited-accept");
        ola.wait_for_text("#error-text", "ten link już nie działa: poproś o nowy");
        ola.go(&address);
        ola.wait_for_text("#error-text", "Ten link już nie działa. Poproś o nowy.");
        ola.wait("document.querySelector('#invited').hidden");
    });
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn friends_wait_in_peace_for_one_who_is_in_another_app() {
    let table = Table::open(&["--bots", "0", "--decide-seconds", "90"]);
    with_two(&table, |ann, ola| {
        ann.click("[data-friend=double-card-game]");
        let address = friend_address(ann);
        let home = ann.value("location.origin + '/table'");
        // With an `unload` listener, the browser discards the page and its connection as Ann
        // leaves.
        ann.run("addEventListener('unload', () => {})");
        ann.go("about:blank");
        ola.go(&address);
        ola.wait("!document.querySelector('#invited').hidden");
        ola.click("#invited-accept");
        ola.wait_for_text(
            "#waiting-lead",
            "Gra na dwie karty. Ann nie czeka teraz przy stole. Zagracie, gdy tylko oboje tu będziecie.",
        );
        ola.wait("document.querySelector('#error').hidden");
        // A reload changes nothing.
        ola.run("location.reload()");
        ola.wait_for_text(
            "#waiting-lead",
            "Gra na dwie karty. Ann nie czeka teraz przy stole. Zagracie, gdy tylko oboje tu będziecie.",
        );
        ann.go(home.as_str().expect("an address"));
        ann.wait_until_dealt();
        ola.wait_until_dealt();
    });
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn nobody_has_to_wait_for_people() {
    let table = Table::open(&[
        "--bots",
        "2",
        "--house-after",
        "600",
        "--decide-seconds",
        "90",
    ]);
    with_browser(&table, "en", "Ann", |ann| {
        ann.choose("single");
        ann.wait("!document.querySelector('#house').hidden");
        ann.check_layout("waiting-house-en");
        // Players who wait may also invite somebody, and change their mind again.
        ann.click("#friend-instead");
        ann.wait("!document.querySelector('#invite').hidden");
        ann.click("#cancel");
        ann.wait_for_heading("Choose a game");
        ann.choose("single");
        ann.wait_for_text("section:not([hidden]) [data-people]", "Nobody else is here");
        ann.click("#house");
        ann.wait_until_dealt();
        ann.play_alone();
        ann.wait("document.querySelector('#rematch').hidden");
    });
}
