//! What is on the disk, and when: events before their screens, and the file in its directory.

#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod program;
#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod spied;

#[cfg(all(target_os = "linux", target_env = "gnu", feature = "table"))]
pub(crate) use spied::Spied;
