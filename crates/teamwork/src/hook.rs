//! Answers AI tools' hooks before and after their models' tool uses.
//!
//! A hook's answer has more authority with the model than a message. It therefore contains only
//! Agon's own words, numbers and member names, never text written by another member.

mod broken_locks;
mod edit_only;
mod resolve_path;

use std::path::Path;
use std::sync::Arc;

use agon_caller::{Caller, Code, Failure};
use agon_health::{find_handover, reminder, write_handover};
pub use agon_hosts::hook::HookOutput;
use agon_hosts::hook::{HookCall, HookEvent, HookReply};
use agon_hosts::host::{Host, is_edit_tool};
use agon_team::glob::PathGlob;
use agon_team::lock::PathLock;
use agon_team::policy::{PolicyEffect, PolicyQuestion};
use agon_team::store::{
    Actor, Clock as _, StoreError, SystemClock, Team, TeamLimits, TeamLocation,
};
use agon_team::task::{Task, TaskState};
use jiff::Timestamp;

use self::resolve_path::resolve;
use super::{member, policy, unread_notice};

/// Answers a hook call from a host; `said` is what the host passed on stdin.
///
/// # Errors
///
/// Fails if there is no such host or event. Any later error lets the tool use pass, with a warning.
pub async fn answer(
    caller: &Caller,
    host: &str,
    event: &str,
    said: &str,
) -> Result<HookOutput, Failure> {
    let host = agon_install::hosts::require_host(host)?;
    let event = HookEvent::find(event).ok_or_else(|| {
        let names = HookEvent::ALL.map(HookEvent::name).join(", ");
        let message = format!("unknown event `{}`", event.escape_default());
        Failure::new(Code::UnknownEvent, message)
            .parameter("event")
            .hint(format!("use one of {names}"))
    })?;
    // A tool that takes part in a debate is not a member, so the hook does nothing.
    if caller.nesting_depth() > 0 {
        return Ok(HookOutput::default());
    }
    let reply = match HookCall::read(said, is_edit_tool) {
        Ok(call) => reply_to(caller, host, event, call).await,
        Err(error) => Err(error.to_string()),
    };
    let reply = reply.unwrap_or_else(|error| {
        HookReply::Warn(format!(
            "Agon's team hook failed, so nothing was checked: {error}"
        ))
    });
    Ok(reply.into_output(&host.hooks, event))
}

/// Returns whether the AI tool in this folder is a member of a team.
pub fn is_in_team(caller: &Caller, cwd: &Path) -> bool {
    let location = TeamLocation::find(cwd).ok();
    location.is_some_and(|it| matches!(member::token(caller, &it), Ok(Some(_)) | Err(_)))
}

async fn reply_to(
    caller: &Caller,
    host: &Host,
    event: HookEvent,
    call: HookCall,
) -> Result<HookReply, String> {
    // A role's edit limit applies in every session, whether or not it belongs to a team.
    if event == HookEvent::PreEdit
        && let Some(why) = edit_only::refusal(host, &call, &caller.cwd)
    {
        return Ok(HookReply::Refuse(why));
    }
    // Write the hand-over in every session, in a team or not.
    if event == HookEvent::PreCompact {
        return Ok(before_compaction(caller, host, &call));
    }
    let reply = HookSession::reply(caller, host, event, &call).await?;
    let reply = with_handover(reply, event, || {
        let is_after = call.is_after_compaction && !call.is_of_sub_agent;
        find_handover(
            caller,
            host.name,
            call.session_record.as_deref().filter(|_| is_after)?,
        )
    });
    Ok(with_reminder(reply, event, || {
        let record = call.session_record.filter(|_| !call.is_of_sub_agent)?;
        reminder(caller, host.name, &record)
    }))
}

/// Writes the hand-over of the session whose context is about to be compacted, and reports its
/// path.
fn before_compaction(caller: &Caller, host: &Host, call: &HookCall) -> HookReply {
    if call.is_of_sub_agent {
        return HookReply::Pass;
    }
    let record = call.session_record.as_deref();
    let id = call.session_id.as_deref();
    match write_handover(caller, host.name, record, id, call.is_automatic) {
        Some(file) => HookReply::Kept(format!(
            "agon: the hand-over of this session (requests, decisions, changes and failures) is in \
             {}. `agon context --handover` prints it too.",
            file.display()
        )),
        // Without a hand-over, let the compaction continue: it must not wait for an optional file.
        None => HookReply::Pass,
    }
}

/// Returns the reply at the start of a session, with the hand-over written before the compaction.
fn with_handover(
    reply: HookReply,
    event: HookEvent,
    file: impl FnOnce() -> Option<std::path::PathBuf>,
) -> HookReply {
    let line = |file: std::path::PathBuf| {
        let file = file.display();
        format!("agon: the context was compacted; the earlier session's hand-over is in {file}")
    };
    match (reply, event) {
        (HookReply::Pass, HookEvent::SessionStart) => {
            file().map_or(HookReply::Pass, |it| HookReply::Note(line(it)))
        }
        (HookReply::Note(said), HookEvent::SessionStart) => HookReply::Note(match file() {
            Some(file) => format!("{said}\n{}", line(file)),
            None => said,
        }),
        (reply, _) => reply,
    }
}

