//! Whether the agents in a host still are what the roster says.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::compile::{Compiled, Kind};
use crate::content::ContentSet;
use crate::disk;
use crate::install::Installation;
use crate::receipt::{self, Receipt};
use crate::roster::Roster;

/// An agent that is not what the roster says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentDrift {
    /// The role.
    pub role: String,
    /// Its file.
    pub path: PathBuf,
    /// In which way.
    pub kind: DriftKind,
}

/// In which way an agent is not what the roster says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DriftKind {
    /// Its file is Agon's, and the roster says something else now.
    Outdated,
    /// Its file was changed since Agon wrote it, or is not Agon's.
    Changed,
    /// Agon wrote it, and it is not there.
    Missing,
    /// The roster has it, and it was not installed.
    New,
    /// It was installed, and the host cannot hold it to its limits now.
    LeftOut,
}

impl DriftKind {
    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Self::Outdated => "outdated",
            Self::Changed => "changed",
            Self::Missing => "missing",
            Self::New => "new",
            Self::LeftOut => "left_out",
        }
    }
}

/// The agents of `place` that are not what `compiled`, of which `roster` made the agents, says; none
/// where no team was installed.
pub fn agent_drift(
    place: &Installation,
    receipt: &Receipt,
    roster: &Roster,
    compiled: &Compiled,
) -> Vec<AgentDrift> {
    if receipt.what == ContentSet::Debate {
        return Vec::new();
    }
    let is_role = |name: &str| roster.role(name).is_some();
    let files = compiled.files.iter();
    let files = files.filter(|file| file.kind == Kind::Agent && is_role(&file.name));
    let mut drift = Vec::new();
    let mut wanted = BTreeSet::new();
    for file in files {
        let path = place.places.agents.join(&file.path);
        let ours = receipt.files.get(&path).map_or(&[][..], Vec::as_slice);
        if let Some(kind) = compare(&path, ours, file.text.as_bytes()) {
            drift.push(AgentDrift {
                role: file.name.clone(),
                path: path.clone(),
                kind,
            });
        }
        wanted.insert(path);
    }
    for path in receipt.files.keys().filter(|path| !wanted.contains(*path)) {
        let is_agent = path.parent() == Some(&place.places.agents);
        let stem = path.file_name().unwrap_or_default().to_string_lossy();
        let stem = stem.split('.').next().unwrap_or_default();
        let role = stem.strip_prefix("agon-").unwrap_or(stem);
        if is_agent && is_role(role) && path.exists() {
            drift.push(AgentDrift {
                role: role.to_owned(),
                path: path.clone(),
                kind: DriftKind::LeftOut,
            });
        }
    }
    drift
}

/// In which way the file at `path` is not `wanted`; `ours` are the hashes of what Agon wrote there.
fn compare(path: &Path, ours: &[String], wanted: &[u8]) -> Option<DriftKind> {
    let found = match disk::read(path) {
        Ok(Some(found)) => receipt::hash(&found),
        Ok(None) if ours.is_empty() => return Some(DriftKind::New),
        Ok(None) => return Some(DriftKind::Missing),
        // Something else stands there, or it cannot be read: it is not what Agon wrote.
        Err(_) => return Some(DriftKind::Changed),
    };
    if found == receipt::hash(wanted) {
        None
    } else if ours.contains(&found) {
        Some(DriftKind::Outdated)
    } else {
        Some(DriftKind::Changed)
    }
}
