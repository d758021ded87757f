//! Standard output and standard error, with writes that an interrupt can end.

use super::signals::{LISTENER_STACK_SIZE, is_catching_interrupts, is_interrupted};
use std::fs::File;
use std::io::{self, Stderr, StdoutLock, Write};
#[cfg(unix)]
use std::os::fd::AsFd;
#[cfg(windows)]
use std::os::windows::io::AsHandle;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::Builder;
use std::time::Duration;

/// Interval at which a waiting write checks for an interrupt.
const POLL_INTERVAL: Duration = Duration::from_millis(50);
/// Number of intervals that a write waits for its reader after an interrupt.
const GRACE_POLLS: u32 = 8;

/// Maximum number of queued bytes; a write waits while the queue is full.
const QUEUE_CAPACITY: usize = 1 << 16;
/// Number of bytes written at a time, small enough to tell a slow reader from an absent one.
const CHUNK_SIZE: usize = 1 << 12;

/// Stream whose writes give up after an interrupt if nobody reads.
///
/// A write to a full pipe waits for its reader, and a signal does not end that wait. Once
/// interrupts are caught, a background thread therefore writes, and the caller stops waiting for
/// the thread if nobody reads after an interrupt.
pub(crate) struct InterruptibleWriter<W> {
    stream: W,
    /// True if a write may return before its bytes are written; [`flush`](Write::flush) waits for
    /// them.
    is_queued: bool,
    mode: WriteMode,
}

/// Thread that writes.
enum WriteMode {
    /// Calling thread, until interrupts are caught.
    Direct,
    Background(BackgroundWriter),
    /// Calling thread, because a background thread can't be started.
    DirectOnly,
}

/// Standard output or standard error of this process.
pub(crate) trait StandardStream: Write {
    /// Duplicates the stream for another thread.
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

/// Fails for a console: only the standard library's own stream writes Unicode to it.
#[cfg(windows)]
fn duplicate(stream: &(impl AsHandle + io::IsTerminal)) -> io::Result<File> {
    if stream.is_terminal() {
        return Err(io::ErrorKind::Unsupported.into());
    }
    Ok(File::from(stream.as_handle().try_clone_to_owned()?))
}

impl<W: StandardStream> InterruptibleWriter<W> {
    /// Wraps a stream; each write waits until it is done.
    pub(crate) const fn new(stream: W) -> Self {
        Self {
            stream,
            is_queued: false,
            mode: WriteMode::Direct,
        }
    }

    /// Wraps a stream for many small writes, none of which may be lost: a write only queues its
    /// bytes, and a slow reader gets all the time it needs.
    pub(crate) const fn queued(stream: W) -> Self {
        let mut queued = Self::new(stream);
        queued.is_queued = true;
        queued
    }

    /// Starts the background thread, once interrupts are caught.
    fn start_background(&mut self) -> io::Result<()> {
        if matches!(self.mode, WriteMode::Direct) && is_catching_interrupts() {
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

/// Handle of the background thread.
struct BackgroundWriter(Arc<SharedQueue>);

/// State shared by both threads.
#[derive(Default)]
struct SharedQueue {
    queue: Mutex<WriteQueue>,
    changed: Condvar,
    /// True to wait for a slow reader as long as it keeps reading.
    waits_for_slow_reader: bool,
}

/// Bytes to be written.
#[derive(Default)]
struct WriteQueue {
    pending: Vec<u8>,
    /// True while the background thread writes bytes taken from the queue.
    is_busy: bool,
    /// First error; nothing is written after it.
    error: Option<io::Error>,
    chunks_written: u64,
    /// True once no more bytes will be queued.
    is_closed: bool,
}

impl BackgroundWriter {
    fn start(file: File, waits_for_slow_reader: bool) -> io::Result<Self> {
        let shared = Arc::new(SharedQueue {
            waits_for_slow_reader,
            ..SharedQueue::default()
        });
        let background = Arc::clone(&shared);
        Builder::new()
            .name("output".to_owned())
            .stack_size(LISTENER_STACK_SIZE)
            .spawn(move || background.write_to(file))?;
        Ok(Self(shared))
    }

    /// Queues bytes, once there is room for them.
    fn write(&self, bytes: &[u8]) -> io::Result<()> {
        let mut queue = self.0.wait(|queue| queue.pending.len() < QUEUE_CAPACITY)?;
        queue.pending.extend_from_slice(bytes);
        self.0.changed.notify_one();
        Ok(())
    }

    /// Waits until all bytes are written.
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

    /// Waits for a condition. Fails if writing failed, or if an interrupted wait takes too long.
    fn wait(
        &self,
        reached: impl Fn(&WriteQueue) -> bool,
    ) -> io::Result<MutexGuard<'_, WriteQueue>> {
        let mut queue = self.lock();
        let (mut polls, mut chunks_written) = (0, queue.chunks_written);
        loop {
            if let Some(failed) = &queue.error {
                return Err(duplicate_error(failed));
            }
            if reached(&queue) {
                return Ok(queue);
            }
            let waited = self.changed.wait_timeout(queue, POLL_INTERVAL);
            let (after, timeout) = waited.unwrap_or_else(PoisonError::into_inner);
            queue = after;
            if self.waits_for_slow_reader && queue.chunks_written != chunks_written {
                (polls, chunks_written) = (0, queue.chunks_written);
            } else if timeout.timed_out() && is_interrupted() {
                polls += 1;
            }
            if polls > GRACE_POLLS && queue.error.is_none() {
                queue.error = Some(io::ErrorKind::TimedOut.into());
            }
        }
    }

    /// Writes pending bytes until a write fails or the queue is closed.
    fn write_to(&self, mut file: File) {
        let mut taken = Vec::new();
        let mut queue = self.lock();
        while queue.error.is_none() && !(queue.is_closed && queue.pending.is_empty()) {
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
            queue.error = queue.error.take().or(written.err());
            self.changed.notify_one();
        }
    }
}

/// Copies an error, which can't be cloned.
fn duplicate_error(error: &io::Error) -> io::Error {
    let code = error.raw_os_error();
    code.map_or_else(|| error.kind().into(), io::Error::from_raw_os_error)
}
