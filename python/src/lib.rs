//! Native half of the Python package `war`: it plays, joins and reads runs.
//!
//! The public Python API is in `war/__init__.py`; this module is private to it.

mod arguments;
mod columns;
mod errors;
mod parts;
mod play;

use pyo3::prelude::*;

#[pymodule]
mod _war {
    #[pymodule_export]
    use super::parts::{Parts, join};
    #[pymodule_export]
    use super::play::play;
}
