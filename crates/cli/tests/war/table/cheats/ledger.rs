//! Signatures and log of a cheating table.

use super::cheat::Cheat;
use crate::support::project;
use ed25519_dalek::SigningKey;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::ops::Range;
use war::replay::verify;
use war::signing::TableKey;
use war::support::hex::Hex;
use war_table::log::{
    Checkpoint, GameEnd, GameStart, Leaf, LogTree, TableId, Tile, TileLevel, encode_bundle,
    hash_leaf, sign_start,
};

/// Time stated in every leaf of the log, in milliseconds since the Unix epoch.
const NOON: u64 = 1_790_000_000_000;

/// Content at a path.
#[derive(Debug, Default)]
pub(super) struct Content {
    /// Content type for HTTP.
    pub(super) kind: String,
    pub(super) body: Vec<u8>,
}

/// A table's key and log.
pub(crate) struct Ledger {
    server: String,
    cheat: Cheat,
    key: TableKey,
    leaves: Vec<Leaf>,
    /// Starts that players received, by game.
    started: BTreeMap<u64, GameStart>,
    /// The first commitment, to be reused.
    pub(super) commitment: Option<Value>,
    /// Number of times that a checkpoint of a log with leaves was served.
    pub(crate) shown: u64,
    /// Number of finished games.
    pub(super) ended: u64,
    /// True if the real server, which does not cheat, counted a player as too late.
    pub(super) late: bool,
}

impl Ledger {
    pub(super) fn new(server: &str, cheat: Cheat) -> Self {
        Self {
            server: server.to_owned(),
            cheat,
            key: key(),
            leaves: Vec::new(),
            started: BTreeMap::new(),
            commitment: None,
            shown: 0,
            ended: 0,
            late: false,
        }
    }

    const fn table() -> TableId {
        Hex::new([5; 16])
    }

    /// Puts the table's id and key into a `welcome`.
    pub(super) fn welcome(&self, message: &mut Value) {
        if self.cheat == Cheat::NoKey {
            remove(message, &["table", "key"]);
            return;
        }
        message["table"] = json!(Self::table().to_string());
        let key = self.key.ed25519().verifying_key();
        message["key"] = json!(Hex::<32>::new(key.to_bytes()).to_string());
    }

    /// Signs a start as players receive it, and logs it.
    pub(super) fn start(&mut self, message: &mut Value, own: u64) {
        let number = |value: &Value| value.as_u64().expect("a number");
        let hex = |value: &Value| value.as_str().expect("digits").parse().expect("a hash");
        let mut players = [number(&message["opponent"]["player"]); 2];
        players[usize::from(message["seat"] == 2)] = own;
        let kind = message["game"].as_str().expect("a game");
        let start = GameStart {
            game: number(&message["game_id"]),
            rules: format!("{kind}/2"),
            players,
            commitment: hex(&message["commitment"]),
            seed_hashes: [0, 1].map(|seat| hex(&message["seed_hashes"][seat])),
            time_ms: NOON,
        };
        let key = match self.cheat {
            Cheat::OtherKey => &SigningKey::from_bytes(&[8; 32]),
            _ => self.key.ed25519(),
        };
        message["time_ms"] = json!(NOON);
        message["table"] = json!(Self::table().to_string());
        message["signature"] = json!(sign_start(&Self::table(), &start, key));
        if self.cheat == Cheat::NoKey {
            remove(message, &["table", "signature"]);
        }
        if self.started.insert(start.game, start.clone()).is_none() {
            self.log_start(start);
        }
    }

    fn log_start(&mut self, mut start: GameStart) {
        match self.cheat {
            Cheat::HidesGame => return,
            Cheat::OtherStart => start.seed_hashes.reverse(),
            _ => {}
        }
        self.leaves.push(Leaf::Start(start));
    }

