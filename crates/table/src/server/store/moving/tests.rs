use super::{
    ColumnValue, MoveSource, MoveTableError, MoveTarget, RowKind, RowValues, TableMetadata,
    TargetContent, move_table,
};
use crate::log::hash_leaf;
use crate::server::store::{Damage, StoreError, StoreSecret};
use crate::time::TableTime;
use crate::time::WallTime;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::mem::take;
use war::support::hex::Hex;

const ID: u8 = 7;

/// Names of the steps that the move has taken, in order.
type Steps<'a> = &'a RefCell<Vec<&'static str>>;

/// Function that damages rows on their way to the target.
type Corruption = fn(RowKind, &mut Vec<RowValues>);

struct Source<'a> {
    rows: BTreeMap<RowKind, Vec<RowValues>>,
    was_leaving: bool,
    steps: Steps<'a>,
}

struct Target<'a> {
    rows: BTreeMap<RowKind, Vec<RowValues>>,
    occupant: TargetContent,
    corrupt: Corruption,
    settles: bool,
    steps: Steps<'a>,
}

impl MoveSource for Source<'_> {
    fn metadata(&self) -> TableMetadata {
        TableMetadata {
            id: Hex::new([ID; 16]),
            time: TableTime::from_millis(5),
            messages_dated_since: WallTime::from_millis(4),
            public_key: None,
            secret: StoreSecret::new([0x2a; 32]),
            next: [3, 10],
        }
    }

    fn is_marked_leaving(&self) -> bool {
        self.was_leaving
    }

    fn count(&mut self, kind: RowKind) -> Result<u64, StoreError> {
        Ok(self.rows.get(&kind).map_or(0, Vec::len) as u64)
    }

    fn read(&mut self, kind: RowKind) -> Result<Vec<RowValues>, StoreError> {
        Ok(self.rows.get_mut(&kind).map(take).unwrap_or_default())
    }

    fn mark_leaving(&mut self) -> Result<(), StoreError> {
        self.steps.borrow_mut().push("mark_leaving");
        Ok(())
    }

    fn mark_moved(&mut self) -> Result<(), StoreError> {
        self.steps.borrow_mut().push("mark_moved");
        Ok(())
    }
}

impl MoveTarget for Target<'_> {
    fn content(&mut self) -> Result<TargetContent, StoreError> {
        Ok(self.occupant)
    }

    fn create(&mut self) -> Result<(), StoreError> {
        Ok(())
    }

    fn write(&mut self, kind: RowKind, mut rows: Vec<RowValues>) -> Result<(), StoreError> {
        (self.corrupt)(kind, &mut rows);
        self.rows.insert(kind, rows);
        Ok(())
    }

    fn write_metadata(&mut self, _: TableMetadata) -> Result<(), StoreError> {
        Ok(())
    }

    fn read(&mut self, kind: RowKind) -> Result<Vec<RowValues>, StoreError> {
        Ok(self.rows.get_mut(&kind).map(take).unwrap_or_default())
    }

    fn publish(&mut self) -> Result<(), StoreError> {
        self.steps.borrow_mut().push("publish");
        if self.settles {
            Ok(())
        } else {
            Err(StoreError::FileGone)
        }
    }
}

/// Two players with balances that match the ledger, a message, and a leaf.
fn rows() -> BTreeMap<RowKind, Vec<RowValues>> {
    use ColumnValue::{Bytes, Number, Text};
    let player = |id, balance| {
        let token = Bytes(vec![7; 32]);
        let name = Text("Ann".to_owned());
        vec![
            Number(id),
            token,
            name,
            Number(balance),
            Number(1),
            Number(0),
            Number(0),
            Text("banned".to_owned()),
            Number(1),
        ]
    };
    let transfer = |place, debit, credit, tokens| {
        vec![Number(place), Number(debit), Number(credit), Number(tokens)]
    };
    let hash = Bytes(hash_leaf(b"leaf").bytes().to_vec());
    BTreeMap::from([
        (RowKind::Players, vec![player(1, 1010), player(2, 990)]),
        (
            RowKind::Transfers,
            vec![
                transfer(1, 0, 1, 1000),
                transfer(2, 0, 2, 1000),
                transfer(3, 2, 1, 10),
            ],
        ),
        (
            RowKind::Messages,
            vec![vec![Number(1), Number(1), Text("{}".to_owned()), Number(7)]],
        ),
        (
            RowKind::Leaves,
            vec![vec![Number(0), hash, Number(9), Text("leaf".to_owned())]],
        ),
    ])
}

