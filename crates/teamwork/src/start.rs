//! Starts a member: makes its work tree and token, claims its task, and runs its tool without a
//! person.

use std::fs::{DirBuilder, File, OpenOptions};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use agon_agents::profile::Access;
use agon_caller::depth::refuse_nested;
use agon_caller::environments::background_variables;
use agon_caller::{Caller, Code, Failure};
use agon_hosts::content::agent::SESSION;
use agon_hosts::roster::RoleSettings;
use agon_install::team_files::TeamLayers;
use agon_install::team_roster::TeamRoster;
use agon_proc::{Program, leave_terminal, spawn_detached};
use agon_team::id::{MemberName, RoleName, SessionId, TaskId};
use agon_team::store::{
    JoinRequest, MemberToken, NewSession, SessionDoc, SessionEnding, StoreError, Team, TeamLocation,
};
use schemars::JsonSchema;
use serde::Serialize;
use tokio_util::sync::CancellationToken;

use super::lease::this_process;
use super::lost_sessions::is_lost;
use super::member::{TOKEN_VAR, lead, token};
use super::open_team::{SharedTeam, failure, lock, open, open_at, share};
use super::permissions::access_for_role;
use super::trees;
use super::turn::{TeamTurn, TurnOrder, find_worker, run_turn};
use super::worktree;

/// The name and version of the document about a started member.
pub const TEAM_STARTED_SCHEMA: &str = "agon.team_started/1";

/// A member to start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StartRequest {
    /// Its role in the roster.
    pub role: RoleName,
    /// Its AI tool.
    pub host: String,
    /// The task to work on; without one, the member claims a task itself.
    pub task: Option<TaskId>,
    /// Its name; by default one made from its role.
    pub name: Option<MemberName>,
    /// Its model; by default the roster's model for the role.
    pub model: Option<String>,
    /// The profile of the team; by default the current one.
    pub profile: Option<String>,
    /// The commit to start from; by default the commit that the caller has checked out.
    pub base: Option<String>,
    /// Whether to wait for the end of its turn.
    pub wait: bool,
}

/// A member that was started: `agon.team_started/1`. No document contains its token.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TeamStartedDoc {
    #[schemars(extend("const" = TEAM_STARTED_SCHEMA))]
    schema: &'static str,
    /// Its name.
    pub member: MemberName,
    /// Its role.
    pub role: RoleName,
    /// Its work tree.
    pub work_tree: PathBuf,
    /// The branch that it works on.
    pub branch: String,
    /// The mechanism that keeps it inside its work tree.
    pub held_by: String,
    /// Its session.
    pub session: SessionDoc,
    /// A note that missing objects of this partial clone were fetched; null if none were.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fetched: Option<String>,
    /// Notes about its work tree, such as ignored files that it lacks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// The result of its turn; null while it is running.
    pub turn: Option<TeamTurn>,
}

/// A session that is recorded in the store, with everything that its turn needs.
pub(super) struct Prepared {
    pub(super) location: TeamLocation,
    pub(super) session: SessionId,
    pub(super) token: MemberToken,
    pub(super) member: MemberName,
    pub(super) tree: PathBuf,
    pub(super) branch: String,
    /// A note that missing objects of a partial clone were fetched.
    pub(super) fetched: Option<String>,
    /// Notes about its work tree.
    pub(super) notes: Vec<String>,
}

/// Starts a member. Only the lead or a person may call this.
///
/// # Errors
///
/// Fails if the role or the host is unknown, the host cannot be confined to a work tree, the name
/// is taken, or the task cannot be claimed.
pub async fn start(
    caller: &Caller,
    request: &StartRequest,
    cancel: &CancellationToken,
) -> Result<TeamStartedDoc, Failure> {
    refuse_nested(caller)?;
    let (team, location) = open(caller)?;
    lead(caller, &team, &location, "start members")?;
    let (_, worker) = find_worker(caller, &request.host)?;
    let team = share(team);
    let prepared = prepare(caller, request, &team, location, cancel).await?;
    let turn = if request.wait {
        let order = TurnOrder {
            session: prepared.session,
            token: &prepared.token,
            order: None,
            submits: true,
            is_watched: false,
            run: None,
        };
        Some(run_turn(caller, &prepared.location, &team, &order, cancel).await?)
    } else {
        begin_in_background(caller, &mut lock(&team), &prepared)?;
        None
    };
    let session = lock(&team).session(prepared.session).map_err(failure)?;
    Ok(TeamStartedDoc {
        schema: TEAM_STARTED_SCHEMA,
        member: prepared.member,
        role: request.role.clone(),
        work_tree: prepared.tree,
        branch: prepared.branch,
        held_by: worker.describe_limits().to_owned(),
        session,
        fetched: prepared.fetched,
        notes: prepared.notes,
        turn,
    })
}

