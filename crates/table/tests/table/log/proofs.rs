//! Roots, tiles and proofs, tested against the published vectors of Certificate Transparency, the
//! literal definitions of RFC 6962, and another implementation.

use ct_merkle::mem_backed_tree::MemoryBackedTree;
use proptest::prelude::*;
use sha2::{Digest, Sha256};
use std::convert::Infallible;
use std::ops::Range;
use std::sync::LazyLock;
use war::support::hex::Hex;
use war_table::log::{
    Frontier, LogTree, ProofError, Tile, TileLevel, TreeHash, hash_leaf,
    is_valid_consistency_proof, is_valid_inclusion_proof,
};

/// Leaves in the tests of Certificate Transparency since RFC 6962, as hexadecimal digits:
/// <https://github.com/transparency-dev/merkle>, `testonly/constants.go`.
const LEAVES: [&str; 8] = [
    "",
    "00",
    "10",
    "2021",
    "3031",
    "40414243",
    "5051525354555657",
    "606162636465666768696a6b6c6d6e6f",
];

/// Roots of the trees of the first 0 to 8 leaves, from the same source.
const ROOTS: [&str; 9] = [
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
];

/// Nodes of the tree of all eight leaves, from the proofs in the same source.
const NODE_0_2: &str = ROOTS[2];
const NODE_0_4: &str = ROOTS[4];
const LEAF_1: &str = "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7";
const LEAF_4: &str = "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b";
const NODE_2_4: &str = "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e";
const NODE_4_6: &str = "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a";
const NODE_6_8: &str = "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0";
const NODE_4_8: &str = "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4";

/// Inclusion proofs: leaf index, tree size, nodes.
const INCLUSIONS: &[(u64, u64, &[&str])] = &[
    (0, 1, &[]),
    (0, 8, &[LEAF_1, NODE_2_4, NODE_4_8]),
    (5, 8, &[LEAF_4, NODE_6_8, NODE_0_4]),
    (2, 3, &[NODE_0_2]),
    (1, 5, &[ROOTS[1], NODE_2_4, LEAF_4]),
];

/// Consistency proofs: sizes of both trees, nodes.
const CONSISTENCIES: &[(u64, u64, &[&str])] = &[
    (1, 1, &[]),
    (1, 8, &[LEAF_1, NODE_2_4, NODE_4_8]),
    (6, 8, &[NODE_4_6, NODE_6_8, NODE_0_4]),
    (2, 5, &[NODE_2_4, LEAF_4]),
];

fn hash(digits: &str) -> TreeHash {
    digits.parse().expect("digits")
}

fn bytes(digits: &str) -> Vec<u8> {
    let pairs = digits.as_bytes().chunks(2);
    let byte = |pair: &[u8]| u8::from_str_radix(str::from_utf8(pair).expect("ASCII"), 16);
    pairs.map(|pair| byte(pair).expect("digits")).collect()
}

/// Tree with the stored hashes of its leaves.
struct StoredTree {
    tree: LogTree,
    leaves: Vec<TreeHash>,
}

impl StoredTree {
    fn of(leaves: impl IntoIterator<Item = Vec<u8>>) -> Self {
        let leaves: Vec<_> = leaves.into_iter().map(|leaf| hash_leaf(&leaf)).collect();
        let tree = leaves.iter().copied().collect();
        Self { tree, leaves }
    }

    fn counted(size: u64) -> Self {
        Self::of((0..size).map(|leaf| leaf.to_be_bytes().to_vec()))
    }

    fn stored(&self) -> impl Fn(Range<u64>) -> Result<Vec<TreeHash>, Infallible> {
        |range| {
            let [start, end] =
                [range.start, range.end].map(|at| usize::try_from(at).expect("small"));
            Ok(self.leaves[start..end].to_vec())
        }
    }

    fn inclusion(&self, index: u64, size: u64) -> Vec<TreeHash> {
        let proof = self.tree.prove_inclusion(index, size, self.stored());
        proof.expect("a proof")
    }

    fn consistency(&self, old: u64, new: u64) -> Vec<TreeHash> {
        let proof = self.tree.prove_consistency(old, new, self.stored());
        proof.expect("a proof")
    }

