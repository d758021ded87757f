//! Standard output and standard error, as long as somebody takes what is written there.

use super::signals::{STACK_SIZE, is_catching, is_interrupted};
use std::fs::File;
use std::io::{self, Stderr, StdoutLock, Write};
#[cfg(unix)]
use std::os::fd::AsFd;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::Builder;
use std::time::Duration;

/// How long a write waits before it looks again whether somebody wants the program to end.
const POLL_INTERVAL: Duration = Duration::from_millis(50);
/// How many moments a reader has after that.
const GRACE_POLLS: u32 = 8;

/// How many bytes may be due before a write waits.
const QUEUE_CAPACITY: usize = 1 << 16;
/// How many bytes a reader takes at once, so that a slow one can be told from none.
const CHUNK_SIZE: usize = 1 << 12;

/// A stream whose writes give up where somebody wants the program to end, and nobody reads.
///
/// A write to a full pipe waits for its reader, even where a signal comes. So from the moment on
/// when interruptions are caught, another thread writes, and this one waits for it only as long
/// as it should.
pub(crate) struct InterruptibleWriter<W> {
    stream: W,
    /// Whether what is written last may still be on its way, until [`flush`](Write::flush).
    is_queued: bool,
    mode: WriteMode,
}

/// Who writes.
enum WriteMode {
    /// This thread, until interruptions are caught.
    Direct,
    Background(BackgroundWriter),
    /// This thread, as there can be no other one.
    DirectOnly,
}

/// A stream of this process.
pub(crate) trait StandardStream: Write {
    /// The same stream, for another thread.
    fn duplicate(&self) -> io::Result<File>;
}

impl StandardStream for StdoutLock<'_> {
    fn duplicate(&self) -> io::Result<File> {
        duplicate(self)
    }
}

impl StandardStream for Stderr {
    fn duplicate(&self) -> io::Result<File> {
        duplicate(self)
    }
}

#[cfg(unix)]
fn duplicate(stream: &impl AsFd) -> io::Result<File> {
    Ok(File::from(stream.as_fd().try_clone_to_owned()?))
}

#[cfg(not(unix))]
fn duplicate(_: &impl Write) -> io::Result<File> {
    Err(io::ErrorKind::Unsupported.into())
}

impl<W: StandardStream> InterruptibleWriter<W> {
    /// The stream, for writes that wait until they are done.
    pub(crate) const fn new(stream: W) -> Self {
        Self {
            stream,
            is_queued: false,
            mode: WriteMode::Direct,
        }
    }

    /// The stream, for many small writes that nothing may miss: each is done at once, but seen
    /// to be done later, and a slow reader is waited for.
    pub(crate) const fn queued(stream: W) -> Self {
        let mut queued = Self::new(stream);
        queued.is_queued = true;
        queued
    }

    /// Lets another thread write from now on, where interruptions are caught.
    fn start_background(&mut self) -> io::Result<()> {
        if matches!(self.mode, WriteMode::Direct) && is_catching() {
            self.stream.flush()?;
            let background = self.stream.duplicate();
            let background =
                background.and_then(|file| BackgroundWriter::start(file, self.is_queued));
            self.mode = background.map_or(WriteMode::DirectOnly, WriteMode::Background);
        }
        Ok(())
    }
}

impl<W: StandardStream> Write for InterruptibleWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.start_background()?;
        match &self.mode {
            WriteMode::Background(background) => {
                background.write(bytes)?;
                if !self.is_queued {
                    background.flush()?;
                }
                Ok(bytes.len())
            }
            WriteMode::Direct | WriteMode::DirectOnly => self.stream.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &self.mode {
            WriteMode::Background(background) => background.flush(),
            WriteMode::Direct | WriteMode::DirectOnly => self.stream.flush(),
        }
    }
}

/// The way to the thread that writes, and back.
struct BackgroundWriter(Arc<SharedQueue>);

