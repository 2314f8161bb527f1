//! The folder where models lie.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use sha2::{Digest, Sha256};

use crate::manifest::Model;

/// Names another folder for models.
pub const VARIABLE: &str = "AGON_MODELS_DIR";

/// The folder where models lie.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cache {
    folder: PathBuf,
}

/// A file in it that is not what it should be, or cannot be looked at.
#[derive(Debug, thiserror::Error)]
pub enum CacheError {
    /// Another file is where the model should be.
    #[error("{} is not {}: its sha256 is {found}, not {}", path.display(), model.display_name(), model.sha256)]
    Wrong {
        /// Where it is stored.
        path: PathBuf,
        /// What should lie there.
        model: Box<Model>,
        /// The checksum that it has.
        found: String,
    },
    /// A file cannot be read or written.
    #[error("cannot use {}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        #[source]
        cause: io::Error,
    },
}

impl CacheError {
    /// What to do about it.
    pub fn hint(&self) -> String {
        match self {
            Self::Wrong { model, .. } if model.is_own() => {
                "change `sha256` or `path` in your configuration".to_owned()
            }
            Self::Wrong { model, .. } => {
                format!("take it away, then: agon model pull {}", model.name)
            }
            Self::File { .. } => "see that it can be read".to_owned(),
        }
    }
}

impl Cache {
    /// Models lie in this folder.
    pub fn at(folder: impl Into<PathBuf>) -> Self {
        Self {
            folder: folder.into(),
        }
    }

    /// The user's folder, by their environment: `AGON_MODELS_DIR`, or in the cache that
    /// `XDG_CACHE_HOME` or `HOME` says.
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

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Where the file of a model is stored, or would be.
    pub fn model_path(&self, model: &Model) -> PathBuf {
        match &model.path {
            Some(path) => path.clone(),
            None => self.folder.join(&model.file),
        }
    }

    /// Whether a file of the expected size (any size where none is known) is at the model's path;
    /// its content is not checked.
    pub fn has_file_of_right_size(&self, model: &Model) -> bool {
        let there = fs::metadata(self.model_path(model));
        there.is_ok_and(|there| there.is_file() && (model.size == 0 || there.len() == model.size))
    }

    /// The file of a model, if it is there: its checksum was compared, now or when it last changed.
    ///
    /// # Errors
    ///
    /// If another file is there, or it cannot be read.
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
    /// Failing to record it is harmless: then it is hashed each time.
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

    /// The path of an auxiliary file of a model (lock, part, verification mark and the like) in the
    /// cache folder.
    pub(crate) fn sibling_path(&self, model: &Model, ending: &str) -> PathBuf {
        let file = if model.is_own() {
            &model.name
        } else {
            &model.file
        };
        self.folder.join(format!("{file}.{ending}"))
    }
}

/// The content of the verification mark: checksum, size and modification time of the verified file.
fn verification_mark(model: &Model, there: &fs::Metadata) -> String {
    let changed = there.modified().ok();
    let changed = changed.and_then(|at| at.duration_since(UNIX_EPOCH).ok());
    let changed = changed.unwrap_or_default().as_nanos();
    format!("{} {} {changed}\n", model.sha256, there.len())
}

/// The SHA-256 of a file, in hexadecimal digits.
fn file_sha256(path: &Path) -> io::Result<String> {
    file_sha256_unless(path, &|| false)
}

/// The SHA-256 of a file in hexadecimal; fails with `Interrupted` once `gone` returns true.
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
            error.to_string().contains("is not mine: its sha256"),
            "{error}"
        );
        assert!(error.hint().contains("change `sha256` or `path`"));
    }
}
