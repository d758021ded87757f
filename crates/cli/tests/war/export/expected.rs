//! Rows computed from a journal's own JSON, independently of the export code.

use serde_json::{Map, Value, json};
use std::fs;
use std::path::Path;
use war::export::COLUMNS;

/// Computes the columns of an event from a journal's JSON, as the book describes them.
struct RowBuilder {
    header: Value,
    hands: Vec<usize>,
    table: usize,
}

impl RowBuilder {
    fn new(header: Value) -> Self {
        Self {
            header,
            hands: Vec::new(),
            table: 0,
        }
    }

    fn is_of_tokens(&self) -> bool {
        self.header["deal"].get("committed").is_some()
    }

    /// Row of a record.
    fn row(&mut self, journal: &str, record: &Value) -> Value {
        let event = record["event"].as_object().expect("an event");
        let (name, fields) = event.iter().next().expect("its name");
        let mut row: Map<String, Value> = COLUMNS
            .iter()
            .map(|column| (column.name.to_owned(), Value::Null))
            .collect();
        let mut set = |name: &str, value: Value| {
            let old = row.insert(name.to_owned(), value);
            assert_eq!(old, Some(Value::Null), "{name} is a column, set once");
        };
        set("journal", json!(journal));
        set("rules", self.header["rules"]["id"].clone());
        for (column, seed) in seeds(&self.header["deal"]) {
            set(column, seed);
        }
        for name in ["seq", "turn", "state"] {
            set(name, record[name].clone());
        }
        set("event", json!(name));
        let cards = moved_cards(fields);
        self.moved(name, &cards);
        let of_one = |name: &str| fields.get(name).cloned();
        match name.as_str() {
            "clash" => {
                let ranks: Vec<_> = cards.iter().map(|card| rank(&card.1)).collect();
                let highest = ranks.iter().max();
                let shared = ranks.iter().filter(|rank| Some(*rank) == highest).count() > 1;
                set("war", json!(shared));
            }
            "war_round" => set("round", fields["round"].clone()),
            "won" => set("winner", fields["player"].clone()),
            "stopped" => set("winner", fields["winner"].clone()),
            "endless" => set("repeats_from", fields["from"].clone()),
            "started" => set("names", fields["players"].clone()),
            "committed" => {
                set("numbers", fields["players"].clone());
                set("seed_hashes", fields["seed_hashes"].clone());
            }
            "settled" => {
                set("deltas", fields["deltas"].clone());
                let deltas = fields["deltas"].as_array().expect("a list");
                let winner = deltas.iter().position(|delta| delta.as_i64() > Some(0));
                set("winner", json!(winner.map(|index| index + 1)));
            }
            _ => {}
        }
        if name != "won" {
            set("player", of_one("player").unwrap_or_default());
        }
        set("step", of_one("step").unwrap_or_default());
        set("decision", of_one("decision").unwrap_or_default());
        set("timed_out", of_one("timed_out").unwrap_or_default());
        let seed = of_one("value").or_else(|| of_one("seed"));
        set("client_seed", seed.unwrap_or_default());
        if !cards.is_empty() {
            let players = cards.iter().map(|(player, _, _)| json!(player));
            set("players", players.collect());
            let ranks = cards.iter().map(|(_, card, _)| json!(rank(card)));
            set("cards", ranks.collect());
            if self.is_of_tokens() {
                let suit = |card: &Value| json!(&card.as_str().expect("a card")[1..]);
                set(
                    "suits",
                    cards.iter().map(|(_, card, _)| suit(card)).collect(),
                );
            }
            if fields.get("plays").is_some() {
                let indexes = cards.iter().map(|(_, _, index)| json!(index));
                set("indexes", indexes.collect());
            }
        }
        set("hand_sizes", json!(self.hands));
        if !self.is_of_tokens() {
            set("on_table", json!(self.table));
        }
        row.into()
    }

