//! Journals that are read twice, standard input among them.

use crate::host::standard::{is_standard, open_measured};
use std::fs::File;
use std::io::{self, Read, Seek, Write, stdin};
use std::path::{Path, PathBuf};

/// A file that can be read from its beginning again.
pub(crate) struct Twice {
    path: PathBuf,
    /// What was read of standard input.
    kept: Option<File>,
}

/// Standard input, which is kept while it is read.
struct Keeping(File);

impl Read for Keeping {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = stdin().read(buffer)?;
        self.0.write_all(&buffer[..read])?;
        Ok(read)
    }
}

impl Twice {
    /// Opens a file, or standard input for `-`, to be read for the first time.
    pub(crate) fn open(path: &Path) -> io::Result<(Self, Box<dyn Read + Send>)> {
        let kept = is_standard(path).then(tempfile::tempfile).transpose()?;
        let input: Box<dyn Read + Send> = match &kept {
            Some(kept) => Box::new(Keeping(kept.try_clone()?)),
            None => open_measured(path)?.0,
        };
        let path = path.to_owned();
        Ok((Self { path, kept }, input))
    }

    /// Opens it to be read once more: of standard input what was read already, and then the rest.
    pub(crate) fn again(self) -> io::Result<Box<dyn Read + Send>> {
        match self.kept {
            Some(mut kept) => {
                kept.rewind()?;
                Ok(Box::new(kept.chain(stdin())))
            }
            None => Ok(open_measured(&self.path)?.0),
        }
    }
}
