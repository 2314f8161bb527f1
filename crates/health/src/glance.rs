//! Determines the fill of a context from the end of its record.
//!
//! A hook has milliseconds, and a record can have 1 GB. So Agon stores the state of each read in
//! its own folder, and the next read starts there.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::Path;
use std::time::SystemTime;

use agon_caller::Caller;
use agon_sessions::{
    Entry, EntryKind, Purpose, SessionHost, SessionReader, SessionRef, open_session_at,
};
use jiff::Timestamp;
use rustix::fs::FlockOperation;
use serde::{Deserialize, Serialize};

use super::old_files::remove_old_files;

// Reading this much takes about 5 ms in a release build.
/// Most bytes read at the end of a record.
const MAX_LOOK: u64 = 512 << 10;
/// Maximum size of a state file, in bytes.
const MAX_FILE_BYTES: u64 = 64 << 10;

/// The stored state of a session.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Glance {
    /// The byte offset up to which the record was read.
    byte: u64,
    /// Tokens in the context; `None` if no call has been counted since the start or a compaction.
    pub(super) fill: Option<u64>,
    pub(super) max_fill: u64,
    pub(super) model: Option<String>,
    pub(super) window: Option<u64>,
    /// The time of the last compaction, to recognize repeated entries.
    compacted: Option<Timestamp>,
    /// The number of prompts seen.
    pub(super) turn: u32,
    /// The time of the last prompt, since a host may repeat prompts.
    prompted: Option<Timestamp>,
    /// The turn of the last reminder.
    pub(super) said_in: Option<u32>,
    /// The last result of the rules.
    pub(super) found: Option<GlanceFindings>,
}

/// The result of the rules at the end of a record.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct GlanceFindings {
    /// The time of the check, in milliseconds since 1970.
    pub(super) at_ms: u64,
    /// The record's size in bytes.
    pub(super) bytes: u64,
    /// The number of current findings.
    pub(super) count: usize,
    /// Whether one of them is severe.
    pub(super) is_red: bool,
}

impl Glance {
    /// Reads the entries written since the last call.
    pub(super) fn look(&mut self, session: &SessionRef) -> io::Result<()> {
        let metadata = fs::metadata(&session.file)?;
        if !metadata.is_file() {
            return Err(io::Error::other("not a file"));
        }
        let length = metadata.len();
        if length < self.byte {
            // A shorter file means that the record was replaced, so start again.
            *self = Self::default();
        }
        let start = self.byte.max(length.saturating_sub(MAX_LOOK));
        let Some(mut reader) = open_session_at(session, start) else {
            return Err(io::Error::other("not a line-based file"));
        };
        self.read(reader.as_mut()).map_err(io::Error::other)
    }

    fn read(&mut self, reader: &mut dyn SessionReader) -> Result<(), agon_sessions::ReadError> {
        let progress = reader.read(&mut |entry| self.add(&entry))?;
        self.byte = progress.bytes;
        self.window = reader.session().window.or(self.window);
        Ok(())
    }

    fn add(&mut self, entry: &Entry) {
        if entry.agent.is_some() {
            return;
        }
        match &entry.kind {
            EntryKind::Prompt(_) => {
                let is_repeated = entry.time.is_some() && entry.time <= self.prompted;
                if !is_repeated {
                    self.turn = self.turn.saturating_add(1);
                    self.prompted = entry.time.or(self.prompted);
                }
            }
            EntryKind::Usage(usage) if usage.purpose == Purpose::Work => {
                let is_of_before = entry.time.is_some() && entry.time < self.compacted;
                if !is_of_before {
                    self.fill = Some(usage.fill);
                    self.max_fill = self.max_fill.max(usage.fill);
                    self.model = usage.model.clone().or(self.model.take());
                }
            }
            EntryKind::Compaction(compaction) => {
                self.fill = compaction.after.filter(|it| *it > 0);
                self.compacted = entry.time.or(self.compacted);
            }
            _ => {}
        }
    }
}

/// A locked state file.
#[derive(Debug)]
pub(super) struct GlanceFile {
    file: File,
}

