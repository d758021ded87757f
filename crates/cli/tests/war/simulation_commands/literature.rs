//! Commands that `war literature` prints, run from an empty directory as a reader would.

use crate::support::{Run, Sandbox};
use std::path::Path;
use std::process::Command;
use war_simulate::literature::{SourceGames, SourceRow, source_rows};
use war_simulate::{Dealing, Enumeration};

/// Runs a printed command in a shell, in an empty directory.
fn run(printed: &str) -> Run {
    let sandbox = Sandbox::new();
    let directory = Path::new(env!("CARGO_BIN_EXE_war")).parent();
    let directory = directory.expect("its directory").display();
    let mut shell = Command::new("sh");
    shell
        .args(["-c", printed])
        .current_dir(sandbox.path("."))
        .env_clear()
        .env("PATH", format!("{directory}:/usr/bin:/bin"))
        .env("HOME", sandbox.path("."));
    Run::of(&mut shell).exits_with(0)
}

/// Number of deals that are played in no time.
const FEW_DEALS: u64 = 30_000;

/// Printed command of a row, for two games, or for a fiftieth of many deals.
fn short_command(row: &SourceRow) -> Option<String> {
    let command = row.to_command(2, 1)?;
    Some(match row.games {
        SourceGames::JavaSeeds(_) => command.split(',').next()?.to_owned(),
        SourceGames::Enumerated(parameters, deck) => {
            let all = Enumeration::new(parameters, deck).expect("a deck");
            let part = if all.deals() > FEW_DEALS {
                " --shard 1/50"
            } else {
                ""
            };
            format!("{command}{part}")
        }
        _ => format!("{command} --json -"),
    })
}

#[test]
fn every_printed_command_plays_the_games_of_its_row_anywhere() {
    let mut played = 0;
    for row in source_rows() {
        let Some(command) = short_command(&row) else {
            continue;
        };
        let run = run(&command);
        played += 1;
        let setup = match &row.games {
            SourceGames::Simulated(setup)
            | SourceGames::Rounds(setup)
            | SourceGames::SingleGame(setup) => setup,
            SourceGames::Enumerated(_, deck) => {
                let deck = format!("2 players, {deck} deck");
                assert!(run.stdout.contains(&deck), "{command}\n{}", run.stdout);
                continue;
            }
            SourceGames::JavaSeeds(_) | SourceGames::Counted(_) => continue,
        };
        let printed = war_simulate::Run::from_json(run.stdout.as_bytes()).expect("a run");
        let printed = printed.setup;
        assert_eq!(printed.parameters, setup.parameters, "{command}");
        assert_eq!(printed.players, setup.players, "{command}");
        assert_eq!(printed.dealing, setup.dealing, "{command}");
        if !matches!(setup.dealing, Dealing::Given { .. }) {
            assert_eq!(printed.deck, setup.deck, "{command}");
        }
    }
    assert!(played > 80, "{played} commands were run");
}

#[test]
fn hands_on_the_command_line_are_those_of_a_file() {
    let sandbox = Sandbox::new();
    let hands = "[[14,9,300],[13,10,-2]]";
    sandbox.write("deal.json", hands);
    let game = |deal| {
        let game = [
            "simulate", "--rules", "bataille", "--game", "1:0", "--deal", deal,
        ];
        sandbox.war(&game).exits_with(0).stdout
    };
    assert_eq!(game(hands), game("deal.json"));
    for (lang, deal, message) in [
        ("en", "[[14,9],[13,]]", "--deal: line 1, column 13: "),
        ("pl", "[[14,9],[13,]]", "--deal: wiersz 1, kolumna 13: "),
        ("en", "[[14,9]]", "--deal: expected 2 to 5 players, found 1"),
    ] {
        let run = sandbox.war(&["--lang", lang, "simulate", "--deal", deal]);
        let run = run.exits_with(1);
        assert!(run.stderr.contains(message), "{run:#?}");
    }
}
