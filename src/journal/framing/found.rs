use crate::journal::parse::Brackets;
use crate::journal::v1::Record;

/// A record as found, with its brackets.
pub(in crate::journal) type Found<T> = (T, Brackets);

/// An event as found.
pub(in crate::journal) enum EventLine<E> {
    /// With all that follows from it.
    Full(Record<E>),
    /// Alone.
    Compact(E),
}
