//! The configuration, `war.toml`: its settings, what each may be, and where it is read.

mod allowed;
mod load;
mod settings;
mod words;

pub(crate) use load::ConfigError;
#[cfg(feature = "table")]
pub(crate) use settings::TableSettings;
pub(crate) use settings::{Config, Format, Log};
