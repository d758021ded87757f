//! Loaded before the C library: notes what the program writes and syncs, and can fail to sync.
//!
//! It is compiled by the test beside it, and appends a line to the file `SPY_NOTES` for each
//! call: its name and the file. With `SPY_FAILS` set, every sync is an input/output error.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::fs::{File, OpenOptions};
use std::os::fd::AsRawFd;
use std::sync::OnceLock;

type Write = unsafe extern "C" fn(c_int, *const c_void, usize) -> isize;

/// `EIO`.
const INPUT_OUTPUT_ERROR: c_int = 5;
/// `RTLD_NEXT`: the function that this one replaces.
const NEXT: isize = -1;

unsafe extern "C" {
    fn dlsym(handle: *mut c_void, name: *const c_char) -> *mut c_void;
    fn __errno_location() -> *mut c_int;
}

fn next(name: &CStr) -> *mut c_void {
    // SAFETY: the handle is one that `dlsym` knows, and the name ends with a zero.
    let found = unsafe { dlsym(NEXT as *mut c_void, name.as_ptr()) };
    assert!(!found.is_null(), "the C library has the function");
    found
}

fn write_on(descriptor: c_int, bytes: *const c_void, length: usize) -> isize {
    // SAFETY: this is the type of the C library's `write`, called as the caller called it.
    unsafe {
        let write: Write = std::mem::transmute(next(c"write"));
        write(descriptor, bytes, length)
    }
}

fn note(call: &str, descriptor: c_int) {
    static NOTES: OnceLock<File> = OnceLock::new();
    let notes = NOTES.get_or_init(|| {
        let path = std::env::var_os("SPY_NOTES").expect("a file for the notes");
        let options = OpenOptions::new().append(true).create(true).open(path);
        options.expect("a new file for the notes")
    });
    let file = std::fs::read_link(format!("/proc/self/fd/{descriptor}"));
    let file = file.expect("an open file");
    let line = format!("{call} {}\n", file.display());
    write_on(notes.as_raw_fd(), line.as_ptr().cast(), line.len());
}

fn synced(call: &str, descriptor: c_int) -> c_int {
    note(call, descriptor);
    if std::env::var_os("SPY_FAILS").is_none() {
        return 0;
    }
    // SAFETY: the C library gives each thread a place for its error.
    unsafe { *__errno_location() = INPUT_OUTPUT_ERROR };
    -1
}

#[unsafe(no_mangle)]
extern "C" fn write(descriptor: c_int, bytes: *const c_void, length: usize) -> isize {
    note("write", descriptor);
    write_on(descriptor, bytes, length)
}

#[unsafe(no_mangle)]
extern "C" fn fsync(descriptor: c_int) -> c_int {
    synced("sync", descriptor)
}

#[unsafe(no_mangle)]
extern "C" fn fdatasync(descriptor: c_int) -> c_int {
    synced("sync", descriptor)
}
