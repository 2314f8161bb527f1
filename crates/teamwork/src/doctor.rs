//! What is wrong with a team's file, and its repair.

use std::path::Path;

use agon_caller::depth::refuse_nested;
use agon_caller::find::quote_for_shell;
use agon_caller::{Caller, Code, Failure};
use agon_install::hosts::{PermissionDrift, permission_drift};
use agon_team::id::MemberName;
use agon_team::store::{Breach, DoctorReport, InvariantDoc, Team, TeamLocation};
use schemars::JsonSchema;
use serde::Serialize;

use super::door::{failure, open};
use super::member::lead;
use super::text::clean_line;
use super::{bound, trees};

/// The name and version of the document.
pub const TEAM_DOCTOR_SCHEMA: &str = "agon.team_doctor/1";

/// What is left to do where nothing can be repaired.
const START_AFRESH: &str = "move agon/team.db out of the git folder, with the files beside it; then \
    `agon team import` takes the last export, or `agon team init` begins again";

/// What is wrong with a team's file: `agon.team_doctor/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TeamDoctorDoc {
    #[schemars(extend("const" = TEAM_DOCTOR_SCHEMA))]
    schema: &'static str,
    /// Everything that must hold.
    pub invariants: Vec<InvariantDoc>,
    /// What does not.
    pub breaches: Vec<Breach>,
    /// Whether repairs were made.
    pub repaired: bool,
    /// What does not hold after them; the same as `breaches` without any.
    pub remaining: Vec<Breach>,
    /// Permissions that were installed in AI tools and are not what the policies are now.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub permissions: Vec<PermissionDrift>,
    /// What is to be done next; null where nothing is.
    pub next: Option<String>,
}

/// Checks everything that must hold of the file of the caller's team and of the repository's work
/// trees; with `repair`, repairs what can be, which the lead or a person may. A file that cannot be
/// read is a breach, not a failure.
///
/// # Errors
///
/// If there is no team, its file cannot be opened, the caller may not repair it, or a work tree cannot
/// be moved.
pub async fn doctor(caller: &Caller, repair: bool) -> Result<TeamDoctorDoc, Failure> {
    let (mut team, location) = match open(caller) {
        Err(failure) if failure.code == Code::Damaged => return Ok(damaged(failure.message)),
        opened => opened?,
    };
    if repair {
        refuse_nested(caller)?;
        lead(caller, &team, &location, "repair the team's file")?;
    }
    let report = match repair {
        true => team.repair(),
        false => team.examine(),
    };
    let mut report = match report.map_err(failure) {
        Ok(report) => report,
        Err(failure) if failure.code == Code::Damaged => return Ok(damaged(failure.message)),
        Err(failure) => return Err(failure),
    };
    let next = next_step(repair, &report.remaining);
    report.invariants.push(InvariantDoc {
        name: TREES_LINKED.to_owned(),
        says: "each work tree leads to this repository, and those of Agon are in its folder"
            .to_owned(),
    });
    let folder = trees::folder(caller, &location)?;
    let found = stray_trees(&location, &folder);
    if repair {
        trees::repair_all(caller, &location, &folder).await?;
    }
    let left = stray_trees(&location, &folder);
    report.breaches.extend(found.breaches);
    // Where trees lost their repository, that is what is to be done first.
    let lost = match left.breaches.is_empty() {
        true => members_without_tree(caller, &mut team, &location)?,
        false => Vec::new(),
    };
    report.remaining.extend(left.breaches);
    let lost_next = lost.first().map(|name| format!("agon team leave {name}"));
    note_lost(&mut report, lost);
    Ok(TeamDoctorDoc {
        schema: TEAM_DOCTOR_SCHEMA,
        next: next.or(left.next).or(lost_next),
        repaired: repair && report.breaches != report.remaining,
        invariants: report.invariants,
        breaches: report.breaches,
        remaining: report.remaining,
        permissions: permission_drift(caller)?,
    })
}

/// The invariant of members.
const MEMBERS_PLACED: &str = "members-placed";

