//! Downloads a model into the cache, completely or not at all.

mod blocking;
mod error;
mod fetch;
mod index;
mod source;
mod unpack;

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::cache::{Cache, CacheError};
use crate::manifest::Model;
use blocking::run_blocking;
use fetch::Fetcher;
use source::{SourceFailure, download_from_source, part_path, source_label};

pub use error::PullError;
pub use index::Indexes;

// A download of 98 MB or 1.1 GB takes seconds to minutes, so waiting a fifth of a second longer is
// not noticeable, and five checks a second cost nothing.
/// The interval at which to check whether another download of the same model has ended.
const PAUSE: Duration = Duration::from_millis(200);

/// Receives the progress of a download.
pub trait Watch {
    /// Called at each step of the download.
    fn on_step(&self, step: PullStep<'_>);
}

/// A step of a download.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PullStep<'a> {
    /// Another process is downloading the model, so this one waits.
    Waiting,
    /// A file with the wrong contents was renamed.
    SetAside {
        /// The new path of that file.
        path: &'a Path,
    },
    /// A download begins from this source.
    From {
        /// The host or the package of the source.
        source: &'a str,
        /// Bytes that an earlier attempt had downloaded.
        had: u64,
        /// The total number of bytes.
        whole: u64,
    },
    /// Bytes were received.
    Came {
        /// All bytes received so far.
        done: u64,
        /// The total number of bytes.
        whole: u64,
    },
    /// The file is complete, and its checksum is being verified.
    Checking,
    /// This source failed.
    Failed {
        /// The host or the package.
        source: &'a str,
        /// The reason.
        why: &'a str,
    },
}

/// The result of a download.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pulled {
    /// The path of the file.
    pub path: PathBuf,
    /// Whether the file was downloaded now; false if it already existed.
    pub fetched: bool,
}

/// Downloads a model, unless its file already exists.
///
/// Received data is stored in a partial file, so that an interrupted or dropped download can be
/// resumed. The file itself appears complete and with the right checksum, or not at all.
///
/// # Errors
///
/// If it cannot be downloaded or stored; [`PullError::hint`] says what to do.
pub async fn pull(
    model: &Model,
    cache: &Cache,
    indexes: &Indexes,
    watch: &dyn Watch,
) -> Result<Pulled, PullError> {
    if model.is_own() {
        let path = cache.model_path(model);
        let found = find_file(model, cache).await?;
        let found = found.ok_or(PullError::NoFile { path })?;
        return Ok(Pulled {
            path: found,
            fetched: false,
        });
    }
    let folder = cache.folder();
    let unwritten = |path: &Path| {
        let path = path.to_owned();
        move |cause| PullError::Write { path, cause }
    };
    fs::create_dir_all(folder).map_err(unwritten(folder))?;
    let lock = cache.sibling_path(model, "lock");
    let _lock = wait_for_lock(&lock, watch)
        .await
        .map_err(unwritten(&lock))?;
    match find_file(model, cache).await {
        Ok(Some(path)) => {
            return Ok(Pulled {
                path,
                fetched: false,
            });
        }
        Ok(None) => {}
        Err(CacheError::Wrong { path, .. }) => {
            let kept = unused_sibling_path(cache, model);
            fs::rename(&path, &kept).map_err(unwritten(&path))?;
            watch.on_step(PullStep::SetAside { path: &kept });
        }
        Err(error) => return Err(error.into()),
    }
    let fetcher = Fetcher::new(watch);
    let mut why = Vec::new();
    for source in &model.sources {
        let from = source_label(source);
        match download_from_source(model, cache, indexes, &fetcher, source).await {
            Ok(path) => {
                cache.record_verified(model);
                for source in &model.sources {
                    drop(fs::remove_file(part_path(model, cache, source)));
                }
                return Ok(Pulled {
                    path,
                    fetched: true,
                });
            }
            Err(SourceFailure::Stop(error)) => return Err(error),
            Err(SourceFailure::Next(reason)) => {
                watch.on_step(PullStep::Failed {
                    source: &from,
                    why: &reason,
                });
                why.push(format!("{from}: {reason}"));
            }
        }
    }
    Err(PullError::Unreachable {
        model: Box::new(model.clone()),
        why,
    })
}

/// Returns the path of a model's file, if the file exists and its checksum is correct.
async fn find_file(model: &Model, cache: &Cache) -> Result<Option<PathBuf>, CacheError> {
    let path = cache.model_path(model);
    let (model, cache) = (model.clone(), cache.clone());
    let found = run_blocking(move |_| cache.find_verified(&model)).await;
    found.unwrap_or_else(|cause| Err(CacheError::File { path, cause }))
}

/// Returns an unused path to which a file with wrong contents is renamed.
fn unused_sibling_path(cache: &Cache, model: &Model) -> PathBuf {
    let first = cache.sibling_path(model, "wrong");
    let more = (2_u32..).map(|number| cache.sibling_path(model, &format!("wrong-{number}")));
    let mut names = std::iter::once(first.clone()).chain(more);
    let free = names.find(|name| fs::symlink_metadata(name).is_err());
    free.unwrap_or(first)
}

/// Waits until no other process downloads the same model.
async fn wait_for_lock(path: &Path, watch: &dyn Watch) -> io::Result<File> {
    let lock = File::options().create(true).append(true).open(path)?;
    let mut told = false;
    loop {
        match lock.try_lock() {
            Ok(()) => return Ok(lock),
            Err(TryLockError::Error(error)) => return Err(error),
            Err(TryLockError::WouldBlock) => {
                if !std::mem::replace(&mut told, true) {
                    watch.on_step(PullStep::Waiting);
                }
                tokio::time::sleep(PAUSE).await;
            }
        }
    }
}
