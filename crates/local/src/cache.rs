//! The folder of downloaded models.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use sha2::{Digest, Sha256};

use crate::manifest::Model;

/// The environment variable that names another folder for models.
pub const VARIABLE: &str = "AGON_MODELS_DIR";

/// The folder of downloaded models.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cache {
    folder: PathBuf,
}

/// The error for a file in the cache that has wrong contents or cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CacheError {
    /// The file with the model's name has other contents.
    #[error("{} is not the file of {}: its sha256 is {found} instead of {}", path.display(), model.display_name(), model.sha256)]
    Wrong {
        /// The path of the file.
        path: PathBuf,
        /// The expected model.
        model: Box<Model>,
        /// The checksum of the file.
        found: String,
    },
    /// A file cannot be read or written.
    #[error("cannot use {}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The operating system's reason.
        #[source]
        cause: io::Error,
    },
}

impl CacheError {
    /// Returns what the user can do about the error.
    pub fn hint(&self) -> String {
        match self {
            Self::Wrong { model, .. } if model.is_own() => {
                "change `sha256` or `path` in your configuration".to_owned()
            }
            Self::Wrong { model, .. } => {
                format!("remove the file, then run agon model pull {}", model.name)
            }
            Self::File { .. } => "check that the file is readable".to_owned(),
        }
    }
}

impl Cache {
    /// Returns a cache in this folder.
    pub fn at(folder: impl Into<PathBuf>) -> Self {
        Self {
            folder: folder.into(),
        }
    }

    /// Returns the user's cache: the folder `AGON_MODELS_DIR`, or one below `XDG_CACHE_HOME` or
    /// `HOME`.
    pub fn from_environment(variable: impl Fn(&str) -> Option<String>) -> Option<Self> {
        let set = |name: &str| {
            variable(name)
                .filter(|value| !value.is_empty())
                .map(PathBuf::from)
        };
        let cache = || {
            let named = set("XDG_CACHE_HOME").filter(|folder| folder.is_absolute());
            named.or_else(|| Some(set("HOME")?.join(".cache")))
        };
        let folder = set(VARIABLE).or_else(|| Some(cache()?.join("agon").join("models")));
        folder.map(Self::at)
    }

    /// Returns the path of the folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns the path of a model's file, whether or not it exists.
    pub fn model_path(&self, model: &Model) -> PathBuf {
        match &model.path {
            Some(path) => path.clone(),
            None => self.folder.join(&model.file),
        }
    }

    /// Returns whether the model's path has a file of the expected size (any size if unknown). Does
    /// not check its contents.
    pub fn has_file_of_right_size(&self, model: &Model) -> bool {
        let there = fs::metadata(self.model_path(model));
        there.is_ok_and(|there| there.is_file() && (model.size == 0 || there.len() == model.size))
    }

    /// Returns the path of a model's file, if it exists. Verifies its checksum, unless the file is
    /// unchanged since the last check.
    ///
    /// # Errors
    ///
    /// If the file is wrong, or cannot be read.
    pub fn find_verified(&self, model: &Model) -> Result<Option<PathBuf>, CacheError> {
        let path = self.model_path(model);
        let wrong = |cause| CacheError::File {
            path: path.clone(),
            cause,
        };
        let there = match fs::metadata(&path) {
            Ok(there) => there,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(wrong(error)),
        };
        if model.sha256.is_empty() {
            return Ok(Some(path));
        }
        let marked = self.sibling_path(model, "checked");
        if agon_files::read_to_string(&marked, 1 << 10)
            .is_ok_and(|text| text == verification_mark(model, &there))
        {
            return Ok(Some(path));
        }
        let found = file_sha256(&path).map_err(wrong)?;
        if found != model.sha256 {
            return Err(CacheError::Wrong {
                path,
                model: Box::new(model.clone()),
                found,
            });
        }
        self.record_verified(model);
        Ok(Some(path))
    }

