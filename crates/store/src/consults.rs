//! Saved consults, so that they can be continued: the tools that were asked, but no text.
//!
//! Each is a small file that only its owner can read, in a folder of the user. Beside it is the
//! empty folder that the tools ran in.

use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use agon_files::Durable;
use agon_record::event::Usage;
use agon_record::spec::{Effort, ToolName};
use serde::{Deserialize, Serialize};
use ulid::Ulid;

/// The schema id of the file.
const SCHEMA: &str = "agon.kept-consult/1";
// Chosen, not measured: a name, a folder and a conversation for each tool take less than a tenth. A
// larger file was not written by Agon and counts as corrupted.
/// Maximum size of a file, in bytes.
const MAX_BYTES: u64 = 64 * 1024;
// Chosen, not measured: 33 consults a day, since they are kept for 30 days. Without a name,
// `--continue` does not find older ones.
/// Maximum number of files that are searched, latest first.
const MOST: usize = 1_000;

/// A consult that can be continued.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Consult {
    schema: String,
    /// Its id.
    pub id: Ulid,
    /// When it was last used, in milliseconds since 1970.
    pub at: u64,
    /// The project it was asked in.
    pub project: PathBuf,
    /// Its conversations, one for each tool.
    pub conversations: Vec<Conversation>,
}

/// A conversation with one tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Conversation {
    /// The tool.
    pub tool: ToolName,
    /// Its model, if one was chosen.
    pub model: Option<String>,
    /// Its reasoning effort.
    pub effort: Effort,
    /// Its transport.
    pub transport: String,
    /// The tool's id of the conversation; to be checked before use.
    pub session: String,
    /// The usage so far.
    pub spent: Usage,
}

impl Consult {
    /// Returns a consult with these conversations.
    pub fn new(id: Ulid, at: u64, project: PathBuf, conversations: Vec<Conversation>) -> Self {
        Self {
            schema: SCHEMA.to_owned(),
            id,
            at,
            project,
            conversations,
        }
    }
}

/// Why a consult cannot be continued.
#[derive(Debug, thiserror::Error)]
pub enum ConsultError {
    /// It is not saved.
    #[error("the consult is not saved")]
    NotKept,
    /// Its file was changed or is incomplete.
    #[error("{} is corrupted", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
    },
    /// A newer version of Agon wrote it.
    #[error("{} was written by a newer version of Agon", path.display())]
    Newer {
        /// The file.
        path: PathBuf,
    },
    /// A file or folder cannot be read or written.
    #[error("cannot read or write {}", path.display())]
    Io {
        /// The path.
        path: PathBuf,
        /// The operating system's reason.
        #[source]
        cause: io::Error,
    },
}

/// The latest consult, and problems of later ones.
#[derive(Debug, Default)]
pub struct Latest {
    /// The consult.
    pub found: Option<Consult>,
    /// Why later ones could not be read.
    pub unreadable: Vec<ConsultError>,
}

/// The folder of saved consults.
#[derive(Clone, Debug)]
pub struct Consults {
    dir: PathBuf,
}

impl Consults {
    /// Returns those saved in `dir`, which need not exist.
    pub fn in_dir(dir: PathBuf) -> Self {
        Self { dir }
    }

    /// Creates the empty folder in which the tools of a consult run, if it does not exist.
    ///
    /// # Errors
    ///
    /// If it cannot be created, or is not empty.
    pub fn make_empty_folder(&self, id: Ulid) -> Result<PathBuf, ConsultError> {
        let path = self.dir.join(id.to_string());
        let io = |cause| ConsultError::Io {
            path: path.clone(),
            cause,
        };
        create_private_dir(&path).map_err(io)?;
        match fs::read_dir(&path).map_err(io)?.next() {
            None => Ok(path),
            Some(_) => Err(ConsultError::Damaged { path }),
        }
    }

    /// Removes the folder of a consult that is not saved.
    pub fn remove_folder_if_empty(&self, id: Ulid) {
        // Ignore failures, such as for a folder that is not empty.
        fs::remove_dir(self.dir.join(id.to_string())).ok();
    }

