//! Benchmarks of the parts of the core, in events per second.
//!
//! `cargo bench --bench core`. All of them use the game of seed 3 with 3 players and the large
//! deck.

use divan::{Bencher, black_box, counter::ItemsCount};
use war::cards::{ChaCha8, Chance, Deck, Generator, Rank, deal};
use war::engine::{Event, Game, Table};
use war::i18n::{Catalogue, Lang};
use war::projections::screens::{CardSource, ScreenOptions, create_screens};
use war::recording::{NewGame, Recorder};
use war::replay;
use war::rules::{CLASSIC, StandardRules};

fn main() {
    divan::main();
}

const SEED: u64 = 3;

fn hands() -> Vec<Vec<Rank>> {
    let mut cards = Deck::Large.cards();
    ChaCha8::new(SEED).shuffle(&mut cards);
    deal(&cards, 3)
}

fn events() -> Vec<Event> {
    Game::new(Box::new(StandardRules::classic()), hands())
        .expect("a deal")
        .collect()
}

fn journal() -> Vec<u8> {
    let generator = Generator::ChaCha8 { seed: SEED };
    let opening = NewGame::shuffled(CLASSIC, Deck::Large, 3, generator).expect("a deal");
    let mut journal = Vec::new();
    Recorder::new("bench", opening, Lang::En)
        .write_to(&mut journal)
        .play()
        .expect("memory takes all");
    journal
}

#[divan::bench]
fn decide_and_apply(bencher: Bencher<'_, '_>) {
    let count = ItemsCount::new(events().len());
    bencher
        .counter(count)
        .with_inputs(hands)
        .bench_values(|hands| {
            Game::new(Box::new(StandardRules::classic()), hands)
                .expect("a deal")
                .count()
        });
}

#[divan::bench]
fn apply(bencher: Bencher<'_, '_>) {
    let events = events();
    bencher.counter(ItemsCount::new(events.len())).bench(|| {
        let mut table = Table::default();
        for event in &events {
            table.apply(black_box(event)).expect("it happened");
        }
        table
    });
}

#[divan::bench]
fn show(bencher: Bencher<'_, '_>) {
    let events = events();
    let catalogue = Catalogue::built_in(Lang::En);
    bencher.counter(ItemsCount::new(events.len())).bench(|| {
        let mut screens = create_screens(
            CLASSIC.screens,
            ScreenOptions {
                catalogue,
                source: CardSource::Dealt,
                corrections: Vec::new(),
            },
        );
        let (mut table, mut text) = (Table::default(), String::new());
        for event in &events {
            table.apply(event).expect("it happened");
            text.clear();
            screens.print(event, &table, &mut text);
            black_box(&text);
        }
    });
}

#[divan::bench]
fn record(bencher: Bencher<'_, '_>) {
    bencher
        .counter(ItemsCount::new(events().len()))
        .bench(journal);
}

#[divan::bench]
fn verify(bencher: Bencher<'_, '_>) {
    let journal = journal();
    bencher.counter(ItemsCount::new(events().len())).bench(|| {
        let judgement = replay::verify(&journal[..]).expect("memory is read");
        assert!(judgement.fault().is_none());
    });
}
