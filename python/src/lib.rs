//! The native half of the Python package `war`: it plays, joins and reads runs.
//!
//! What Python's users see is in `war/__init__.py`; this module is its own.

mod asked;
mod columns;
mod parts;
mod play;
mod words;

use pyo3::prelude::*;

#[pymodule]
mod _war {
    #[pymodule_export]
    use super::parts::{Parts, joined};
    #[pymodule_export]
    use super::play::play;
}
