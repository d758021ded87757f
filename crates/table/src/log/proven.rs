use super::hash::{Hash, node_hash};

/// Whether a leaf with this hash is at this place, counted from 0, of the tree with so many
/// leaves and this root: RFC 9162, section 2.1.3.2.
#[must_use]
pub fn inclusion_is_proven(
    leaf: &Hash,
    index: u64,
    size: u64,
    proof: &[Hash],
    root: &Hash,
) -> bool {
    if index >= size {
        return false;
    }
    let mut way = Way {
        node: index,
        last: size - 1,
    };
    let mut hash = *leaf;
    for other in proof {
        let Some(is_right) = way.up() else {
            return false;
        };
        hash = if is_right {
            node_hash(other, &hash)
        } else {
            node_hash(&hash, other)
        };
    }
    way.last == 0 && hash == *root
}

/// Whether the tree with `old` leaves is the beginning of the one with `new` leaves, each given
/// with its root: RFC 9162, section 2.1.4.2.
///
/// An empty tree is the beginning of every other.
#[must_use]
pub fn consistency_is_proven(
    (old, old_root): (u64, &Hash),
    (new, new_root): (u64, &Hash),
    proof: &[Hash],
) -> bool {
    if old == 0 || old >= new {
        let same = old == 0 || (old == new && old_root == new_root);
        return same && proof.is_empty();
    }
    let mut way = Way {
        node: old - 1,
        last: new - 1,
    };
    way.skip_right();
    // A complete old tree is a node of the new one; else the proof says which node they share.
    let (shared, rest) = match proof.split_first() {
        _ if old.is_power_of_two() => (old_root, proof),
        Some(shared) => shared,
        None => return false,
    };
    let (mut was, mut is) = (*shared, *shared);
    for other in rest {
        match way.up() {
            None => return false,
            Some(true) => (was, is) = (node_hash(other, &was), node_hash(other, &is)),
            Some(false) => is = node_hash(&is, other),
        }
    }
    way.last == 0 && was == *old_root && is == *new_root
}

/// The way from a node to the root.
struct Way {
    /// The place of the node in its row.
    node: u64,
    /// The place of the last node in that row.
    last: u64,
}

impl Way {
    /// Goes to the node above, and says whether this one was its right child; `None` at the root.
    const fn up(&mut self) -> Option<bool> {
        if self.last == 0 {
            return None;
        }
        let is_right = self.node % 2 == 1 || self.node == self.last;
        if is_right {
            // The last node of a row that has no twin stands for itself in the row above.
            while self.node.is_multiple_of(2) && self.node != 0 {
                self.node /= 2;
                self.last /= 2;
            }
        }
        self.node /= 2;
        self.last /= 2;
        Some(is_right)
    }

    /// Goes up for as long as the node is a right child.
    const fn skip_right(&mut self) {
        while self.node % 2 == 1 {
            self.node /= 2;
            self.last /= 2;
        }
    }
}
