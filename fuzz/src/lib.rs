//! What the fuzzer holds to be true of every input, whatever it is.
//!
//! `.ci/fuzz` looks for inputs that break it. The tests hold it to be true of those in `corpus`,
//! with this same code.

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
