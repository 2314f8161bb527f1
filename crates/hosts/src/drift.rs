//! Detects installed agents that differ from the roster.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::compile::{Compiled, Kind};
use crate::content::ContentSet;
use crate::disk;
use crate::install::Installation;
use crate::receipt::{self, Receipt};
use crate::roster::Roster;

/// An installed agent that differs from the roster.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentDrift {
    /// The role.
    pub role: String,
    /// Its file.
    pub path: PathBuf,
    /// The kind of difference.
    pub kind: DriftKind,
}

/// How an agent differs from the roster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DriftKind {
    /// Its file is as Agon wrote it, but the roster has changed.
    Outdated,
    /// Its file was changed after Agon wrote it, or is not Agon's.
    Changed,
    /// Its file was written by Agon but no longer exists.
    Missing,
    /// It is in the roster but was not installed.
    New,
    /// It is installed, but the host can no longer enforce its limits.
    LeftOut,
}

impl DriftKind {
    /// Returns its name.
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

/// Returns the agents in `place` that differ from `compiled`, the agents compiled from `roster`. Empty
/// if no team was installed.
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

/// Compares the file at `path` with `wanted` and returns the kind of difference. `ours` are the
/// hashes of what Agon wrote.
fn compare(path: &Path, ours: &[String], wanted: &[u8]) -> Option<DriftKind> {
    let found = match disk::read(path) {
        Ok(Some(found)) => receipt::hash(&found),
        Ok(None) if ours.is_empty() => return Some(DriftKind::New),
        Ok(None) => return Some(DriftKind::Missing),
        // Agon writes only readable regular files, so someone changed this one.
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