/// Makes everything that a turn needs: work tree, member, lease and session.
pub(super) async fn prepare(
    caller: &Caller,
    request: &StartRequest,
    team: &SharedTeam,
    location: TeamLocation,
    cancel: &CancellationToken,
) -> Result<Prepared, Failure> {
    let roster = TeamRoster::read(caller, &TeamLayers::of_profile(request.profile.as_deref()))?;
    let (_, settings) = roster.role(request.role.as_str())?;
    let model = request.model.clone();
    let model = model.or_else(|| model_for_host(settings, &request.host));
    let model = model.filter(|model| model != SESSION);
    let name = match &request.name {
        Some(name) => name.clone(),
        None => free_name(&mut lock(team), &request.role)?,
    };
    let tree = trees::folder(caller, &location)?.join(name.as_str());
    let branch = trees::branch_of(&name);
    let base = request.base.as_deref().unwrap_or("HEAD");
    let fetched = trees::make(caller, &tree, &branch, base).await?;
    let may_edit = access_for_role(settings) == Access::Writes;
    let order = (request.host.as_str(), may_edit, cancel);
    let notes = worktree::bring_for_member(caller, team, (&location, &tree, &name), order).await?;
    let join = JoinRequest {
        name: name.clone(),
        role: request.role.clone(),
        host: request.host.clone(),
    };
    // A member that Agon started earlier is reused. The name of a member who joined by hand is
    // refused.
    let token = lock(team).join_started(&join).map_err(failure)?;
    let head = trees::head(caller, &tree).await?;
    // Replace a session that has ended now, instead of waiting for the watch to close it.
    let sessions = lock(team).sessions().map_err(failure)?;
    let ended = sessions
        .iter()
        .find(|it| it.member == name && !it.closed && it.ending.is_some())
        .map(|it| it.session);
    let base = base_of(&mut lock(team), &name, request.task)?.unwrap_or(head);
    let new = NewSession {
        member: name.clone(),
        host: request.host.clone(),
        model,
        profile: request.profile.clone(),
        task: request.task,
        work_tree: Some(tree.to_string_lossy().into_owned()),
        log: None,
        base: Some(base),
        replaces: ended,
        runner: request.wait.then(this_process),
    };
    let session = begin(&mut lock(team), &location, &token, new)?;
    Ok(Prepared {
        location,
        session,
        token,
        member: name,
        tree,
        branch,
        fetched: fetched.as_ref().map(trees::describe_fetched),
        notes,
    })
}

/// Returns the model of a role in a host, or `None` if the tool chooses it.
pub(super) fn model_for_host(settings: &RoleSettings, host: &str) -> Option<String> {
    let model = settings.models.get(host)?.value.clone();
    (model != SESSION).then_some(model)
}

/// Returns the commit that the member's work on a task is compared with if its last session on it
/// was lost: the changes of that session count too.
fn base_of(
    team: &mut Team,
    name: &MemberName,
    task: Option<TaskId>,
) -> Result<Option<String>, Failure> {
    let sessions = team.sessions().map_err(failure)?;
    let last = sessions
        .into_iter()
        .rfind(|it| it.member == *name && it.task == task);
    Ok(last.filter(is_lost).and_then(|it| it.base))
}

