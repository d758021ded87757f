/// What is asked of a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StoreCall {
    /// To begin a transaction.
    Begin,
    /// To read or write in a transaction.
    Use,
    /// To commit a transaction.
    Commit,
}

/// How a store in memory fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// The database reports an error, and nothing is done.
    Error,
    /// The database reports an error, but the commit was done.
    LostReply,
    /// Another program writes: a transaction can't begin yet.
    Busy,
}
