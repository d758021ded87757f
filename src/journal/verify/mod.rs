//! Verification: a journal's game, played along.

mod checker;
mod fault;
mod recorded;
mod tokens;
mod verifier;
mod war;

pub use checker::Checker;
pub use tokens::TokenChecker;
pub use verifier::Verifier;
pub use war::WarChecker;
