//! What examiners proposed before, kept in Agon's state folder.
//!
//! A file for each session and model, with the proposals of each part by the hash of what was asked.
//! A file that cannot be read or written only costs that the parts are asked about again.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

use agon_caller::Caller;
use agon_files::Durable;
use agon_sessions::{ProposedFinding, SessionRef};
use serde::{Deserialize, Serialize};

use super::{ExaminerName, Proposals};
use crate::old_files::remove_old_files;

/// Bytes of a file.
const MAX_FILE_BYTES: u64 = 8 << 20;
// Of 16,000 tokens each, more than any session has that is still examined.
/// Parts that are kept of a session.
const MAX_PARTS: usize = 400;

/// The proposals for the parts of one session.
#[derive(Debug, Default)]
pub(super) struct KeptAnswers {
    path: Option<PathBuf>,
    parts: BTreeMap<String, KeptPart>,
}

#[derive(Debug, Serialize, Deserialize)]
struct KeptPart {
    findings: Vec<ProposedFinding>,
    unreadable: usize,
}

impl KeptAnswers {
    /// What is kept of this session and examiner; nothing if there is no file.
    pub(super) fn open(caller: &Caller, session: &SessionRef, examiner: &ExaminerName) -> Self {
        let folder = caller.state_dir().map(|it| it.join("examined"));
        let key = format!(
            "{}\n{}\n{}\n{}",
            session.host,
            session.id,
            examiner.tool,
            examiner.model.as_deref().unwrap_or_default()
        );
        let name = blake3::hash(key.as_bytes()).to_hex();
        let path = folder.map(|it| it.join(format!("{}.json", &name[..32])));
        let text = path
            .as_deref()
            .and_then(|it| agon_files::read_to_string(it, MAX_FILE_BYTES).ok());
        let parts = text.and_then(|it| serde_json::from_str(&it).ok());
        Self {
            path,
            parts: parts.unwrap_or_default(),
        }
    }

    /// Whether the part with this hash was answered before.
    pub(super) fn has(&self, hash: &str) -> bool {
        self.parts.contains_key(hash)
    }

    /// What was proposed for the part with this hash.
    pub(super) fn answer(&self, hash: &str) -> Option<Proposals<'_>> {
        let part = self.parts.get(hash)?;
        Some((&part.findings, part.unreadable))
    }

    /// Keeps what was proposed for a part, at once: what comes next may be broken off.
    pub(super) fn add(&mut self, hash: &str, findings: Vec<ProposedFinding>, unreadable: usize) {
        while self.parts.len() >= MAX_PARTS {
            self.parts.pop_first();
        }
        let part = KeptPart {
            findings,
            unreadable,
        };
        self.parts.insert(hash.to_owned(), part);
        if let Some(path) = &self.path {
            // It is a cache.
            write(path, &self.parts).ok();
        }
    }
}

fn write(path: &Path, parts: &BTreeMap<String, KeptPart>) -> std::io::Result<()> {
    if let Some(folder) = path.parent().filter(|_| !path.exists()) {
        fs::DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(folder)?;
        remove_old_files(folder);
    }
    let text = serde_json::to_string(parts)?;
    agon_files::replace(path, text.as_bytes(), 0o600, Durable::No)
}
