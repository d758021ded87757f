//! Ctrl-C and other signals while a game is recorded or a journal is read.

mod files;
mod games;
mod readers;
mod running;
mod signals;
mod stuck;