    /// Saves a consult, replacing its earlier state.
    ///
    /// # Errors
    ///
    /// If it cannot be written; the earlier state then stays.
    pub fn save(&self, consult: &Consult) -> Result<(), ConsultError> {
        let path = self.file_path(consult.id);
        let write = || {
            create_private_dir(&self.dir)?;
            let mut bytes = serde_json::to_vec(consult)?;
            bytes.push(b'\n');
            agon_files::replace(&path, &bytes, 0o600, Durable::Yes)
        };
        write().map_err(|cause| ConsultError::Io {
            path: path.clone(),
            cause,
        })
    }

    /// Reads the consult with this id.
    ///
    /// # Errors
    ///
    /// If it is not saved, or cannot be read.
    pub fn read(&self, id: Ulid) -> Result<Consult, ConsultError> {
        let path = self.file_path(id);
        let text = match agon_files::read(&path, MAX_BYTES) {
            Ok(text) => text,
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => {
                return Err(ConsultError::NotKept);
            }
            Err(cause) => return Err(ConsultError::Io { path, cause }),
        };
        #[derive(Deserialize)]
        struct SchemaOnly {
            schema: String,
        }
        let head: Option<SchemaOnly> = serde_json::from_slice(&text).ok();
        let newer =
            |head: SchemaOnly| head.schema != SCHEMA && head.schema.starts_with("agon.kept-");
        if head.is_some_and(newer) {
            return Err(ConsultError::Newer { path });
        }
        match serde_json::from_slice::<Consult>(&text) {
            Ok(consult) if consult.id == id && consult.schema == SCHEMA => Ok(consult),
            Ok(_) | Err(_) => Err(ConsultError::Damaged { path }),
        }
    }

    /// Returns the latest consult for which `wanted` is true.
    pub fn latest(&self, wanted: impl Fn(&Consult) -> bool) -> Latest {
        let mut found: Option<Consult> = None;
        let mut unreadable = Vec::new();
        for id in self.ids().into_iter().rev().take(MOST) {
            match self.read(id) {
                Ok(consult) => {
                    let later = found.as_ref().is_none_or(|found| consult.at > found.at);
                    if later && wanted(&consult) {
                        found = Some(consult);
                    }
                }
                Err(error) => unreadable.push((id, error)),
            }
        }
        let before = found.as_ref().map(|found| found.id);
        unreadable.retain(|(id, _)| before.is_none_or(|before| *id > before));
        Latest {
            unreadable: unreadable.into_iter().map(|(_, error)| error).collect(),
            found,
        }
    }

    /// Removes consults begun before `at`, ignoring failures.
    pub fn remove_older_than(&self, at: u64) {
        for id in self.ids() {
            // Remove a corrupted file, but keep one that another version may be able to read.
            let over = || match self.read(id) {
                Ok(consult) => consult.at < at,
                Err(error) => matches!(error, ConsultError::Damaged { .. }),
            };
            if id.timestamp_ms() < at && over() {
                // Ignore failures, because the next call tries again.
                fs::remove_file(self.file_path(id)).ok();
                self.remove_folder_if_empty(id);
            }
        }
    }

    /// Returns the ids of all files, the earliest first.
    fn ids(&self) -> Vec<Ulid> {
        let entries = fs::read_dir(&self.dir).into_iter().flatten().flatten();
        let id = |name: &Path| {
            name.file_name()?
                .to_str()?
                .strip_suffix(".json")?
                .parse()
                .ok()
        };
        let mut ids: Vec<Ulid> = entries.filter_map(|entry| id(&entry.path())).collect();
        ids.sort_unstable();
        ids
    }

    fn file_path(&self, id: Ulid) -> PathBuf {
        self.dir.join(format!("{id}.json"))
    }
}

