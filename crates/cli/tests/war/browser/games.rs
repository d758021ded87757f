//! Games played to the end, with their announcements and checks.

use super::polish;
use super::table::{DECISION, Player, RESULT, Table, with_browser, with_two};
use serde_json::{Value, json};
use std::thread::sleep;
use std::time::Duration;

/// Script that plays until new cards are dealt after a tie: 3 of the 51 other cards tie with a
/// player's card. Records the tied hands.
const PLAY_UNTIL_A_TIE: &str = "
    window.games = 0;
    let last = '';
    new MutationObserver(() => {
        const shown = (id) => [...document.querySelectorAll(`#${id} svg`)].map((card) => card.ariaLabel);
        if (!document.getElementById('game-section').matches('.tie')) return;
        window.tie = [document.getElementById('game-title').innerText, document.getElementById('game-lead').innerText,
            shown('game-yours'), shown('game-theirs'), document.getElementById('play').ariaDisabled];
    }).observe(document.getElementById('game-section'), { subtree: true, childList: true, attributes: true });
    const held = () => [...document.querySelectorAll('#game-yours svg')].map((card) => card.ariaLabel);
    const press = (id) => document.getElementById(id).click();
    const play = setInterval(() => {
        const { stage } = document.body.dataset;
        if (document.getElementById('game-lead').innerText.includes('2:')
            && stage === 'deciding') {
            clearInterval(play);
            window.early = document.getElementById('play').ariaDisabled;
            press('play');
        }
        else if (stage === 'deciding') { window.held = held(); press('play'); }
        else if (stage === 'result') { window.games += Number(last !== stage); press('again'); }
        last = stage;
    }, 5);
";

