//! Leases: work that one process at a time does for a team, such as watching or running a goal.

use std::time::Duration;

use agon_caller::{Code, Failure};

use super::open_team::{SharedTeam, failure, lock};

/// A lease that this process holds until it exits. If the process dies, another can take the lease
/// over at once.
#[derive(Debug)]
pub(super) struct Lease {
    team: SharedTeam,
    name: String,
    holder: String,
}

// The process itself is checked too; this limit is for systems that do not list processes.
/// How long a lease lasts without its process.
const LASTS: Duration = Duration::from_secs(24 * 60 * 60);

impl Lease {
    /// Takes a lease by its name.
    ///
    /// # Errors
    ///
    /// If another process has it.
    pub(super) fn take(team: SharedTeam, name: &str) -> Result<Self, Failure> {
        let holder = this_process();
        take_or_extend(&team, name, &holder)?;
        Ok(Self {
            team,
            name: name.to_owned(),
            holder,
        })
    }

    /// Extends the lease, starting now.
    ///
    /// # Errors
    ///
    /// Fails if another process has taken it.
    pub(super) fn renew(&self) -> Result<(), Failure> {
        take_or_extend(&self.team, &self.name, &self.holder)
    }

    fn release(&self) -> Result<(), Failure> {
        let mut team = lock(&self.team);
        team.release_lease(&self.name, &self.holder)
            .map_err(failure)
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        // A lease that cannot be returned is taken over later, because its process is gone.
        self.release().ok();
    }
}

/// Takes or extends a lease for `holder`; fails if another process has it.
fn take_or_extend(team: &SharedTeam, name: &str, holder: &str) -> Result<(), Failure> {
    let is_ours = lock(team)
        .take_lease(name, holder, LASTS, &is_gone)
        .map_err(failure)?;
    match is_ours {
        true => Ok(()),
        false => Err(lease_taken_failure(name)),
    }
}

fn lease_taken_failure(name: &str) -> Failure {
    let message = format!("another process has the lease `{name}`");
    Failure::new(Code::Busy, message).hint("wait until that process ends, or stop it first")
}

/// Identifies this process by its number and start time.
pub(super) fn this_process() -> String {
    let pid = std::process::id();
    format!(
        "{pid} {}",
        agon_proc::start_of_process(pid).unwrap_or_default()
    )
}

/// Returns whether the process that holds a lease is gone. A process from before a reboot is gone.
pub(super) fn is_gone(holder: &str) -> bool {
    let Some((pid, start)) = holder.split_once(' ') else {
        return false;
    };
    let (Ok(pid), Ok(start)) = (pid.parse::<u32>(), start.parse::<u64>()) else {
        return false;
    };
    start > 0 && agon_proc::start_of_process(pid) != Some(start)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_is_known_by_its_number_and_its_start() {
        let this = this_process();
        assert!(!is_gone(&this), "{this}");
        let (pid, start) = this.split_once(' ').unwrap();
        let other = start.parse::<u64>().unwrap() + 1;
        assert!(is_gone(&format!("{pid} {other}")));
        assert!(!is_gone("not a process"));
    }
}
