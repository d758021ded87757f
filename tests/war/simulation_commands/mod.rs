//! `war simulate`, `war enumerate` and `war literature`, as they are called.

mod figures;
mod input;
mod interrupted;
mod outputs;

/// Rules that the fast kernels play.
const REFERENCE: [&str; 6] = [
    "--rules",
    "bataille",
    "--face-down",
    "1",
    "--collect",
    "winner-first",
];
