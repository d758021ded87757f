//! The parts of the core by themselves, in events a second.
//!
//! `cargo bench --bench core`. The game is that of seed 3 for 3 players on the large deck.

use divan::{Bencher, black_box, counter::ItemsCount};
use war::cards::{ChaCha8, Chance, Deck, Generator, Rank, deal};
use war::engine::{Event, Game, Table};
use war::i18n::{Catalogue, Lang};
use war::journal::{Deal, Header, Reason, Rules, Verifier, Writer};
use war::projections::screens::{Edition, Origin, RENDERER, Start};
use war::rules::{CLASSIC, Flow};

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
    Game::new(Box::new(Flow::classic()), hands()).collect()
}

fn journal() -> Vec<u8> {
    let header = Header {
        engine: "bench".to_owned(),
        rules: Rules::War(CLASSIC),
        players: 3,
        deck: Deck::Large,
        deal: Deal::Shuffled {
            generator: Generator::ChaCha8 { seed: SEED },
        },
        renderer: RENDERER,
        lang: Lang::En,
        corrections: Vec::new(),
    };
    let mut journal = Vec::new();
    let mut writer = Writer::new(&mut journal, &header, false);
    let mut game = Game::new(Box::new(Flow::classic()), hands());
    while let Some(event) = game.next() {
        writer
            .record((&event, game.table()))
            .expect("memory takes all");
    }
    let printed = war::journal::ConsoleDigest::default().printed();
    let reason = Reason::of(game.table());
    writer.finish(reason, printed).expect("memory takes all");
    journal
}

#[divan::bench]
fn decide_and_apply(bencher: Bencher<'_, '_>) {
    let count = ItemsCount::new(events().len());
    bencher
        .counter(count)
        .with_inputs(hands)
        .bench_values(|hands| Game::new(Box::new(Flow::classic()), hands).count());
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
fn screens(bencher: Bencher<'_, '_>) {
    let events = events();
    let catalogue = Catalogue::of(Lang::En).expect("a catalogue");
    bencher.counter(ItemsCount::new(events.len())).bench(|| {
        let mut screens = Edition::of(&CLASSIC).screens(Start {
            catalogue,
            origin: Origin::Dealt,
            corrections: Vec::new(),
        });
        let mut text = String::new();
        for event in &events {
            text.clear();
            screens.show(event, &mut text);
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
        let mut verifier = Verifier::open(&journal[..]).expect("a journal");
        while verifier.event().expect("a true event").is_some() {}
        verifier.end(None).expect("a true end")
    });
}
