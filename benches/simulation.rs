//! The kernels of the simulation by themselves, in games a second on one core.
//!
//! `cargo bench --bench simulation`. A sample is 20,000 games of the reference rule (two
//! players, 52 cards, one face down, `winner-first`, `loses`), with seeding, dealing and
//! counting; or all deals of a small deck. Compare ratios: machines are noisy.

use divan::{Bencher, black_box, counter::ItemsCount};
use war::cards::{Deck, GameNumber, Rank, Xoshiro256PlusPlus};
use war::rules::{Collect, Parameters};
use war::simulate::{Dealing, Enumeration, GameSetup, Kernel, Simulator, Tally};

fn main() {
    divan::main();
}

const GAMES: u64 = 20_000;

#[divan::bench(args = [Kernel::Fastest, Kernel::Portable, Kernel::General], sample_count = 10)]
fn reference_rule(bencher: Bencher<'_, '_>, kernel: Kernel) {
    let rules = GameSetup {
        parameters: Parameters {
            face_down: 1,
            collect: Collect::WinnerFirst,
            ..Parameters::BATAILLE
        },
        players: 2,
        deck: Deck::Large,
        dealing: Dealing::Shuffled,
    };
    let mut simulator = Simulator::new(rules, kernel);
    bencher.counter(ItemsCount::new(GAMES)).bench_local(|| {
        let mut tally = Tally::default();
        simulator.play(1, 0..GAMES, &mut tally, |_, _| ());
        tally
    });
}

#[divan::bench(sample_count = 10)]
fn seed_and_shuffle(bencher: Bencher<'_, '_>) {
    let deck: Vec<_> = Deck::Large.cards().into_iter().map(Rank::get).collect();
    bencher.counter(ItemsCount::new(GAMES)).bench(|| {
        let mut cards = [0_u8; 52];
        for game in 0..GAMES {
            cards.copy_from_slice(&deck);
            Xoshiro256PlusPlus::new(GameNumber { seed: 1, game }).shuffle_any(&mut cards);
            black_box(&cards);
        }
    });
}

#[divan::bench(sample_count = 10)]
fn enumerate_3x4(bencher: Bencher<'_, '_>) {
    let deck = Deck::shaped("3x4").expect("a shape");
    let enumeration = Enumeration::new(Parameters::BATAILLE, deck).expect("few deals");
    let deals = ItemsCount::new(17_370_usize);
    bencher.counter(deals).bench(|| enumeration.play(&[]));
}
