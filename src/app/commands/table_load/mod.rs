//! `war table-load`: many players at a card table at once, who check every message.

mod client;

use crate::app::cli::TableLoad as Options;
use crate::app::context::Context;
use crate::app::exit::{Exit, Failure};
use crate::app::messages::io_text;
use crate::i18n::{Message, Text};
use crate::tokens::{Kind, Name};
use client::{Client, NAME, Trouble};
use indicatif::{ProgressBar, ProgressDrawTarget};
use std::collections::BTreeMap;
use std::io::{self, IsTerminal};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

/// How many connections are opened at a time.
const OPENING: usize = 200;

/// What all players together saw.
#[derive(Default)]
struct Seen {
    connected: u64,
    /// Sides of settled games: two for each.
    sides: u64,
    latencies: Vec<Duration>,
    balances: i64,
    lost_to_the_bank: i64,
    won_from_strangers: i64,
    players: i64,
    troubles: BTreeMap<Trouble, u64>,
}

/// Lets players play at a table, and reports what they saw.
pub(crate) fn table_load(options: &Options, context: &mut Context) -> Result<Exit, Failure> {
    let _ = rlimit::increase_nofile_limit(u64::from(options.players + options.idle) + 64);
    let runtime = tokio::runtime::Runtime::new().map_err(|error| {
        let text = Text::new(Message::NOT_STARTED).with("reason", io_text(&error));
        Failure::new(Exit::InputOutput, text)
    })?;
    let bar = if io::stderr().is_terminal() {
        ProgressBar::new_spinner()
    } else {
        ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden())
    };
    bar.enable_steady_tick(Duration::from_millis(250));
    let (seen, playing) = runtime.block_on(run(options, &bar, context));
    bar.finish_and_clear();
    report(&seen, playing, context);
    let sound = seen.troubles.is_empty() && adds_up(&seen);
    Ok(if sound { Exit::Success } else { Exit::Bad })
}

/// Opens all connections, plays, and comes back as every player to compare.
async fn run(options: &Options, bar: &ProgressBar, context: &Context) -> (Seen, Duration) {
    let catalogue = context.terminal.catalogue;
    let say = |message, count: usize| {
        bar.set_message(catalogue.text(&Text::new(message).with("count", count)));
    };
    let mut seen = Seen::default();
    let all = (options.players + options.idle) as usize;
    say(Message::LOAD_OPENING, all);
    let think = Duration::from_millis(u64::from(options.think));
    let clients = open(options.address, all, think, &mut seen).await;
    seen.connected = clients.len() as u64;
    say(Message::LOAD_PLAYING, options.players as usize);
    let began = Instant::now();
    let until = began + Duration::from_secs(u64::from(options.seconds));
    let mut tasks = JoinSet::new();
    for (index, mut client) in clients.into_iter().enumerate() {
        let plays = index < options.players as usize;
        tasks.spawn(async move {
            let done = if plays {
                client.play(Kind::ALL[index / 2 % 2], until).await
            } else {
                client.idle(until).await
            };
            (index, client, done)
        });
    }
    let mut left = Vec::new();
    while let Some(Ok((index, client, done))) = tasks.join_next().await {
        seen.sides += client.games;
        seen.latencies.extend(&client.latencies);
        if let Err(trouble) = done {
            *seen.troubles.entry(trouble).or_default() += 1;
        } else {
            left.push((index, client));
        }
    }
    let playing = began.elapsed();
    say(Message::LOAD_COMPARING, left.len());
    compare(options.address, left, &mut seen).await;
    (seen, playing)
}

/// Opens this many connections, some at a time.
async fn open(address: SocketAddr, count: usize, think: Duration, seen: &mut Seen) -> Vec<Client> {
    let opening = Arc::new(Semaphore::new(OPENING));
    let mut tasks = JoinSet::new();
    for index in 0..count {
        let opening = Arc::clone(&opening);
        tasks.spawn(async move {
            let _permit = opening.acquire().await;
            Client::connect(address, &name(index), None, think).await
        });
    }
    let mut clients = Vec::with_capacity(count);
    while let Some(Ok(opened)) = tasks.join_next().await {
        match opened {
            Ok(client) => clients.push(client),
            Err(trouble) => *seen.troubles.entry(trouble).or_default() += 1,
        }
    }
    clients
}

/// Comes back as each player: the table must know the balance that his messages made.
async fn compare(address: SocketAddr, clients: Vec<(usize, Client)>, seen: &mut Seen) {
    let opening = Arc::new(Semaphore::new(OPENING));
    let mut tasks = JoinSet::new();
    for (index, client) in clients {
        let opening = Arc::clone(&opening);
        tasks.spawn(async move {
            let _permit = opening.acquire().await;
            let (token, seq, balance) = (client.token, client.seq, client.balance);
            let (bank, strangers) = (client.lost_to_the_bank, client.won_from_strangers);
            drop(client);
            let again = Client::connect(address, &name(index), Some(token), Duration::ZERO).await?;
            match (again.seq, again.balance) {
                (found, _) if found != seq => Err(Trouble::Sequence),
                (_, found) if found != balance => Err(Trouble::Balance),
                _ => Ok((balance, bank, strangers)),
            }
        });
    }
    while let Some(Ok(compared)) = tasks.join_next().await {
        match compared {
            Ok((balance, bank, strangers)) => {
                seen.players += 1;
                seen.balances += balance;
                seen.lost_to_the_bank += bank;
                seen.won_from_strangers += strangers;
            }
            Err(trouble) => *seen.troubles.entry(trouble).or_default() += 1,
        }
    }
}

/// Whether the tokens of all players are what they came with, but for what the bank took
/// and what was won from others.
fn adds_up(seen: &Seen) -> bool {
    let opening = crate::room::Player::OPENING_BALANCE;
    seen.balances == seen.players * opening - seen.lost_to_the_bank + seen.won_from_strangers
}

fn report(seen: &Seen, playing: Duration, context: &mut Context) {
    let mut latencies = seen.latencies.clone();
    latencies.sort_unstable();
    let at = |hundredths: usize| {
        let last = latencies.len().saturating_sub(1);
        let index = (latencies.len() * hundredths / 100).min(last);
        let latency = latencies.get(index).copied().unwrap_or_default();
        format!("{:.1}", latency.as_secs_f64() * 1000.0)
    };
    #[expect(clippy::cast_precision_loss, reason = "a rate is rounded anyway")]
    let rate = seen.sides as f64 / 2.0 / playing.as_secs_f64();
    let text = Text::new(Message::LOAD_REPORT)
        .with("connected", seen.connected)
        .with("games", seen.sides / 2)
        .with("seconds", format!("{:.1}", playing.as_secs_f64()))
        .with("rate", format!("{rate:.0}"))
        .with("decisions", latencies.len().to_string())
        .with("p50", at(50))
        .with("p95", at(95))
        .with("p99", at(99))
        .with("most", at(100))
        .with("compared", seen.players.to_string());
    context.terminal.print_line(&text);
    for (trouble, count) in &seen.troubles {
        let text = Text::new(Message::LOAD_TROUBLE)
            .with("trouble", trouble.text())
            .with("count", count.to_string());
        context.terminal.error(&text);
    }
    if !adds_up(seen) {
        context.terminal.error(&Text::new(Message::LOAD_SUM));
    }
}

fn name(index: usize) -> Name {
    Name::new(&format!("{NAME}{}", index + 1)).expect("a short name")
}
