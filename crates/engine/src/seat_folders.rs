//! The folders that tools may read: working copies of the project, lent to one seat at a time.

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
    /// Lends a folder to `turn`'s seat until it is returned, creating it if necessary. Until then,
    /// no other seat gets the same one.
    ///
    /// # Errors
    ///
    /// The reason, as a sentence, if it cannot be created.
    fn folder(&self, turn: TurnId) -> Result<PathBuf, String>;

    /// Returns the files in that folder that have changed since it was lent. If there are any, it
    /// must be returned.
    fn changed_files(&self, turn: TurnId) -> Vec<String>;

    /// Returns the folder of `turn`'s seat, whose tool must have ended. Undoes every change in it,
    /// so that the next seat gets the same files.
    fn return_folder(&self, turn: TurnId);
}

/// Working copies of a pinned source, each of which one seat uses at a time.
///
/// A tool runs as the user and could change any copy, so seats that answer at the same time have
/// different ones. Seats that answer one after another share a copy.
#[derive(Debug)]
pub struct Copies {
    source: Arc<Source>,
    /// Paths that are not copied: see [`Copies::new`].
    kept_out: Vec<String>,
    private: PrivatePlaces,
    copies: Mutex<LentCopies>,
}

#[derive(Debug, Default)]
struct LentCopies {
    lent: BTreeMap<Owner, SeatFolder>,
    /// Each with the seat that had it last.
    free: Vec<(Owner, SeatFolder)>,
}

impl LentCopies {
    /// Returns the copy that `owner` has or had last, or else any free one. A tool that gets the
    /// same folder again sends the same paths to its model, whose cache of the prompt then holds.
    fn take(&mut self, owner: Owner) -> Option<SeatFolder> {
        if let Some(place) = self.lent.remove(&owner) {
            return Some(place);
        }
        let had = self.free.iter().position(|(last, _)| *last == owner);
        let at = had.or_else(|| self.free.len().checked_sub(1))?;
        Some(self.free.swap_remove(at).1)
    }
}

/// The user of a copy; the judge has another copy for the swapped ruling, which may be asked for at
/// the same time.
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
            copies: Mutex::default(),
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
        let mut copies = self.copies.lock().unwrap_or_else(PoisonError::into_inner);
        let owner = copy_owner(turn);
        let mut place = match copies.take(owner) {
            Some(place) => place,
            None => self.make_copy()?,
        };
        place.copy.give_to_tool();
        let folder = place.copy.folder().to_owned();
        copies.lent.insert(owner, place);
        Ok(folder)
    }

    fn changed_files(&self, turn: TurnId) -> Vec<String> {
        let mut copies = self.copies.lock().unwrap_or_else(PoisonError::into_inner);
        let place = copies.lent.get_mut(&copy_owner(turn));
        place.map_or_else(Vec::new, |place| place.copy.changed_files())
    }

    fn return_folder(&self, turn: TurnId) {
        let mut copies = self.copies.lock().unwrap_or_else(PoisonError::into_inner);
        let owner = copy_owner(turn);
        let Some(mut place) = copies.lent.remove(&owner) else {
            return;
        };
        // A copy that cannot be restored is removed; the next seat that needs one gets a new copy.
        if place.copy.restore(&self.source).is_ok() {
            copies.free.push((owner, place));
        }
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
    use std::fs;
    use std::path::Path;

    use agon_evidence::PinLimits;

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

    /// A project of one file, and copies of it.
    fn copies() -> (tempfile::TempDir, Copies) {
        let temp = tempfile::tempdir().unwrap();
        let project = temp.path().join("project");
        fs::create_dir(&project).unwrap();
        fs::write(project.join("a.txt"), "pinned\n").unwrap();
        let source = Source::pin_tree(&project, &PinLimits::default()).unwrap();
        let private = PrivatePlaces::new(Some(temp.path()), temp.path());
        let copies = Copies::new(Arc::new(source), &Repo::default(), Vec::new(), private);
        (temp, copies)
    }

    fn text(folder: &Path) -> String {
        fs::read_to_string(folder.join("a.txt")).unwrap()
    }

    fn write(folder: &Path) {
        fs::remove_file(folder.join("a.txt")).unwrap();
        fs::write(folder.join("a.txt"), "written by a seat\n").unwrap();
        fs::write(folder.join("left.txt"), "for the next seat\n").unwrap();
    }

    const PRO: TurnId = TurnId::round(1, Seat::Proposer);
    const CHA: TurnId = TurnId::round(1, Seat::Challenger);

    #[test]
    fn seats_that_answer_one_after_another_share_a_copy_and_nothing_that_one_wrote() {
        let (temp, copies) = copies();
        let first = copies.folder(PRO).unwrap();
        write(&first);
        assert_eq!(copies.changed_files(PRO), ["a.txt", "left.txt"]);
        copies.return_folder(PRO);
        let second = copies.folder(CHA).unwrap();
        assert_eq!(second, first);
        assert_eq!(text(&second), "pinned\n");
        assert!(!second.join("left.txt").exists());
        assert_eq!(copies.changed_files(CHA), Vec::<String>::new());
        assert_eq!(text(&temp.path().join("project")), "pinned\n");
    }

    #[test]
    fn seats_that_answer_at_the_same_time_have_different_copies() {
        let (_temp, copies) = copies();
        let (first, second) = (copies.folder(PRO).unwrap(), copies.folder(CHA).unwrap());
        write(&first);
        assert_eq!(text(&second), "pinned\n");
        assert_eq!(copies.changed_files(CHA), Vec::<String>::new());
        // A conversation that continues keeps its folder.
        assert_eq!(copies.folder(CHA).unwrap(), second);
        copies.return_folder(PRO);
        copies.return_folder(CHA);
        let next = copies.folder(TurnId::round(2, Seat::Proposer)).unwrap();
        assert_eq!(next, first, "a seat gets the copy that it had before");
        assert_eq!(text(&next), "pinned\n");
        let next = copies.folder(TurnId::round(2, Seat::Challenger)).unwrap();
        assert_eq!(next, second);
    }

    #[test]
    fn a_copy_that_cannot_be_restored_is_replaced() {
        let (_temp, copies) = copies();
        let first = copies.folder(PRO).unwrap();
        fs::rename(&first, first.with_file_name("moved")).unwrap();
        assert_eq!(copies.changed_files(PRO), ["a.txt"]);
        copies.return_folder(PRO);
        assert!(!first.parent().unwrap().exists());
        assert_eq!(text(&copies.folder(CHA).unwrap()), "pinned\n");
    }
}
