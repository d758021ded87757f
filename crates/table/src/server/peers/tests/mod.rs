//! The link, over real connections of this machine.

mod bytes;
mod handshakes;
mod lives;
mod losses;
mod rig;
