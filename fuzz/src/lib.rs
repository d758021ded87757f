//! Properties that must hold for every input.
//!
//! `.ci/fuzz` searches for inputs that violate them. The tests check the inputs in `corpus` with
//! the same code.

pub mod chance;
pub mod events;
pub mod import;
pub mod kernels;
pub mod mutate;
pub mod reader;
pub mod relink;
pub mod repair;
pub mod scenario;
pub mod tokens;
