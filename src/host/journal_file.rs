use std::fs;
use std::path::Path;

/// Removes a journal made from another file that can't be written to its end: half of it helps
/// nobody.
pub(crate) fn abandon(path: &Path) {
    // Where it can't be removed, it reads as cut off.
    let _ = fs::remove_file(path);
}
