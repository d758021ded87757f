//! Order of disk writes: events come before their screens, and a file before its directory entry.

#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod program;
#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod spied_sandbox;

#[cfg(all(target_os = "linux", target_env = "gnu", feature = "table"))]
pub(crate) use spied_sandbox::SpiedSandbox;
