//! The card table's page in real browsers, one English and one Polish, against a real server.

mod access;
mod axe;
mod barriers;
mod cards;
mod cheats;
mod checks;
mod coach;
mod connection;
mod daily;
mod document;
mod driver;
mod evidence;
mod friends;
mod games;
mod history;
mod lies;
mod logbook;
mod messages;
mod moves;
mod operators;
mod pages;
mod pool;
mod proxy;
mod referee;
mod returners;
mod spectators;
mod stuck;
mod table;
mod tabs;
mod trouble;
mod verifier;
mod viewer;
mod viewer_controls;
mod viewer_look;
mod viewer_page;
mod viewer_words;
mod visibility;

const RANKS: [(&str, &str); 13] = [
    ("two", "dwójka"),
    ("three", "trójka"),
    ("four", "czwórka"),
    ("five", "piątka"),
    ("six", "szóstka"),
    ("seven", "siódemka"),
    ("eight", "ósemka"),
    ("nine", "dziewiątka"),
    ("ten", "dziesiątka"),
    ("jack", "walet"),
    ("queen", "dama"),
    ("king", "król"),
    ("ace", "as"),
];

const SUITS: [(&str, &str); 4] = [
    ("clubs", "trefl"),
    ("diamonds", "karo"),
    ("hearts", "kier"),
    ("spades", "pik"),
];

/// Polish name of a card, from its English one.
fn polish(english: &str) -> String {
    let (rank, suit) = english.split_once(" of ").expect("a card");
    let of = |words: &[(&str, &'static str)], word| {
        let found = words.iter().find(|(english, _)| *english == word);
        found.unwrap_or_else(|| panic!("{english} is not a card")).1
    };
    format!("{} {}", of(&RANKS, rank), of(&SUITS, suit))
}
