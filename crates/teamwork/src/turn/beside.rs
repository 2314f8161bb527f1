//! The work trees beside that of a turn.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use agon_caller::{Caller, Failure};
use agon_team::id::MemberName;
use agon_team::store::{SessionDoc, TeamLocation};

use super::{SharedTeam, lock};
use crate::door::failure;
use crate::trees;

/// How the work trees beside that of a turn looked when it began.
pub(super) struct Beside {
    trees: Vec<PathBuf>,
    marks: BTreeMap<PathBuf, String>,
    looks: BTreeMap<PathBuf, String>,
}

impl Beside {
    pub(super) async fn look(
        caller: &Caller,
        location: &TeamLocation,
        own: &Path,
    ) -> Result<Self, Failure> {
        let trees = other_trees(caller, own)?;
        Ok(Self {
            marks: trees::marks(location, &trees),
            looks: trees::look_at_all(caller, &trees).await,
            trees,
        })
    }

    /// Those that were written since, but by Agon and by members at work there.
    pub(super) async fn written_since(
        &self,
        caller: &Caller,
        location: &TeamLocation,
        team: &SharedTeam,
        session: &SessionDoc,
    ) -> Result<Vec<PathBuf>, Failure> {
        let looks = trees::look_at_all(caller, &self.trees).await;
        // Not before the look: who began in between may be what is seen.
        let busy = busy_trees(team, &session.member, session.began_ms)?;
        let marks = trees::marks(location, &self.trees);
        let written = self
            .looks
            .iter()
            .filter(|(tree, look)| looks.get(*tree) != Some(*look) && !busy.contains(tree))
            // Agon merges into the tree of one whose turn is next.
            .filter(|(tree, _)| self.marks.get(*tree) == marks.get(*tree));
        Ok(written.map(|(tree, _)| tree.clone()).collect())
    }
}

/// Every other work tree of the repository.
fn other_trees(caller: &Caller, own: &Path) -> Result<Vec<PathBuf>, Failure> {
    let real = |tree: &Path| tree.canonicalize().unwrap_or_else(|_| tree.to_owned());
    let all = trees::list(caller)?;
    let own = real(own);
    Ok(all.into_iter().filter(|tree| real(tree) != own).collect())
}

/// The work trees of the other members whom Agon started. What is written in another, be it the main
/// one, that of a member who joined or of a person, says nothing against a turn: they are at work there
/// when they like.
pub(super) fn trees_of_started(
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

/// The work trees that other members, whom Agon started too, were at work in since then.
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
