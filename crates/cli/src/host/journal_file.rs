use std::fs;
use std::io::{self, Write};
use std::path::Path;
use war::journal::{JournalFile, Medium};

/// Creates a file with this content, synced; one that exists is left alone, and one that can't be
/// written is removed.
pub(crate) fn create_whole(path: &Path, content: &[u8]) -> io::Result<()> {
    let mut file = JournalFile::create(path)?;
    let written = file.write_all(content).and_then(|()| file.sync());
    written.inspect_err(|_| abandon(path))
}

/// Removes a journal made from another file that can't be written to its end: half of it helps
/// nobody.
pub(crate) fn abandon(path: &Path) {
    // Where it can't be removed, it reads as cut off.
    let _ = fs::remove_file(path);
}