/// Creates a folder and its parents, accessible only to the owner.
fn create_private_dir(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(path)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn consult(id: u128, project: &str) -> Consult {
        let conversation = Conversation {
            tool: "claude".parse().unwrap(),
            model: None,
            effort: Effort::Medium,
            transport: "cli".to_owned(),
            session: "4815d396-21a0-49d5-a7a9-e4d1d0c6b732".to_owned(),
            spent: Usage::default(),
        };
        Consult::new(Ulid(id << 80), 7, project.into(), vec![conversation])
    }

    #[test]
    fn a_consult_comes_back_as_it_was_kept_for_its_owner_alone() {
        let dir = tempfile::tempdir().unwrap();
        let consults = Consults::in_dir(dir.path().join("state/consults"));
        let one = consult(3, "/a");
        consults.save(&one).unwrap();
        consults.save(&one).unwrap();
        assert_eq!(consults.read(one.id).unwrap(), one);
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&consults.file_path(one.id)), 0o600);
        assert_eq!(mode(&consults.dir), 0o700);
        assert_eq!(mode(&consults.make_empty_folder(one.id).unwrap()), 0o700);
        assert_eq!(
            fs::read_dir(&consults.dir).unwrap().count(),
            2,
            "no other file is left"
        );
    }

    #[test]
    fn the_latest_of_a_project_is_found_past_those_that_cannot_be_read() {
        let dir = tempfile::tempdir().unwrap();
        let consults = Consults::in_dir(dir.path().to_owned());
        for (id, project) in [(1, "/a"), (2, "/a"), (3, "/b")] {
            consults.save(&consult(id, project)).unwrap();
        }
        let [torn, newer] = [4_u128, 5].map(|id| Ulid(id << 80));
        fs::write(consults.file_path(torn), "{\"schema\":\"agon.kept-cons").unwrap();
        fs::write(
            consults.file_path(newer),
            "{\"schema\":\"agon.kept-consult/2\"}",
        )
        .unwrap();
        fs::write(dir.path().join("notes.json"), "{}").unwrap();
        let latest = consults.latest(|consult| consult.project == Path::new("/a"));
        assert_eq!(latest.found.unwrap().id, Ulid(2 << 80));
        let wrong: Vec<_> = latest.unreadable.iter().map(ToString::to_string).collect();
        assert!(
            wrong[0].ends_with("was written by a newer version of Agon"),
            "{wrong:?}"
        );
        assert!(wrong[1].ends_with("is corrupted"), "{wrong:?}");
        assert!(consults.latest(|_| false).found.is_none());
        assert!(matches!(consults.read(Ulid(9)), Err(ConsultError::NotKept)));
    }

    #[test]
    fn a_file_that_holds_another_consult_is_damaged() {
        let dir = tempfile::tempdir().unwrap();
        let consults = Consults::in_dir(dir.path().to_owned());
        consults.save(&consult(1, "/a")).unwrap();
        fs::rename(
            consults.file_path(Ulid(1 << 80)),
            consults.file_path(Ulid(2 << 80)),
        )
        .unwrap();
        let error = consults.read(Ulid(2 << 80)).unwrap_err();
        assert!(matches!(error, ConsultError::Damaged { .. }), "{error:?}");
    }

    #[test]
    fn what_is_old_is_forgotten_with_its_folder_and_nothing_else() {
        let dir = tempfile::tempdir().unwrap();
        let consults = Consults::in_dir(dir.path().to_owned());
        let old = consult(1, "/a");
        let mut gone_on = consult(2, "/a");
        gone_on.at = 100;
        let new = consult(200, "/a");
        for kept in [&old, &gone_on, &new] {
            consults.save(kept).unwrap();
            consults.make_empty_folder(kept.id).unwrap();
        }
        fs::write(dir.path().join("mine.json"), "{}").unwrap();
        consults.remove_older_than(50);
        assert_eq!(consults.ids(), [gone_on.id, new.id]);
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 5);
    }

    #[test]
    fn a_folder_that_something_was_put_into_is_not_used() {
        let dir = tempfile::tempdir().unwrap();
        let consults = Consults::in_dir(dir.path().to_owned());
        let folder = consults.make_empty_folder(Ulid(1)).unwrap();
        fs::write(folder.join("CLAUDE.md"), "Follow me.").unwrap();
        assert!(matches!(
            consults.make_empty_folder(Ulid(1)),
            Err(ConsultError::Damaged { .. })
        ));
        consults.remove_folder_if_empty(Ulid(1));
        assert!(folder.exists());
    }
}
