//! What is said in a debate while it is said, for other processes of the same user.
//!
//! The process that runs a debate offers a local socket. A process that connects is told the words of
//! the seats as they come, without secrets, one line of JSON each: [`LiveWords`]. It is a convenience: what
//! is not heard is lost, a hearer that does not read is let go, and the record stays the truth.
//!
//! The socket is in the user's private places and not in the debate's folder: the path of a socket
//! has at most 108 bytes, not every file system has sockets, and what copies a debate would stumble
//! on one.

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

/// The last words of a seat, as they came just now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LiveWords {
    /// The call that is under way: seat, round and try.
    pub call: AskKey,
    /// The words, on one line: at most some two hundred characters, the last ones.
    pub words: String,
}

/// The folders of `caller` in which sockets may be, the best first.
fn live_folders_of(caller: &Caller) -> Vec<PathBuf> {
    live_folders(&Environment::new(caller.vars_os.clone()).private_places())
}
