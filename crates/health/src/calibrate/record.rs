//! What was answered, a line a call, so that an interrupted measurement goes on.

use std::collections::BTreeMap;
use std::fs::{DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::Path;

use agon_calibration::Design;
use agon_caller::{Failure, FailureKind};
use agon_record::event::Usage;
use agon_record::spec::Effort;
use serde::{Deserialize, Serialize};

use super::request::CalibrationRequest;

/// Counts up when prompts, scores or lines change: older files are then not gone on with.
const FORMAT: u32 = 1;

/// The first line of a file: what is measured.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct RecordHead {
    format: u32,
    tool: String,
    model: Option<String>,
    effort: Effort,
    transport: Option<String>,
    lengths: Vec<u64>,
    depths: usize,
    seeds: u32,
}

/// A further line: what a call came to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct CallRecord {
    /// The name of its cell.
    pub(super) cell: String,
    /// The depth of each question, and the word of what came of it; none where there is no answer.
    pub(super) outcomes: Vec<(usize, String)>,
    /// Why there is no answer, where the prompt is not taken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) refused: Option<String>,
    /// What it cost.
    pub(super) usage: Usage,
    /// The model that answered, where the tool says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) model: Option<String>,
    /// How long it took, in milliseconds.
    pub(super) took_ms: u64,
    /// When it ended.
    pub(super) at: String,
    /// The answer, without secrets, shortened.
    pub(super) answer: String,
}

impl RecordHead {
    pub(super) fn new(request: &CalibrationRequest, effort: Effort, design: &Design) -> Self {
        Self {
            format: FORMAT,
            tool: request.tool.to_string(),
            model: request.model_name().map(str::to_owned),
            effort,
            transport: request.transport.map(|it| it.name().to_owned()),
            lengths: design.lengths().to_vec(),
            depths: design.depths(),
            seeds: design.seeds(),
        }
    }

    /// A name that a person recognises, and that no other measurement has.
    pub(super) fn file_name(&self) -> String {
        let name = match &self.model {
            Some(model) if !self.tool.contains(model.as_str()) => {
                format!("{}-{model}", self.tool)
            }
            Some(_) | None => self.tool.clone(),
        };
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_');
        let name = name.replace(|c: char| !is_plain(c), "-");
        let name: String = name.chars().take(60).collect();
        let all = serde_json::to_string(self).unwrap_or_default();
        let hash = blake3::hash(all.as_bytes()).to_hex();
        format!("{name}-{}.jsonl", hash.get(..12).unwrap_or_default())
    }
}

/// The most bytes of a record that are read.
const MAX_BYTES: u64 = 64 << 20;

/// What a file has, by the names of cells; nothing where it is not there.
pub(super) fn read(
    path: &Path,
    head: &RecordHead,
) -> Result<BTreeMap<String, CallRecord>, Failure> {
    match agon_files::read_to_string(path, MAX_BYTES) {
        Ok(text) => parse(path, head, &text).map(|(records, _)| records),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(BTreeMap::new()),
        Err(error) => Err(unusable(path, &error)),
    }
}

/// The lines of a file, and the bytes of those that are whole: the last one is half a line where the
/// process was killed while it wrote.
fn parse(
    path: &Path,
    head: &RecordHead,
    text: &str,
) -> Result<(BTreeMap<String, CallRecord>, u64), Failure> {
    let whole = text.rfind('\n').map_or(0, |at| at + 1);
    let mut lines = text.get(..whole).unwrap_or_default().lines();
    let mut records = BTreeMap::new();
    if let Some(first) = lines.next() {
        let own: Option<RecordHead> = serde_json::from_str(first).ok();
        if own.as_ref() != Some(head) {
            return Err(damaged(path, 1));
        }
    }
    for (at, line) in lines.enumerate() {
        let record = serde_json::from_str::<CallRecord>(line);
        let record = record.map_err(|_| damaged(path, at + 2))?;
        records.insert(record.cell.clone(), record);
    }
    Ok((records, whole as u64))
}

/// A file that calls are added to.
#[derive(Debug)]
pub(super) struct RecordFile {
    file: File,
}