    fn root(&self, size: u64) -> TreeHash {
        let size = usize::try_from(size).expect("small");
        let tree: Frontier = self.leaves[..size].iter().copied().collect();
        tree.root()
    }
}

/// Merkle tree hash, computed literally as RFC 6962, section 2.1, defines MTH.
fn defined(leaves: &[TreeHash]) -> TreeHash {
    match leaves {
        [] => Hex::new(Sha256::digest([]).into()),
        [leaf] => *leaf,
        _ => {
            let (left, right) = leaves.split_at(leaves.len().next_power_of_two() / 2);
            let (left, right) = (defined(left), defined(right));
            let node = [&[1], &left.bytes()[..], right.bytes()].concat();
            Hex::new(Sha256::digest(node).into())
        }
    }
}

#[test]
fn the_vectors_of_certificate_transparency_are_reproduced() {
    let kept = StoredTree::of(LEAVES.map(bytes));
    for (size, root) in (0..).zip(ROOTS) {
        assert_eq!(kept.root(size), hash(root), "{size} leaves");
    }
    for (index, size, expected) in INCLUSIONS {
        let expected: Vec<_> = expected.iter().map(|node| hash(node)).collect();
        assert_eq!(kept.inclusion(*index, *size), expected, "{index} of {size}");
    }
    for (old, new, expected) in CONSISTENCIES {
        let expected: Vec<_> = expected.iter().map(|node| hash(node)).collect();
        assert_eq!(kept.consistency(*old, *new), expected, "{old} of {new}");
    }
}

#[test]
fn proofs_of_small_trees_hold_and_changed_ones_do_not() {
    let kept = StoredTree::counted(40);
    for size in 1..=40 {
        let root = kept.root(size);
        for index in 0..size {
            let leaf = kept.leaves[usize::try_from(index).expect("small")];
            let proof = kept.inclusion(index, size);
            let proven = |leaf: &TreeHash, index: u64, proof: &[TreeHash]| {
                is_valid_inclusion_proof(leaf, index, size, proof, &root)
            };
            assert!(proven(&leaf, index, &proof), "{index} of {size}");
            assert!(!proven(&leaf, index + 1, &proof), "{index} of {size}");
            assert!(
                !proven(&hash_leaf(b"another"), index, &proof),
                "{index} of {size}"
            );
            assert!(!proven(&leaf, index, &[&proof[..], &[root]].concat()));
            if let Some((_, shorter)) = proof.split_last() {
                assert!(!proven(&leaf, index, shorter), "{index} of {size}");
            }
        }
        for old in 1..size {
            let proof = kept.consistency(old, size);
            let (was, is) = (kept.root(old), kept.root(size));
            let proven = |was: &TreeHash, proof: &[TreeHash]| {
                is_valid_consistency_proof((old, was), (size, &is), proof)
            };
            assert!(proven(&was, &proof), "{old} of {size}");
            assert!(!proven(&hash_leaf(b"another"), &proof), "{old} of {size}");
            assert!(
                !proven(&was, &[&proof[..], &[is]].concat()),
                "{old} of {size}"
            );
            assert!(!proven(&was, &proof[1..]), "{old} of {size}");
            assert!(!is_valid_consistency_proof(
                (size, &is),
                (old, &was),
                &proof
            ));
        }
        assert!(is_valid_consistency_proof(
            (size, &root),
            (size, &root),
            &[]
        ));
        assert!(!is_valid_consistency_proof(
            (size, &hash_leaf(b"")),
            (size, &root),
            &[]
        ));
    }
}

#[test]
fn a_tree_has_no_proofs_beyond_its_end() {
    let kept = StoredTree::counted(300);
    let outside = Err(ProofError::Outside);
    assert_eq!(kept.tree.prove_inclusion(300, 300, kept.stored()), outside);
    assert_eq!(kept.tree.prove_inclusion(0, 301, kept.stored()), outside);
    assert_eq!(kept.tree.prove_consistency(2, 1, kept.stored()), outside);
    assert_eq!(kept.tree.prove_consistency(1, 301, kept.stored()), outside);
    // A store that has lost leaves is noticed.
    let lost = |_: Range<u64>| Ok::<_, Infallible>(Vec::new());
    let short = kept.tree.prove_inclusion(0, 300, lost);
    assert!(matches!(short, Err(ProofError::Short(_))), "{short:?}");
    assert_eq!(
        kept.tree
            .read_tile("tile/0/000".parse().expect("a path"), lost),
        Ok(None)
    );
}

