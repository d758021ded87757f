//! Games printed elsewhere: read from their text, and made into games that fit.

mod deduce;
mod error;
mod table;

pub use deduce::{Imported, import_xy};
pub use error::{ImportError, LineError};