    /// Logs the end of a game, and puts its time into the `result`.
    pub(super) fn end(&mut self, message: &mut Value) {
        self.ended += 1;
        let game = message["game_id"].as_u64().expect("a number");
        let address = message["journal"].as_str().expect("an address");
        let journal = self.real(&format!("/games/{address}/journal.json")).body;
        let mut digest = digest_of(&journal);
        message["time_ms"] = json!(NOON);
        message["digest"] = json!(digest.to_string());
        let ended = |leaf: &Leaf| matches!(leaf, Leaf::End(end) if end.game == game);
        if self.leaves.iter().any(ended) || self.cheat == Cheat::HidesGame {
            return;
        }
        match self.cheat {
            Cheat::OtherEnd => digest = Hex::new([0xee; 16]),
            Cheat::ChangesEnd => digest = digest_of(&other_journal()),
            _ => {}
        }
        let time_ms = NOON;
        self.leaves.push(Leaf::End(GameEnd {
            game,
            digest,
            time_ms,
        }));
    }

    /// Answer of the real server.
    fn real(&self, path: &str) -> Content {
        let answer = ureq::get(format!("http://{}{path}", self.server)).call();
        let mut body = answer.expect("an answer").into_body();
        Content {
            kind: body.mime_type().unwrap_or_default().to_owned(),
            body: body.read_to_vec().expect("a body"),
        }
    }

    /// Answer of this table.
    pub(super) fn serve(&mut self, path: &str) -> Option<Content> {
        if let Some(path) = path.strip_prefix("/log/") {
            self.shown += u64::from(path == "checkpoint" && !self.leaves.is_empty());
            let kind = "text/plain".to_owned();
            return self.log(path).map(|body| Content { kind, body });
        }
        let mut served = self.real(path);
        if path.starts_with("/games/")
            && [Cheat::OtherJournal, Cheat::ChangesEnd].contains(&self.cheat)
        {
            served.body = other_journal();
        }
        Some(served)
    }

    /// Content at this path of the log.
    pub(super) fn log(&self, path: &str) -> Option<Vec<u8>> {
        let texts: Vec<_> = self.leaves.iter().map(Leaf::to_string).collect();
        let hashes: Vec<_> = texts
            .iter()
            .map(|text| hash_leaf(text.as_bytes()))
            .collect();
        let tree: LogTree = hashes.iter().copied().collect();
        if path == "checkpoint" {
            let (table, size, root) = (Self::table(), tree.size(), tree.root());
            let checkpoint = Checkpoint { table, size, root };
            return Some(checkpoint.sign(self.key.ed25519()).into_bytes());
        }
        if path == "key" {
            return Some(self.key.to_public_key_file().into_bytes());
        }
        let tile: Tile = path.parse().ok()?;
        let index = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        let from = index(tile.index() * u64::from(Tile::FULL_WIDTH));
        let stored = |range: Range<u64>| {
            let range = index(range.start)..index(range.end);
            Ok::<_, Infallible>(hashes[range].to_vec())
        };
        match tile.level() {
            TileLevel::Entries => {
                let to = from + usize::from(tile.width());
                texts
                    .get(from..to)
                    .and_then(|texts| encode_bundle(texts).ok())
            }
            TileLevel::Hashes(_) => tree
                .read_tile(tile, stored)
                .unwrap_or_else(|error| match error {}),
        }
    }

    /// Rewrites history: changes the first leaf.
    pub(crate) fn rewrite(&mut self) {
        if let Some(Leaf::Start(start)) = self.leaves.first_mut() {
            start.commitment = Hex::new([9; 32]);
        }
    }
}

/// Key of every cheating table.
fn key() -> TableKey {
    let file = std::fs::read_to_string(project().join("tests/keys/signer.key")).expect("a key");
    TableKey::parse_file(&file).expect("a key")
}

/// Journal of another game, which is as intact as the real one.
fn other_journal() -> Vec<u8> {
    std::fs::read(project().join("journals/single_card_2_showdown.json")).expect("a journal")
}

/// The final digest of a journal.
fn digest_of(journal: &[u8]) -> Hex<16> {
    let judgement = verify(journal).expect("bytes");
    judgement.end().expect("a journal with an end").digest
}

fn remove(message: &mut Value, names: &[&str]) {
    let fields = message.as_object_mut().expect("fields");
    fields.retain(|name, _| !names.contains(&name.as_str()));
}
