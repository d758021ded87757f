//! `war stats`: its figures, its chart in the terminal, and its drawing.

use super::support::{Run, Sandbox, files, project, reviewed};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use war::journal::Verdict;
use war::projections::statistics::{CardCountHistory, Statistics, WarPlayerStatistics};
use war::replay::Replay;

/// Figures of a game, computed from the rows of `war journal export`.
#[derive(Debug, Default, PartialEq)]
struct ExpectedFigures {
    turns: u64,
    wars: u64,
    longest_war: u64,
    largest_pile: usize,
    lead_changes: u32,
    /// Sole leader after each event that leaves no cards on the table. Events after which the lead
    /// is shared are left out.
    leaders: Vec<usize>,
    /// Cards held by each player after each completed turn.
    held: BTreeMap<u64, Vec<usize>>,
    won: Vec<u32>,
    out_in: Vec<Option<u64>>,
}

impl ExpectedFigures {
    fn of(sandbox: &Sandbox, journal: &Path) -> Self {
        let journal = journal.to_str().expect("a name");
        let rows = sandbox.war(&["journal", "export", journal]).stdout;
        let mut counted = Self::default();
        for row in rows.lines() {
            counted.add(&serde_json::from_str(row).expect("a row"));
        }
        counted.leaders.dedup();
        counted.lead_changes = u32::try_from(counted.leaders.len().saturating_sub(1)).expect("few");
        counted.leaders.clear();
        counted
    }

    fn add(&mut self, row: &Value) {
        let sizes = row["hand_sizes"].as_array().map_or(&[][..], |all| all);
        let whole = |value: &Value| usize::try_from(value.as_u64()?).ok();
        let sizes: Vec<_> = sizes.iter().filter_map(whole).collect();
        let player = || whole(&row["player"]).expect("a player") - 1;
        self.turns = row["turn"].as_u64().expect("a turn");
        self.won.resize(sizes.len(), 0);
        self.out_in.resize(sizes.len(), None);
        match row["event"].as_str().expect("an event") {
            "clash" if row["war"] == true => {
                self.wars += 1;
                self.longest_war = self.longest_war.max(1);
            }
            "war_round" => {
                let round = row["round"].as_u64().expect("a round");
                self.longest_war = self.longest_war.max(round);
            }
            "collected" => {
                self.won[player()] += 1;
                let cards = row["cards"].as_array().expect("cards").len();
                self.largest_pile = self.largest_pile.max(cards);
            }
            "end_of_cards" => self.out_in[player()] = Some(self.turns),
            _ => {}
        }
        // Some games end with cards on the table.
        let ends = ["won", "drawn_game", "stopped", "endless"];
        if row["on_table"] == 0 || ends.iter().any(|end| row["event"] == *end) {
            self.held.insert(self.turns, sizes.clone());
        }
        if row["on_table"] == 0 {
            self.leaders.extend(leader(&sizes));
        }
    }
}

/// Player who holds more cards than every other.
fn leader(held: &[usize]) -> Option<usize> {
    let most = *held.iter().max()?;
    let at = held.iter().position(|cards| *cards == most)?;
    (held.iter().filter(|cards| **cards == most).count() == 1).then_some(at)
}

/// Golden journals of games of War.
fn journals() -> Vec<PathBuf> {
    let names = files("journals", ".json").into_iter();
    let names = names.chain(files("journals", ".jsonl"));
    let is_war = |path: &PathBuf| {
        let name = path.to_string_lossy();
        !name.contains("_card_") && !name.contains("/daily_")
    };
    names.filter(is_war).collect()
}

fn statistics(journal: &Path) -> (Statistics, Verdict) {
    let journal = std::fs::read(journal).expect("a journal");
    let mut statistics = Statistics::default();
    let replay = Replay::open(&journal[..], None).expect("a header");
    let judgement = replay.verify(&mut statistics).expect("a file");
    (statistics, judgement.verdict())
}

#[test]
fn the_figures_of_every_golden_game_match_its_events() {
    let sandbox = Sandbox::new();
    let journals = journals();
    assert!(journals.len() > 20);
    for journal in journals {
        let counted = ExpectedFigures::of(&sandbox, &journal);
        let (found, _) = statistics(&journal);
        let war = &found.war;
        let of = |figure: fn(&WarPlayerStatistics) -> Option<u64>| {
            war.players().iter().map(figure).collect::<Vec<_>>()
        };
        let found = ExpectedFigures {
            turns: war.turns().into(),
            wars: war.wars().into(),
            longest_war: war.longest_war().map_or(0, |longest| longest.cards.into()),
            largest_pile: war.largest_pile().map_or(0, |pile| pile.cards),
            lead_changes: war.lead_changes(),
            held: war
                .card_counts()
                .points()
                .map(|(turn, held)| (turn.into(), held.to_vec()))
                .collect(),
            leaders: Vec::new(),
            won: war
                .players()
                .iter()
                .map(|player| player.turns_won)
                .collect(),
            out_in: of(|player| player.out_turn.map(Into::into)),
        };
        for (index, player) in war.players().iter().enumerate() {
            let held = || counted.held.values().map(|held| held[index]);
            assert_eq!(
                Some(player.max_cards),
                held().max(),
                "{}",
                journal.display()
            );
            assert_eq!(
                Some(player.cards),
                held().next_back(),
                "{}",
                journal.display()
            );
            let most_in = &counted.held[&player.max_cards_turn.into()];
            assert_eq!(player.max_cards, most_in[index], "{}", journal.display());
        }
        assert_eq!(found, counted, "{}", journal.display());
    }
}

