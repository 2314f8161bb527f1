//! Watches the other work trees during a turn.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use agon_caller::{Caller, Failure};
use agon_team::id::MemberName;
use agon_team::store::{SessionDoc, TeamLocation};

use super::{SharedTeam, lock};
use crate::open_team::failure;
use crate::trees;

/// The state of the other work trees when a turn began.
pub(super) struct OtherTrees {
    trees: Vec<PathBuf>,
    marks: BTreeMap<PathBuf, String>,
    fingerprints: BTreeMap<PathBuf, String>,
}

impl OtherTrees {
    pub(super) async fn read(
        caller: &Caller,
        location: &TeamLocation,
        own: &Path,
    ) -> Result<Self, Failure> {
        let trees = other_trees(caller, own)?;
        Ok(Self {
            marks: trees::marks(location, &trees),
            fingerprints: trees::fingerprint_all(caller, &trees).await,
            trees,
        })
    }

    /// Returns the other trees that were written since the turn began, except by Agon or by members
    /// working there.
    pub(super) async fn trees_written_since(
        &self,
        caller: &Caller,
        location: &TeamLocation,
        team: &SharedTeam,
        session: &SessionDoc,
    ) -> Result<Vec<PathBuf>, Failure> {
        let fingerprints = trees::fingerprint_all(caller, &self.trees).await;
        // Read after the fingerprints: a member that began in between may have caused a change.
        let busy = busy_trees(team, &session.member, session.began_ms)?;
        let marks = trees::marks(location, &self.trees);
        let written = self
            .fingerprints
            .iter()
            .filter(|(tree, fingerprint)| {
                fingerprints.get(*tree) != Some(*fingerprint) && !busy.contains(tree)
            })
            // A new mark means that Agon itself wrote to the tree, such as the merge before each
            // turn.
            .filter(|(tree, _)| self.marks.get(*tree) == marks.get(*tree));
        Ok(written.map(|(tree, _)| tree.clone()).collect())
    }
}

/// Returns every other work tree of the repository.
fn other_trees(caller: &Caller, own: &Path) -> Result<Vec<PathBuf>, Failure> {
    let real = |tree: &Path| tree.canonicalize().unwrap_or_else(|_| tree.to_owned());
    let all = trees::list(caller)?;
    let own = real(own);
    Ok(all.into_iter().filter(|tree| real(tree) != own).collect())
}

/// Returns the work trees of the other members that Agon started. Changes in other trees (the main
/// one, a user's, or one of a member who joined by hand) do not count against a turn, because
/// people may work there at any time.
pub(super) fn started_members_trees(
    team: &SharedTeam,
    but: &MemberName,
) -> Result<Vec<PathBuf>, Failure> {
    let sessions = lock(team).sessions().map_err(failure)?;
    let trees = sessions
        .into_iter()
        .filter(|it| it.member != *but)
        .filter_map(|it| it.work_tree.map(PathBuf::from));
    Ok(trees.collect())
}

/// Returns the work trees in which other started members have worked since `since_ms`.
fn busy_trees(team: &SharedTeam, but: &MemberName, since_ms: i64) -> Result<Vec<PathBuf>, Failure> {
    let sessions = lock(team).sessions().map_err(failure)?;
    let trees = sessions
        .iter()
        .filter(|it| {
            let is_at_work = !it.closed && it.ending.is_none();
            it.member != *but && (is_at_work || it.changed_ms >= since_ms)
        })
        .filter_map(|it| it.work_tree.as_ref().map(PathBuf::from));
    Ok(trees.collect())
}