/// Says of members that their work trees are gone.
fn note_lost(report: &mut DoctorReport, lost: Vec<MemberName>) {
    report.invariants.push(InvariantDoc {
        name: MEMBERS_PLACED.to_owned(),
        says: "each member has a work tree".to_owned(),
    });
    for name in lost {
        let breach = Breach {
            invariant: MEMBERS_PLACED.to_owned(),
            found: format!("{name} joined, and its work tree is gone"),
            repair: None,
        };
        report.breaches.push(breach.clone());
        report.remaining.push(breach);
    }
}

/// The members who joined by themselves, and whose work tree is gone. One that Agon started has its
/// token in its environment, and its work tree may be cleaned away.
fn members_without_tree(
    caller: &Caller,
    team: &mut Team,
    location: &TeamLocation,
) -> Result<Vec<MemberName>, Failure> {
    let trees = bound::work_trees(caller, location);
    // The main work tree may be in a place that only its own member knows.
    let main = TeamLocation {
        git_dir: location.common_dir.clone(),
        ..location.clone()
    };
    let main = main.read_token().ok().flatten().map(|(name, _)| name);
    let sessions = team.sessions().map_err(failure)?;
    let mut members = team.members().map_err(failure)?;
    members.retain(|it| {
        it.left_ms.is_none()
            && !trees.contains_key(&it.name)
            && main.as_ref() != Some(&it.name)
            && sessions.iter().all(|session| session.member != it.name)
    });
    Ok(members.into_iter().map(|it| it.name).collect())
}

/// The invariant of work trees.
const TREES_LINKED: &str = "trees-linked";

/// Work trees that lost their repository, as where that was moved.
struct StrayTrees {
    breaches: Vec<Breach>,
    /// What is to be done about them.
    next: Option<String>,
}

fn stray_trees(location: &TeamLocation, folder: &Path) -> StrayTrees {
    let breach = |found: String, repair| Breach {
        invariant: TREES_LINKED.to_owned(),
        found: clean_line(&found),
        repair,
    };
    let own = trees::displaced(location, folder);
    let mut breaches: Vec<Breach> = own
        .iter()
        .map(|tree| {
            let (named, place) = (tree.recorded_place().display(), tree.place.display());
            match &tree.found {
                Some(found) => breach(
                    format!(
                        "the repository was moved, and {} leads to where it was",
                        found.display()
                    ),
                    Some(format!(
                        "it is moved to {place} and leads to the repository again"
                    )),
                ),
                None => breach(
                    format!("{named} is gone, or is a work tree of another repository"),
                    Some("it no longer counts as a work tree of this one".to_owned()),
                ),
            }
        })
        .collect();
    let mut next =
        (!own.is_empty()).then(|| "agon team doctor --repair does what stands there".to_owned());
    let strays = trees::strays(location, folder);
    for tree in &strays {
        breaches.push(breach(
            format!(
                "the repository was moved, and {} leads to where it was",
                tree.display()
            ),
            None,
        ));
    }
    if next.is_none() && !strays.is_empty() {
        let paths = strays
            .iter()
            .map(|tree| quote_for_shell(&tree.to_string_lossy()));
        let paths: Vec<String> = paths.collect();
        next = Some(format!("git worktree repair {}", paths.join(" ")));
    }
    StrayTrees { breaches, next }
}

/// What is said of a file that cannot be read.
fn damaged(found: String) -> TeamDoctorDoc {
    let invariant = "file-intact".to_owned();
    let breaches = vec![Breach {
        invariant: invariant.clone(),
        found,
        repair: None,
    }];
    TeamDoctorDoc {
        schema: TEAM_DOCTOR_SCHEMA,
        invariants: vec![InvariantDoc {
            name: invariant,
            says: "the file is as SQLite wrote it".to_owned(),
        }],
        remaining: breaches.clone(),
        breaches,
        permissions: Vec::new(),
        repaired: false,
        next: Some(START_AFRESH.to_owned()),
    }
}

fn next_step(was_repaired: bool, remaining: &[Breach]) -> Option<String> {
    let can_be = remaining.iter().any(|breach| breach.repair.is_some());
    match (remaining.is_empty(), was_repaired, can_be) {
        (true, ..) => None,
        (false, false, true) => Some("agon team doctor --repair does what stands there".to_owned()),
        (false, ..) => Some(START_AFRESH.to_owned()),
    }
}
