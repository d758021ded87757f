//! Times whole commands, from start to exit, as a person waits for them.
//!
//! `cargo bench -p war-cli --bench commands`. Standard output goes to `/dev/null`; logs and journals
//! go to a temporary directory, so that the times include writing both.

use std::path::PathBuf;
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// A long game: 427,788 events in 211,816 turns, 27 MB of screens.
const LONGEST: [&str; 4] = ["2", "large", "--seed", "2215"];
/// A game of five players: 2,046 turns, 260 KB of screens, 4,141 events.
const FIVE_PLAYERS: [&str; 2] = ["--scenario", "five_players_large"];

fn main() {
    divan::main();
}

fn war(place: &TempDir, arguments: &[&str]) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_war"));
    command.args(arguments).current_dir(place).env_clear();
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let status = command.status().expect("the program runs");
    assert!(status.success(), "{arguments:?}: {status}");
}

fn place() -> TempDir {
    TempDir::new().expect("a temporary directory")
}

/// Records this game in a new directory; returns the directory and the path of the journal.
fn recorded(game: &[&str]) -> (TempDir, PathBuf) {
    let place = place();
    war(&place, &[game, &["--journal", "game.json"]].concat());
    let journal = place.path().join("game.json");
    (place, journal)
}

#[divan::bench(sample_count = 100)]
fn small_game(bencher: divan::Bencher<'_, '_>) {
    let place = place();
    bencher.bench_local(|| war(&place, &["4", "small", "--seed", "1"]));
}

#[divan::bench(sample_count = 50)]
fn five_players(bencher: divan::Bencher<'_, '_>) {
    let place = place();
    bencher.bench_local(|| war(&place, &FIVE_PLAYERS));
}

#[divan::bench(sample_count = 50)]
fn five_players_with_journal(bencher: divan::Bencher<'_, '_>) {
    let recorded = || {
        let place = place();
        war(
            &place,
            &[&FIVE_PLAYERS[..], &["--journal", "game.json"]].concat(),
        );
        place
    };
    bencher.bench_local(recorded);
}

#[divan::bench(sample_count = 5)]
fn longest_game(bencher: divan::Bencher<'_, '_>) {
    let place = place();
    bencher.bench_local(|| war(&place, &LONGEST));
}

#[divan::bench(sample_count = 5)]
fn longest_game_with_journal(bencher: divan::Bencher<'_, '_>) {
    bencher.bench_local(|| recorded(&LONGEST));
}

#[divan::bench(sample_count = 5)]
fn replay_longest_quietly(bencher: divan::Bencher<'_, '_>) {
    let (place, _) = recorded(&LONGEST);
    bencher
        .counter(divan::counter::ItemsCount::new(427_788_usize))
        .bench_local(|| war(&place, &["replay", "--quiet", "game.json"]));
}
