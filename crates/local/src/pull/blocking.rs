//! Runs work on whole files in a separate thread.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::cache;

/// A flag that is set when the caller drops this, because it no longer waits.
struct CallerGoneGuard(Arc<AtomicBool>);

impl Drop for CallerGoneGuard {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Runs blocking work on a blocking thread of the runtime. The work gets a function that returns
/// whether its caller was dropped.
pub(super) async fn run_blocking<T: Send + 'static>(
    work: impl FnOnce(&dyn Fn() -> bool) -> T + Send + 'static,
) -> io::Result<T> {
    let gone = CallerGoneGuard(Arc::default());
    let seen = Arc::clone(&gone.0);
    let work = tokio::task::spawn_blocking(move || work(&|| seen.load(Ordering::Relaxed)));
    work.await.map_err(io::Error::other)
}

/// Returns the SHA-256 of a file in hexadecimal.
pub(super) async fn file_sha256(path: &Path) -> io::Result<String> {
    let path = path.to_owned();
    run_blocking(move |gone| cache::file_sha256_unless(&path, gone)).await?
}
