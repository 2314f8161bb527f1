//! Sessions of OpenCode: rows of one database.
//!
//! A row changes until it is finished, so each part is passed on only then. Further reads use the
//! rows' modification times. A fork has copies of its parent's rows, with times before the fork.

use std::path::{Path, PathBuf};

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Row};
use serde_json::Value;

use super::{PROFILE, part};
use crate::json;
use crate::problem::ProblemKind;
use crate::seen::SeenIds;
use crate::session;
use crate::sqlite;
use crate::stream::{Origin, Output, Stream};
use crate::{
    Entry, Location, PlanItem, PlanState, RawText, ReadError, ReadProgress, RecordProblem,
    RecordedSession, SessionHost, SessionReader,
};

/// Reads one session of the database.
pub(super) struct OpencodeReader {
    stream: Stream,
    seen: SeenIds,
    /// Latest modification time of the rows read, in milliseconds.
    changed: i64,
    bytes: u64,
    state: part::State,
}

/// One message of the database.
struct Message {
    id: String,
    created: i64,
    data: Value,
}

impl OpencodeReader {
    pub(super) fn new(database: &Path, id: &str) -> Self {
        Self {
            stream: Stream::new(RecordedSession::new(SessionHost::Opencode, id, database)),
            seen: SeenIds::new(),
            changed: 0,
            bytes: 0,
            state: part::State::default(),
        }
    }

    fn read_rows(&mut self, db: &Connection, give: &mut dyn FnMut(Entry)) -> rusqlite::Result<()> {
        let began = self.describe_session(db)?;
        let id = self.stream.session.id.clone();
        // Read the last millisecond again (`>=`), because other rows may have changed in it since.
        let since = self.changed;
        let mut changed = db.prepare_cached(
            "SELECT id FROM message WHERE session_id = ?1 AND (time_updated >= ?2 OR id IN \
             (SELECT message_id FROM part WHERE session_id = ?1 AND time_updated >= ?2)) \
             ORDER BY time_created, id",
        )?;
        let ids: Vec<String> = changed
            .query_map((&id, since), |row| row.get(0))?
            .collect::<Result<_, _>>()?;
        let mut message = db.prepare_cached(
            "SELECT id, time_created, time_updated, data FROM message WHERE id = ?1",
        )?;
        let mut parts = db.prepare_cached(
            "SELECT id, data, time_updated FROM part WHERE message_id = ?1 ORDER BY id",
        )?;
        for id in ids {
            let Some((row, updated)) = message
                .query_row([&id], |row| self.message(row))
                .optional()?
            else {
                continue;
            };
            self.changed = self.changed.max(updated);
            let Some(row) = row else { continue };
            let mut rows = parts.query([&id])?;
            while let Some(found) = rows.next()? {
                self.changed = self.changed.max(found.get(2)?);
                self.part(&row, found, began, give)?;
            }
            let origin = origin("message", &row.id, row.created, began);
            let mut out = Output {
                stream: &mut self.stream,
                give,
            };
            part::end_message(
                &row.data,
                &row.id,
                &origin,
                (&mut self.seen, &mut self.state),
                &mut out,
            );
        }
        Ok(())
    }

    /// Reads the row of the session and returns its start time.
    fn describe_session(&mut self, db: &Connection) -> rusqlite::Result<i64> {
        let id = self.stream.session.id.clone();
        let (directory, title, version, parent, created) = db.query_row(
            "SELECT directory, title, version, parent_id, time_created FROM session WHERE id = ?1",
            [&id],
            |row| {
                Ok((
                    row.get::<_, String>(0)?,
                    row.get::<_, String>(1)?,
                    row.get::<_, String>(2)?,
                    row.get::<_, Option<String>>(3)?,
                    row.get::<_, i64>(4)?,
                ))
            },
        )?;
        let is_new = self.stream.session.version.is_none();
        if is_new && PROFILE.is_newer(&version) {
            let at = row_location("session", &id);
            self.stream
                .note(ProblemKind::NewerVersion, &at, Some(&version));
        }
        let session = &mut self.stream.session;
        session.project = Some(PathBuf::from(directory));
        session.title = Some(title);
        session.version = Some(version);
        session.started = Timestamp::from_millisecond(created).ok();
        if let Some(parent) = parent {
            session.origin = session::Origin::SubAgent { parent };
        } else if is_new {
            session.origin = fork_origin(db, &id, created)?;
        }
        Ok(created)
    }

