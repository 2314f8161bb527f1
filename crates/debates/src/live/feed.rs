//! The socket of a running debate and its readers.

use std::fs::{self, DirBuilder};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use agon_caller::Caller;
use agon_caller::live_sockets::remove_dead_sockets_in;
use rustix::process::geteuid;

use super::{LiveWords, socket_folders};

/// The socket of a debate; dropping it removes the socket.
#[derive(Debug)]
pub(crate) struct LiveFeed {
    socket: UnixListener,
    path: PathBuf,
    hearers: Mutex<Vec<UnixStream>>,
}

impl LiveFeed {
    /// Opens the socket of the debate `id` in the first folder that allows it, or returns `None`.
    pub(crate) fn open(caller: &Caller, id: &str) -> Option<Self> {
        // Try twice, because another debate may end and remove the folder before the socket is
        // created.
        let open = |folder: &PathBuf| {
            let opened = Self::open_in(folder, id);
            opened.or_else(|_| Self::open_in(folder, id)).ok()
        };
        socket_folders(caller).iter().find_map(open)
    }

    fn open_in(folder: &Path, id: &str) -> io::Result<Self> {
        DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(folder)?;
        let found = fs::symlink_metadata(folder)?;
        // Reject a folder that belongs to another user, or that others can open: they could listen.
        if !found.is_dir() || found.uid() != geteuid().as_raw() || found.mode() & 0o077 != 0 {
            return Err(io::Error::other("the folder is not private to this user"));
        }
        remove_dead_sockets_in(folder);
        let path = folder.join(id);
        let socket = UnixListener::bind(&path)?;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600))?;
        socket.set_nonblocking(true)?;
        Ok(Self {
            socket,
            path,
            hearers: Mutex::default(),
        })
    }

    /// Sends the words to all readers without blocking.
    pub(crate) fn send(&self, words: &LiveWords) {
        let mut hearers = self.hearers.lock().unwrap_or_else(PoisonError::into_inner);
        while let Ok((hearer, _)) = self.socket.accept() {
            if hearer.set_nonblocking(true).is_ok() {
                hearers.push(hearer);
            }
        }
        if hearers.is_empty() {
            return;
        }
        let Ok(mut line) = serde_json::to_string(words) else {
            return;
        };
        line.push('\n');
        // Half a line would garble the next one, so a reader without room for the whole line is
        // disconnected.
        hearers.retain_mut(|hearer| hearer.write_all(line.as_bytes()).is_ok());
    }
}

impl Drop for LiveFeed {
    fn drop(&mut self) {
        // Ignore failures, because the next debate removes leftovers. The last socket takes the
        // folder along.
        fs::remove_file(&self.path).unwrap_or_default();
        if let Some(folder) = self.path.parent() {
            fs::remove_dir(folder).unwrap_or_default();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead, BufReader};

    use super::*;

    fn words(of: &str) -> LiveWords {
        LiveWords {
            call: "r1.pro#0".parse().unwrap(),
            words: of.to_owned(),
        }
    }

    #[test]
    fn every_hearer_is_told_and_one_that_does_not_read_is_let_go() {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join("live");
        let feed = LiveFeed::open_in(&folder, "01J").unwrap();
        let mode = fs::metadata(folder.join("01J")).unwrap().mode();
        assert_eq!(mode & 0o777, 0o600);
        feed.send(&words("unheard"));
        let reads = UnixStream::connect(folder.join("01J")).unwrap();
        let sleeps = UnixStream::connect(folder.join("01J")).unwrap();
        feed.send(&words("first"));
        let mut reads = BufReader::new(reads);
        let mut line = String::new();
        reads.read_line(&mut line).unwrap();
        assert_eq!(
            serde_json::from_str::<LiveWords>(&line).unwrap(),
            words("first")
        );
        assert_eq!(feed.hearers.lock().unwrap().len(), 2);
        let long = words(&"word ".repeat(40));
        while feed.hearers.lock().unwrap().len() == 2 {
            feed.send(&long);
            line.clear();
            reads.read_line(&mut line).unwrap();
        }
        assert!(line.ends_with("}\n"), "{line}");
        drop(sleeps);
        drop(feed);
        assert!(!folder.exists(), "the last one leaves nothing");
    }

    #[test]
    fn a_socket_of_a_process_that_is_gone_is_removed_and_a_live_one_stays() {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join("live");
        let other = LiveFeed::open_in(&folder, "other").unwrap();
        drop(UnixListener::bind(folder.join("dead")).unwrap());
        assert!(folder.join("dead").exists());
        let feed = LiveFeed::open_in(&folder, "01J").unwrap();
        assert!(!folder.join("dead").exists());
        assert!(folder.join("other").exists());
        // After a kill in between, the same debate can offer its socket again.
        std::mem::forget(feed);
        assert!(LiveFeed::open_in(&folder, "01J").is_err(), "taken");
        drop(other);
        assert!(!folder.join("other").exists());
        assert!(folder.join("01J").exists());
    }

    #[test]
    fn a_folder_that_others_can_look_into_is_not_used() {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join("live");
        fs::create_dir(&folder).unwrap();
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).unwrap();
        assert!(LiveFeed::open_in(&folder, "01J").is_err());
    }
}