    /// Records that the model's file was verified, so that it is not hashed again until it changes.
    /// Ignores a failure: the file is then hashed each time.
    pub(crate) fn record_verified(&self, model: &Model) {
        let marked = || {
            let there = fs::metadata(self.model_path(model))?;
            fs::create_dir_all(&self.folder)?;
            fs::write(
                self.sibling_path(model, "checked"),
                verification_mark(model, &there),
            )
        };
        drop(marked());
    }

    /// Returns the path of an auxiliary file of a model, such as its lock, partial download or
    /// verification mark.
    pub(crate) fn sibling_path(&self, model: &Model, ending: &str) -> PathBuf {
        let file = if model.is_own() {
            &model.name
        } else {
            &model.file
        };
        self.folder.join(format!("{file}.{ending}"))
    }
}

/// Returns the content of the verification mark: checksum, size and modification time of the file.
fn verification_mark(model: &Model, there: &fs::Metadata) -> String {
    let changed = there.modified().ok();
    let changed = changed.and_then(|at| at.duration_since(UNIX_EPOCH).ok());
    let changed = changed.unwrap_or_default().as_nanos();
    format!("{} {} {changed}\n", model.sha256, there.len())
}

/// Returns the SHA-256 of a file in hexadecimal.
fn file_sha256(path: &Path) -> io::Result<String> {
    file_sha256_unless(path, &|| false)
}

/// Returns the SHA-256 of a file in hexadecimal; fails with `Interrupted` once `gone` returns true.
pub(crate) fn file_sha256_unless(path: &Path, gone: &dyn Fn() -> bool) -> io::Result<String> {
    let mut file = agon_files::open(path)?;
    let mut sum = Sha256::new();
    let mut piece = vec![0; 256 * 1024];
    loop {
        if gone() {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let read = file.read(&mut piece)?;
        if read == 0 {
            return Ok(hex_digest(sum));
        }
        sum.update(&piece[..read]);
    }
}

pub(crate) fn hex_digest(sum: Sha256) -> String {
    sum.finalize()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::manifest::Models;

    fn place(set: &[(&str, &str)]) -> Option<PathBuf> {
        let cache = Cache::from_environment(|name| {
            let found = set.iter().find(|(set, _)| *set == name);
            found.map(|(_, value)| (*value).to_owned())
        });
        cache.map(|cache| cache.folder().to_owned())
    }

    #[test]
    fn the_folder_is_what_the_environment_says() {
        assert_eq!(
            place(&[("HOME", "/h")]),
            Some("/h/.cache/agon/models".into())
        );
        let set = [("HOME", "/h"), ("XDG_CACHE_HOME", "/c")];
        assert_eq!(place(&set), Some("/c/agon/models".into()));
        let set = [("AGON_MODELS_DIR", "m"), ("HOME", "/h")];
        assert_eq!(place(&set), Some("m".into()));
        assert_eq!(place(&[("XDG_CACHE_HOME", "relative")]), None);
    }

    #[test]
    fn a_file_is_found_by_its_checksum_and_looked_at_again_when_it_changes() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::at(folder.path());
        let mut model = Models::with_user_models(&BTreeMap::new())
            .unwrap()
            .find("smollm2-135m")
            .unwrap()
            .clone();
        model.size = 3;
        model.sha256 = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad".into();
        assert!(matches!(cache.find_verified(&model), Ok(None)));
        fs::write(cache.model_path(&model), "abc").unwrap();
        assert!(cache.has_file_of_right_size(&model));
        assert_eq!(
            cache.find_verified(&model).unwrap(),
            Some(cache.model_path(&model))
        );
        fs::write(cache.model_path(&model), "abd").unwrap();
        assert!(cache.has_file_of_right_size(&model));
        let error = cache.find_verified(&model).unwrap_err();
        assert!(matches!(error, CacheError::Wrong { .. }));
        assert!(error.hint().ends_with("agon model pull smollm2-135m"));
        model.name = "mine".to_owned();
        model.path = Some(cache.model_path(&model));
        model.file = String::new();
        let error = cache.find_verified(&model).unwrap_err();
        assert!(
            error
                .to_string()
                .contains("is not the file of mine: its sha256"),
            "{error}"
        );
        assert!(error.hint().contains("change `sha256` or `path`"));
    }
}
