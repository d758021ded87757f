//! A log as a table writes it, in a directory that tests can change.

use crate::support::{Run, Sandbox, project};
use std::convert::Infallible;
use std::fs;
use std::ops::Range;
use war::signing::TableKey;
use war::support::hex::Hex;
use war_table::log::{
    Checkpoint, GameEnd, GameStart, Leaf, LogTree, TableId, Tile, TileLevel, TreeHash,
    encode_bundle, hash_leaf, sign_start,
};

/// Start of the first game, in milliseconds since the Unix epoch: a moment in 2026.
pub(crate) const BEGINNING: u64 = 1_790_000_000_000;

pub(crate) const HOUR: u64 = 60 * 60 * 1000;

/// Directory of the log.
pub(crate) const LOG: &str = "log";

/// Id of the table's key, which `minisign -G -W` generated.
pub(crate) const KEY: &str = "D0EDDE00A8917FD7";

/// Leaves of a log, and its signer.
#[derive(Debug, Clone)]
pub(crate) struct TestLog {
    pub(crate) leaves: Vec<Vec<u8>>,
    pub(crate) table: TableId,
    key: String,
}

fn key_file(name: &str) -> String {
    fs::read_to_string(project().join("tests/keys").join(name)).expect("a key")
}

pub(crate) fn start(game: u64, time_ms: u64) -> Leaf {
    let digit = u8::try_from(game % 256).expect("a byte");
    Leaf::Start(GameStart {
        game,
        rules: "single-card-game/2".to_owned(),
        players: [2 * game + 1, 2 * game + 2],
        commitment: Hex::new([digit; 32]),
        seed_hashes: [Hex::new([1; 32]), Hex::new([2; 32])],
        time_ms,
    })
}

pub(crate) fn end(game: u64, time_ms: u64) -> Leaf {
    let digit = u8::try_from(game % 256).expect("a byte");
    let digest = Hex::new([digit; 16]);
    Leaf::End(GameEnd {
        game,
        digest,
        time_ms,
    })
}

impl TestLog {
    /// Log with these leaves.
    pub(crate) fn of(leaves: impl IntoIterator<Item = Leaf>) -> Self {
        let leaves = leaves.into_iter();
        Self {
            leaves: leaves.map(|leaf| leaf.to_string().into_bytes()).collect(),
            table: Hex::new([7; 16]),
            key: key_file("signer.key"),
        }
    }

    /// Log of this many games, which start a minute apart.
    pub(crate) fn games(games: u64) -> Self {
        let at = |game: u64, seconds: u64| BEGINNING + game * 60_000 + seconds * 1000;
        Self::of((1..=games).flat_map(|game| [start(game, at(game, 0)), end(game, at(game, 30))]))
    }

    /// The same log with changes.
    pub(crate) fn with(&self, change: impl FnOnce(&mut Vec<Vec<u8>>)) -> Self {
        let mut changed = self.clone();
        change(&mut changed.leaves);
        changed
    }

    /// The same log, of another table.
    pub(crate) fn of_table(&self, table: [u8; 16]) -> Self {
        let table = Hex::new(table);
        Self {
            table,
            ..self.clone()
        }
    }

    /// The same log, signed with another key.
    pub(crate) fn signed_anew(&self) -> Self {
        let key = TableKey::generate_file().expect("randomness");
        Self {
            key,
            ..self.clone()
        }
    }

    fn key(&self) -> TableKey {
        TableKey::parse_file(&self.key).expect("a key")
    }

    /// Table's signature of the start of a game.
    pub(crate) fn signature(&self, start: &GameStart) -> String {
        sign_start(&self.table, start, self.key().ed25519())
    }

    /// Public key as hexadecimal digits.
    pub(crate) fn public_key(&self) -> String {
        let key = self.key().ed25519().verifying_key();
        Hex::new(key.to_bytes()).to_string()
    }

    /// SHA-256 of the public key.
    pub(crate) fn fingerprint(&self) -> String {
        self.key().fingerprint().to_string()
    }

    fn tree(&self) -> LogTree {
        self.hashes().into_iter().collect()
    }

    fn hashes(&self) -> Vec<TreeHash> {
        self.leaves.iter().map(|leaf| hash_leaf(leaf)).collect()
    }

    pub(crate) fn size(&self) -> u64 {
        self.leaves.len() as u64
    }

    /// Checkpoint of the whole log.
    pub(crate) fn checkpoint(&self) -> String {
        let (tree, table) = (self.tree(), self.table);
        let (size, root) = (tree.size(), tree.root());
        Checkpoint { table, size, root }.sign(self.key().ed25519())
    }

    /// Writes every file that the table serves.
    pub(crate) fn write(&self, sandbox: &Sandbox) -> &Self {
        self.write_entries(sandbox).write_tiles(sandbox);
        sandbox.write("log/checkpoint", self.checkpoint());
        sandbox.write("log/key", self.key().to_public_key_file());
        self
    }

    pub(crate) fn write_entries(&self, sandbox: &Sandbox) -> &Self {
        for tile in self.tiles(TileLevel::Entries) {
            let from = usize::try_from(tile.index() * 256).expect("small");
            let leaves = &self.leaves[from..from + usize::from(tile.width())];
            sandbox.write(
                &format!("log/{tile}"),
                encode_bundle(leaves).expect("short leaves"),
            );
        }
        self
    }

    pub(crate) fn write_tiles(&self, sandbox: &Sandbox) -> &Self {
        let (tree, hashes) = (self.tree(), self.hashes());
        let stored = |range: Range<u64>| {
            let [from, to] = [range.start, range.end].map(|at| usize::try_from(at).expect("small"));
            Ok::<_, Infallible>(hashes[from..to].to_vec())
        };
        for tile in (0..8).flat_map(|level| self.tiles(TileLevel::Hashes(level))) {
            let bytes = tree.read_tile(tile, stored).expect("it is stored");
            sandbox.write(&format!("log/{tile}"), bytes.expect("a tile of the tree"));
        }
        self
    }

    fn tiles(&self, level: TileLevel) -> Vec<Tile> {
        let tile = |index| Tile::new(level, index, self.size());
        (0..).map_while(tile).collect()
    }
}

/// Verifies the log in the directory.
pub(crate) fn verify(sandbox: &Sandbox, options: &[&str]) -> Run {
    sandbox.war(&[&["log", "verify", LOG], options].concat())
}