/// Moves these rows. Also returns the steps taken.
fn move_rows(
    rows: BTreeMap<RowKind, Vec<RowValues>>,
    change: impl FnOnce(&mut Source<'_>, &mut Target<'_>),
    goes_on: bool,
) -> (Result<bool, MoveTableError>, Vec<&'static str>) {
    let steps = RefCell::default();
    let mut from = Source {
        rows,
        was_leaving: false,
        steps: &steps,
    };
    let mut to = Target {
        rows: BTreeMap::new(),
        occupant: TargetContent::Empty,
        corrupt: |_, _| {},
        settles: true,
        steps: &steps,
    };
    change(&mut from, &mut to);
    let moved = move_table(&mut from, &mut to, &mut |_, _| goes_on);
    (moved.map(|moved| moved.is_some()), steps.take())
}

#[test]
fn the_old_store_is_marked_before_the_new_one_is_valid() {
    let (moved, steps) = move_rows(rows(), |_, _| {}, true);
    assert!(matches!(moved, Ok(true)), "{moved:?}");
    assert_eq!(steps, ["mark_leaving", "publish", "mark_moved"]);
    let (moved, steps) = move_rows(rows(), |_, to| to.settles = false, true);
    assert!(
        matches!(moved, Err(MoveTableError::Unfinished(_))),
        "{moved:?}"
    );
    assert_eq!(steps, ["mark_leaving", "publish"]);
    let (moved, steps) = move_rows(rows(), |_, _| {}, false);
    assert!(
        matches!(moved, Err(MoveTableError::Interrupted)),
        "{moved:?}"
    );
    assert!(steps.is_empty());
}

#[test]
fn rows_that_change_on_the_way_are_detected() {
    let corruptions: [(Corruption, RowKind); 5] = [
        (
            |kind, rows| {
                if kind == RowKind::Messages {
                    rows.clear();
                }
            },
            RowKind::Messages,
        ),
        (
            |kind, rows| {
                if kind == RowKind::Messages {
                    rows[0][2] = ColumnValue::Text("{ }".to_owned());
                }
            },
            RowKind::Messages,
        ),
        (
            |kind, rows| {
                if kind == RowKind::Players {
                    rows[1][1] = ColumnValue::Bytes(vec![7; 31]);
                }
            },
            RowKind::Players,
        ),
        (
            |kind, rows| {
                if kind == RowKind::Players {
                    rows[0][7] = ColumnValue::Text("welcome".to_owned());
                }
            },
            RowKind::Players,
        ),
        (
            |kind, rows| {
                if kind == RowKind::Leaves {
                    rows[0][3] = ColumnValue::Text("loaf".to_owned());
                }
            },
            RowKind::Leaves,
        ),
    ];
    for (corrupt, expected) in corruptions {
        let (moved, steps) = move_rows(rows(), |_, to| to.corrupt = corrupt, true);
        let found = matches!(&moved, Err(MoveTableError::Differs(kind)) if *kind == expected);
        assert!(found, "{expected:?}: {moved:?}");
        assert!(steps.is_empty(), "{steps:?}");
    }
}

#[test]
fn an_inconsistent_store_is_not_moved() {
    let mut wrong = rows();
    wrong.get_mut(&RowKind::Players).expect("players")[0][3] = ColumnValue::Number(1011);
    let (moved, steps) = move_rows(wrong, |_, _| {}, true);
    let refused = matches!(
        moved,
        Err(MoveTableError::Source(StoreError::Damaged(Damage::Balance)))
    );
    assert!(refused && steps.is_empty(), "{moved:?}");
    let mut wrong = rows();
    wrong.get_mut(&RowKind::Leaves).expect("leaves")[0][0] = ColumnValue::Number(1);
    let (moved, steps) = move_rows(wrong, |_, _| {}, true);
    let refused = matches!(
        moved,
        Err(MoveTableError::Source(StoreError::Damaged(Damage::Leaf)))
    );
    assert!(refused && steps.is_empty(), "{moved:?}");
}

#[test]
fn a_table_that_has_arrived_is_not_moved_again() {
    let table = TargetContent::Table(Hex::new([ID; 16]));
    let (moved, steps) = move_rows(
        rows(),
        |from, to| (from.was_leaving, to.occupant) = (true, table),
        true,
    );
    assert!(matches!(moved, Ok(false)), "{moved:?}");
    assert_eq!(steps, ["mark_moved"]);
    let other = TargetContent::Table(Hex::new([8; 16]));
    for (was_leaving, occupant) in [(false, table), (true, other), (true, TargetContent::Other)] {
        let (moved, steps) = move_rows(
            rows(),
            |from, to| (from.was_leaving, to.occupant) = (was_leaving, occupant),
            true,
        );
        assert!(matches!(moved, Err(MoveTableError::Occupied)), "{moved:?}");
        assert!(steps.is_empty());
    }
}
