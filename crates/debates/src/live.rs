//! The words of a running debate as they are spoken, for other processes of the same user.
//!
//! The process that runs a debate offers a local socket. It sends each connected process the words
//! of the seats as they arrive, without secrets, one line of JSON each: [`LiveWords`]. This is a
//! convenience only: words that a reader misses are lost, a reader that falls behind is
//! disconnected, and only the record counts.
//!
//! The socket is not in the debate's folder but in a private folder of the user. The path of a
//! socket has at most 108 bytes, some file systems have no sockets, and programs that copy a debate
//! would fail on one.

mod feed;
mod reader;
mod watch;

use std::path::PathBuf;

use agon_agents::Environment;
use agon_caller::Caller;
use agon_caller::live_sockets::live_folders;
use agon_record::id::AskKey;
use serde::{Deserialize, Serialize};

pub(crate) use self::feed::LiveFeed;
pub use self::reader::LiveReader;
pub(crate) use self::watch::LiveObserver;

/// The latest words of a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LiveWords {
    /// The current call: seat, round and attempt.
    pub call: AskKey,
    /// The latest words on one line, at most about two hundred characters.
    pub words: String,
}

/// Returns the folders in which the caller's sockets may be, the best first.
fn socket_folders(caller: &Caller) -> Vec<PathBuf> {
    live_folders(&Environment::new(caller.vars_os.clone()).private_places())
}
