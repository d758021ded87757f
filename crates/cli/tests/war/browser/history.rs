//! Pages of a player's past games, figures, and the ladder.

use super::table::{Table, with_two};

#[test]
#[ignore = "needs chromium and chromedriver"]
fn history_figures_and_ladder_have_their_own_pages() {
    let table = Table::open(&["--bots", "0", "--decide-seconds", "90"]);
    with_two(&table, |ann, ola| {
        for _ in 0..2 {
            ann.choose("single");
            ola.choose("single");
            ann.wait_until_dealt();
            ola.wait_until_dealt();
            ann.play_out(ola);
            for player in [ann, ola] {
                player.click("#another");
                player.wait("!document.querySelector('[data-stage=lobby]').hidden");
            }
        }
        for (player, list) in [(ann, "past-en"), (ola, "past-pl")] {
            player.click("[data-stage=lobby] [data-go=games]");
            player.wait("location.pathname === '/games'");
            player.wait("document.querySelectorAll('#past-list > li').length === 2");
            player.wait("document.querySelector('#past-curve polyline') !== null");
            player.check_layout(list);
        }
        // The chart's scale shows the highest and then the lowest balance of the list.
        ann.wait(
            "(() => {
                const balances = [...document.querySelectorAll('#past-list .hint')]
                    .map((about) => Number(about.textContent.match(/([\\d,]+) tokens/)[1].replace(',', '')));
                const ends = [...document.querySelectorAll('#past-curve .scale span')]
                    .map((end) => Number(end.textContent.replace(',', '')));
                const range = [Math.max(...balances), Math.min(...balances)];
                return balances.length === 2 && ends.join() === [...new Set(range)].join();
            })()",
        );
        ann.wait_for_text("#past-figures tr:nth-child(2) td", "2");
        ann.wait_for_text("#past-list li:first-child a", "Replay");
        ann.wait("document.title === 'My games – War'");
        ola.run("history.back()");
        ola.wait("!document.querySelector('[data-stage=lobby]').hidden");
        // A replay opens in the player's language, names nobody in its address, and leads back.
        let address = ola.value("location.href");
        ola.run("history.forward()");
        ola.wait("document.querySelectorAll('#past-list > li').length === 2");
        ola.click("#past-list li:first-child a");
        ola.wait("document.body.dataset.turn !== undefined");
        ola.wait("/games\\/[^/]+\\/view\\?lang=pl/.test(location.href) && !/Ann|Ola/.test(location.href)");
        ola.wait_for_text(".brand", "Wojna");
        ola.wait_for_text("#home", "Do stołu karcianego");
        ola.click("#home");
        ola.wait("document.body?.dataset.stage === 'lobby'");
        assert_eq!(ola.value("location.href"), address);
        // A reloaded page asks for everything again.
        ann.run("location.reload()");
        ann.wait("document.querySelectorAll('#past-list > li').length === 2");
        ann.click("footer [data-go=ladder]");
        ann.wait("location.pathname === '/ladder'");
        ann.wait("document.title === 'Ladder – War'");
        ann.wait_for_text("#ladder-none", "Nobody has played 20 games that count yet.");
        ann.click("[data-span=week]");
        ann.wait("document.querySelector('[data-span=week]').ariaPressed === 'true'");
        ann.check_layout("ladder-en");
    });
}
