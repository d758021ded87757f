//! Internals shared with the other crates of the workspace.
//!
//! These modules are not part of the public API, and may change in any version.

pub mod device_names;
pub mod digits;
pub mod encoding;
pub mod fields;
pub mod hex;
pub mod redacted;
pub mod sanitize;
