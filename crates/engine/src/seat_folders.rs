//! The folders that tools may read: a working copy of the project for each seat.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use agon_evidence::{Source, WorkingCopy};
use agon_proc::{PrivateFolder, PrivatePlaces};
use agon_record::id::{Seat, Stage, TurnId};
use agon_record::spec::Repo;

/// Provides each seat with a folder to read.
pub trait SeatFolders: fmt::Debug + Send + Sync {
    /// Returns the folder of `turn`'s seat, creating it on first use.
    ///
    /// # Errors
    ///
    /// The reason, as a sentence, if it cannot be created.
    fn folder(&self, turn: TurnId) -> Result<PathBuf, String>;

    /// Returns the files in that folder that have changed since it was created. If there are any,
    /// the next call gets a new folder.
    fn changed_files(&self, turn: TurnId) -> Vec<String>;
}

/// Working copies of a pinned source.
#[derive(Debug)]
pub struct Copies {
    source: Arc<Source>,
    /// Paths that are not copied: see [`Copies::new`].
    kept_out: Vec<String>,
    private: PrivatePlaces,
    made: Mutex<BTreeMap<Owner, SeatFolder>>,
}

/// The owner of a copy; the judge has another copy for the swapped ruling.
type Owner = (Seat, bool);

#[derive(Debug)]
struct SeatFolder {
    copy: WorkingCopy,
    _folder: PrivateFolder,
}

impl Copies {
    /// Returns copies of `source` in `private` places, created on demand and removed on drop.
    ///
    /// `settings` are the tools' own configuration files: a name that may occur anywhere in a path,
    /// or a path from any folder. `repo` says what else is left out.
    pub fn new(
        source: Arc<Source>,
        repo: &Repo,
        settings: Vec<String>,
        private: PrivatePlaces,
    ) -> Self {
        let whole = repo.secrets.iter().chain(&repo.debates);
        let kept_out = whole.map(|path| format!("/{path}")).chain(settings);
        Self {
            source,
            kept_out: kept_out.collect(),
            private,
            made: Mutex::default(),
        }
    }

    fn make_copy(&self) -> Result<SeatFolder, String> {
        // Use a folder outside the project, because tools also read the settings in parent folders.
        let folder = match self.source.root() {
            Some(root) => self.private.make_folder_outside(root),
            None => self.private.make_folder(),
        };
        let folder = folder.map_err(|error| {
            format!(
                "found no private folder outside the project; set XDG_CACHE_HOME to one: {error}"
            )
        })?;
        let name = match self.source.manifest().name.as_str() {
            "" => "project",
            name => name,
        };
        let wanted = |path: &str| !is_excluded_path(path, &self.kept_out);
        let copy = self.source.copy_to(&folder.path().join(name), &wanted);
        let copy = copy.map_err(|error| format!("{error}: {}", error.cause))?;
        // All seats must get the same files, so refuse a copy in which some are missing.
        if copy.missing_text_count() > 0 {
            return Err(format!(
                "{} of the project's files no longer exist as they were when the debate opened; resume in that project, with its commit {}",
                copy.missing_text_count(),
                self.source.manifest().commit.as_deref().unwrap_or("(none)")
            ));
        }
        Ok(SeatFolder {
            copy,
            _folder: folder,
        })
    }
}

impl SeatFolders for Copies {
    fn folder(&self, turn: TurnId) -> Result<PathBuf, String> {
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(place) = made.get(&copy_owner(turn)) {
            return Ok(place.copy.folder().to_owned());
        }
        let place = self.make_copy()?;
        let folder = place.copy.folder().to_owned();
        made.insert(copy_owner(turn), place);
        Ok(folder)
    }

    fn changed_files(&self, turn: TurnId) -> Vec<String> {
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        let place = made.get(&copy_owner(turn));
        let changed = place.map_or_else(Vec::new, |place| place.copy.changed_files());
        if !changed.is_empty() {
            made.remove(&copy_owner(turn));
        }
        changed
    }
}

fn copy_owner(turn: TurnId) -> Owner {
    (turn.seat, turn.stage == Stage::Swap)
}

/// Returns whether `path` is one of `kept_out` or below one.
///
/// An entry that begins with `/` is relative to the source's root, any other to any folder. The
/// comparison ignores case, like some file systems.
pub fn is_excluded_path(path: &str, kept_out: &[String]) -> bool {
    let path = format!("/{}/", path.to_lowercase());
    kept_out.iter().any(|out| {
        let out = out.trim_end_matches('/').to_lowercase();
        match out.strip_prefix('/') {
            Some(from_root) => path.starts_with(&format!("/{from_root}/")),
            None => path.contains(&format!("/{out}/")),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_out_is_named_from_the_root_or_from_anywhere() {
        let out = ["/debates", ".claude", ".github/hooks", "CLAUDE.md"].map(str::to_owned);
        for kept in [
            "debates/a/debate.md",
            ".claude/settings.json",
            "sub/.Claude/x",
            "sub/.github/hooks/a.json",
            "claude.md",
        ] {
            assert!(is_excluded_path(kept, &out), "{kept}");
        }
        for there in [
            "src/debates/mod.rs",
            "debates.md",
            ".claude.json",
            ".github/workflows/ci.yml",
            "docs/about-claude.md",
        ] {
            assert!(!is_excluded_path(there, &out), "{there}");
        }
    }
}
