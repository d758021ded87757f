//! Games and rematches of friends through a link, and games against the house for players without
//! an opponent.

use super::table::{Player, Table, with_browser, with_two};

/// Opens the link that another player shows, and accepts the invitation.
fn accept_invitation(player: &Player, other: &Player) {
    other.wait("!document.querySelector('#invite').hidden");
    let link = other.value("document.querySelector('#invite-link').value");
    let link = link.as_str().expect("an address");
    // A change of the fragment alone would not load the page again.
    player.go(&link.replace("/#", "/?#"));
    player.wait("!document.querySelector('#invited').hidden");
    player.click("#invited-accept");
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn friends_meet_by_a_link_and_play_again() {
    let table = Table::open(&["--bots", "2", "--decide-seconds", "90"]);
    with_two(&table, |ann, ola| {
        ann.wait_for_text("section:not([hidden]) [data-people]", "1 other person here");
        ann.click("[data-friend=single-card-game]");
        ann.check_layout("friend-waiting-en");
        accept_invitation(ola, ann);
        ann.wait_until_dealt();
        ola.wait_until_dealt();
        ann.wait_for_text("#opponent", "Against Ola (player 4)");
        ann.play_out(ola);
        ann.check_layout("friend-result-en");
        ann.click("#rematch");
        ann.wait_for_text(
            "#waiting-lead",
            "Single-card game. Your opponent can see that you want a rematch.",
        );
        ola.wait_for_text("#rematch-wanted", "Prośba o rewanż: Ann, gracz 3.");
        ola.click("#rematch");
        ann.wait_until_dealt();
        ola.wait_until_dealt();
        ann.wait_for_text("#opponent", "Against Ola (player 4)");
        ann.play_out(ola);
        // The link is valid for one game only.
        ola.click("#another");
        ola.wait("document.querySelector('#invited').hidden");
    });
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn a_used_link_says_so() {
    let table = Table::open(&["--bots", "0"]);
    with_two(&table, |ann, ola| {
        ann.click("[data-friend=double-card-game]");
        ann.wait("!document.querySelector('#invite').hidden");
        ann.run("window.link = document.querySelector('#invite-link').value");
        let link = ann.value("window.link");
        ann.click("#cancel");
        ann.wait_for_heading("Choose a game");
        ola.go(&link.as_str().expect("an address").replace("/#", "/?#"));
        ola.wait("!document.querySelector('#invited').hidden");
        ola.check_layout("invited-pl");
        ola.click("#invited-accept");
        ola.wait_for_text(
            "#error-text",
            "nikt nie czeka na tę grę z tym zaproszeniem: poproś o nowe",
        );
        ola.click("#dismiss");
        ola.wait_for_heading("Wybierz grę");
    });
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn an_invitation_waits_while_its_player_is_in_another_app() {
    let table = Table::open(&["--bots", "0", "--decide-seconds", "90"]);
    with_two(&table, |ann, ola| {
        ann.click("[data-friend=double-card-game]");
        ann.wait("!document.querySelector('#invite').hidden");
        let link = ann.value("document.querySelector('#invite-link').value");
        let home = ann.value("location.origin + '/table'");
        // With an `unload` listener, the browser discards the page and its connection as Ann
        // leaves.
        ann.run("addEventListener('unload', () => {})");
        ann.go("about:blank");
        ola.go(&link.as_str().expect("an address").replace("/#", "/?#"));
        ola.wait("!document.querySelector('#invited').hidden");
        ola.wait_for_text(
            "section:not([hidden]) [data-people]",
            "Nie ma tu nikogo więcej",
        );
        ola.click("#invited-accept");
        ola.wait_for_text(
            "#error-text",
            "osoba, która wysłała zaproszenie, nie ma teraz połączenia: spróbuj za chwilę",
        );
        // Players who come back wait as before, and the other player still has the invitation.
        ann.go(home.as_str().expect("an address"));
        ann.wait("!document.querySelector('#invite').hidden");
        ola.wait("!document.querySelector('#invited').hidden");
        ola.click("#invited-accept");
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