/// Claims the session's task and starts the session. A session that cannot start does not keep its
/// task.
pub(super) fn begin(
    team: &mut Team,
    location: &TeamLocation,
    token: &MemberToken,
    new: NewSession,
) -> Result<SessionId, Failure> {
    let actor = team.authenticate(token).map_err(failure)?;
    let logs = logs_folder(location)?;
    let number = team.sessions().map_err(failure)?.len() + 1;
    let log = logs.join(format!("{}-{number}.log", new.member));
    let new = NewSession {
        log: Some(log.to_string_lossy().into_owned()),
        ..new
    };
    team.begin_session(&actor, &new).map_err(failure)
}

/// Returns the folder for the output of sessions, beside the team's file and readable only by its
/// user.
fn logs_folder(location: &TeamLocation) -> Result<PathBuf, Failure> {
    let folder = location.common_dir.join("agon").join("sessions");
    match DirBuilder::new().mode(0o700).create(&folder) {
        Err(cause) if cause.kind() != std::io::ErrorKind::AlreadyExists => {
            let message = format!("cannot create {}: {cause}", folder.display());
            Err(Failure::new(Code::Store, message))
        }
        Ok(()) | Err(_) => Ok(folder),
    }
}

/// Makes an unused member name from a role.
fn free_name(team: &mut Team, role: &RoleName) -> Result<MemberName, Failure> {
    let taken = team.members().map_err(failure)?;
    let stem: String = role.as_str().chars().take(26).collect();
    let names = (1..).map(|number| match number {
        1 => stem.clone(),
        number => format!("{stem}-{number}"),
    });
    let free = names
        .filter(|name| !taken.iter().any(|it| it.name.as_str() == name))
        .find_map(|name| name.parse().ok());
    free.ok_or_else(|| Failure::new(Code::Bug, "no member name is left"))
}

/// Starts a process that runs the turn and outlives this one.
pub(super) fn begin_in_background(
    caller: &Caller,
    team: &mut Team,
    prepared: &Prepared,
) -> Result<(), Failure> {
    let spawned = spawn(caller, prepared);
    if let Err(error) = &spawned {
        let ending = SessionEnding {
            is_complete: false,
            has_evidence: false,
            said: error.message.clone(),
        };
        team.end_session(prepared.session, &ending)
            .map_err(failure)?;
    }
    spawned
}

fn spawn(caller: &Caller, prepared: &Prepared) -> Result<(), Failure> {
    let mut env = background_variables(caller);
    env.insert(TOKEN_VAR.into(), prepared.token.reveal().into());
    let program = Program {
        path: agon_caller::environments::background_program(caller)?.to_owned(),
        args: vec![
            "team".into(),
            "turn".into(),
            prepared.session.to_string().into(),
            "--json".into(),
        ],
        env,
        cwd: caller.cwd.clone(),
    };
    let log = logs_folder(&prepared.location)?.join(format!("{}.turn", prepared.session));
    let log = create_log(&log)?;
    spawn_detached(&program, &log)
        .map(drop)
        .map_err(|error| Failure::from_error(Code::NotStarted, &error))
}

fn create_log(path: &Path) -> Result<File, Failure> {
    let opened = OpenOptions::new()
        .create(true)
        .append(true)
        .mode(0o600)
        .open(path);
    opened.map_err(|cause| {
        let message = format!("cannot write {}: {cause}", path.display());
        Failure::new(Code::Store, message)
    })
}

/// Runs a turn that another process started: the background part of [`start`].
///
/// # Errors
///
/// Fails if the caller does not have the token of the session's member.
pub async fn turn(
    caller: &Caller,
    session: SessionId,
    cancel: &CancellationToken,
) -> Result<TeamTurn, Failure> {
    refuse_nested(caller)?;
    // Leave the caller's terminal: otherwise this process would end with it, and the watch would
    // restart the member.
    leave_terminal().unwrap_or_default();
    let location = TeamLocation::find(&caller.cwd).map_err(failure)?;
    let Some(token) = token(caller, &location)? else {
        return Err(failure(StoreError::NotMember));
    };
    let order = TurnOrder {
        session,
        token: &token,
        order: None,
        submits: true,
        is_watched: false,
        run: None,
    };
    let team = share(open_at(caller, &location)?);
    run_turn(caller, &location, &team, &order, cancel).await
}
