//! Preloaded library that records the program's writes and syncs, and can make them fail.
//!
//! The tests compile this file by itself. For each call, the library appends a line to the file
//! `SPY_NOTES`: the function and the file. If `SPY_FAILS` is set, every sync fails with an
//! input/output error.
//!
//! `SPY_HARM` names a file through which a test controls databases while the program runs: once the
//! file contains an error number, every write, sync and opening for writing fails with that error.
//! With `ENOLCK`, only new exclusive locks fail.
//!
//! `SPY_REFUSES` names a function that the file system of databases does not support: `flock`,
//! `fcntl` or `mmap`.

use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::fs::{File, OpenOptions};
use std::os::fd::AsRawFd;
use std::sync::OnceLock;

type Write = unsafe extern "C" fn(c_int, *const c_void, usize) -> isize;

type WriteAt = unsafe extern "C" fn(c_int, *const c_void, usize, i64) -> isize;
type FileLock = unsafe extern "C" fn(c_int, c_int) -> c_int;
type Control = unsafe extern "C" fn(c_int, c_int, *mut c_void) -> c_int;
type Map = unsafe extern "C" fn(*mut c_void, usize, c_int, c_int, c_int, i64) -> *mut c_void;
type Open = unsafe extern "C" fn(*const c_char, c_int, c_uint) -> c_int;

/// Mask of the access mode in the flags of `open`.
const ACCESS: c_int = 3;
/// `EIO`.
const INPUT_OUTPUT_ERROR: c_int = 5;
/// `EOPNOTSUPP`.
const UNSUPPORTED: c_int = 95;
/// `ENOLCK`.
const NO_LOCKS: c_int = 37;
/// `F_SETLK`: takes or releases a record lock.
const SET_LOCK: c_int = 6;
/// `F_WRLCK`: type of an exclusive record lock.
const EXCLUSIVE: i16 = 1;
/// `RTLD_NEXT`: the definition of a function after the one in this library.
const NEXT: isize = -1;

unsafe extern "C" {
    fn dlsym(handle: *mut c_void, name: *const c_char) -> *mut c_void;
    fn __errno_location() -> *mut c_int;
}

fn next(name: &CStr) -> *mut c_void {
    // SAFETY: `dlsym` accepts the handle, and the name ends with a zero.
    let found = unsafe { dlsym(NEXT as *mut c_void, name.as_ptr()) };
    assert!(!found.is_null(), "the C library has the function");
    found
}