/// What both threads see.
#[derive(Default)]
struct SharedQueue {
    queue: Mutex<WriteQueue>,
    changed: Condvar,
    /// Whether a slow reader is waited for as long as it takes something now and then.
    is_patient: bool,
}

/// What is to be written.
#[derive(Default)]
struct WriteQueue {
    pending: Vec<u8>,
    /// Whether the other thread writes what was due before.
    is_busy: bool,
    /// How writing failed: nothing more is written then.
    failed: Option<io::Error>,
    /// How many pieces were written.
    chunks_written: u64,
    /// Whether nothing will be due any more.
    is_closed: bool,
}

impl BackgroundWriter {
    fn start(file: File, is_patient: bool) -> io::Result<Self> {
        let shared = Arc::new(SharedQueue {
            is_patient,
            ..SharedQueue::default()
        });
        let background = Arc::clone(&shared);
        Builder::new()
            .name("output".to_owned())
            .stack_size(STACK_SIZE)
            .spawn(move || background.write_to(file))?;
        Ok(Self(shared))
    }

    /// Has all of this written, once there is room for it.
    fn write(&self, bytes: &[u8]) -> io::Result<()> {
        let mut queue = self.0.wait(|queue| queue.pending.len() < QUEUE_CAPACITY)?;
        queue.pending.extend_from_slice(bytes);
        self.0.changed.notify_one();
        Ok(())
    }

    /// Waits until all is written.
    fn flush(&self) -> io::Result<()> {
        let written = |queue: &WriteQueue| queue.pending.is_empty() && !queue.is_busy;
        self.0.wait(written).map(drop)
    }
}

impl Drop for BackgroundWriter {
    fn drop(&mut self) {
        self.0.lock().is_closed = true;
        self.0.changed.notify_one();
    }
}

impl SharedQueue {
    fn lock(&self) -> MutexGuard<'_, WriteQueue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for this: an error where writing failed, or takes too long for a program that
    /// should end.
    fn wait(
        &self,
        reached: impl Fn(&WriteQueue) -> bool,
    ) -> io::Result<MutexGuard<'_, WriteQueue>> {
        let mut queue = self.lock();
        let (mut polls, mut chunks_written) = (0, queue.chunks_written);
        loop {
            if let Some(failed) = &queue.failed {
                return Err(duplicate_error(failed));
            }
            if reached(&queue) {
                return Ok(queue);
            }
            let waited = self.changed.wait_timeout(queue, POLL_INTERVAL);
            let (after, timeout) = waited.unwrap_or_else(PoisonError::into_inner);
            queue = after;
            if self.is_patient && queue.chunks_written != chunks_written {
                (polls, chunks_written) = (0, queue.chunks_written);
            } else if timeout.timed_out() && is_interrupted() {
                polls += 1;
            }
            if polls > GRACE_POLLS && queue.failed.is_none() {
                queue.failed = Some(io::ErrorKind::TimedOut.into());
            }
        }
    }

    /// Writes what is due, until that fails or nothing more comes.
    fn write_to(&self, mut file: File) {
        let mut taken = Vec::new();
        let mut queue = self.lock();
        while queue.failed.is_none() && !(queue.is_closed && queue.pending.is_empty()) {
            if queue.pending.is_empty() {
                let waited = self.changed.wait(queue);
                queue = waited.unwrap_or_else(PoisonError::into_inner);
                continue;
            }
            std::mem::swap(&mut taken, &mut queue.pending);
            queue.is_busy = true;
            drop(queue);
            let written = taken.chunks(CHUNK_SIZE).try_for_each(|chunk| {
                file.write_all(chunk)?;
                self.lock().chunks_written += 1;
                Ok(())
            });
            taken.clear();
            queue = self.lock();
            queue.is_busy = false;
            queue.failed = queue.failed.take().or(written.err());
            self.changed.notify_one();
        }
    }
}

/// The same error once more.
fn duplicate_error(error: &io::Error) -> io::Error {
    let code = error.raw_os_error();
    code.map_or_else(|| error.kind().into(), io::Error::from_raw_os_error)
}