/// Compares the count of lead changes with the screens, which are independent of the statistics.
#[test]
fn lead_changes_match_the_screens() {
    let sandbox = Sandbox::new();
    for seed in 1..=5 {
        let game = ["2", "large", "--seed", &seed.to_string(), "--journal"];
        let name = format!("{seed}.json");
        let screens = sandbox.war(&[&game[..], &[&name]].concat()).exits_with(0);
        let leaders = screens.stdout.lines();
        let leaders = leaders.filter(|line| line.contains(" leads with "));
        let mut leaders: Vec<_> = leaders.map(|line| line.contains("player1")).collect();
        leaders.dedup();
        let (found, _) = statistics(&sandbox.path(&name));
        assert_eq!(found.war.lead_changes() as usize, leaders.len() - 1);
    }
}

#[test]
fn a_downsampled_course_keeps_its_size_and_both_ends() {
    for turns in [0, 1, 1023, 1024, 1025, 4097, 300_001] {
        let mut course = CardCountHistory::default();
        for turn in 0..=turns {
            course.add(turn, &[turn as usize, 7]);
        }
        let points: Vec<_> = course.points().collect();
        assert!(points.len() <= 1025, "{turns}: {}", points.len());
        assert!(points.len() > 500 || points.len() == turns as usize + 1);
        assert!(points.is_sorted_by_key(|(turn, _)| *turn));
        assert!(points.iter().all(|(turn, held)| held[0] == *turn as usize));
        assert_eq!(
            (points[0].0, course.last_point()),
            (0, Some((turns, &[turns as usize, 7][..])))
        );
    }
}

fn golden(name: &str) -> String {
    let path = project().join("journals").join(name);
    path.to_str().expect("a name").to_owned()
}

#[test]
fn every_kind_of_game_has_figures_in_both_languages() {
    let sandbox = Sandbox::new();
    for name in [
        "classic_dealt_won",
        "duels_shuffle",
        "xy_sample",
        "custom_drawn",
        "single_card_timed_out",
    ] {
        let journal = golden(&format!("{name}.json"));
        let shown = |lang: &str| {
            let run = sandbox.war(&["--lang", lang, "stats", &journal]);
            run.exits_with(0).reports("VERIFIED").stdout
        };
        let (english, polish) = (shown("en"), shown("pl"));
        reviewed(&format!("stats_{name}"), &format!("{english}\n{polish}"));
        let longest = english.lines().chain(polish.lines());
        assert!(longest.map(|line| line.chars().count()).max() <= Some(90));
    }
}

#[test]
fn the_drawing_contains_every_player_and_is_deterministic() {
    let sandbox = Sandbox::new();
    let journal = golden("duels_shuffle.json");
    let draw = |to: &str| sandbox.war(&["stats", &journal, "--plot", to]);
    let run = draw("game.svg").exits_with(0);
    assert!(run.stdout.contains("lead changes:"));
    let drawing = sandbox.read("game.svg");
    let (found, _) = statistics(Path::new(&journal));
    let players = found.war.players().len();
    assert_eq!(drawing.matches("<polyline").count(), players);
    assert!(drawing.contains(&format!(">player{players}<")));
    // With `-`, the drawing replaces the figures.
    assert_eq!(draw("-").exits_with(0).stdout, drawing);
    reviewed("stats_drawing", &drawing);
    let run = draw("game.png").exits_with(2);
    run.reports("written as SVG");
    // The former name of the option.
    let run = sandbox.war(&["stats", &journal, "--svg", "former.svg"]);
    assert!(run.exits_with(0).stdout.contains("lead changes:"));
    assert_eq!(sandbox.read("former.svg"), drawing);
}

