use super::rooms::{Census, Epoch, Leases, NodeAddress, People, Plan, RoomNumber, RoomSight};
use super::store::{Store, StoreError, TableStore};
use std::collections::BTreeMap;

/// A node of several that share a table, as it looks around: it shows that it is there, and sees
/// which rooms it may take.
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
    /// never goes back, the node serves the rooms `owned`, and counts these people.
    ///
    /// The result is what was seen, and what to do: nodes to forget are forgotten already.
    ///
    /// # Errors
    ///
    /// [`StoreError`] where the store fails.
    pub fn look(
        &mut self,
        table: &dyn TableStore,
        owned: &BTreeMap<RoomNumber, Epoch>,
        people: People,
        clock: u64,
    ) -> Result<(Census, Plan), StoreError> {
        table.beat(&self.node, people)?;
        let census = table.census()?;
        let plan = self.leases.look(&census, owned, clock);
        for gone in &plan.forget {
            table.forget(gone)?;
        }
        Ok((census, plan))
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

    /// Whether the node goes on after a room or its look around ended so, and looks again; it
    /// ends with any other error.
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