    /// Updates the numbers of cards in hands and on the table.
    fn moved(&mut self, event: &str, cards: &[(usize, Value, usize)]) {
        let of = |player: usize| cards.iter().filter(|card| card.0 == player).count();
        match event {
            "dealt" => {
                let players = number(&self.header["players"]);
                self.hands = (1..=players).map(of).collect();
            }
            "started" | "committed" | "duel_started" | "tied" => self.hands = vec![0, 0],
            "clash" | "face_down" | "war_round" => {
                for (player, _, _) in cards {
                    self.hands[player - 1] -= 1;
                }
                self.table += cards.len();
            }
            "collected" | "drawn" => {
                for (player, _, _) in cards {
                    self.hands[player - 1] += 1;
                }
                self.table = 0;
            }
            _ => {}
        }
    }
}

/// Columns with the seed of a deal.
fn seeds(deal: &Value) -> Vec<(&'static str, Value)> {
    let (kind, deal) = deal
        .as_object()
        .and_then(|deal| deal.iter().next())
        .expect("a deal");
    let Some(seed) = deal["seed"].as_str() else {
        return Vec::new();
    };
    let number = |digits: &str| serde_json::from_str(digits).expect("a number");
    match (kind.as_str(), seed.split_once(':')) {
        ("committed", _) => vec![("table_seed", json!(seed))],
        (_, Some((seed, game))) => vec![("seed", number(seed)), ("game", number(game))],
        _ if deal["generator"] == "java-util-random/1" => vec![("xy_seed", number(seed))],
        _ => vec![("seed", number(seed))],
    }
}

/// Player, card and its index, for each card of an event.
fn moved_cards(fields: &Value) -> Vec<(usize, Value, usize)> {
    let lists = |name: &str| fields[name].as_array().cloned().unwrap_or_default();
    let mut cards = Vec::new();
    for (index, hand) in lists("hands").iter().enumerate() {
        let hand = hand.as_array().expect("a hand").iter();
        cards.extend(hand.map(|card| (index + 1, card.clone(), 0)));
    }
    for play in lists("plays") {
        let index = number(&play["index"]);
        cards.push((number(&play["player"]), play["card"].clone(), index));
    }
    for take in lists("takes") {
        let taken = take["cards"].as_array().expect("cards").iter();
        cards.extend(taken.map(|card| (number(&take["player"]), card.clone(), 0)));
    }
    let player = number(&fields["player"]);
    cards.extend(lists("cards").into_iter().map(|card| (player, card, 0)));
    cards
}

/// A number, or 0 if there is none.
fn number(value: &Value) -> usize {
    let number = value.as_u64().unwrap_or_default();
    usize::try_from(number).expect("a small number")
}

/// Rank of a card, which is a number or a text such as `Jc`.
fn rank(card: &Value) -> usize {
    card.as_str().map_or_else(
        || number(card),
        |card| 2 + "23456789TJQKA".find(&card[..1]).expect("a rank"),
    )
}

/// Header and records of a journal: one document in version 1, and one line each in version 2.
pub(super) fn read(path: &Path) -> (Value, Vec<Value>) {
    let text = fs::read_to_string(path).expect("a journal");
    if let Ok(journal) = serde_json::from_str::<Value>(&text) {
        let events = journal["events"].as_array().expect("events").clone();
        return (journal, events);
    }
    // The last line may be torn.
    let records = text.lines().map(serde_json::from_str);
    let mut records: Vec<Value> = records.map_while(Result::ok).collect();
    let header = records.remove(0);
    records.retain(|record| record.get("event").is_some());
    (header, records)
}

/// Rows computed from a journal's own JSON.
pub(super) fn expected(path: &Path) -> Vec<Value> {
    let (header, records) = read(path);
    let mut expected = RowBuilder::new(header);
    let name = path.display().to_string();
    let rows = records.iter().map(|record| expected.row(&name, record));
    rows.collect()
}
