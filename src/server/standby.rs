use super::rooms::{Leases, NodeAddress, RoomSight};
use super::store::{Store, StoreError, TableStore};
use std::collections::BTreeMap;

/// A node of several that share a table, while it serves no room: it shows that it is there, and
/// looks whether there is a room to take.
///
/// It has no thread and no clock. Its caller calls [`look`](Self::look) every [`LOOK`]
/// milliseconds, and [`take`](Self::take) for what that finds.
///
/// [`LOOK`]: super::rooms::LOOK
#[derive(Debug, Clone)]
pub struct Standby {
    node: NodeAddress,
    leases: Leases,
}

impl Standby {
    /// The node of this address, which has seen nothing yet.
    #[must_use]
    pub fn new(node: NodeAddress) -> Self {
        let leases = Leases::new(node.clone());
        Self { node, leases }
    }

    /// Looks around when the node's monotonic clock shows `clock`, a number of milliseconds that
    /// never goes back.
    ///
    /// The result is a room that may be taken, as it was seen.
    ///
    /// # Errors
    ///
    /// [`StoreError`] where the store fails.
    pub fn look(
        &mut self,
        table: &dyn TableStore,
        clock: u64,
    ) -> Result<Option<RoomSight>, StoreError> {
        table.beat(&self.node)?;
        let plan = self.leases.look(&table.census()?, &BTreeMap::new(), clock);
        for gone in &plan.forget {
            table.forget(gone)?;
        }
        Ok(plan.take.into_iter().next())
    }

    /// Takes a room that is still as it was seen; `None` where it is not.
    ///
    /// # Errors
    ///
    /// [`StoreError`] where the store fails.
    pub fn take(
        &self,
        table: &dyn TableStore,
        seen: &RoomSight,
    ) -> Result<Option<Box<dyn Store>>, StoreError> {
        table.take(seen, &self.node)
    }

    /// Whether the node stands by after its room or its look around ended so, and looks again;
    /// it ends with any other error.
    #[must_use]
    pub const fn outlasts(error: &StoreError) -> bool {
        error.may_pass()
    }

    /// Leaves the table in order: others need not wait until they forget the node.
    ///
    /// # Errors
    ///
    /// [`StoreError`] where the store fails for good.
    pub fn leave(self, table: &dyn TableStore) -> Result<(), StoreError> {
        match table.forget(&self.node) {
            Err(error) if Self::outlasts(&error) => Ok(()),
            left => left,
        }
    }
}