    fn message(&mut self, row: &Row<'_>) -> rusqlite::Result<(Option<Message>, i64)> {
        let id: String = row.get(0)?;
        let text = text_in_column(row, 3)?;
        self.bytes += text.len() as u64;
        let updated = row.get(2)?;
        let Some(data) = json::parse(text.as_bytes()) else {
            let at = row_location("message", &id);
            self.stream.note(ProblemKind::Damaged, &at, None);
            return Ok((None, updated));
        };
        let message = Message {
            id,
            created: row.get(1)?,
            data,
        };
        Ok((Some(message), updated))
    }

    fn part(
        &mut self,
        message: &Message,
        row: &Row<'_>,
        began: i64,
        give: &mut dyn FnMut(Entry),
    ) -> rusqlite::Result<()> {
        let id: String = row.get(0)?;
        let text = text_in_column(row, 1)?;
        self.bytes += text.len() as u64;
        let origin = origin("part", &id, message.created, began);
        let mut out = Output {
            stream: &mut self.stream,
            give,
        };
        match json::parse(text.as_bytes()) {
            Some(mut data) => {
                let held = (&mut self.seen, &mut self.state);
                part::emit(&mut data, &id, &message.data, &origin, held, &mut out);
            }
            None => out.note(ProblemKind::Damaged, &origin.location, None),
        }
        Ok(())
    }
}

/// Returns the text in a column. A damaged database can have any type there.
fn text_in_column(row: &Row<'_>, column: usize) -> rusqlite::Result<String> {
    let bytes = match row.get_ref(column)? {
        rusqlite::types::ValueRef::Text(bytes) | rusqlite::types::ValueRef::Blob(bytes) => bytes,
        _ => &[],
    };
    Ok(String::from_utf8_lossy(bytes).into_owned())
}

/// Returns the origin of a session: a fork if it begins with another session's rows.
fn fork_origin(db: &Connection, id: &str, created: i64) -> rusqlite::Result<session::Origin> {
    let first: Option<i64> = db.query_row(
        "SELECT min(time_created) FROM message WHERE session_id = ?1",
        [id],
        |row| row.get(0),
    )?;
    let Some(first) = first.filter(|first| *first < created) else {
        return Ok(session::Origin::New);
    };
    // Copies have new ids and the old times, so the latest matching session is the parent.
    let parent = db
        .query_row(
            "SELECT s.id FROM session s JOIN message m ON m.session_id = s.id \
             WHERE m.time_created = ?1 AND s.time_created < ?2 AND s.id <> ?3 \
             ORDER BY s.time_created DESC LIMIT 1",
            (first, created, id),
            |row| row.get(0),
        )
        .optional()?;
    Ok(session::Origin::Fork { parent })
}

fn row_location(table: &str, id: &str) -> Location {
    Location::Row {
        table: table.to_owned(),
        id: id.to_owned(),
    }
}

fn origin(table: &str, id: &str, created: i64, began: i64) -> Origin {
    Origin {
        time: Timestamp::from_millisecond(created).ok(),
        copied: created < began,
        ..Origin::new(row_location(table, id))
    }
}

impl SessionReader for OpencodeReader {
    fn session(&self) -> &RecordedSession {
        &self.stream.session
    }

    fn read(&mut self, give: &mut dyn FnMut(Entry)) -> Result<ReadProgress, ReadError> {
        let before = self.stream.next_index();
        let path = self.stream.session.file.clone();
        let failed = |reason: String| ReadError::Database {
            path: path.clone(),
            reason,
        };
        let db = sqlite::open(&path).ok_or_else(|| failed("it cannot be opened".to_owned()))?;
        self.read_rows(db.connection(), give)
            .map_err(|it| failed(it.to_string()))?;
        Ok(ReadProgress {
            entries: self.stream.next_index() - before,
            bytes: self.bytes,
            unfinished: 0,
        })
    }

    fn problems(&self) -> &[RecordProblem] {
        &self.stream.problems
    }

    fn plan(&self) -> Vec<PlanItem> {
        let session = &self.stream.session;
        sqlite::open(&session.file)
            .and_then(|db| read_todos(db.connection(), &session.id).ok())
            .unwrap_or_default()
    }
}

fn read_todos(db: &Connection, session: &str) -> rusqlite::Result<Vec<PlanItem>> {
    let mut rows = db.prepare(
        "SELECT position, content, status FROM todo WHERE session_id = ?1 ORDER BY position LIMIT 1000",
    )?;
    let items = rows.query_map([session], |row| {
        Ok(PlanItem {
            id: row.get::<_, i64>(0)?.saturating_add(1).to_string(),
            text: RawText::from(row.get::<_, String>(1)?),
            state: PlanState::from_word(&row.get::<_, String>(2)?),
        })
    })?;
    items.collect()
}
