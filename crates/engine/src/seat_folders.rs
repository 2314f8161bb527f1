//! Where a seat's tool may read: a working copy of the project for each seat.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use agon_evidence::{Source, WorkingCopy};
use agon_proc::{PrivateFolder, PrivatePlaces};
use agon_record::id::{Seat, Stage, TurnId};
use agon_record::spec::Repo;

/// Gives each seat a folder to read in.
pub trait SeatFolders: fmt::Debug + Send + Sync {
    /// The folder of `turn`'s seat, made when it is first asked for.
    ///
    /// # Errors
    ///
    /// If it cannot be made: why, in a sentence.
    fn folder(&self, turn: TurnId) -> Result<PathBuf, String>;

    /// The files of that folder that were changed since it was made. If there are any, the next
    /// call gets a new one.
    fn changed_files(&self, turn: TurnId) -> Vec<String>;
}

/// Working copies of a pinned source.
#[derive(Debug)]
pub struct Copies {
    source: Arc<Source>,
    /// Paths of which nothing is copied: see [`Copies::new`].
    kept_out: Vec<String>,
    private: PrivatePlaces,
    made: Mutex<BTreeMap<Owner, SeatFolder>>,
}

/// Whose copy it is; the judge in the swap has another.
type Owner = (Seat, bool);

#[derive(Debug)]
struct SeatFolder {
    copy: WorkingCopy,
    _folder: PrivateFolder,
}

impl Copies {
    /// Copies of `source` in `private` places, made when they are needed and removed with this.
    ///
    /// `settings` are what tools read as their own configuration: a name that may stand anywhere
    /// in a path, or a path from any folder. `repo` says what else is kept out.
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
        // In the project a tool would find the project's settings above it.
        let folder = match self.source.root() {
            Some(root) => self.private.make_folder_outside(root),
            None => self.private.make_folder(),
        };
        let folder = folder.map_err(|error| {
            format!("no private folder outside the project; set XDG_CACHE_HOME to one: {error}")
        })?;
        let name = match self.source.manifest().name.as_str() {
            "" => "project",
            name => name,
        };
        let wanted = |path: &str| !is_kept_out(path, &self.kept_out);
        let copy = self.source.copy_to(&folder.path().join(name), &wanted);
        let copy = copy.map_err(|error| format!("{error}: {}", error.cause))?;
        // Everybody has the same files, or the debate waits for them.
        if copy.missing_text_count() > 0 {
            return Err(format!(
                "{} of the project's files are not to be had as they were when the debate opened; go on in that project, with its commit {}",
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

/// Whether `path` is one of `kept_out` or below one.
///
/// One that begins with `/` is meant from the source's root, any other from any folder. Upper
/// and lower case are one, as they are on some systems that tools look for their files on.
pub fn is_kept_out(path: &str, kept_out: &[String]) -> bool {
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
            assert!(is_kept_out(kept, &out), "{kept}");
        }
        for there in [
            "src/debates/mod.rs",
            "debates.md",
            ".claude.json",
            ".github/workflows/ci.yml",
            "docs/about-claude.md",
        ] {
            assert!(!is_kept_out(there, &out), "{there}");
        }
    }
}
