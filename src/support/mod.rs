//! Parts that the other crates of the workspace share, and that are nobody else's business.
//!
//! They may change in any version.

pub mod digits;
pub mod fields;
pub mod hex;
pub mod redacted;
pub mod visible;
