//! What an operator says to a table that runs, and how they prove that they are its operator.
//!
//! The program asks at the table's address for operators. Every question goes with a proof
//! that the one who asks can read the table's key: of this question, and of a challenge that the
//! table takes once. So neither another user of the machine nor a page in a browser can ask,
//! and what was overheard can't be said again.

mod answer;
mod ask;
mod check;
mod proof;

pub use answer::{Answer, Doing, Listed};
pub use ask::{Ask, CHALLENGE, LEAST_RETAINED, MOST_LISTED, PATH, SCHEME};
pub use check::{Checked, LedgerPlace, Place, StoreFault};
pub use proof::{Challenge, Proof, is_proven, proof};
