//! Threads that the end of the server does not wait for.
//!
//! The runtime would wait at its end for threads of its own, and a server that stops must not wait
//! for a long read.

use std::thread::Builder;

use agon_caller::{Code, Failure};

/// Starts a thread with this name.
///
/// # Errors
///
/// If the system has no more threads.
pub(crate) fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> Result<(), Failure> {
    let thread = Builder::new().name(name.to_owned()).spawn(work);
    let started = thread.map_err(|error| Failure::from_error(Code::Runtime, &error));
    started.map(drop)
}
