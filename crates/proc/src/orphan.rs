//! Adopts the processes that our children let go, so that one without our mark is found too.
//!
//! A process that starts another, clears its environment, opens a session and ends leaves nothing by
//! which a look at marks could know it. A process that adopts orphans stays above it.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustix::process::{Pid, WaitId, WaitIdOptions, getpid, set_child_subreaper, waitid};

use crate::group::{Group, Stat};
use crate::mark::has_group_mark;

static ADOPTS: AtomicBool = AtomicBool::new(false);
static CHILDREN: Mutex<Vec<StartedChild>> = Mutex::new(Vec::new());

/// A child that we started.
struct StartedChild {
    pid: i32,
    role: ChildRole,
}

enum ChildRole {
    /// It runs, and what it lets go ends with it.
    Running(Group),
    /// What it let go may outlive it; it runs, or has ended.
    Spared(Group),
    /// It starts nothing.
    Alone,
}

/// Makes this process the parent of all that its children let go, whatever they clear or leave.
///
/// For a process that starts every child of its own through this crate: another's would be taken for
/// an orphan.
///
/// # Errors
///
/// If the system has no such thing (before Linux 3.4).
pub fn adopt_orphans() -> io::Result<()> {
    set_child_subreaper(Some(getpid()))?;
    ADOPTS.store(true, Ordering::Relaxed);
    Ok(())
}

/// Held while a child is started and made known: until then it looks like an orphan.
pub(crate) struct Starting(MutexGuard<'static, Vec<StartedChild>>);

/// Begins the start of a child.
pub(crate) fn starting() -> Starting {
    Starting(children())
}

impl Starting {
    /// Makes the started child known.
    pub(crate) fn started(mut self, pid: u32) {
        let pid = i32::try_from(pid).unwrap_or_default();
        let role = ChildRole::Alone;
        self.0.push(StartedChild { pid, role });
    }
}

fn children() -> MutexGuard<'static, Vec<StartedChild>> {
    CHILDREN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The child leads `group`: what it lets go ends with it.
pub(crate) fn leads(group: &Group) {
    set_role(group, ChildRole::Running(group.clone()));
}

/// What the child that leads `group` lets go may outlive it.
pub(crate) fn spare_strays_of(group: &Group) {
    set_role(group, ChildRole::Spared(group.clone()));
}

fn set_role(group: &Group, role: ChildRole) {
    if let Some(known) = children().iter_mut().find(|it| it.pid == group.pgid) {
        known.role = role;
    }
}

/// A child is gone; its number may come back.
pub(crate) fn ended(pid: u32) {
    let pid = i32::try_from(pid).unwrap_or_default();
    // By the mark of one whose strays may stay they are told from orphans of the others.
    children().retain(|it| it.pid != pid || matches!(it.role, ChildRole::Spared(_)));
}

/// Whether `pid` is an orphan that `group` alone can have let go. Reaps it if it has ended.
///
/// Where another child ran when it started, it is left to the last of them to end.
pub(crate) fn is_orphan(pid: i32, stat: &Stat, group: &Group) -> bool {
    if !ADOPTS.load(Ordering::Relaxed) || stat.parent != getpid().as_raw_nonzero().get() {
        return false;
    }
    let all = children();
    if all.iter().any(|it| it.pid == pid) {
        return false;
    }
    if !stat.is_running() {
        reap(pid);
        return false;
    }
    let may_be_of = |known: &StartedChild| match &known.role {
        ChildRole::Running(other) => other != group && other.leader_start <= stat.start,
        ChildRole::Spared(other) => has_group_mark(pid, other),
        ChildRole::Alone => false,
    };
    stat.start >= group.leader_start && !all.iter().any(may_be_of)
}

/// No other code waits for what was adopted.
fn reap(pid: i32) {
    if let Some(pid) = Pid::from_raw(pid) {
        let flags = WaitIdOptions::EXITED | WaitIdOptions::NOHANG;
        waitid(WaitId::Pid(pid), flags).unwrap_or_default();
    }
}
