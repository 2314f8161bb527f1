//! Brings a model here: from its source into the cache, whole or not at all.

mod aside;
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
use aside::run_blocking;
use fetch::Fetcher;
use source::{SourceFailure, bring_from_source, part_path, source_label};

pub use error::PullError;
pub use index::Indexes;

// A pull of 98 MB or 1.1 GB takes seconds to minutes: a fifth of a second more is not felt, and
// five looks a second cost nothing.
/// How often who waits for another pull of the same model looks whether it has ended.
const PAUSE: Duration = Duration::from_millis(200);

/// Sees how a pull goes on.
pub trait Watch {
    /// The next step.
    fn on_step(&self, step: PullStep<'_>);
}

/// A step of a pull.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PullStep<'a> {
    /// Another process is at it; this one waits.
    Waiting,
    /// A file of the wrong content was set aside.
    SetAside {
        /// Where it is stored now.
        path: &'a Path,
    },
    /// The model is to come from here.
    From {
        /// The host, or the package.
        source: &'a str,
        /// Bytes that had come before.
        had: u64,
        /// Bytes there are.
        whole: u64,
    },
    /// Bytes came.
    Came {
        /// All that have come.
        done: u64,
        /// Bytes there are.
        whole: u64,
    },
    /// All of it is here and is compared with its checksum.
    Checking,
    /// It cannot be had from here.
    Failed {
        /// The host, or the package.
        source: &'a str,
        /// Why.
        why: &'a str,
    },
}

/// What came of a pull.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pulled {
    /// Where the file is stored.
    pub path: PathBuf,
    /// Whether it was fetched; else it was there.
    pub fetched: bool,
}

/// Brings a model here, unless it is.
///
/// What comes is kept in a part beside the file, so that a pull that was cut off, or dropped, goes
/// on where it was. The file itself appears whole and with the right checksum, or not at all.
///
/// # Errors
///
/// If it cannot be had, or not be kept; [`PullError::hint`] says what to do.
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
        match bring_from_source(model, cache, indexes, &fetcher, source).await {
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

/// The file of a model, if it is there and right.
async fn find_file(model: &Model, cache: &Cache) -> Result<Option<PathBuf>, CacheError> {
    let path = cache.model_path(model);
    let (model, cache) = (model.clone(), cache.clone());
    let found = run_blocking(move |_| cache.find_verified(&model)).await;
    found.unwrap_or_else(|cause| Err(CacheError::File { path, cause }))
}

/// An unused name for a file of the wrong content.
fn unused_sibling_path(cache: &Cache, model: &Model) -> PathBuf {
    let first = cache.sibling_path(model, "wrong");
    let more = (2_u32..).map(|number| cache.sibling_path(model, &format!("wrong-{number}")));
    let mut names = std::iter::once(first.clone()).chain(more);
    let free = names.find(|name| fs::symlink_metadata(name).is_err());
    free.unwrap_or(first)
}

/// Waits until no other process pulls the same.
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
