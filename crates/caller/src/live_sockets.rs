//! The folders of the sockets that stream the words of running debates.

use std::os::unix::fs::FileTypeExt;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::{fs, io};

use agon_proc::PrivatePlaces;

/// Removes the dead sockets of killed debates, and empty folders.
pub fn remove_dead_sockets(places: &PrivatePlaces) {
    for folder in live_folders(places) {
        remove_dead_sockets_in(&folder);
        // Fails if the folder still contains a live socket; the folder stays then.
        std::fs::remove_dir(folder).unwrap_or_default();
    }
}

/// Returns the folders that may contain sockets, preferred one first.
pub fn live_folders(places: &PrivatePlaces) -> Vec<PathBuf> {
    let paths = places.paths().iter();
    paths.map(|place| place.join("live")).collect()
}

/// Removes the sockets of killed debates, on which no process listens.
pub fn remove_dead_sockets_in(folder: &Path) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries {
        let is_socket = entry.file_type().is_ok_and(|kind| kind.is_socket());
        let refused = |error: io::Error| error.kind() == io::ErrorKind::ConnectionRefused;
        if is_socket && UnixStream::connect(entry.path()).is_err_and(refused) {
            fs::remove_file(entry.path()).unwrap_or_default();
        }
    }
}
