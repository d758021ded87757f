//! Reads journals that are still being written.

use super::input;
use super::signals::is_interrupted;
use same_file::Handle;
use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread::{Builder, sleep};
use std::time::Duration;

/// Interval between checks for more data.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// Error that ends the following of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum FollowError {
    /// File that is now shorter than the part already read.
    #[error("the file became shorter")]
    Truncated,
    /// File whose name now belongs to another file, or to none.
    #[error("the file was removed or replaced")]
    Replaced,
}

/// Opens a journal to read it while it is written: at the end of the file, reads wait for more,
/// until the journal ends or the program is interrupted.
///
/// A stream also ends when its writer closes it.
pub(crate) fn open(path: &Path) -> io::Result<Box<dyn Read>> {
    let (file, bytes) = input::open_with_size(path)?;
    if bytes.is_none() {
        return Ok(Box::new(FollowedStream {
            chunks: spawn_reader(file)?,
            chunk: Cursor::default(),
            end_scanner: JournalEndScanner::default(),
        }));
    }
    Ok(Box::new(FollowedFile {
        file: Handle::from_path(path)?,
        path: path.to_owned(),
        bytes_read: 0,
        end_scanner: JournalEndScanner::default(),
    }))
}

/// Stream that may still be written to.
struct FollowedStream {
    chunks: Receiver<io::Result<Vec<u8>>>,
    /// Chunk that is being handed out.
    chunk: Cursor<Vec<u8>>,
    end_scanner: JournalEndScanner,
}

/// Reads in a background thread, because a read that waits for data can't be interrupted.
fn spawn_reader(mut input: Box<dyn Read + Send>) -> io::Result<Receiver<io::Result<Vec<u8>>>> {
    let (sender, chunks) = sync_channel(1);
    let read = move || {
        loop {
            let mut chunk = vec![0; 1 << 16];
            let read = input.read(&mut chunk).map(|read| {
                chunk.truncate(read);
                chunk
            });
            let is_last = !matches!(&read, Ok(chunk) if !chunk.is_empty());
            if sender.send(read).is_err() || is_last {
                return;
            }
        }
    };
    Builder::new().name("input".to_owned()).spawn(read)?;
    Ok(chunks)
}

impl Read for FollowedStream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while !is_interrupted() {
            let read = self.chunk.read(buffer)?;
            if read > 0 {
                self.end_scanner.scan(&buffer[..read]);
                return Ok(read);
            }
            let timeout = if self.end_scanner.is_over {
                Duration::ZERO
            } else {
                POLL_INTERVAL
            };
            match self.chunks.recv_timeout(timeout) {
                Ok(chunk) => self.chunk = Cursor::new(chunk?),
                Err(RecvTimeoutError::Timeout) if !self.end_scanner.is_over => {}
                Err(_) => break,
            }
        }
        Ok(0)
    }
}

/// File that may still be written to.
struct FollowedFile {
    file: Handle,
    path: PathBuf,
    /// Number of bytes read.
    bytes_read: u64,
    end_scanner: JournalEndScanner,
}

impl Read for FollowedFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while !is_interrupted() {
            let read = self.file.as_file_mut().read(buffer)?;
            self.bytes_read += read as u64;
            self.end_scanner.scan(&buffer[..read]);
            if read > 0 || self.end_scanner.is_over {
                return Ok(read);
            }
            self.check_unchanged()?;
            sleep(POLL_INTERVAL);
        }
        Ok(0)
    }
}

impl FollowedFile {
    /// Checks that the name still belongs to this file, and that it was not truncated.
    fn check_unchanged(&self) -> io::Result<()> {
        match Handle::from_path(&self.path) {
            Ok(named) if named == self.file => {}
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => return Err(io::Error::other(FollowError::Replaced)),
        }
        if self.file.as_file().metadata()?.len() < self.bytes_read {
            return Err(io::Error::other(FollowError::Truncated));
        }
        Ok(())
    }
}

/// Finds the end of a journal in its bytes, without parsing it.
///
/// A journal ends with the object that contains its events, or with the object that contains its
/// end record. Anything that can't be part of a journal counts as its end, too.
#[derive(Default)]
struct JournalEndScanner {
    is_over: bool,
    depth: u32,
    context: JsonContext,
    /// Beginning of the last string, which may be the name of a field.
    name: Vec<u8>,
    /// True if the journal ends with the object that is open now.
    is_last: bool,
}

/// Context of the next byte.
#[derive(Default, Clone, Copy, PartialEq, Eq)]
enum JsonContext {
    #[default]
    Structure,
    String,
    Escape,
}

impl JournalEndScanner {
    /// One more than the length of the longest field name that marks the end.
    const NAME_CAPACITY: usize = 7;

    fn scan(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            match self.context {
                JsonContext::Structure => self.scan_structure(byte),
                JsonContext::String => self.scan_string(byte),
                JsonContext::Escape => self.context = JsonContext::String,
            }
        }
    }

    fn scan_string(&mut self, byte: u8) {
        match byte {
            b'"' => self.context = JsonContext::Structure,
            b'\\' => self.context = JsonContext::Escape,
            _ => {}
        }
        if byte != b'"' && self.name.len() < Self::NAME_CAPACITY {
            self.name.push(byte);
        }
    }

    fn scan_structure(&mut self, byte: u8) {
        match byte {
            b'{' => self.depth += 1,
            b' ' | b'\t' | b'\r' | b'\n' => {}
            _ if self.depth == 0 => self.is_over = true,
            b'"' => {
                self.context = JsonContext::String;
                self.name.clear();
            }
            b':' if self.depth == 1 => self.is_last |= matches!(&self.name[..], b"events" | b"end"),
            b'[' => self.depth += 1,
            b'}' | b']' => {
                self.depth -= 1;
                self.is_over |= self.depth == 0 && self.is_last;
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::JournalEndScanner;

    /// Index of the byte after which no more data is awaited.
    fn end_of(text: &str) -> Option<usize> {
        let mut end_scanner = JournalEndScanner::default();
        text.bytes().position(|byte| {
            end_scanner.scan(&[byte]);
            end_scanner.is_over
        })
    }

    #[test]
    fn a_journal_ends_where_its_last_object_is_closed() {
        for over in [
            r#"{"format":"x","deal":{"end":{}},"events":[{"event":{"end":1}},{"a":"]}\"}"}]}"#,
            r#"{"events" : [],"end":{"console":{"bytes":1},"chain":"}"}}"#,
            "{\"format\":1,\"deal\":{}}\n{\"event\":{\"end\":{}}}\n {\"end\":{\"console\":{}}}",
            "{\"a\":\"\\\\\",\"end\":0}",
        ] {
            assert_eq!(end_of(over), Some(over.len() - 1), "{over}");
        }
    }

    #[test]
    fn an_unfinished_journal_does_not_end() {
        for open in [
            "",
            " \n",
            r#"{"format":"war-journal","chain":"#,
            "{\"format\":\"war-journal\",\"chain\":\"\"}\n",
            "{\"header\":{}}\n{\"event\":{\"dealt\":{}},\"x\":\"end\"}\n",
            "{\"header\":{}}\n{\"ended\":{}}\n{\"events_\":{}}\n{\"end",
        ] {
            assert_eq!(end_of(open), None, "{open}");
        }
    }

    #[test]
    fn other_files_end_at_once() {
        for (text, at) in [("hello", 0), ("[[9]]", 0), ("\u{feff}{", 0), ("{}]", 2)] {
            assert_eq!(end_of(text), Some(at), "{text}");
        }
    }
}
