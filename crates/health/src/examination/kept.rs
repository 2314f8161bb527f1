//! Caches examiners' proposals in Agon's state folder.
//!
//! Each session and model has a file with the proposals per part, by the hash of the prompt. If the
//! file is unreadable, Agon asks again.

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

/// Maximum size of a cache file, in bytes.
const MAX_FILE_BYTES: u64 = 8 << 20;
// 400 parts of 16,000 tokens are more than any session has.
/// Most parts cached of a session.
const MAX_PARTS: usize = 400;

/// The cached proposals for one session.
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
    /// Opens the cache of this session and examiner; empty without a file.
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

    /// Returns whether the part with this hash has a cached answer.
    pub(super) fn has(&self, hash: &str) -> bool {
        self.parts.contains_key(hash)
    }

    /// Returns the proposals for the part with this hash.
    pub(super) fn answer(&self, hash: &str) -> Option<Proposals<'_>> {
        let part = self.parts.get(hash)?;
        Some((&part.findings, part.unreadable))
    }

    /// Adds the proposals for a part and saves the file at once, since later calls may be
    /// cancelled.
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
            // The answers are still in memory if the cache file cannot be written.
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
