//! The page of the card table in a real browser, an English and a Polish one, against a
//! real server.

mod driver;
mod table;

use driver::{ENTER, ESCAPE, TAB};
use serde_json::Value;
use std::fs;
use std::thread::sleep;
use std::time::Duration;
use table::{Table, with_browser, with_two};

/// Pages play by themselves until a tie is dealt again: of 52 cards, 3 of 51 tie with one.
const PLAY_UNTIL_A_TIE: &str = "
    window.games = 0;
    const press = (id) => document.getElementById(id).click();
    const play = setInterval(() => {
        const { stage } = document.body.dataset;
        if (document.getElementById('game-lead').innerText.includes('2:')
            && stage === 'deciding') clearInterval(play);
        else if (stage === 'deciding') press('play');
        else if (stage === 'result') { window.games += 1; press('again'); }
    }, 5);
";

const RANKS: [(&str, &str); 13] = [
    ("two", "dwójka"),
    ("three", "trójka"),
    ("four", "czwórka"),
    ("five", "piątka"),
    ("six", "szóstka"),
    ("seven", "siódemka"),
    ("eight", "ósemka"),
    ("nine", "dziewiątka"),
    ("ten", "dziesiątka"),
    ("jack", "walet"),
    ("queen", "dama"),
    ("king", "król"),
    ("ace", "as"),
];

const SUITS: [(&str, &str); 4] = [
    ("clubs", "trefl"),
    ("diamonds", "karo"),
    ("hearts", "kier"),
    ("spades", "pik"),
];

