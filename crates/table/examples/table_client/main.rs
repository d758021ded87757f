//! A player for the card table, who survives lost connections and trusts nothing. The requests are
//! written from `/schema.json` alone. Each message goes through `war_table::fair` before the player
//! acts on it; the journal and the log entries of each game are checked too.
//!
//! ```sh
//! war serve &
//! alias client='cargo run -p war-table --example table_client --'
//! client 127.0.0.1:8080 Ann --checkpoint ann.checkpoint play 10
//! client 127.0.0.1:8080 Ann --token ann.token invite
//! client 127.0.0.1:8080 Bob --token bob.token accept CODE
//! client 127.0.0.1:8080 Ann --token ann.token rematch GAME
//! client 127.0.0.1:8080 Ann --token ann.token games
//! ```
//!
//! `--token` keeps the player from one run to the next; anyone who has the file is this player.
//! `--checkpoint` keeps the last checkpoint of the table's log. Other players can check that the
//! log they see contains this checkpoint:
//! `war log verify http://127.0.0.1:8080/log --with ann.checkpoint`. The exit code is 1 if a
//! request is refused or anything can't be verified.

mod checking;
mod client;
mod stop;
mod web;

use clap::{Parser, Subcommand};
use serde_json::{Value, json};
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use war::support::hex::Hex;
use war_table::protocol::OpponentFilter;

pub(crate) use client::Client;
pub(crate) use stop::StopReason;

/// A player for the card table.
#[derive(Parser)]
struct Options {
    /// Address of the table, such as 127.0.0.1:8080.
    address: String,
    /// Name of the player.
    name: String,
    /// File with the player's token; created if there is none.
    #[arg(long, value_name = "FILE")]
    token: Option<PathBuf>,
    /// File with the last checkpoint of the table's log.
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// Lets others watch the player's games.
    #[arg(long)]
    watchable: bool,
    #[command(subcommand)]
    act: Act,
}

/// Action of the player.
#[derive(Subcommand)]
enum Act {
    /// Plays against anyone, or against the house if nobody comes.
    Play {
        #[arg(default_value_t = 1)]
        games: u64,
    },
    /// Plays against the house at once.
    House,
    /// Prints a code, and plays with the player who accepts it.
    Invite,
    /// Plays with the player who printed this code.
    Accept { code: Hex<16> },
    /// Plays again with the opponent of a game, if they agree.
    Rematch { game: u64 },
    /// Prints the number of people at the table.
    People,
    /// Prints the player's last games, or those before one.
    Games { before: Option<u64> },
    /// Prints statistics of the player's games.
    Figures,
    /// Prints the ladder of a week, a month, or all time (ever).
    Ladder { span: String },
    /// Lists the games that can be watched, or one of them.
    Watch { game: Option<u64> },
    /// Removes the player's name and token from the table for good.
    Forget,
}

/// Carries out one action at a table.
#[allow(dead_code, reason = "tests play without it")]
fn main() -> ExitCode {
    let options = Options::parse();
    let mut client = Client::new(&options.address, &options.name);
    if let Some(file) = options.checkpoint {
        client.set_checkpoint_file(file);
    }
    if options.watchable {
        client.allow_watching();
    }
    if let Some(file) = &options.token
        && let Err(error) = keep_token(&mut client, file)
    {
        eprintln!("{}: {error}", file.display());
        return ExitCode::FAILURE;
    }
    match act(client, &options.act) {
        Ok(()) => ExitCode::SUCCESS,
        Err(stop) => {
            eprintln!("{stop}");
            ExitCode::FAILURE
        }
    }
}

/// Lets the player return with the token in a file. If the file does not exist, creates it with the
/// new token, readable only by the file's owner.
fn keep_token(client: &mut Client, file: &Path) -> io::Result<()> {
    match fs::read_to_string(file) {
        Ok(token) => client.resume_as(token.trim()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let mut options = OpenOptions::new();
            let mut kept = options
                .write(true)
                .create_new(true)
                .mode(0o600)
                .open(file)?;
            writeln!(kept, "{}", client.token())?;
            client.allow_other_devices();
        }
        Err(error) => return Err(error),
    }
    Ok(())
}

fn act(mut client: Client, act: &Act) -> Result<(), StopReason> {
    match act {
        Act::Play { games } => {
            for _ in 0..*games {
                play(&mut client, None)?;
            }
        }
        Act::House => play(&mut client, Some(OpponentFilter::House))?,
        Act::Invite => {
            let code = Hex::new(rand::random());
            println!("{code}");
            play(&mut client, Some(OpponentFilter::Invitation(code)))?;
        }
        Act::Accept { code } => play(&mut client, Some(OpponentFilter::Accept(*code)))?,
        Act::Rematch { game } => play(&mut client, Some(OpponentFilter::Rematch(*game)))?,
        Act::People => print(&client.ask(json!({"type": "people"}))?),
        Act::Games { before } => {
            let mut request = json!({"type": "games", "limit": 50});
            if let Some(before) = before {
                request["before"] = json!(before);
            }
            print(&client.ask(request)?["games"]);
        }
        Act::Figures => print(&client.ask(json!({"type": "figures"}))?),
        Act::Ladder { span } => print(&client.ask(json!({"type": "ladder", "span": span}))?),
        Act::Watch { game } => {
            let mut request = json!({"type": "watch"});
            if let Some(game) = game {
                request["game_id"] = json!(game);
            }
            print(&client.ask(request)?["games"]);
        }
        Act::Forget => return client.forget(),
    }
    client.wait_for_log()?;
    let unchecked = client.checks.unchecked_games();
    if unchecked > 0 {
        println!("games of another device, not checked here: {unchecked}");
    }
    Ok(())
}

/// Plays a game of one card, deciding by a simple rule.
fn play(client: &mut Client, whom: Option<OpponentFilter>) -> Result<(), StopReason> {
    let game = "single-card-game";
    let decide = |cards: &Value| "TJQKA".contains(&cards[0].to_string()[1..2]);
    match whom {
        None => client.play(game, decide)?,
        Some(whom) => client.play_with(game, whom, decide)?,
    }
    let game = client
        .checks
        .last_finished_game()
        .map(|finished| finished.start.game);
    println!(
        "game {}: {} tokens",
        game.unwrap_or_default(),
        client.checks.balance()
    );
    Ok(())
}

fn print(answer: &Value) {
    println!("{answer:#}");
}