#[test]
fn an_output_file_gets_the_figures_or_the_chart() {
    let sandbox = Sandbox::new();
    let journal = std::fs::read(golden("classic_dealt_won.json")).expect("a journal");
    sandbox.write("game.json", &journal);
    let stats = |options: &[&str]| sandbox.war(&[&["stats", "game.json"], options].concat());
    for (options, file, start) in [
        (
            &["-o", "game.txt"][..],
            "game.txt",
            "rules:         classic/1\n",
        ),
        (&["--output", "game.SVG"], "game.SVG", "<svg "),
        (
            &["--format", "csv", "-o", "game.csv"],
            "game.csv",
            "player,dealt,",
        ),
    ] {
        let run = stats(options).exits_with(0).reports("VERIFIED");
        assert_eq!(run.stdout, "");
        assert!(sandbox.read(file).starts_with(start), "{options:?}");
    }
    let run = stats(&["-o", "-"]).exits_with(0);
    assert!(run.stdout.starts_with("rules: "));
    stats(&["-o", "game.png"])
        .exits_with(2)
        .reports("written as SVG");
    stats(&["-o", "a.txt", "--plot", "a.svg"]).exits_with(2);
    for command in [
        &["stats", "game.json"][..],
        &["journal", "export", "game.json"],
    ] {
        let run = sandbox.war(&[command, &["-o", "./game.json"]].concat());
        run.exits_with(2).reports("would be overwritten");
    }
    assert_eq!(sandbox.read("game.json").as_bytes(), journal);
}

fn assert_refused(run: &Run, verdict: &str) {
    assert_eq!(run.stdout, "", "{run:#?}");
    assert!(run.stderr.contains(verdict), "{run:#?}");
}

#[test]
fn a_damaged_journal_is_refused_and_an_incomplete_one_reported() {
    let sandbox = Sandbox::new();
    let whole = std::fs::read_to_string(golden("classic_dealt_won.json")).expect("a journal");
    sandbox.write("damaged.json", whole.replace("\"turn\":9,", "\"turn\":8,"));
    sandbox.write("cut.json", &whole[..3000]);
    sandbox.write("new.json", whole.replace("/1", "/99"));
    for (file, verdict, code) in [
        ("damaged.json", "DAMAGED", 1),
        ("new.json", "UNSUPPORTED", 5),
    ] {
        let run = sandbox
            .war(&["stats", file, "--plot", "no.svg"])
            .exits_with(code);
        assert_refused(&run, verdict);
        assert!(!sandbox.path("no.svg").exists());
    }
    let run = sandbox
        .war(&["stats", "cut.json", "--plot", "cut.svg"])
        .exits_with(3);
    assert!(run.stderr.contains("INCOMPLETE"), "{run:#?}");
    assert!(run.stdout.contains("turns:         5"), "{run:#?}");
    assert!(sandbox.read("cut.svg").starts_with("<svg"));
    sandbox.war(&["stats", "missing.json"]).exits_with(4);
    let run = sandbox
        .war_reading(whole.as_bytes(), &["stats", "-"])
        .exits_with(0);
    assert!(run.stdout.contains("turns:         19"), "{run:#?}");
    let tokens = golden("single_card_showdown.json");
    let run = sandbox
        .war(&["stats", &tokens, "--plot", "no.svg"])
        .exits_with(2);
    assert_refused(&run, "token game");
}

#[test]
fn figures_for_other_programs_are_those_of_the_tables() {
    let sandbox = Sandbox::new();
    let war = sandbox.war(&["4", "small", "--seed", "1", "--journal", "game.json"]);
    war.exits_with(0);
    let figures = |journal: &str| {
        let stats = ["--lang", "pl", "stats", journal, "--format", "json"];
        let run = sandbox.war(&stats).exits_with(0);
        serde_json::from_str::<serde_json::Value>(&run.stdout).expect("JSON")
    };
    let found = figures("game.json");
    assert_eq!(found["rules"], "classic/1");
    assert_eq!(
        found["longest_war"],
        serde_json::json!({"cards": 3, "turn": 2})
    );
    let largest = serde_json::json!({"cards": 12, "player": 2, "turn": 2});
    assert_eq!(found["largest_pile"], largest);
    let last = serde_json::json!({
        "player": 4, "dealt": 6, "max_cards": 9, "max_cards_turn": 1, "cards": 0,
        "turns_won": 5, "wars_won": 0, "out_turn": 19
    });
    assert_eq!(found["players"][3], last);
    assert!(found["players"][1]["out_turn"].is_null());
    let tokens = golden("single_card_showdown.json");
    assert_eq!(figures(&tokens)["players"][1]["tokens"], -10);
    let run = sandbox.war(&["stats", &tokens, "--format", "csv"]);
    let rows = "player,played,folded,timed_out,tokens\n1,1,0,0,10\n2,1,0,0,-10\n";
    assert_eq!(run.exits_with(0).stdout, rows);
    let both = ["stats", "game.json", "--format", "csv", "--plot", "-"];
    sandbox.war(&both).exits_with(2).reports("--plot");
}