/// The Polish name of a card by the English one.
fn polish(english: &str) -> String {
    let (rank, suit) = english.split_once(" of ").expect("a card");
    let of = |words: &[(&str, &'static str)], word| {
        let found = words.iter().find(|(english, _)| *english == word);
        found.unwrap_or_else(|| panic!("{english} is no card")).1
    };
    format!("{} {}", of(&RANKS, rank), of(&SUITS, suit))
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn both_games_are_played_to_the_end() {
    let table = Table::open(&["--bots", "0"]);
    with_two(&table, |ann, ola| {
        let mut balance = 1000;
        for (game, number, cards, stake) in [("single", 1, 1, 10), ("double", 2, 2, 20)] {
            ann.fits(&format!("{game}-1-lobby-en"));
            ola.fits(&format!("{game}-1-lobby-pl"));
            ann.choose(game);
            ann.heading("Waiting for an opponent");
            ann.fits(&format!("{game}-2-waiting-en"));
            ola.choose(game);
            let one = cards == 1;
            ann.heading(["Your cards are dealt", "Your card is dealt"][usize::from(one)]);
            ola.heading(["Twoje karty są na stole", "Twoja karta jest na stole"][usize::from(one)]);
            ann.shows("#opponent", "Against Ola");
            ola.shows("#opponent", "Przeciwnik: Ann");
            ann.wait("/^(\\d\\d?) seconds?$/.test(document.querySelector('#time-left').innerText)");
            ola.wait(
                "/^(\\d\\d?) sekund[ay]?$/.test(document.querySelector('#time-left').innerText)",
            );
            let [dealt, rozdane] = [ann, ola].map(|player| player.cards("#game-yours"));
            assert_eq!([dealt.len(), rozdane.len()], [cards, cards]);
            assert_eq!(ann.cards("#game-theirs"), vec!["a face-down card"; cards]);
            ann.fits(&format!("{game}-3-dealt-en"));
            ola.fits(&format!("{game}-3-dealt-pl"));

            let won = ann.play_out(ola);
            let (up, down) = if won { (ann, ola) } else { (ola, ann) };
            up.heading(&up.lang(
                &format!("You win {stake} tokens"),
                &format!("Wygrywasz {stake} żetonów"),
            ));
            down.heading(&down.lang(
                &format!("You lose {stake} tokens"),
                &format!("Tracisz {stake} żetonów"),
            ));
            balance += if won { stake } else { -stake };
            let other = 2000 - balance;
            assert!(ann.text("#result-balance").starts_with("Your balance: "));
            assert_eq!(ann.number("#balance-tokens"), balance);
            assert_eq!(ola.number("#balance-tokens"), other);
            let english = ["#result-yours", "#result-theirs"].map(|hand| ann.cards(hand));
            let polskie = ["#result-theirs", "#result-yours"].map(|hand| ola.cards(hand));
            assert_eq!(
                english.map(|hand| hand.iter().map(|card| polish(card)).collect::<Vec<_>>()),
                polskie
            );
            ann.shows("#verdict", "verified");
            ola.shows("#verdict", "zweryfikowane");
            ann.run("document.querySelector('#fair').open = true");
            ann.shows(
                "#checks li:last-child",
                "right: The cards follow from these seeds.",
            );
            ann.fits(&format!("{game}-4-result-en"));
            ola.fits(&format!("{game}-4-result-pl"));

            let journal = table.get(&format!("/games/{number}/journal.json?lang=pl"));
            table.place.write("journal.json", journal);
            let replayed = table.place.war(&["replay", "journal.json"]).ends_with(0);
            replayed.tells("VERIFIED");
            for player in [ann, ola] {
                player.click("#another");
            }
            ann.heading("Choose a game");
            ola.heading("Wybierz grę");
        }
        for player in [ann, ola] {
            assert_eq!(
                player.log(),
                Value::Array(Vec::new()),
                "the browser complains"
            );
        }
    });
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn folding_costs_less_and_shows_nothing() {
    let table = Table::open(&["--bots", "0"]);
    with_two(&table, |ann, ola| {
        for (game, win, both) in [("single", 3, 1), ("double", 5, 2)] {
            ann.meet(ola, game);
            ann.click("#play");
            ann.heading("You play");
            ann.shows("#game-lead", "Waiting for Ola to decide.");
            ann.fits(&format!("fold-{game}-1-decided-en"));
            ola.click("#fold");
            ann.heading(&format!("You win {win} tokens"));
            ann.shows("#result-lead", "Ola folded.");
            let tokens = if win == 3 { "3 żetony" } else { "5 żetonów" };
            ola.heading(&format!("Tracisz {tokens}"));
            let lead = "Twoje karty zostały złożone, a przeciwnik (Ann) zagrał.";
            ola.shows("#result-lead", lead);
            for (player, card) in [(ann, "a face-down card"), (ola, "zakryta karta")] {
                let hidden = player.cards("#result-theirs");
                assert!(hidden.iter().all(|theirs| theirs == card), "{hidden:?}");
            }
            ann.shows("#verdict", "verified");
            ann.fits(&format!("fold-{game}-2-result-en"));
            ola.fits(&format!("fold-{game}-2-result-pl"));

            for player in [ann, ola] {
                player.click("#again");
            }
            ann.dealt();
            ola.dealt();
            ola.click("#fold");
            ola.heading("Składasz karty");
            ola.fits(&format!("fold-{game}-3-decided-pl"));
            ann.click("#fold");
            ann.heading(&format!(
                "You lose {both} token{}",
                if both == 1 { "" } else { "s" }
            ));
            ann.shows(
                "#result-lead",
                "You both folded, so both of you lose the same.",
            );
            ola.heading(["Tracisz 2 żetony", "Tracisz 1 żeton"][usize::from(both == 1)]);
            ola.shows("#verdict", "zweryfikowane");
            for player in [ann, ola] {
                player.click("#another");
            }
        }
        assert_eq!(ann.number("#balance-tokens"), 1000 + 3 - 1 + 5 - 2);
        assert_eq!(ola.number("#balance-tokens"), 1000 - 3 - 1 - 5 - 2);
    });
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn time_folds_for_who_does_not_decide() {
    let table = Table::open(&["--bots", "0", "--decide-seconds", "2"]);
    with_two(&table, |ann, ola| {
        ann.meet(ola, "single");
        ann.click("#play");
        ola.heading("Tracisz 3 żetony");
        let late = "Skończył się czas na Twoją decyzję, a przeciwnik (Ann) zagrał.";
        ola.shows("#result-lead", late);
        ann.heading("You win 3 tokens");
        for player in [ann, ola] {
            player.click("#again");
        }
        ann.dealt();
        ola.click("#play");
        ann.heading("You lose 3 tokens");
        ann.shows("#result-lead", "Your time was up, and Ola played.");
        ola.heading("Wygrywasz 3 żetony");
        ola.shows("#result-lead", "Przeciwnik (Ann) złożył karty.");
        ann.fits("time-result-en");
        ola.fits("time-result-pl");
    });
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn a_tie_is_told_and_new_cards_are_dealt() {
    let table = Table::open(&["--bots", "0", "--rate", "1000"]);
    with_two(&table, |ann, ola| {
        ann.meet(ola, "single");
        for player in [ann, ola] {
            player.run(PLAY_UNTIL_A_TIE);
        }
        // 300 games without a tie come once in ten million times.
        let tied = "document.body.dataset.stage === 'deciding'
            && document.querySelector('#game-lead').innerText.includes('2:')";
        while ann.value(tied) != Value::Bool(true) {
            let games = ann.value("window.games").as_u64();
            assert!(games < Some(300), "{games:?} games without a tie");
            sleep(Duration::from_millis(50));
        }
        ola.wait(tied);
        ann.heading("A tie! New cards are dealt");
        ann.shows(
            "#game-lead",
            "You both played, and your cards were equal. Deal number 2: decide again.",
        );
        ola.heading("Remis! Nowe karty na stole");
        ola.shows(
            "#game-lead",
            "Obie strony zagrały, a karty były równe. Rozdanie nr 2: zdecyduj jeszcze raz.",
        );
        ann.fits("tie-en");
        ola.fits("tie-pl");
        let before = ann.cards("#game-yours");
        ann.reload();
        ann.heading("A tie! New cards are dealt");
        assert_eq!(ann.cards("#game-yours"), before);
        ann.click("#fold");
        ola.click("#fold");
        for player in [ann, ola] {
            player.wait("document.body.dataset.stage === 'result'");
            player.click("summary");
            player.shows("#fair-deals", "2");
        }
        ann.shows("#verdict", "verified");
        ola.shows("#verdict", "zweryfikowane");
    });
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn a_reload_in_the_middle_of_a_game_shows_it_again() {
    let table = Table::open(&["--bots", "0"]);
    with_two(&table, |ann, ola| {
        ann.choose("double");
        ann.heading("Waiting for an opponent");
        ann.reload();
        ann.heading("Waiting for an opponent");
        ola.choose("double");
        for player in [ann, ola] {
            player.dealt();
            let cards = player.cards("#game-yours");
            let left = player.number("#time-left");
            player.reload();
            player.dealt();
            assert_eq!(player.cards("#game-yours"), cards);
            player.wait("document.querySelector('#time-left').innerText !== ''");
            assert!(player.number("#time-left") <= left);
        }
        ola.click("#play");
        ola.heading("Grasz");
        ola.reload();
        ola.heading("Grasz");
        ola.shows("#game-lead", "Czekamy na decyzję przeciwnika (Ann).");
        ann.click("#fold");
        ann.heading("You lose 5 tokens");
        ola.heading("Wygrywasz 5 żetonów");
        for player in [ann, ola] {
            player.reload();
        }
        ann.heading("You lose 5 tokens");
        ann.shows("#verdict", "verified");
        ola.heading("Wygrywasz 5 żetonów");
        ola.click("#another");
        ola.heading("Wybierz grę");
        ola.reload();
        ola.heading("Wybierz grę");
        assert_eq!(ola.number("#balance-tokens"), 1005);
    });
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn a_server_that_was_killed_goes_on_where_it_was() {
    let mut table = Table::open(&["--bots", "0"]);
    let (driver, address) = (driver::Driver::start(), table.address.clone());
    let ann = &table::Player::open(&driver, &address, "en", "Ann");
    let ola = &table::Player::open(&driver, &address, "pl", "Ola");
    ann.meet(ola, "single");
    let cards = [ann, ola].map(|player| player.cards("#game-yours"));
    ann.click("#play");
    ann.heading("You play");
    table.kill();
    ann.wait(
        "document.querySelector('#link-text').innerText.startsWith('The connection is lost.')",
    );
    ola.wait("document.querySelector('#link-text').innerText.startsWith('Połączenie przerwane.')");
    ann.fits("lost-en");
    ola.fits("lost-pl");
    // What is decided while nobody hears it is told when the server is back.
    ola.press(['p']);
    ola.shows("#game-lead", "Wysyłanie decyzji…");
    table.reopen();
    for player in [ann, ola] {
        player.wait("document.querySelector('#link').hidden");
    }
    let won = ann.play_out(ola);
    let (up, down) = if won { (ann, ola) } else { (ola, ann) };
    up.heading(&up.lang("You win 10 tokens", "Wygrywasz 10 żetonów"));
    down.heading(&down.lang("You lose 10 tokens", "Tracisz 10 żetonów"));
    if ann.text("#fair-deals") == "1" {
        assert_eq!(
            [ann, ola].map(|player| player.cards("#result-yours")),
            cards
        );
    }
    ann.shows("#verdict", "verified");
    ola.shows("#verdict", "zweryfikowane");
    assert_eq!(
        ann.number("#balance-tokens") + ola.number("#balance-tokens"),
        2000
    );
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn a_lone_visitor_plays_with_the_house() {
    let table = Table::open(&["--bots", "2"]);
    for (lang, title, verdict) in [
        ("en", "You play", "verified"),
        ("pl", "Grasz", "zweryfikowane"),
    ] {
        with_browser(&table, lang, "Zoë", |zoe| {
            zoe.choose("double");
            zoe.dealt();
            assert!(zoe.text("#opponent").len() > "Przeciwnik: ".len());
            zoe.press(['P']);
            // The house may have decided before, and its decision ends the game.
            zoe.wait(&format!(
                "document.body.dataset.stage !== 'deciding'
                    || document.querySelector('#game-lead').innerText.includes('2:')
                    || document.querySelector('section:not([hidden]) h1').innerText === '{title}'"
            ));
            zoe.play_alone();
            zoe.shows("#verdict", verdict);
            let balance = zoe.number("#balance-tokens");
            assert!([980, 1005, 1020].contains(&balance), "{balance}");
        });
    }
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn a_name_with_markup_is_shown_as_text() {
    const NAME: &str = "<img src=x onerror=name=1> & \"'";
    let table = Table::open(&["--bots", "0"]);
    let driver = driver::Driver::start();
    let guest = &table::Player::open(&driver, &table.address, "en", NAME);
    let ola = &table::Player::open(&driver, &table.address, "pl", "Ola");
    guest.shows("#greeting", &format!("Welcome, {NAME}."));
    guest.meet(ola, "single");
    ola.shows("#opponent", &format!("Przeciwnik: {NAME}"));
    ola.fits("name-1-dealt-pl");
    ola.click("#play");
    guest.click("#fold");
    ola.shows(
        "#result-lead",
        &format!("Przeciwnik ({NAME}) złożył karty."),
    );
    ola.shows("#theirs-name", NAME);
    ola.fits("name-2-result-pl");
    for player in [guest, ola] {
        assert_eq!(player.value("document.querySelectorAll('img').length"), 0);
        assert_eq!(player.value("window.name"), "");
    }
    let journal = table.get("/games/1/journal.json?lang=en");
    assert!(fs::write(table.place.path("game.json"), journal).is_ok());
    table.place.war(&["replay", "game.json"]).ends_with(0);
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn the_keyboard_alone_is_enough() {
    let table = Table::open(&["--bots", "0"]);
    let driver = driver::Driver::start();
    let ann = &table::Player::visit(&driver, &table.address, "en");
    let ola = &table::Player::visit(&driver, &table.address, "pl");
    for (player, name) in [(ann, "Ann"), (ola, "Ola")] {
        player.tab_to("name");
        player.press(name.chars().chain([ENTER]));
        player.wait("document.body.dataset.stage === 'lobby'");
        player.wait("document.activeElement.localName === 'h1'");
        // The keys for a decision do nothing where there is nothing to decide.
        player.press(['p', 'f', TAB, ENTER]);
    }
    ann.heading("Your card is dealt");
    ola.heading("Twoja karta jest na stole");
    ann.press(['p']);
    ann.heading("You play");
    ola.press(['F']);
    ola.heading("Tracisz 3 żetony");
    ann.heading("You win 3 tokens");
    for player in [ann, ola] {
        player.press([TAB, ENTER]);
    }
    ann.dealt();
    ola.dealt();
    ann.tab_to("fold");
    ann.press([ENTER]);
    ann.heading("You fold");
    ola.tab_to("play");
    ola.press([' ']);
    ola.heading("Wygrywasz 3 żetony");
    ann.heading("You lose 3 tokens");
    ann.tab_to("another");
    ann.press([ENTER]);
    ann.heading("Choose a game");
    ann.press([TAB, TAB, ENTER]);
    ann.heading("Waiting for an opponent");
    ann.press([ESCAPE]);
    ann.heading("Choose a game");
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn the_language_can_be_changed_in_the_middle_of_a_game() {
    let table = Table::open(&["--bots", "0"]);
    with_two(&table, |ann, ola| {
        assert_eq!(ola.value("document.documentElement.lang"), "pl");
        ann.meet(ola, "single");
        let english = ann.cards("#game-yours");
        ann.click("[data-lang=pl]");
        ann.heading("Twoja karta jest na stole");
        assert_eq!(ann.cards("#game-yours"), [polish(&english[0])]);
        assert_eq!(ann.value("document.documentElement.lang"), "pl");
        assert_eq!(ann.value("document.title"), "Wojna: stół karciany");
        ann.wait("document.querySelector('#link').hidden");
        ann.reload();
        ann.heading("Twoja karta jest na stole");
        ann.click("#fold");
        ola.click("#play");
        ann.heading("Tracisz 3 żetony");
    });
}