impl GlanceFile {
    /// Opens the state file of a record; `None` if another process has locked it.
    pub(super) fn open(caller: &Caller, record: &Path) -> io::Result<Option<Self>> {
        let folder = caller
            .state_dir()
            .ok_or_else(|| io::Error::other("no folder for Agon's state"))?
            .join("context");
        let name = blake3::hash(record.as_os_str().as_encoded_bytes()).to_hex();
        let path = folder.join(format!("{}.json", &name[..32]));
        if !path.exists() {
            fs::DirBuilder::new()
                .recursive(true)
                .mode(0o700)
                .create(&folder)?;
            remove_old_files(&folder);
        }
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .mode(0o600)
            .open(&path)?;
        match rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => Ok(Some(Self { file })),
            Err(rustix::io::Errno::WOULDBLOCK) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Reads the stored state; empty if it is invalid.
    pub(super) fn read(&mut self) -> Glance {
        let mut text = String::new();
        let file = &mut self.file;
        let read = file.take(MAX_FILE_BYTES).read_to_string(&mut text);
        read.ok()
            .and_then(|_| serde_json::from_str(&text).ok())
            .unwrap_or_default()
    }

    pub(super) fn write(&mut self, glance: &Glance) -> io::Result<()> {
        let text = serde_json::to_string(glance)?;
        self.file.seek(SeekFrom::Start(0))?;
        self.file.set_len(0)?;
        self.file.write_all(text.as_bytes())
    }
}

/// Returns the session whose record a host names.
pub(super) fn session_at(host: SessionHost, record: &Path) -> SessionRef {
    let id = record.file_stem().unwrap_or_default().to_string_lossy();
    SessionRef {
        host,
        id: id.into_owned(),
        file: record.to_owned(),
        project: None,
        moved_to: None,
        origin: agon_sessions::Origin::New,
        modified: SystemTime::UNIX_EPOCH,
        bytes: None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn line(kind: &str, at: u32, rest: &Value) -> String {
        let mut line = json!({"type": kind, "uuid": format!("{kind}-{at}"), "sessionId": "s",
            "timestamp": format!("2026-11-23T04:07:{at:02}Z")});
        let (fields, rest) = (line.as_object_mut().unwrap(), rest.as_object().unwrap());
        fields.extend(rest.clone());
        format!("{line}\n")
    }

    fn call(at: u32, fill: u64) -> String {
        let message = json!({"id": format!("m{at}"), "model": "m", "content": [],
            "usage": {"input_tokens": fill, "output_tokens": 0}});
        line("assistant", at, &json!({"message": message}))
    }

    fn prompt(at: u32) -> String {
        line("user", at, &json!({"message": {"content": "Go on."}}))
    }

    /// Looks after each of these was written.
    fn looked(texts: &[&str]) -> Glance {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s.jsonl");
        let mut glance = Glance::default();
        for text in texts {
            let mut file = OpenOptions::new();
            let mut file = file.create(true).append(true).open(&path).unwrap();
            file.write_all(text.as_bytes()).unwrap();
            glance
                .look(&session_at(SessionHost::Claude, &path))
                .unwrap();
        }
        glance
    }

    #[test]
    fn what_a_host_repeats_after_a_compaction_is_not_what_there_is() {
        let boundary = line(
            "system",
            20,
            &json!({"subtype": "compact_boundary", "compactMetadata": {}}),
        );
        let (before, kept) = (call(10, 900), call(11, 1000));
        let glance = looked(&[&prompt(9), &before, &kept, &boundary, &kept]);
        assert_eq!((glance.fill, glance.max_fill), (None, 1000));
        let glance = looked(&[&prompt(9), &before, &boundary, &kept, &call(30, 200)]);
        assert_eq!((glance.fill, glance.turn), (Some(200), 1));
        // A prompt that stands there again is no new turn.
        let glance = looked(&[&prompt(9), &prompt(12), &boundary, &prompt(9), &prompt(31)]);
        assert_eq!(glance.turn, 3);
    }

    #[test]
    fn of_a_record_that_grew_by_more_than_a_look_the_end_is_read() {
        let text = "x".repeat(60_000);
        let big = line("user", 1, &json!({"message": {"content": text}}));
        let many = big.repeat(40);
        let glance = looked(&[&many, &call(10, 900)]);
        assert_eq!(glance.fill, Some(900));
        let glance = looked(&[&call(10, 900), &many, &call(11, 700)]);
        assert_eq!(glance.fill, Some(700));
        assert_eq!(glance.byte, (many.len() + call(10, 900).len() * 2) as u64);
    }

    #[test]
    fn a_shorter_record_is_another() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s.jsonl");
        let mut glance = Glance::default();
        for text in [call(10, 900) + &prompt(11), prompt(12)] {
            fs::write(&path, text).unwrap();
            glance
                .look(&session_at(SessionHost::Claude, &path))
                .unwrap();
        }
        assert_eq!((glance.fill, glance.turn), (None, 1));
    }
}
