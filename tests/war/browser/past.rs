//! Players look back on their games, and at the ladder.

use super::table::{Table, with_two};

#[test]
#[ignore = "needs chromium and chromedriver"]
fn games_figures_and_the_ladder_open_in_the_lobby() {
    let table = Table::open(&["--bots", "0", "--decide-seconds", "90"]);
    with_two(&table, |ann, ola| {
        for _ in 0..2 {
            ann.choose("single");
            ola.choose("single");
            ann.dealt();
            ola.dealt();
            ann.play_out(ola);
            for player in [ann, ola] {
                player.click("#another");
                player.wait("!document.querySelector('[data-stage=lobby]').hidden");
            }
        }
        for (player, list) in [(ann, "past-en"), (ola, "past-pl")] {
            player.click("#past > summary");
            player.wait("document.querySelectorAll('#past-list > li').length === 2");
            player.wait("document.querySelector('#past-curve polyline') !== null");
            player.fits(list);
        }
        ann.shows("#past-figures tr:nth-child(2) td", "2");
        ann.shows("#past-list li:first-child a", "Replay");
        ann.click("#ladder > summary");
        ann.shows("#ladder-none", "Nobody has played 20 games that count yet.");
        ann.click("[data-span=week]");
        ann.wait("document.querySelector('[data-span=week]').ariaPressed === 'true'");
        ann.fits("ladder-en");
    });
}
