//! The coach: values of both choices after a game, tokens given away, and fold rates.

use super::RANKS;
use super::table::{Player, Table, with_browser, with_two};

/// Values in hundredths of a token of playing each rank of the single-card game against the house,
/// and of folding it, from a list of all pairs of cards.
const VALUES: [(i32, i32); 13] = [
    (-210, -178),
    (-210, -178),
    (-210, -178),
    (-210, -178),
    (-210, -178),
    (-210, -178),
    (-210, -178),
    (-210, -178),
    (-128, -175),
    (29, -175),
    (186, -175),
    (343, -175),
    (500, -175),
];

/// Values of the player's only card.
fn values(player: &Player) -> (i32, i32) {
    let cards = player.cards("#game-yours");
    let (rank, _) = cards[0].split_once(" of ").expect("a card");
    let place = RANKS.iter().position(|known| known.0 == rank);
    VALUES[place.expect("a rank")]
}

/// Tokens as the page writes them in English.
fn tokens(hundredths: i32) -> String {
    let text = format!("{:.2}", f64::from(hundredths) / 100.0);
    let text = text.trim_end_matches('0').trim_end_matches('.');
    text.replace('-', "−")
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn the_coach_speaks_after_each_game_and_never_during_it() {
    let table = Table::open(&["--bots", "2", "--decide-seconds", "90"]);
    with_browser(&table, "en", "Ann", |ann| {
        let loaded = "performance.getEntriesByType('resource')
            .some(({ name }) => name.endsWith('/hand-values.json'))";
        for round in 0..3 {
            if round == 0 {
                ann.choose("single");
            } else {
                ann.click("#again");
            }
            ann.wait_until_dealt();
            assert_eq!(ann.value(loaded), round > 0, "{round}");
            assert!(!ann.text("body").contains("averages"));
            let mut deals = Vec::new();
            while ann.value("document.body.dataset.stage") != "result" {
                let deal = ann.value("document.querySelector('#pot').textContent");
                if ann.value("document.body.dataset.stage") == "deciding"
                    && deals.last().is_none_or(|(known, _)| *known != deal)
                {
                    deals.push((deal, values(ann)));
                }
                ann.run("document.querySelector('#play').click()");
            }
            for (at, (_, (play, fold))) in deals.iter().enumerate() {
                let deal = if deals.len() > 1 {
                    format!("Deal {}: ", at + 1)
                } else {
                    String::new()
                };
                let verdict = if play > fold { "Right" } else { "Mistake" };
                let line = format!(
                    "{deal}{verdict}: playing averages {}, folding {}. (against the computer's strategy)",
                    tokens(*play),
                    tokens(*fold),
                );
                ann.wait_for_text(&format!("#coach li:nth-child({})", at + 1), &line);
            }
            ann.wait(&format!(
                "document.querySelectorAll('#coach li').length === {}",
                deals.len()
            ));
        }
        ann.check_layout("coach-en");
    });
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn people_see_how_often_the_other_folds_and_what_they_gave_away() {
    let table = Table::open(&["--bots", "0", "--decide-seconds", "90"]);
    with_two(&table, |ann, ola| {
        let mut given = 0;
        for decision in ["#play", "#fold"] {
            ann.meet(ola, "single");
            let (play, fold) = values(ann);
            given += play.max(fold) - if decision == "#play" { play } else { fold };
            ann.click(decision);
            ola.click("#fold");
            let form = "/^(Dobrze|Błąd): gra daje średnio −?\\d(,\\d+)?, a pas −1,7[58]\\. \\(przeciw strategii komputera\\)$/";
            ola.wait(&format!(
                "{form}.test(document.querySelector('#coach li')?.textContent)"
            ));
            for player in [ann, ola] {
                player.click("#another");
                player.wait("!document.querySelector('[data-stage=lobby]').hidden");
            }
        }
        ann.click("[data-stage=lobby] [data-go=games]");
        // The average has half of the hundredths: two games were played.
        let average = f64::from(given) / 200.0;
        ann.wait(&format!(
            "(() => {{
                const text = document.querySelector('#past-given').textContent;
                const [, tokens] = /^Given away in the last 2 games: ([\\d.]+) tokens? a game$/.exec(text) ?? [];
                return Math.abs(Number(tokens) - {average}) < 0.0051;
            }})()"
        ));
        ann.wait("!document.querySelector('#past-people').hidden");
        ann.click("#past-people summary");
        ann.wait_for_text("#past-rates tr:nth-child(2)", "Ola (player 2) 2 100%");
        ann.click("#past-coach summary");
        ann.check_layout("past-coach-en");
    });
}