#[test]
#[ignore = "needs chromium and chromedriver"]
fn both_games_are_played_to_the_end() {
    let table = Table::open(&["--bots", "0", "--decide-seconds", "90"]);
    with_two(&table, |ann, ola| {
        let mut balance = 1000;
        for (game, cards, stake) in [("single", 1, 10), ("double", 2, 20)] {
            ann.check_layout(&format!("{game}-1-lobby-en"));
            ola.check_layout(&format!("{game}-1-lobby-pl"));
            ann.choose(game);
            ann.wait_for_heading("Waiting for an opponent");
            ann.check_layout(&format!("{game}-2-waiting-en"));
            ola.choose(game);
            let one = cards == 1;
            ann.wait_for_heading(["Here are your cards", "Here is your card"][usize::from(one)]);
            ola.wait_for_heading(
                ["Twoje karty są na stole", "Twoja karta jest na stole"][usize::from(one)],
            );
            ann.wait_for_text("#opponent", "Against Ola (player 2)");
            ola.wait_for_text("#opponent", "Przeciwnik: Ann, gracz 1");
            ann.wait_for_text("#opponent-did", "No decision yet.");
            ola.wait_for_text("#opponent-did", "Nie ma jeszcze decyzji.");
            ann.wait("/^(\\d\\d?) seconds?$/.test(document.querySelector('#time-left').innerText)");
            ola.wait(
                "/^(\\d\\d?) sekund[ay]?$/.test(document.querySelector('#time-left').innerText)",
            );
            let [dealt, rozdane] = [ann, ola].map(|player| player.cards("#game-yours"));
            assert_eq!([dealt.len(), rozdane.len()], [cards, cards]);
            assert_eq!(ann.cards("#game-theirs"), vec!["a face-down card"; cards]);
            let told = ann.text("#told");
            assert!(told.ends_with(" seconds to play or fold."), "{told}");
            let told = ola.text("#told");
            assert!(told.contains(". Czas na decyzję: "), "{told}");
            ann.check_layout(&format!("{game}-3-dealt-en"));
            ola.check_layout(&format!("{game}-3-dealt-pl"));
            ann.check_visible(&format!("{game}-3-dealt-en"), DECISION);
            ola.check_visible(&format!("{game}-3-dealt-pl"), DECISION);

            let won = ann.play_out(ola);
            let (up, down) = if won { (ann, ola) } else { (ola, ann) };
            up.wait_for_heading(&up.lang(
                &format!("You win {stake} tokens"),
                &format!("Wygrywasz {stake} żetonów"),
            ));
            down.wait_for_heading(&down.lang(
                &format!("You lose {stake} tokens"),
                &format!("Tracisz {stake} żetonów"),
            ));
            balance += if won { stake } else { -stake };
            let other = 2000 - balance;
            let told = ann.text("#told");
            assert!(told.contains("Your balance: "), "{told}");
            // The opponent's cards are announced, and each result has its own colours.
            let theirs = ann.cards("#result-theirs").join(" and ");
            assert!(
                told.contains(&format!("Their cards: {theirs}.")),
                "{told}: {theirs}"
            );
            let colours = [up, down].map(|player| {
                player.value(
                    "['main', '#result-title'].map((part) => {
                        const { backgroundImage, color } = getComputedStyle(document.querySelector(part));
                        return backgroundImage + color;
                    })",
                )
            });
            assert_ne!(colours[0][0], colours[1][0]);
            assert_ne!(colours[0][1], colours[1][1]);
            assert_eq!(ann.number("#balance-tokens"), balance);
            assert_eq!(ola.number("#balance-tokens"), other);
            let english = ["#result-yours", "#result-theirs"].map(|hand| ann.cards(hand));
            let polskie = ["#result-theirs", "#result-yours"].map(|hand| ola.cards(hand));
            assert_eq!(
                english.map(|hand| hand.iter().map(|card| polish(card)).collect::<Vec<_>>()),
                polskie
            );
            ann.wait_for_text("#verdict", "verified");
            ola.wait_for_text("#verdict", "zweryfikowane");
            ann.check_visible(&format!("{game}-4-result-en"), RESULT);
            ola.check_visible(&format!("{game}-4-result-pl"), RESULT);
            assert_eq!(ann.value("document.querySelector('#fair').open"), false);
            ann.run("document.querySelector('#fair').open = true");
            ann.wait_for_text(
                "#checks li:nth-child(5)",
                "correct: The cards follow from these seeds. Evidence: your cards, kept in this browser.",
            );
            ann.check_layout(&format!("{game}-4-result-en"));
            ola.check_layout(&format!("{game}-4-result-pl"));

            let journal = table.get(&format!("/{}", ann.attribute("#journal", "href")));
            table.sandbox.write("journal.json", journal);
            let replayed = table.sandbox.war(&["replay", "journal.json"]).exits_with(0);
            replayed.reports("VERIFIED");
            for player in [ann, ola] {
                player.click("#another");
            }
            ann.wait_for_heading("Choose a game");
            ola.wait_for_heading("Wybierz grę");
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

/// Waits until Ann and Ola, with these balances, see each other's balance.
fn see_each_other([ann, ola]: [&Player; 2], place: &str, has: [i64; 2]) {
    for (player, theirs) in [(ann, has[1]), (ola, has[0])] {
        player.wait(&format!(
            "document.querySelector('{place}').innerText.replace(/\\D/g, '') === '{theirs}'"
        ));
    }
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn folding_costs_less_and_reveals_no_cards() {
    let table = Table::open(&["--bots", "0", "--decide-seconds", "90"]);
    with_two(&table, |ann, ola| {
        let mut has = [1000, 1000];
        for (game, win, both) in [("single", 3, 1), ("double", 5, 2)] {
            ann.meet(ola, game);
            see_each_other([ann, ola], "#opponent-tokens", has);
            ann.click("#play");
            ann.wait_for_heading("You play");
            ann.wait_for_text("#game-lead", "Waiting for Ola (player 2) to decide.");
            ola.wait_for_text("#opponent-did", "Przeciwnik już zdecydował.");
            ola.wait_for_text("#told", "Przeciwnik (Ann, gracz 1) już zdecydował.");
            ola.check_layout(&format!("fold-{game}-1-opponent-decided-pl"));
            ola.check_visible(&format!("fold-{game}-1-opponent-decided-pl"), DECISION);
            // The opponent's clock runs in place of Ann's.
            ann.wait_for_text("#clock-label", "Time left for your opponent");
            let seconds = "parseInt(document.querySelector('#time-left').innerText, 10)";
            let left = ann.value(seconds).as_u64();
            ann.wait(&format!("{seconds} < {}", left.expect("seconds")));
            ann.check_layout(&format!("fold-{game}-1-decided-en"));
            ann.check_visible(&format!("fold-{game}-1-decided-en"), DECISION);
            ola.click("#fold");
            ann.wait_for_heading(&format!("You win {win} tokens"));
            ann.wait_for_text("#result-lead", "Ola (player 2) folded.");
            let tokens = if win == 3 { "3 żetony" } else { "5 żetonów" };
            ola.wait_for_heading(&format!("Tracisz {tokens}"));
            has = [has[0] + win, has[1] - win];
            see_each_other([ann, ola], "#theirs-tokens", has);
            let lead = "Pasujesz, a przeciwnik (Ann, gracz 1) gra.";
            ola.wait_for_text("#result-lead", lead);
            for (player, card) in [(ann, "a face-down card"), (ola, "zakryta karta")] {
                let hidden = player.cards("#result-theirs");
                assert!(hidden.iter().all(|theirs| theirs == card), "{hidden:?}");
            }
            ann.wait_for_text("#verdict", "verified");
            // The opponent's hidden cards, which follow from the seeds, are shown on request.
            let held = [ann, ola].map(|player| player.cards("#result-yours"));
            for player in [ann, ola] {
                player.wait("!document.querySelector('#peek').hidden");
                player.click("#peek");
                player.check_visible(&player.lang("fold-peek-en", "fold-peek-pl"), RESULT);
            }
            let seen = [ola, ann].map(|player| player.cards("#result-theirs"));
            let translated =
                |cards: &[String]| -> Vec<_> { cards.iter().map(|card| polish(card)).collect() };
            assert_eq!(translated(&held[0]), seen[0]);
            assert_eq!(translated(&seen[1]), held[1]);
            ann.check_layout(&format!("fold-{game}-2-result-en"));
            ola.check_layout(&format!("fold-{game}-2-result-pl"));

            for player in [ann, ola] {
                player.click("#again");
            }
            ann.wait_until_dealt();
            ola.wait_until_dealt();
            ola.click("#fold");
            ola.wait_for_heading("Pasujesz");
            ola.check_layout(&format!("fold-{game}-3-decided-pl"));
            ann.click("#fold");
            ann.wait_for_heading(&format!(
                "You lose {both} token{}",
                if both == 1 { "" } else { "s" }
            ));
            ann.wait_for_text(
                "#result-lead",
                "You both folded, so you both lose the same amount.",
            );
            ola.wait_for_heading(["Tracisz 2 żetony", "Tracisz 1 żeton"][usize::from(both == 1)]);
            has = has.map(|tokens| tokens - both);
            see_each_other([ann, ola], "#theirs-tokens", has);
            ola.wait_for_text("#verdict", "zweryfikowane");
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
fn undecided_players_fold() {
    let table = Table::open(&["--bots", "0", "--decide-seconds", "2"]);
    with_two(&table, |ann, ola| {
        ann.meet(ola, "single");
        ann.click("#play");
        ola.wait_for_heading("Tracisz 3 żetony");
        let late = "Skończył się czas na Twoją decyzję, a przeciwnik (Ann, gracz 1) zagrał.";
        ola.wait_for_text("#result-lead", late);
        ann.wait_for_heading("You win 3 tokens");
        for player in [ann, ola] {
            player.click("#again");
        }
        ann.wait_until_dealt();
        ola.click("#play");
        ann.wait_for_heading("You lose 3 tokens");
        ann.wait_for_text(
            "#result-lead",
            "You ran out of time, and Ola (player 2) played.",
        );
        ola.wait_for_heading("Wygrywasz 3 żetony");
        let late = "Przeciwnik (Ann, gracz 1) nie zdecydował na czas.";
        ola.wait_for_text("#result-lead", late);
        ola.wait_for_text("#did-theirs", "brak decyzji na czas");
        ann.wait_for_text("#did-yours", "You ran out of time");
        ann.check_layout("time-result-en");
        ola.check_layout("time-result-pl");
        for player in [ann, ola] {
            player.click("#again");
        }
        ann.wait_until_dealt();
        ola.wait_until_dealt();
        ann.click("#fold");
        ola.wait_for_heading("Tracisz 1 żeton");
        ola.wait_for_text(
            "#result-lead",
            "Skończył się czas na Twoją decyzję, a przeciwnik (Ann, gracz 1) spasował, więc obie strony tracą tyle samo.",
        );
        ann.wait_for_heading("You lose 1 token");
        let both =
            "You folded, and Ola (player 2) ran out of time, so you both lose the same amount.";
        ann.wait_for_text("#result-lead", both);
        for player in [ann, ola] {
            player.click("#again");
        }
        ann.wait_for_heading("You lose 1 token");
        let late = "You both ran out of time, so you both lose the same amount.";
        ann.wait_for_text("#result-lead", late);
        ola.wait_for_heading("Tracisz 1 żeton");
        ann.check_layout("time-both-result-en");
        ola.check_layout("time-both-result-pl");
    });
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn a_tie_is_announced_and_new_cards_are_dealt() {
    let table = Table::open(&["--bots", "0", "--rate", "1000", "--decide-seconds", "90"]);
    with_two(&table, |ann, ola| {
        ann.meet(ola, "single");
        for player in [ann, ola] {
            player.run(PLAY_UNTIL_A_TIE);
        }
        // A run of 300 games without a tie has a probability of one in ten million.
        let tied = "document.body.dataset.stage === 'deciding'
            && document.querySelector('#game-lead').innerText.includes('2:')";
        while ann.value(tied) != Value::Bool(true) {
            let games = ann.value("window.games").as_u64();
            assert!(games < Some(300), "{games:?} games without a tie");
            sleep(Duration::from_millis(50));
        }
        ola.wait(tied);
        ann.wait_for_heading("It's a tie! New cards");
        ola.wait_for_heading("Remis! Nowe karty na stole");
        // For a moment the cards of the tie are shown, and then they are named. They are announced
        // at once.
        let [tie, remis] = [ann, ola].map(|player| player.value("tie"));
        assert_eq!(
            [&tie[2], &remis[2]],
            [&ann.value("held"), &ola.value("held")]
        );
        let mine = tie[2][0].as_str().expect("a card");
        let (rank, _) = mine.split_once(" of ").expect("a card");
        let figura = remis[3][0].as_str().expect("a rank");
        assert!(remis[2][0].as_str().expect("a card").starts_with(figura));
        assert_eq!(
            tie,
            json!([
                "It's a tie!",
                format!("On both sides: {rank}."),
                [mine],
                [rank],
                "true"
            ])
        );
        assert_eq!(remis[0], "Remis!");
        assert_eq!(remis[1], format!("Po obu stronach: {figura}."));
        ann.wait_for_text(
            "#game-lead",
            &format!("Your cards were equal ({rank}). Deal 2: decide again."),
        );
        ola.wait_for_text(
            "#game-lead",
            &format!("Karty były równe ({figura}). Rozdanie nr 2: zdecyduj jeszcze raz."),
        );
        let told = ann.text("#told");
        let tie = format!("It's a tie: {rank} on both sides. New cards: ");
        assert!(told.starts_with(&tie), "{told}");
        let told = ola.text("#told");
        let tie = format!("Remis: {figura} po obu stronach. Nowe karty: ");
        assert!(told.starts_with(&tie), "{told}");
        // A button pressed just as the new cards came did not count for them.
        for player in [ann, ola] {
            assert_eq!(player.value("window.early"), "true");
            player.wait_until_ready();
        }
        ann.check_layout("tie-en");
        ola.check_layout("tie-pl");
        ann.check_visible("tie-en", DECISION);
        ola.check_visible("tie-pl", DECISION);
        let before = ann.cards("#game-yours");
        ann.reload();
        ann.wait_for_heading("It's a tie! New cards");
        assert_eq!(ann.cards("#game-yours"), before);
        ann.wait_for_text(
            "#game-lead",
            &format!("Your cards were equal ({rank}). Deal 2: decide again."),
        );
        ann.click("#fold");
        ola.click("#fold");
        for player in [ann, ola] {
            player.wait("document.body.dataset.stage === 'result'");
            player.click("#fair summary");
            player.wait_for_text("#fair-deals", "2");
        }
        ann.wait_for_text("#verdict", "verified");
        ola.wait_for_text("#verdict", "zweryfikowane");
    });
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn a_lone_visitor_plays_against_the_house() {
    let table = Table::open(&["--bots", "2", "--decide-seconds", "300"]);
    for (lang, key, title, verdict) in [
        ("en", 'p', "You play", "verified"),
        ("pl", 'g', "Grasz", "zweryfikowane"),
    ] {
        with_browser(&table, lang, "Zoë", |zoe| {
            zoe.choose("double");
            zoe.wait_until_dealt();
            let house = zoe.lang("Against the computer: House", "Komputer: House");
            let opponent = zoe.text("#opponent");
            assert!(opponent.starts_with(&house), "{opponent}");
            // The additional text about the house leaves the decision in sight.
            let decided = zoe.lang("Your opponent has decided.", "Przeciwnik już zdecydował.");
            zoe.wait_for_text("#opponent-did", &decided);
            zoe.check_layout(&zoe.lang("house-en", "house-pl"));
            zoe.check_visible(&zoe.lang("house-en", "house-pl"), DECISION);
            zoe.press([key]);
            // The house has already decided: the player's decision ends the game or leads to a
            // second deal, perhaps before its heading is seen.
            zoe.wait(&format!(
                "document.body.dataset.stage !== 'deciding'
                    || document.querySelector('#game-lead').innerText.includes('2:')
                    || document.querySelector('section:not([hidden]) h1').innerText === '{title}'"
            ));
            zoe.play_alone();
            zoe.wait_for_text("#verdict", verdict);
            let balance = zoe.number("#balance-tokens");
            assert!([980, 1005, 1020].contains(&balance), "{balance}");
        });
    }
}
