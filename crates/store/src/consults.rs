//! What is kept of consults, so that they can be gone on with: who was asked, never what was said.
//!
//! One small file each, with the rights of its owner alone, in a folder of the user's. Beside it
//! stands the empty folder that the tools ran in.

use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use agon_files::Durable;
use agon_record::event::Usage;
use agon_record::spec::{Effort, ToolName};
use serde::{Deserialize, Serialize};
use ulid::Ulid;

/// The name and version of the file.
const SCHEMA: &str = "agon.kept-consult/1";
// Chosen, not measured: a name, a folder and a conversation for each tool take less than a tenth. A
// larger file is not ours, and counts as damaged.
/// Bytes of the largest file that is read.
const MAX_BYTES: u64 = 64 * 1024;
// Chosen, not measured: they are kept for 30 days, so that is 33 consults a day. What is older is
// not found by `--continue` without a name.
/// Files that are looked at, the latest first.
const MOST: usize = 1_000;

/// A consult that can be gone on with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Consult {
    schema: String,
    /// Its id.
    pub id: Ulid,
    /// When it was last asked, in milliseconds since 1970.
    pub at: u64,
    /// The project it was asked in.
    pub project: PathBuf,
    /// What its tools keep.
    pub conversations: Vec<Conversation>,
}

/// What one tool keeps of a consult.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Conversation {
    /// The tool.
    pub tool: ToolName,
    /// Its model, where one was chosen.
    pub model: Option<String>,
    /// How hard it thinks.
    pub effort: Effort,
    /// How it was spoken to.
    pub transport: String,
    /// Its name for the conversation; to be checked before it is used.
    pub session: String,
    /// What the conversation has cost.
    pub spent: Usage,
}

impl Consult {
    /// A consult in which these conversations are kept.
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

/// Why a consult cannot be gone on with.
#[derive(Debug, thiserror::Error)]
pub enum ConsultError {
    /// There is none.
    #[error("nothing is kept of it")]
    NotKept,
    /// Its file is not what was written.
    #[error("{} is damaged", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
    },
    /// A newer program wrote it.
    #[error("{} is of a newer agon", path.display())]
    Newer {
        /// The file.
        path: PathBuf,
    },
    /// A file or folder cannot be read or written.
    #[error("cannot use {}", path.display())]
    Io {
        /// Which.
        path: PathBuf,
        /// The operating system's reason.
        #[source]
        cause: io::Error,
    },
}

/// The consult asked last, and the later ones that cannot be read.
#[derive(Debug, Default)]
pub struct Latest {
    /// The consult.
    pub found: Option<Consult>,
    /// What is wrong with later ones.
    pub unreadable: Vec<ConsultError>,
}

/// The folder in which consults are kept.
#[derive(Clone, Debug)]
pub struct Consults {
    dir: PathBuf,
}

impl Consults {
    /// Those that are kept in `dir`, which need not be there.
    pub fn in_dir(dir: PathBuf) -> Self {
        Self { dir }
    }

    /// The empty folder in which the tools of a consult run, made if it is not there.
    ///
    /// # Errors
    ///
    /// If it cannot be made, or something was put into it.
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

    /// Takes the folder of a consult away again that is not kept.
    pub fn remove_folder_if_empty(&self, id: Ulid) {
        // One that is not empty stays, and so does what cannot be removed.
        fs::remove_dir(self.dir.join(id.to_string())).ok();
    }

    /// Keeps a consult, in place of what was kept of it.
    ///
    /// # Errors
    ///
    /// If it cannot be written; what was kept is then as it was.
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

    /// The consult of an id.
    ///
    /// # Errors
    ///
    /// If nothing is kept of it, or that cannot be read.
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

    /// The consult asked last of those that `wanted` is true of.
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

    /// Removes what was begun before `at`, as far as that can be done.
    pub fn remove_older_than(&self, at: u64) {
        for id in self.ids() {
            // What cannot be read now may be another version's.
            let over = || match self.read(id) {
                Ok(consult) => consult.at < at,
                Err(error) => matches!(error, ConsultError::Damaged { .. }),
            };
            if id.timestamp_ms() < at && over() {
                // The next sweep tries again.
                fs::remove_file(self.file_path(id)).ok();
                self.remove_folder_if_empty(id);
            }
        }
    }

    /// The ids of the files here, the earliest first.
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

/// Makes a folder, and those above it, that only its owner may look into.
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
        assert!(wrong[0].ends_with("is of a newer agon"), "{wrong:?}");
        assert!(wrong[1].ends_with("is damaged"), "{wrong:?}");
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
