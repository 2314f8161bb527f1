//! Locks: requests and releases.

use super::*;

impl Model {
    pub(super) fn lock(&mut self, by: u8, lease: u8, glob: u8, exclusive: bool) {
        let Some((by, task, epoch)) = self.lease(by, lease) else {
            return;
        };
        let glob = pick(&GLOBS, glob).unwrap();
        let request = LockRequest {
            task,
            epoch,
            globs: GlobSet::try_from(vec![glob.parse().unwrap()]).unwrap(),
            mode: if exclusive {
                LockMode::Exclusive
            } else {
                LockMode::Shared
            },
            reason: String::new(),
        };
        match self.team.lock(&self.actors[by], &request) {
            Ok(answer) => {
                assert!(
                    self.holds(by, task, epoch),
                    "a lock under a lease that is over was given"
                );
                assert_eq!(answer.lock.granted, answer.behind.is_empty());
            }
            Err(StoreError::Deadlock(circle)) => {
                assert!(circle.contains(&task) && circle.len() > 1)
            }
            Err(_) => {}
        }
    }

    pub(super) fn unlock(&mut self, by: u8, lease: u8, lock: u8) {
        let Some((by, task, epoch)) = self.lease(by, lease) else {
            return;
        };
        let all: Vec<LockId> = self
            .team
            .locks()
            .unwrap()
            .iter()
            .map(|lock| lock.id)
            .collect();
        let Some(lock) = pick(&all, lock) else { return };
        if self
            .team
            .unlock(&self.actors[by], task, epoch, lock)
            .is_ok()
        {
            assert!(
                self.holds(by, task, epoch),
                "a lock of a lease that is over was given up"
            );
        }
    }
}