fn write_on(descriptor: c_int, bytes: *const c_void, length: usize) -> isize {
    // SAFETY: this is the type of the C library's `write`, called with the caller's arguments.
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

/// Error to inject for this file.
fn harm(file: &str) -> Option<c_int> {
    chosen_error(file).filter(|error| *error != NO_LOCKS)
}

fn chosen_error(file: &str) -> Option<c_int> {
    if !file.contains(".db") {
        return None;
    }
    let harm = std::fs::read_to_string(std::env::var_os("SPY_HARM")?).ok()?;
    harm.trim().parse().ok()
}

fn harm_of(descriptor: c_int) -> Option<c_int> {
    let file = std::fs::read_link(format!("/proc/self/fd/{descriptor}")).ok()?;
    harm(&file.to_string_lossy())
}

/// Returns true if the file system of this file has lost its locks.
fn has_lost_locks(descriptor: c_int) -> bool {
    let file = std::fs::read_link(format!("/proc/self/fd/{descriptor}"));
    file.is_ok_and(|file| chosen_error(&file.to_string_lossy()) == Some(NO_LOCKS))
}

fn fail(error: c_int) -> c_int {
    // SAFETY: the C library gives each thread its own error number.
    unsafe { *__errno_location() = error };
    -1
}

/// Returns true if the file system of this file does not support a function.
fn is_refused(call: &str, descriptor: c_int) -> bool {
    std::env::var_os("SPY_REFUSES").is_some_and(|refused| refused == call)
        && std::fs::read_link(format!("/proc/self/fd/{descriptor}"))
            .is_ok_and(|file| file.to_string_lossy().contains(".db"))
}

fn synced(call: &str, descriptor: c_int) -> c_int {
    note(call, descriptor);
    if let Some(error) = harm_of(descriptor) {
        return fail(error);
    }
    if std::env::var_os("SPY_FAILS").is_none() {
        return 0;
    }
    fail(INPUT_OUTPUT_ERROR)
}

/// Opens a file as the C library does. The mode matters only if a file is created; otherwise any
/// value may be passed.
#[unsafe(no_mangle)]
extern "C" fn open64(path: *const c_char, flags: c_int, mode: c_uint) -> c_int {
    // SAFETY: the caller's path ends with a zero.
    let file = unsafe { CStr::from_ptr(path) };
    if flags & ACCESS != 0
        && let Some(error) = harm(&file.to_string_lossy())
    {
        return fail(error);
    }
    // SAFETY: called with the caller's arguments.
    unsafe {
        let open: Open = std::mem::transmute(next(c"open64"));
        open(path, flags, mode)
    }
}

#[unsafe(no_mangle)]
extern "C" fn write(descriptor: c_int, bytes: *const c_void, length: usize) -> isize {
    note("write", descriptor);
    match harm_of(descriptor) {
        Some(error) => fail(error) as isize,
        None => write_on(descriptor, bytes, length),
    }
}

#[unsafe(no_mangle)]
extern "C" fn pwrite64(descriptor: c_int, bytes: *const c_void, length: usize, at: i64) -> isize {
    note("write", descriptor);
    if let Some(error) = harm_of(descriptor) {
        return fail(error) as isize;
    }
    // SAFETY: this is the type of the C library's `pwrite64`, called with the caller's arguments.
    unsafe {
        let write: WriteAt = std::mem::transmute(next(c"pwrite64"));
        write(descriptor, bytes, length, at)
    }
}

#[unsafe(no_mangle)]
extern "C" fn fsync(descriptor: c_int) -> c_int {
    synced("sync", descriptor)
}

#[unsafe(no_mangle)]
extern "C" fn fdatasync(descriptor: c_int) -> c_int {
    synced("sync", descriptor)
}

#[unsafe(no_mangle)]
extern "C" fn flock(descriptor: c_int, operation: c_int) -> c_int {
    if is_refused("flock", descriptor) {
        return fail(UNSUPPORTED);
    }
    if has_lost_locks(descriptor) {
        return fail(NO_LOCKS);
    }
    // SAFETY: this is the type of the C library's `flock`, called with the caller's arguments.
    unsafe {
        let lock: FileLock = std::mem::transmute(next(c"flock"));
        lock(descriptor, operation)
    }
}

/// Controls a file as the C library does. Commands without an argument ignore it.
#[unsafe(no_mangle)]
extern "C" fn fcntl64(descriptor: c_int, command: c_int, argument: *mut c_void) -> c_int {
    if command == SET_LOCK && is_refused("fcntl", descriptor) {
        return fail(UNSUPPORTED);
    }
    // SAFETY: the type is the first field of the caller's lock.
    let locks = command == SET_LOCK && unsafe { *argument.cast::<i16>() } == EXCLUSIVE;
    if locks && has_lost_locks(descriptor) {
        return fail(NO_LOCKS);
    }
    // SAFETY: called with the caller's arguments.
    unsafe {
        let control: Control = std::mem::transmute(next(c"fcntl64"));
        control(descriptor, command, argument)
    }
}

#[unsafe(no_mangle)]
extern "C" fn mmap64(
    address: *mut c_void,
    length: usize,
    protection: c_int,
    flags: c_int,
    descriptor: c_int,
    at: i64,
) -> *mut c_void {
    if descriptor >= 0 && is_refused("mmap", descriptor) {
        fail(UNSUPPORTED);
        return -1_isize as *mut c_void;
    }
    // SAFETY: this is the type of the C library's `mmap64`, called with the caller's arguments.
    unsafe {
        let map: Map = std::mem::transmute(next(c"mmap64"));
        map(address, length, protection, flags, descriptor, at)
    }
}