/// Returns the reply after a tool use, with a line about the session's context if there is one.
fn with_reminder(
    reply: HookReply,
    event: HookEvent,
    line: impl FnOnce() -> Option<String>,
) -> HookReply {
    if event != HookEvent::PostTool {
        return reply;
    }
    match (reply, line()) {
        (HookReply::Pass, Some(line)) => HookReply::Note(line),
        (HookReply::Note(said), Some(line)) => HookReply::Note(format!("{said}\n{line}")),
        (reply, _) => reply,
    }
}

/// Returns why committing these paths in the work tree at `root` is refused, or `None` if it is
/// allowed.
///
/// # Errors
///
/// Fails if this cannot be determined.
pub(super) fn refusal_of_paths(
    caller: &Caller,
    root: &Path,
    paths: &[String],
) -> Result<Option<String>, String> {
    let Some(mut session) = HookSession::open(caller, root)? else {
        return Ok(None);
    };
    match session.before_edit(root, paths) {
        Ok(HookReply::Refuse(why)) => Ok(Some(why)),
        Ok(_) => Ok(None),
        Err(error) => Err(error.to_string()),
    }
}

/// The team and the member of the session that calls the hook.
struct HookSession<'a> {
    caller: &'a Caller,
    team: Team,
    location: TeamLocation,
    actor: Actor,
}

impl<'a> HookSession<'a> {
    async fn reply(
        caller: &'a Caller,
        host: &Host,
        event: HookEvent,
        call: &HookCall,
    ) -> Result<HookReply, String> {
        // Most tool uses edit nothing, so answer those without opening the team.
        if event == HookEvent::PreEdit && call.edits.is_empty() {
            return Ok(HookReply::Pass);
        }
        let cwd = call.cwd.as_deref().unwrap_or(&caller.cwd);
        let Some(mut session) = Self::open(caller, cwd)? else {
            return Ok(HookReply::Pass);
        };
        let reply = match event {
            HookEvent::PreEdit => session.before_edit(cwd, &call.edits),
            HookEvent::PostTool => session.after_tool(),
            HookEvent::Stop if call.was_stopped => Ok(HookReply::Pass),
            HookEvent::Stop => session.before_stop(),
            HookEvent::SessionStart => session.at_start(),
            // Answered before the team is opened, or by a use case of debates.
            HookEvent::PreCompact | HookEvent::PlanEnd | HookEvent::Prompt => Ok(HookReply::Pass),
        };
        let reply = reply.map_err(|error| error.to_string())?;
        // If the model cannot be notified at the end of its turn, it is notified after a tool use.
        let is_told_at_end = !(host.hooks.event_name)(HookEvent::Stop).is_empty();
        Ok(match event {
            HookEvent::Stop if !call.was_stopped => session.with_broken_locks(reply, event).await,
            HookEvent::PostTool if !is_told_at_end => session.with_broken_locks(reply, event).await,
            _ => reply,
        })
    }

    /// Opens the session of this folder. Returns `None` outside a repository, or if it has no team.
    fn open(caller: &'a Caller, cwd: &Path) -> Result<Option<Self>, String> {
        let location = match TeamLocation::find(cwd) {
            Ok(location) => location,
            Err(StoreError::NoRepository(_)) => return Ok(None),
            Err(error) => return Err(error.to_string()),
        };
        // Limits apply to changes. Only mail is sent here, and the default limits suffice for it.
        let clock = Arc::new(SystemClock::new());
        let team = match Team::open(&location, clock, TeamLimits::default()) {
            Ok(team) => team,
            Err(StoreError::NoTeam(_)) => return Ok(None),
            Err(error) => return Err(error.to_string()),
        };
        let token = member::token(caller, &location).map_err(|error| error.message)?;
        let actor = match token {
            Some(token) => team
                .authenticate(&token)
                .map_err(|error| error.to_string())?,
            // Not a member: every member's lock counts as someone else's.
            None => Actor::person(),
        };
        Ok(Some(Self {
            caller,
            team,
            location,
            actor,
        }))
    }

    /// Refuses an edit of a path that another member has locked, or that the policy denies.
    fn before_edit(&mut self, cwd: &Path, edits: &[String]) -> Result<HookReply, StoreError> {
        for edit in edits {
            let Some(path) = self.path_in_repository(&cwd.join(edit)) else {
                continue;
            };
            let against = self.team.locks_against(&self.actor, &path)?;
            if let Some(lock) = against.first() {
                let task = self.team.task(lock.task)?;
                return Ok(HookReply::Refuse(locked(&path, lock, &task)));
            }
            if let Some(refusal) = self.policy_refusal(&path) {
                return Ok(HookReply::Refuse(refusal));
            }
        }
        Ok(HookReply::Pass)
    }

