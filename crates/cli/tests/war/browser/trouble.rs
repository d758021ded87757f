//! Reloads, lost servers and unusual input.

use super::driver::{Driver, ENTER};
use super::table::{DECISION, Player, Table, with_two};
use war::tokens::Name;

#[test]
#[ignore = "needs chromium and chromedriver"]
fn a_reload_restores_a_running_game() {
    let table = Table::open(&["--bots", "0"]);
    with_two(&table, |ann, ola| {
        ann.choose("double");
        ann.wait_for_heading("Waiting for an opponent");
        ann.reload();
        ann.wait_for_heading("Waiting for an opponent");
        ola.choose("double");
        for player in [ann, ola] {
            player.wait_until_dealt();
            let cards = player.cards("#game-yours");
            let left = player.number("#time-left");
            player.reload();
            player.wait_until_dealt();
            assert_eq!(player.cards("#game-yours"), cards);
            player.wait("document.querySelector('#time-left').innerText !== ''");
            assert!(player.number("#time-left") <= left);
        }
        ola.click("#play");
        ola.wait_for_heading("Grasz");
        ola.reload();
        ola.wait_for_heading("Grasz");
        ola.wait_for_text(
            "#game-lead",
            "Czekamy na decyzję przeciwnika (Ann, gracz 1).",
        );
        ann.click("#fold");
        ann.wait_for_heading("You lose 5 tokens");
        ola.wait_for_heading("Wygrywasz 5 żetonów");
        for player in [ann, ola] {
            player.reload();
        }
        ann.wait_for_heading("You lose 5 tokens");
        ann.wait_for_text("#verdict", "verified");
        ola.wait_for_heading("Wygrywasz 5 żetonów");
        ola.click("#another");
        ola.wait_for_heading("Wybierz grę");
        ola.reload();
        ola.wait_for_heading("Wybierz grę");
        assert_eq!(ola.number("#balance-tokens"), 1005);
    });
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn a_killed_server_resumes_its_games() {
    let mut table = Table::open(&["--bots", "0"]);
    let (driver, address) = (Driver::start(), table.address.clone());
    let ann = &Player::open(&driver, &address, "en", "Ann");
    let ola = &Player::open(&driver, &address, "pl", "Ola");
    ann.meet(ola, "single");
    let cards = [ann, ola].map(|player| player.cards("#game-yours"));
    ann.click("#play");
    ann.wait_for_heading("You play");
    table.kill();
    ann.wait("document.querySelector('#link-text').innerText.startsWith('Connection lost.')");
    ola.wait("document.querySelector('#link-text').innerText.startsWith('Połączenie przerwane.')");
    for player in [ann, ola] {
        player.wait("document.querySelector('#link').getAnimations().length === 0");
        player.wait("document.querySelector('#link').offsetHeight > 40");
        player.check_layout(&player.lang("lost-en", "lost-pl"));
    }
    ola.check_visible("lost-pl", DECISION);
    // A decision made while the server is gone is sent when it is back.
    ola.press(['g']);
    ola.wait_for_text("#game-lead", "Wysyłanie decyzji…");
    table.reopen();
    for player in [ann, ola] {
        player.wait("document.querySelector('#link').hidden");
    }
    let won = ann.play_out(ola);
    let (up, down) = if won { (ann, ola) } else { (ola, ann) };
    up.wait_for_heading(&up.lang("You win 10 tokens", "Wygrywasz 10 żetonów"));
    down.wait_for_heading(&down.lang("You lose 10 tokens", "Tracisz 10 żetonów"));
    if ann.text("#fair-deals") == "1" {
        assert_eq!(
            [ann, ola].map(|player| player.cards("#result-yours")),
            cards
        );
    }
    ann.wait_for_text("#verdict", "verified");
    ola.wait_for_text("#verdict", "zweryfikowane");
    assert_eq!(
        ann.number("#balance-tokens") + ola.number("#balance-tokens"),
        2000
    );
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn the_clock_follows_the_table_after_a_pause() {
    let table = Table::open(&["--bots", "0", "--decide-seconds", "6"]);
    with_two(&table, |ann, ola| {
        ann.meet(ola, "single");
        let store = rusqlite::Connection::open(table.sandbox.path("table.db")).expect("the store");
        store.execute_batch("BEGIN IMMEDIATE").expect("a lock");
        // Ann's request can't be stored, so the table's time stands still, and Ola's page can't
        // know the time left.
        ann.click("#play");
        let seconds = "parseInt(document.querySelector('#time-left').innerText, 10)";
        ola.wait(&format!("Number.isNaN({seconds})"));
        store.execute_batch("COMMIT").expect("its end");
        ola.wait(&format!("{seconds} >= 4"));
        let bar = "document.querySelector('#fill').getBoundingClientRect().width > 0";
        ola.wait(bar);
        // Time goes on from where it stood still, for a reloaded page too.
        ola.reload();
        ola.wait_until_dealt();
        ola.wait(&format!("{seconds} >= 1"));
        ola.click("#fold");
        ann.wait_for_heading("You win 3 tokens");
        ola.wait_for_heading("Tracisz 3 żetony");
        for player in [ann, ola] {
            player.wait("document.querySelector('#verdict').dataset.is === 'good'");
        }
    });
}

/// Answers a `hello` as a server does if the player has too many connections, and records when the
/// page connects.
const CROWDED: &str = "
    window.crowded = true;
    window.opened = [];
    window.WebSocket = class extends WebSocket {
        constructor(address) {
            super(address);
            opened.push(Date.now());
        }
        send(text) {
            const { type, id } = JSON.parse(text);
            if (!crowded || type !== 'hello') return super.send(text);
            const refusal = {
                type: 'error', seq: 0, in_reply_to: id, code: 'too_many_connections', message: '',
            };
            const data = JSON.stringify(refusal);
            setTimeout(() => this.dispatchEvent(new MessageEvent('message', { data })));
        }
    };
";

#[test]
#[ignore = "needs chromium and chromedriver"]
fn a_player_with_too_many_connections_is_warned_and_waits() {
    let table = Table::open(&["--bots", "0"]);
    with_two(&table, |ann, ola| {
        let too_many = |player: &Player| {
            player.lang(
                "You have this table open in too many places. Close some of them.",
                "Ten stół jest u Ciebie otwarty w zbyt wielu miejscach. Zamknij niektóre z nich.",
            )
        };
        for player in [ann, ola] {
            player.prepare(CROWDED);
            player.reload();
            let told = too_many(player);
            let text = "document.querySelector('#link-text').innerText";
            player.wait(&format!("{text}.startsWith('{told}')"));
            player.wait(&format!(
                "document.querySelector('#told').innerText.startsWith('{told}')"
            ));
            player.wait("document.querySelector('#link').getAnimations().length === 0");
            player.check_layout(&player.lang("crowded-en", "crowded-pl"));
            player.wait("opened.length === 2");
            let pause = player.value("opened[1] - opened[0]").as_u64();
            assert!(pause >= Some(5_000), "{pause:?} ms");
            player.wait(&format!("{text}.startsWith('{told}')"));
            // The player is still the same once the table admits the connection again.
            player.run("crowded = false");
            player.click("#link-now");
            player.wait_for_heading(&player.lang("Choose a game", "Wybierz grę"));
            player.wait("document.querySelector('#link').hidden");
        }
        ann.wait_for_text("#greeting", "Welcome, Ann. You are player 1.");
        ola.wait_for_text("#greeting", "Witaj, Ola. Twój numer gracza to 2.");
    });
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn a_name_with_markup_is_shown_as_text() {
    const NAME: &str = "<img src=x onerror=name=1> & \"'";
    let table = Table::open(&["--bots", "0"]);
    let driver = Driver::start();
    let guest = &Player::open(&driver, &table.address, "en", NAME);
    let ola = &Player::open(&driver, &table.address, "pl", "Ola");
    guest.wait_for_text("#greeting", &format!("Welcome, {NAME}. You are player 1."));
    guest.meet(ola, "single");
    ola.wait_for_text("#opponent", &format!("Przeciwnik: {NAME}, gracz 1"));
    ola.check_layout("name-1-dealt-pl");
    ola.click("#play");
    guest.click("#fold");
    ola.wait_for_text(
        "#result-lead",
        &format!("Przeciwnik ({NAME}, gracz 1) spasował."),
    );
    ola.wait_for_text("#theirs-name", &format!("{NAME}, gracz 1"));
    ola.check_layout("name-2-result-pl");
    for player in [guest, ola] {
        assert_eq!(player.value("document.querySelectorAll('img').length"), 0);
        assert_eq!(player.value("window.name"), "");
    }
    let journal = table.get(&format!("/{}", ola.attribute("#journal", "href")));
    table.sandbox.write("game.json", journal);
    table.sandbox.war(&["replay", "game.json"]).exits_with(0);
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn a_table_without_its_store_greets_a_new_player() {
    let mut table = Table::open(&["--bots", "0"]);
    let driver = Driver::start();
    let ann = &Player::open(&driver, &table.address, "en", "Ann");
    let ola = &Player::open(&driver, &table.address, "pl", "Ola");
    ann.meet(ola, "single");
    ann.click("#fold");
    ola.click("#play");
    ann.wait("document.body.dataset.stage === 'result'");
    table.kill();
    for file in ["table.db", "table.db-wal", "table.db-shm"] {
        std::fs::remove_file(table.sandbox.path(file)).expect("a part of the store");
    }
    table.reopen();
    for player in [ann, ola] {
        player.wait_for_heading(&player.lang("Choose a game", "Wybierz grę"));
        assert_eq!(player.number("#balance-tokens"), 1000);
        let told = player.text("#error span");
        let new = player.lang("You are a new player now", "jesteś nowym graczem");
        assert!(told.contains(&new), "{told}");
        // The table's id has changed too, and the page reports the change. A log requested before
        // the change does not count as the former table's log.
        player.wait(
            "document.querySelector('#alarm').dataset.wrong.split(' ').includes('alarm-table')",
        );
        player.check_layout(&player.lang("forgotten-en", "forgotten-pl"));
        player.click("#alarm-seen");
        player.wait("document.querySelector('#alarm').hidden");
    }
    ann.meet(ola, "single");
    ola.wait("document.querySelector('#opponent').innerText.startsWith('Przeciwnik: Ann, gracz ')");
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn a_refused_name_can_be_changed() {
    let table = Table::open(&["--bots", "0"]);
    let driver = Driver::start();
    for (lang, told) in [
        (
            "en",
            "This name can't be used. It must have 1 to 32 visible characters, at least one of them a letter or digit, and can't look like “House 1”: that is the computer.",
        ),
        (
            "pl",
            "Tego imienia nie można użyć. Musi mieć od 1 do 32 widocznych znaków, w tym co najmniej jedną literę lub cyfrę, i nie może wyglądać jak „House 1”: tak nazywa się komputer.",
        ),
    ] {
        let player = Player::visit(&driver, &table.address, lang);
        // With a zero-width space, two names would look the same.
        for name in ["A\u{200b}nn", "House 1"] {
            player.fill_in(name);
            player.wait_for_text("#join-warning", told);
        }
        player.check_layout(&format!("refused-{lang}"));
        player.sit_down("Ann");
    }
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn a_name_may_be_as_long_as_the_server_allows() {
    let table = Table::open(&["--bots", "0"]);
    let driver = Driver::start();
    let guest = &Player::visit(&driver, &table.address, "en");
    guest.fill_in(&"🂡".repeat(Name::MAX_CHARS + 1));
    guest.wait_for_text(
        "#join-warning",
        "This name can't be used. It must have 1 to 32 visible characters, at least one of them a letter or digit, and can't look like “House 1”: that is the computer.",
    );
    let name = format!("{}A", "🂡".repeat(Name::MAX_CHARS - 1));
    guest.run("document.querySelector('#name').select()");
    guest.type_in(&name);
    guest.press([ENTER]);
    guest.wait_for_heading("Choose a game");
    guest.wait_for_text("#greeting", &format!("Welcome, {name}. You are player 1."));
    guest.check_layout("name-long-1-lobby-en");
    let ola = &Player::open(&driver, &table.address, "pl", "Ola");
    guest.meet(ola, "single");
    ola.wait_for_text("#opponent", &format!("Przeciwnik: {name}, gracz 1"));
    ola.check_layout("name-long-2-dealt-pl");
    guest.click("#fold");
    ola.click("#play");
    ola.wait_for_text("#theirs-name", &format!("{name}, gracz 1"));
    ola.check_layout("name-long-3-result-pl");
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn a_closing_table_finishes_its_games_and_the_page_waits_for_it() {
    let mut table = Table::open(&["--bots", "0"]);
    let driver = Driver::start();
    let ann = &Player::open(&driver, &table.address, "en", "Ann");
    let ola = &Player::open(&driver, &table.address, "pl", "Ola");
    let eve = &Player::open(&driver, &table.address, "en", "Eve");
    ann.meet(ola, "single");
    table.drain();
    eve.choose("single");
    let told = "Message from the table: the table is closing, and no new games start";
    eve.wait_for_text("#error span", told);
    eve.check_layout("closing-en");
    eve.click("#dismiss");
    eve.wait("document.querySelector('#error').hidden");
    ola.click("#play");
    ann.click("#fold");
    table.wait_until_closed();
    for (player, lost) in [(ann, "Connection lost."), (ola, "Połączenie przerwane.")] {
        player.wait(&format!(
            "document.querySelector('#link-text').innerText.startsWith('{lost}')"
        ));
    }
    table.reopen();
    ann.wait_for_heading("You lose 3 tokens");
    ola.wait_for_heading("Wygrywasz 3 żetony");
    for player in [ann, ola] {
        player.wait("document.querySelector('#link').hidden");
        player.click("#again");
    }
    ann.wait_until_dealt();
    ola.wait_until_dealt();
}