impl RecordFile {
    /// Opens the file, or begins it, and keeps others from it; gives what it has.
    pub(super) fn open(
        path: &Path,
        head: &RecordHead,
        again: bool,
    ) -> Result<(Self, BTreeMap<String, CallRecord>), Failure> {
        let failed = |error: io::Error| unusable(path, &error);
        if let Some(folder) = path.parent() {
            DirBuilder::new()
                .recursive(true)
                .mode(0o700)
                .create(folder)
                .map_err(failed)?;
        }
        let mut options = OpenOptions::new();
        let options = options.read(true).write(true).create(true).truncate(false);
        let mut file = options.mode(0o600).open(path).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let message = "this is being measured already";
                return Err(Failure::new(FailureKind::Usage, "busy", message)
                    .hint("wait until that ends, or stop it with Ctrl-C: it can be gone on with"));
            }
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
        let mut text = String::new();
        if !again {
            file.read_to_string(&mut text).map_err(failed)?;
        }
        let (records, whole) = parse(path, head, &text)?;
        file.set_len(whole).map_err(failed)?;
        file.seek(SeekFrom::End(0)).map_err(failed)?;
        let mut own = Self { file };
        if whole == 0 {
            own.write(head).map_err(failed)?;
        }
        Ok((own, records))
    }

    /// Adds a call; it is on the disk when this returns.
    pub(super) fn add(&mut self, path: &Path, record: &CallRecord) -> Result<(), Failure> {
        self.write(record).map_err(|error| unusable(path, &error))
    }

    fn write(&mut self, line: &impl Serialize) -> io::Result<()> {
        let mut bytes = serde_json::to_vec(line)?;
        bytes.push(b'\n');
        self.file.write_all(&bytes)?;
        self.file.sync_data()
    }
}

fn unusable(path: &Path, error: &io::Error) -> Failure {
    let message = format!("cannot use {}: {error}", path.display());
    Failure::new(FailureKind::Store, "store", message)
}

fn damaged(path: &Path, line: usize) -> Failure {
    let message = format!("line {line} of {} is not what was written", path.display());
    Failure::new(FailureKind::Store, "store", message)
        .hint("--again measures all of it from the beginning")
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn head() -> RecordHead {
        let request = CalibrationRequest::new("claude".parse().unwrap(), 60);
        let design = Design::new(&[2_000, 4_000], 9, 1).unwrap();
        RecordHead::new(&request, Effort::default(), &design)
    }

    fn call(cell: &str) -> CallRecord {
        CallRecord {
            cell: cell.to_owned(),
            outcomes: vec![(0, "found".to_owned())],
            refused: None,
            usage: Usage::default(),
            model: None,
            took_ms: 5,
            at: String::new(),
            answer: "1: 48213".to_owned(),
        }
    }

    #[test]
    fn calls_are_read_again_and_half_a_line_is_cut_off() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("below/a.jsonl");
        let (mut file, records) = RecordFile::open(&path, &head(), false).unwrap();
        assert!(records.is_empty());
        file.add(&path, &call("a")).unwrap();
        file.add(&path, &call("b")).unwrap();
        drop(file);
        let whole = fs::read_to_string(&path).unwrap();
        fs::write(&path, format!("{whole}{{\"cell\":\"c\",\"outc")).unwrap();
        assert_eq!(read(&path, &head()).unwrap().len(), 2);
        let (mut file, records) = RecordFile::open(&path, &head(), false).unwrap();
        assert_eq!(records["b"], call("b"));
        file.add(&path, &call("c")).unwrap();
        assert_eq!(read(&path, &head()).unwrap().len(), 3);
        let lines = fs::read_to_string(&path).unwrap();
        assert!(
            lines.starts_with(&whole) && lines.lines().count() == 4,
            "{lines}"
        );
    }

    #[test]
    fn two_at_once_and_a_damaged_line_are_refused_and_again_begins_afresh() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.jsonl");
        let (mut file, _) = RecordFile::open(&path, &head(), false).unwrap();
        file.add(&path, &call("a")).unwrap();
        assert_eq!(
            RecordFile::open(&path, &head(), false).unwrap_err().code,
            "busy"
        );
        drop(file);
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, format!("{text}no json\n")).unwrap();
        let failure = read(&path, &head()).unwrap_err();
        assert!(failure.message.contains("line 3 of"), "{failure:?}");
        let (_, records) = RecordFile::open(&path, &head(), true).unwrap();
        assert!(records.is_empty());
        assert_eq!(fs::read_to_string(&path).unwrap().lines().count(), 1);
    }

    #[test]
    fn each_measurement_has_a_file_of_its_own() {
        let own = head();
        assert!(
            own.file_name().starts_with("claude-"),
            "{}",
            own.file_name()
        );
        let more = RecordHead {
            seeds: 2,
            ..own.clone()
        };
        let other = RecordHead {
            model: Some("a/b c".to_owned()),
            ..own.clone()
        };
        assert_ne!(own.file_name(), more.file_name());
        assert!(
            other.file_name().starts_with("claude-a-b-c-"),
            "{}",
            other.file_name()
        );
    }
}
