//! Checks a team's file and repairs it.

use std::path::Path;

use agon_caller::depth::refuse_nested;
use agon_caller::find::quote_for_shell;
use agon_caller::{Caller, Code, Failure};
use agon_install::hosts::{PermissionDrift, permission_drift};
use agon_team::id::MemberName;
use agon_team::store::{Breach, DoctorReport, InvariantDoc, Team, TeamLocation};
use schemars::JsonSchema;
use serde::Serialize;

use super::member::lead;
use super::open_team::{failure, open};
use super::text::clean_line;
use super::{member_trees, trees};

/// The name and version of the document.
pub const TEAM_DOCTOR_SCHEMA: &str = "agon.team_doctor/1";

/// What to do if nothing can be repaired.
const START_AFRESH: &str = "move agon/team.db and the files beside it out of the git folder; then \
 restore the last export with `agon team import`, or start over with `agon team init`";

/// The result of checking a team's file: `agon.team_doctor/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TeamDoctorDoc {
    #[schemars(extend("const" = TEAM_DOCTOR_SCHEMA))]
    schema: &'static str,
    /// Every rule that was checked.
    pub invariants: Vec<InvariantDoc>,
    /// The rules that were broken.
    pub breaches: Vec<Breach>,
    /// Whether repairs were made.
    pub repaired: bool,
    /// The breaches left after the repairs; the same as `breaches` if nothing was repaired.
    pub remaining: Vec<Breach>,
    /// Permissions installed in AI tools that differ from the current policies.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub permissions: Vec<PermissionDrift>,
    /// The next step; null if there is nothing to do.
    pub next: Option<String>,
}

/// Checks the file of the caller's team and the repository's work trees. With `repair`, repairs
/// what can be repaired, which only the lead or a person may do. An unreadable file is reported as
/// a breach, not as a failure.
///
/// # Errors
///
/// Fails if there is no team, its file cannot be opened, the caller may not repair it, or a work
/// tree cannot be moved.
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
        says: "each work tree points to this repository, and Agon's are in Agon's folder"
            .to_owned(),
    });
    let folder = trees::folder(caller, &location)?;
    let found = stray_trees(&location, &folder);
    if repair {
        trees::repair_all(caller, &location, &folder).await?;
    }
    let left = stray_trees(&location, &folder);
    report.breaches.extend(found.breaches);
    // If work trees lost their repository, repair those first.
    let lost = match left.breaches.is_empty() {
        true => members_without_tree(caller, &mut team, &location)?,
        false => Vec::new(),
    };
    report.remaining.extend(left.breaches);
    let lost_next = lost.first().map(|name| format!("agon team leave {name}"));
    add_lost_members(&mut report, lost);
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

/// The invariant that members have work trees.
const MEMBERS_PLACED: &str = "members-placed";

/// Adds a breach for each member whose work tree is gone.
fn add_lost_members(report: &mut DoctorReport, lost: Vec<MemberName>) {
    report.invariants.push(InvariantDoc {
        name: MEMBERS_PLACED.to_owned(),
        says: "each member has a work tree".to_owned(),
    });
    for name in lost {
        let breach = Breach {
            invariant: MEMBERS_PLACED.to_owned(),
            found: format!("the work tree of {name} is gone"),
            repair: None,
        };
        report.breaches.push(breach.clone());
        report.remaining.push(breach);
    }
}

/// Returns the members who joined by hand and whose work tree is gone. A member that Agon started
/// has its token in its environment, and its work tree may have been cleaned up.
fn members_without_tree(
    caller: &Caller,
    team: &mut Team,
    location: &TeamLocation,
) -> Result<Vec<MemberName>, Failure> {
    let trees = member_trees::work_trees(caller, location);
    // Git may not know the path of the main work tree. Its member then counts as present if its
    // token is in the common folder.
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

/// The invariant that work trees are linked to the repository.
const TREES_LINKED: &str = "trees-linked";

/// Work trees that lost their repository, for example because it was moved.
struct StrayTrees {
    breaches: Vec<Breach>,
    /// What to do about them.
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
                        "the repository was moved, and {} still points to its old place",
                        found.display()
                    ),
                    Some(format!("move it to {place} and link it to the repository")),
                ),
                None => breach(
                    format!("{named} is gone, or is a work tree of another repository"),
                    Some("remove its registration".to_owned()),
                ),
            }
        })
        .collect();
    let mut next = (!own.is_empty()).then(|| "run `agon team doctor --repair`".to_owned());
    let strays = trees::strays(location, folder);
    for tree in &strays {
        breaches.push(breach(
            format!(
                "the repository was moved, and {} still points to its old place",
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

/// Returns the document for a file that cannot be read.
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
            says: "the file is not damaged".to_owned(),
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
        (false, false, true) => Some("run `agon team doctor --repair`".to_owned()),
        (false, ..) => Some(START_AFRESH.to_owned()),
    }
}
