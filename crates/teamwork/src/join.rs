//! Starts a team; lets members join and leave it.

use std::path::PathBuf;
use std::sync::Arc;

use agon_caller::depth::refuse_nested;
use agon_caller::host_ancestry::host_origin;
use agon_caller::{Caller, Code, Failure, Hint};
use agon_install::team_files::TeamLayers;
use agon_install::team_roster::TeamRoster;
use agon_team::id::{MemberName, RoleName};
use agon_team::mail::Trust;
use agon_team::store::{JoinOrigin, JoinRequest, SystemClock, Team, TeamLocation};
use schemars::JsonSchema;
use serde::Serialize;

use super::member::actor;
use super::member_trees::work_trees;
use super::open_team::{failure, limits, open};

/// The name and version of the team document.
pub const TEAM_SCHEMA: &str = "agon.team/1";
/// The name and version of the document about a member that joined.
pub const TEAM_JOINED_SCHEMA: &str = "agon.team_joined/1";
/// The name and version of the document about a member that left.
pub const TEAM_LEFT_SCHEMA: &str = "agon.team_left/1";

/// A team that was created, or existed already: `agon.team/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TeamDoc {
    #[schemars(extend("const" = TEAM_SCHEMA))]
    schema: &'static str,
    /// Its file.
    pub path: PathBuf,
    /// Whether it was created now.
    pub begun: bool,
}

/// A member that joined: `agon.team_joined/1`. No document contains its token.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TeamJoinedDoc {
    #[schemars(extend("const" = TEAM_JOINED_SCHEMA))]
    schema: &'static str,
    /// Its name.
    pub member: MemberName,
    /// Its role.
    pub role: RoleName,
    /// Its AI tool.
    pub host: String,
    /// The work tree that it joined from; null in a bare repository.
    pub work_tree: Option<PathBuf>,
    /// That the roster lacks the role, with suggestions; null if the roster has it.
    pub warning: Option<String>,
}

/// A member that left: `agon.team_left/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TeamLeftDoc {
    #[schemars(extend("const" = TEAM_LEFT_SCHEMA))]
    schema: &'static str,
    /// Its name.
    pub member: MemberName,
    /// Its work tree, if it exists and is not the main one, which git cannot remove.
    #[serde(skip)]
    pub work_tree: Option<PathBuf>,
}

/// Creates the team of the caller's repository; an existing team is left unchanged.
///
/// # Errors
///
/// Fails if the caller is in no repository, or the file cannot be written.
pub fn init(caller: &Caller) -> Result<TeamDoc, Failure> {
    refuse_nested(caller)?;
    let location = TeamLocation::find(&caller.cwd).map_err(failure)?;
    let path = location.database();
    let begun = !path.exists();
    let clock = Arc::new(SystemClock::new());
    Team::create(&location, clock, limits(caller)?).map_err(failure)?;
    Ok(TeamDoc {
        schema: TEAM_SCHEMA,
        path,
        begun,
    })
}

/// Lets a member join, and binds it to the caller's work tree.
///
/// # Errors
///
/// Fails if the name is taken, or the work tree already belongs to a member.
pub fn join(caller: &Caller, request: &JoinRequest) -> Result<TeamJoinedDoc, Failure> {
    refuse_nested(caller)?;
    let (mut team, location) = open(caller)?;
    if let Some((bound, token)) = location.read_token().map_err(failure)?
        && team.authenticate(&token).is_ok()
    {
        let message = format!("this work tree belongs to {bound}");
        return Err(Failure::new(Code::Bound, message).hint(
            Hint::new("join from a work tree of your own (`git worktree add ../NAME`)").or(
                Hint::new("let ")
                    .text(bound.to_string())
                    .text(" leave first: ")
                    .quoted("team leave"),
            ),
        ));
    }
    // A started member's token is in its environment. It is a member, but cannot vouch for another.
    let origin = JoinOrigin {
        is_vouched: actor(caller, &team, &location).is_ok_and(|it| it.trust() >= Trust::Lead),
        host: host_origin(caller),
    };
    team.join_in_work_tree(request, &location, &origin)
        .map_err(failure)?;
    Ok(TeamJoinedDoc {
        schema: TEAM_JOINED_SCHEMA,
        member: request.name.clone(),
        role: request.role.clone(),
        host: request.host.clone(),
        work_tree: location.work_tree,
        warning: unknown_role_note(caller, &request.role),
    })
}

/// Warns that the roster has no such role. This is not an error, because a team may define its own
/// roles, but it may be a typo. Returns `None` if the roster cannot be read.
fn unknown_role_note(caller: &Caller, role: &RoleName) -> Option<String> {
    let roster = TeamRoster::read(caller, &TeamLayers::default()).ok()?;
    let unknown = roster.role(role.as_str()).err()?;
    let hint = unknown.hint.map(|hint| hint.typed()).unwrap_or_default();
    let change = "to change it, run `agon team leave` and join again";
    Some(format!("{}: {hint}; {change}", unknown.message))
}

/// Lets a member leave: the named one, or the member of the caller's work tree.
///
/// # Errors
///
/// Fails if there is no such member, or the caller may not remove it.
pub fn leave(caller: &Caller, name: Option<&MemberName>) -> Result<TeamLeftDoc, Failure> {
    refuse_nested(caller)?;
    let (mut team, location) = open(caller)?;
    let actor = actor(caller, &team, &location)?;
    let Some(name) = name.or(actor.name()).cloned() else {
        return Err(Failure::new(
            Code::MissingParameter,
            "missing argument NAME: this work tree has no member",
        )
        .parameter("name")
        .hint(
            Hint::new("name one of the members that ")
                .quoted("team status")
                .text(" lists"),
        ));
    };
    // Before the member leaves, because its token says which work tree is its own.
    let work_tree = work_trees(caller, &location).remove(&name);
    let is_linked = |tree: &PathBuf| {
        TeamLocation::find(tree).is_ok_and(|found| found.git_dir != found.common_dir)
    };
    team.leave(&actor, &name).map_err(failure)?;
    if actor.name() == Some(&name) {
        location.remove_token().map_err(failure)?;
    }
    Ok(TeamLeftDoc {
        schema: TEAM_LEFT_SCHEMA,
        member: name,
        work_tree: work_tree.filter(is_linked),
    })
}
