//! Changes tasks from outside: edits, reassigns and reorders them.

use agon_caller::{Caller, Code, Failure, Hint};
use agon_install::team_files::TeamLayers;
use agon_install::team_roster::TeamRoster;
use agon_team::id::{MemberName, RoleName, TaskId};
use agon_team::store::{TaskEdit, TaskPlace, Team};
use agon_team::task::Assignee;

use super::new_task::refuse_unknown_gates;
use super::open_team::{failure, open};
use super::task::{TeamTaskDoc, act};
use super::text::{clean, clean_line};

/// Edits a task. Secrets in its texts are removed.
///
/// # Errors
///
/// Fails if the caller may not edit it, a text is too long, a gate is not defined, or the task is
/// over.
pub fn edit(caller: &Caller, task: TaskId, edit: TaskEdit) -> Result<TeamTaskDoc, Failure> {
    if edit.is_empty() {
        let what = ["title", "spec", "priority", "gate", "review"];
        let flags = what
            .iter()
            .fold(Hint::new("give one or more of "), |hint, it| hint.flag(*it));
        let failure = Failure::new(Code::MissingParameter, "nothing to change");
        return Err(failure.hint(flags));
    }
    let edit = TaskEdit {
        title: edit.title.as_deref().map(clean_line),
        spec: edit.spec.as_deref().map(clean),
        ..edit
    };
    refuse_unknown_gates(caller, edit.gates.iter().flatten())?;
    act(caller, "edit", Some(task), |team, actor| {
        team.edit_task(actor, task, &edit)
    })
}

/// Reserves a task for a member or a role; `None` removes the reservation.
///
/// # Errors
///
/// Fails if the caller may not, the member or role does not exist, or the task is over.
pub fn assign(caller: &Caller, task: TaskId, to: Option<&str>) -> Result<TeamTaskDoc, Failure> {
    let assignee = to.map(|to| find_assignee(caller, to)).transpose()?;
    act(caller, "assign", Some(task), |team, actor| {
        team.assign(actor, task, assignee.as_ref())
    })
}

/// Moves a task before or after others in the order in which tasks are claimed.
///
/// # Errors
///
/// Fails if the caller may not, or one of the tasks does not exist.
pub fn move_task(caller: &Caller, task: TaskId, place: TaskPlace) -> Result<TeamTaskDoc, Failure> {
    act(caller, "move", Some(task), |team, actor| {
        team.move_task(actor, task, place)
    })
}

/// Returns the member with this name, otherwise the role.
fn find_assignee(caller: &Caller, to: &str) -> Result<Assignee, Failure> {
    let (mut team, _) = open(caller)?;
    let found = find_member_or_role(caller, &mut team, to)?;
    found.ok_or_else(|| {
        let to = clean_line(to).chars().take(40).collect::<String>();
        let message = format!("there is no member or role {to}");
        Failure::new(Code::Unknown, message).parameter("who").hint(
            Hint::new("see the members with ")
                .quoted("team status")
                .text(" and the roles with ")
                .quoted("roster list"),
        )
    })
}

/// Returns the member with this name, otherwise the role. A role must belong to a member or to the
/// roster.
pub(super) fn find_member_or_role(
    caller: &Caller,
    team: &mut Team,
    to: &str,
) -> Result<Option<Assignee>, Failure> {
    let (Ok(name), Ok(role)) = (to.parse::<MemberName>(), to.parse::<RoleName>()) else {
        return Ok(None);
    };
    let members = team.members().map_err(failure)?;
    let joined = || members.iter().filter(|it| it.left_ms.is_none());
    if joined().any(|it| it.name == name) {
        return Ok(Some(Assignee::Member(name)));
    }
    let is_held = joined().any(|it| it.role == role);
    let is_role = is_held
        || TeamRoster::read(caller, &TeamLayers::default())?
            .role(to)
            .is_ok();
    Ok(is_role.then_some(Assignee::Role(role)))
}
