//! Adopts orphans of child processes, so that even those without the group's mark are found.
//!
//! A process can start another one, clear its environment, open a session and end. No mark then
//! identifies the remaining process. A process that adopts orphans stays its ancestor.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustix::process::{Pid, WaitId, WaitIdOptions, getpid, waitid};

use crate::group::Group;
use crate::mark::has_group_mark;
use crate::system::{Stat, become_subreaper};

static ADOPTS: AtomicBool = AtomicBool::new(false);
static CHILDREN: Mutex<Vec<StartedChild>> = Mutex::new(Vec::new());

/// A child started by this process.
struct StartedChild {
    pid: i32,
    role: ChildRole,
}

enum ChildRole {
    /// It is running, and its orphans end with it.
    Running(Group),
    /// Its orphans may outlive it; it is running or has ended.
    Spared(Group),
    /// It does not start other processes.
    Alone,
}

/// Makes this process the parent of all orphans of its children, whatever these clear or leave.
///
/// Use it only in a process that starts every child through this crate: any other child would be
/// taken for an orphan.
///
/// # Errors
///
/// If the system does not support it (before Linux 3.4, and systems other than Linux).
pub fn adopt_orphans() -> io::Result<()> {
    become_subreaper()?;
    ADOPTS.store(true, Ordering::Relaxed);
    Ok(())
}

/// Held while a child is started and registered: until then it looks like an orphan.
pub(crate) struct Starting(MutexGuard<'static, Vec<StartedChild>>);

/// Begins the start of a child.
pub(crate) fn begin_start() -> Starting {
    Starting(children())
}

impl Starting {
    /// Registers the started child.
    pub(crate) fn started(mut self, pid: u32) {
        let pid = i32::try_from(pid).unwrap_or_default();
        let role = ChildRole::Alone;
        self.0.push(StartedChild { pid, role });
    }
}

fn children() -> MutexGuard<'static, Vec<StartedChild>> {
    CHILDREN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Registers that the child leads `group`: its orphans end with it.
pub(crate) fn register_leader(group: &Group) {
    set_role(group, ChildRole::Running(group.clone()));
}

/// Lets orphans of the child that leads `group` outlive it.
pub(crate) fn spare_strays_of(group: &Group) {
    set_role(group, ChildRole::Spared(group.clone()));
}

fn set_role(group: &Group, role: ChildRole) {
    if let Some(known) = children().iter_mut().find(|it| it.pid == group.pgid) {
        known.role = role;
    }
}

/// Unregisters a child that has ended; its number may be reused.
pub(crate) fn unregister(pid: u32) {
    let pid = i32::try_from(pid).unwrap_or_default();
    // Spared children stay registered, so that the mark distinguishes their orphans from others.
    children().retain(|it| it.pid != pid || matches!(it.role, ChildRole::Spared(_)));
}

/// Returns whether `pid` is an orphan that only `group` can have left. Reaps it if it has ended.
///
/// If another child was running when the orphan started, the last of them to end handles it.
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

/// Reaps an adopted process: no other code waits for it.
fn reap(pid: i32) {
    if let Some(pid) = Pid::from_raw(pid) {
        let flags = WaitIdOptions::EXITED | WaitIdOptions::NOHANG;
        waitid(WaitId::Pid(pid), flags).unwrap_or_default();
    }
}
