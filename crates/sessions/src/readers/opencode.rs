//! Finds sessions in `opencode.db` or `opencode-CHANNEL.db`.

mod part;
mod rows;

use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::{Duration, SystemTime};

use self::rows::OpencodeReader;
use super::head::list_folder;
use super::{HostReader, Storage};
use crate::SessionHost;
use crate::profile::SessionProfile;
use crate::session::{Origin, SessionRef};
use crate::sqlite;

static PROFILE: LazyLock<SessionProfile> =
    LazyLock::new(|| SessionProfile::parse(include_str!("opencode/profile.toml")));

pub(super) static READER: HostReader = HostReader {
    profile: &PROFILE,
    find: |place, _| find(place),
    // A database has many sessions, so a file does not identify one.
    recognizes: |_, _| false,
    describe: |_| None,
    storage: Storage::Database(|found| Box::new(OpencodeReader::new(&found.file, &found.id))),
};

/// Returns the sessions of the database at `place`, or of all databases in that folder.
fn find(place: &Path) -> Vec<SessionRef> {
    let databases = match place.is_dir() {
        true => list_folder(place)
            .into_iter()
            .filter(|it| is_database(it))
            .collect(),
        false => vec![place.to_owned()],
    };
    let sessions = databases.iter().flat_map(|database| {
        let rows = sqlite::open(database).and_then(|db| rows(database, &db).ok());
        rows.unwrap_or_default()
    });
    sessions.collect()
}

/// Returns whether a file name is one of the host's database names.
fn is_database(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let rest = name
        .strip_prefix("opencode")
        .and_then(|it| it.strip_suffix(".db"));
    rest.is_some_and(|it| it.is_empty() || it.starts_with('-'))
}

fn rows(database: &Path, db: &sqlite::ReadOnly) -> rusqlite::Result<Vec<SessionRef>> {
    let mut rows = db.connection().prepare(
        "SELECT id, directory, parent_id, time_updated FROM session ORDER BY time_updated DESC \
         LIMIT 10000",
    )?;
    let sessions = rows.query_map((), |row| {
        let parent: Option<String> = row.get(2)?;
        let updated: i64 = row.get(3)?;
        let updated = Duration::from_millis(u64::try_from(updated).unwrap_or_default());
        Ok(SessionRef {
            host: SessionHost::Opencode,
            id: row.get(0)?,
            file: database.to_owned(),
            project: Some(PathBuf::from(row.get::<_, String>(1)?)),
            moved_to: None,
            origin: match parent {
                Some(parent) => Origin::SubAgent { parent },
                None => Origin::New,
            },
            modified: SystemTime::UNIX_EPOCH
                .checked_add(updated)
                .unwrap_or(SystemTime::UNIX_EPOCH),
            bytes: None,
        })
    })?;
    sessions.collect()
}
