//! The debates that are followed, each once for all its readers.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use agon_caller::{Caller, Failure};
use tokio_util::sync::{CancellationToken, DropGuard};

use super::follow::Feed;
use crate::thread;

/// The feeds of a server.
#[derive(Debug, Default)]
pub(crate) struct Feeds {
    open: Mutex<BTreeMap<PathBuf, Weak<Reading>>>,
}

/// The right to read a feed. The debate is followed until the last one is dropped.
#[derive(Debug)]
pub(crate) struct Reading {
    pub(crate) feed: Arc<Feed>,
    _guard: DropGuard,
}

impl Feeds {
    /// Returns the feed of the debate in `path`, and starts to follow it for its first reader.
    /// It ends with the last reader, or when `stop` is cancelled.
    ///
    /// # Errors
    ///
    /// If the system has no more threads.
    pub(crate) fn read(
        &self,
        caller: &Caller,
        path: &Path,
        stop: &CancellationToken,
    ) -> Result<Arc<Reading>, Failure> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(reading) = open.get(path).and_then(Weak::upgrade) {
            return Ok(reading);
        }
        open.retain(|_, reading| reading.strong_count() > 0);
        let feed = Arc::new(Feed::new());
        let stop = stop.child_token();
        let reading = Arc::new(Reading {
            feed: Arc::clone(&feed),
            _guard: stop.clone().drop_guard(),
        });
        let (caller, followed) = (caller.clone(), path.to_owned());
        // The thread ends with the last reader.
        thread::spawn("feed", move || feed.run(&caller, &followed, &stop))?;
        open.insert(path.to_owned(), Arc::downgrade(&reading));
        Ok(reading)
    }
}
