//! Entry point of `war`; the library holds the program.

use std::process::ExitCode;

/// Allocator that gives memory back to the system after many connections to a table have closed, as
/// glibc's doesn't.
#[cfg(all(feature = "table", target_os = "linux", target_env = "gnu"))]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

fn main() -> ExitCode {
    war_cli::run()
}