    fn policy_refusal(&self, path: &str) -> Option<String> {
        let question = PolicyQuestion {
            tool: "edit".to_owned(),
            path: Some(path.to_owned()),
            ..PolicyQuestion::of(self.actor.role()?.clone())
        };
        let (file, ruling) = policy::rule_on(self.caller, &self.location, &question);
        if ruling.effect != PolicyEffect::Deny {
            return None;
        }
        let file = file
            .map(|file| file.display().to_string())
            .unwrap_or_default();
        let place = match ruling.line {
            Some(line) => format!("{file}:{line}"),
            None => file,
        };
        let role = &question.role;
        Some(format!(
            "The policy denies the role {role} to edit {path} ({place}). Ask the lead or a person."
        ))
    }

    /// Reports the number of unread messages, once per number.
    fn after_tool(&mut self) -> Result<HookReply, StoreError> {
        let Some(name) = self.actor.name() else {
            return Ok(HookReply::Pass);
        };
        let (unread, urgent) = self.team.unread_and_urgent(name)?;
        Ok(
            match unread_notice::record_if_new(&self.location, unread, urgent) {
                true if urgent > 0 => HookReply::Note(format!(
                    "agon: {unread} unread, {urgent} urgent: fetch your mail now"
                )),
                true => HookReply::Note(format!("agon: {unread} unread")),
                false => HookReply::Pass,
            },
        )
    }

    /// Keeps the member from stopping while it holds a task without having reported on it.
    fn before_stop(&mut self) -> Result<HookReply, StoreError> {
        let held = self.own_tasks()?;
        // A waiting task is not reported again: it already states what it waits for.
        let silent = held.iter().find(|task| task.state != TaskState::Waiting);
        Ok(match silent {
            Some(task) => {
                let (id, state, epoch) = (task.id, task.state, task.epoch);
                let step = |step: &str| format!("`agon team task {step} {id} --epoch {epoch}");
                HookReply::GoOn(format!(
                    "You still hold {id} ({state}). Before you stop, report on it: run {}`, {} \
                     --reason input --for 10m`, or {} --note \"why\"`. If none fits, stop now.",
                    step("submit"),
                    step("wait"),
                    step("release"),
                ))
            }
            None => HookReply::Pass,
        })
    }

    /// Tells the model its name and role in the team, and its task.
    fn at_start(&mut self) -> Result<HookReply, StoreError> {
        let held = self.own_tasks()?;
        let (Some(name), Some(role)) = (self.actor.name(), self.actor.role()) else {
            return Ok(HookReply::Pass);
        };
        Ok(HookReply::Note(match held.first() {
            Some(task) => format!(
                "agon: you are {name} ({role}) in a team and hold {} ({}, claim {}); \
                 `agon team task why {}` shows it",
                task.id, task.state, task.epoch, task.id
            ),
            None => format!(
                "agon: you are {name} ({role}) in a team and hold no task; list the tasks with \
                 `agon team status`"
            ),
        }))
    }

    /// Returns the tasks that the member holds.
    fn own_tasks(&mut self) -> Result<Vec<Task>, StoreError> {
        let Some(name) = self.actor.name().cloned() else {
            return Ok(Vec::new());
        };
        let is_held = |task: &Task| {
            task.lease
                .as_ref()
                .is_some_and(|lease| lease.holder == name)
        };
        Ok(self.team.tasks()?.into_iter().filter(is_held).collect())
    }

    /// Returns a path relative to the repository, as locks name it, or `None` if it is outside. A
    /// member may also name files in another member's work tree.
    fn path_in_repository(&self, path: &Path) -> Option<String> {
        let path = resolve(path);
        let root = match &self.location.work_tree {
            Some(root) if path.starts_with(root) => root.clone(),
            Some(_) | None => {
                let dir = path.ancestors().find(|dir| dir.is_dir())?;
                let other = TeamLocation::find(dir).ok()?;
                if other.common_dir != self.location.common_dir {
                    return None;
                }
                other.work_tree?
            }
        };
        let inside = path.strip_prefix(root).ok()?.to_str()?;
        let end = if path.is_dir() { "/" } else { "" };
        let inside = format!("{inside}{end}");
        PathGlob::file(&inside).is_ok().then_some(inside)
    }
}

fn locked(path: &str, lock: &PathLock, task: &Task) -> String {
    let until = task.lease.as_ref().map(|lease| {
        let left = lease
            .until
            .remaining(&SystemClock::new().now())
            .as_secs()
            .div_ceil(60);
        let at = Timestamp::from_millisecond(lease.until.wall_ms).unwrap_or_default();
        let at = at.strftime("%H:%M");
        format!(" until {at} UTC ({left} minutes, unless it is renewed)")
    });
    format!(
        "{path} is locked by {} for {}{}. Edit something else, wait, or ask {} by mail.",
        lock.holder,
        lock.task,
        until.unwrap_or_default(),
        lock.holder
    )
}