#[test]
fn every_tile_of_a_tree_is_computed_from_the_level_below() {
    // 257 full tiles of leaves, so that a tile of level 1 is full.
    let kept = StoredTree::counted(257 * 256 + 3);
    let size = kept.tree.size();
    let served = |level, index| {
        let tile = Tile::new(TileLevel::Hashes(level), index, size).expect("a tile");
        let bytes = kept
            .tree
            .read_tile(tile, kept.stored())
            .expect("it is stored");
        bytes.expect("the tree has it")
    };
    let hashes = |bytes: &[u8]| -> Vec<TreeHash> {
        let hash = |bytes: &[u8]| Hex::new(bytes.try_into().expect("32 bytes"));
        bytes.chunks(32).map(hash).collect()
    };
    for (level, index, length) in [(0, 0, 256), (0, 257, 3), (1, 0, 256), (1, 1, 1), (2, 0, 1)] {
        let tile = hashes(&served(level, index));
        assert_eq!(tile.len(), length);
        let leaves = 1 << (8 * u32::from(level));
        for (at, found) in (256 * index..).zip(tile) {
            let from = usize::try_from(at).expect("small") * leaves;
            assert_eq!(found, defined(&kept.leaves[from..from + leaves]));
        }
    }
    // A partial tile from when the tree was smaller.
    let earlier = Tile::new(TileLevel::Hashes(0), 2, 2 * 256 + 7).expect("a tile");
    let bytes = kept
        .tree
        .read_tile(earlier, kept.stored())
        .expect("it is stored");
    assert_eq!(
        hashes(&bytes.expect("it is in the tree")),
        kept.leaves[512..519]
    );
    for path in [
        "tile/0/257.p/4",
        "tile/0/258.p/1",
        "tile/3/000.p/1",
        "tile/entries/000",
    ] {
        let tile = kept
            .tree
            .read_tile(path.parse().expect("a path"), kept.stored());
        assert_eq!(tile, Ok(None), "{path}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn roots_and_proofs_match_another_implementation(
        (new, old, index) in (2..1500_u64).prop_flat_map(|new| (Just(new), 1..new, 0..new)),
    ) {
        let kept = StoredTree::counted(new);
        let mut other = MemoryBackedTree::<Sha256, Vec<u8>>::new();
        for leaf in 0..new {
            other.push(leaf.to_be_bytes().to_vec());
        }
        let bytes = |hashes: &[TreeHash]| -> Vec<u8> {
            hashes.iter().flat_map(TreeHash::bytes).copied().collect()
        };
        let (root, expected) = (kept.tree.root(), other.root());
        prop_assert_eq!(&expected.as_bytes()[..], &root.bytes()[..]);
        prop_assert_eq!(defined(&kept.leaves), kept.tree.root());
        let at = |place: u64| usize::try_from(place).expect("small");
        let inclusion = other.prove_inclusion(at(index));
        prop_assert_eq!(inclusion.as_bytes(), &bytes(&kept.inclusion(index, new))[..]);
        let consistency = other.prove_consistency(at(new - old));
        prop_assert_eq!(consistency.as_bytes(), &bytes(&kept.consistency(old, new))[..]);
    }

    #[test]
    fn a_large_tree_proves_its_earlier_states(
        (new, old, index) in (1..70_000_u64).prop_flat_map(|new| (Just(new), 0..=new, 0..new)),
    ) {
        static LARGE: LazyLock<StoredTree> = LazyLock::new(|| StoredTree::counted(70_000));
        let kept = &*LARGE;
        let (is, was) = (kept.root(new), kept.root(old));
        let leaf = kept.leaves[usize::try_from(index).expect("small")];
        prop_assert!(is_valid_inclusion_proof(&leaf, index, new, &kept.inclusion(index, new), &is));
        let proof = kept.consistency(old, new);
        prop_assert!(is_valid_consistency_proof((old, &was), (new, &is), &proof));
    }
}
