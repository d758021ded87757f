//! Speed of each kernel of the simulation, in games a second on one core.
//!
//! `cargo bench -p war-simulate --bench simulation`. A sample is 20,000 games of two players and 52
//! cards, with seeding, dealing and counting, by the reference rules (one card face down,
//! `winner-first`, `loses`), by those of bataille or by household rules; 1,000 games of the classic
//! edition, most of them endless; or all deals of a small deck. A kernel that this machine doesn't
//! support leaves the games to a slower one. Compare ratios: machines are noisy.

use divan::{Bencher, black_box, counter::ItemsCount};
use war::cards::{Deck, GameNumber, Rank, Xoshiro256PlusPlus};
use war::rules::{CLASSIC, CollectOrder, Parameters};
use war_simulate::{Dealing, Enumeration, GameSetup, Kernel, Simulator, Tally};

fn main() {
    divan::main();
}

const GAMES: u64 = 20_000;

/// Plays this many games with these rules in each sample.
fn play(bencher: Bencher<'_, '_>, parameters: Parameters, kernel: Kernel, games: u64) {
    let rules = GameSetup {
        parameters,
        players: 2,
        deck: Deck::Large,
        dealing: Dealing::Shuffled,
    };
    let mut simulator = Simulator::new(rules, kernel);
    bencher.counter(ItemsCount::new(games)).bench_local(|| {
        let mut tally = Tally::default();
        simulator.play(1, 0..games, &mut tally, |_, _| ());
        tally
    });
}

#[divan::bench(args = Kernel::ALL, sample_count = 10)]
fn reference_rule(bencher: Bencher<'_, '_>, kernel: Kernel) {
    let parameters = Parameters {
        face_down: 1,
        collect: CollectOrder::WinnerFirst,
        ..Parameters::BATAILLE
    };
    play(bencher, parameters, kernel, GAMES);
}

#[divan::bench(args = Kernel::ALL, sample_count = 10)]
fn bataille(bencher: Bencher<'_, '_>, kernel: Kernel) {
    play(bencher, Parameters::BATAILLE, kernel, GAMES);
}

#[divan::bench(args = [Kernel::Portable, Kernel::General], sample_count = 10)]
fn household(bencher: Bencher<'_, '_>, kernel: Kernel) {
    play(bencher, Parameters::HOUSEHOLD, kernel, GAMES);
}

#[divan::bench(args = Kernel::ALL, sample_count = 10)]
fn classic_edition(bencher: Bencher<'_, '_>, kernel: Kernel) {
    play(bencher, CLASSIC.parameters, kernel, GAMES / 20);
}

#[divan::bench(sample_count = 10)]
fn seed_and_shuffle(bencher: Bencher<'_, '_>) {
    let deck: Vec<_> = Deck::Large.cards().into_iter().map(Rank::get).collect();
    bencher.counter(ItemsCount::new(GAMES)).bench(|| {
        let mut cards = [0_u8; 52];
        for game in 0..GAMES {
            cards.copy_from_slice(&deck);
            Xoshiro256PlusPlus::new(GameNumber { seed: 1, game }).shuffle_items(&mut cards);
            black_box(&cards);
        }
    });
}

#[divan::bench(sample_count = 10)]
fn enumerate_3x4(bencher: Bencher<'_, '_>) {
    let deck = Deck::from_shape("3x4").expect("a shape");
    let enumeration = Enumeration::new(Parameters::BATAILLE, deck).expect("few deals");
    let deals = ItemsCount::new(17_370_usize);
    bencher.counter(deals).bench(|| enumeration.play(&[]));
}
