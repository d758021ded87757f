use crate::journal::parse::Brackets;
use crate::journal::v1::Record;

/// A record as found, with its brackets.
pub(in crate::journal) type Found<T> = (T, Brackets);

/// An event as found, with its shape.
pub(in crate::journal) type FoundEvent<E> = (EventLine<E>, Shape);

/// In which shape an event was found.
#[derive(Debug, Clone, Copy)]
pub(in crate::journal) enum Shape {
    /// In its canonical form: so many bytes of it, up to its link or its last bracket.
    Canonical(usize),
    /// With these brackets.
    Brackets(Brackets),
}

/// An event as found.
pub(in crate::journal) enum EventLine<E> {
    /// With all that follows from it.
    Full(Record<E>),
    /// Alone.
    Compact(E),
}
