//! Helpers of the process tests: `sh` programs, a recording watch, and checks of `/proc` that are
//! independent of the crate.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::Mutex;
use std::time::Duration;

use agon_proc::{Group, Limits, Program, Watch};

/// A program that runs `script` with `sh`; its only variable is the search path.
pub(crate) fn sh(script: &str) -> Program {
    Program {
        path: "/bin/sh".into(),
        args: vec!["-c".into(), script.into()],
        env: [("PATH".into(), "/usr/bin:/bin".into())].into(),
        cwd: "/".into(),
    }
}

pub(crate) fn limits() -> Limits {
    Limits {
        deadline: Duration::from_secs(60),
        output: 1 << 20,
        grace: Duration::from_millis(300),
        drain: Duration::from_millis(300),
        leaves_strays: false,
    }
}

/// Records every group, or refuses all of them.
#[derive(Default)]
pub(crate) struct Notes {
    pub(crate) refuses: bool,
    pub(crate) started: Mutex<Vec<Group>>,
    pub(crate) ended: Mutex<Vec<Group>>,
}

impl Watch for Notes {
    fn on_group_started(&self, group: &Group) -> io::Result<()> {
        self.started.lock().unwrap().push(group.clone());
        if self.refuses {
            return Err(io::Error::other("no room"));
        }
        Ok(())
    }

    fn on_group_ended(&self, group: &Group) {
        self.ended.lock().unwrap().push(group.clone());
    }
}

impl Notes {
    /// Returns the only group.
    pub(crate) fn group(&self) -> Group {
        let started = self.started.lock().unwrap();
        assert_eq!(started.len(), 1);
        started[0].clone()
    }

    /// Checks that the only group was reported as ended and has no running process.
    pub(crate) fn assert_gone(&self) {
        let group = self.group();
        assert_eq!(
            self.ended.lock().unwrap().as_slice(),
            std::slice::from_ref(&group)
        );
        assert_eq!(running(group.pgid), Vec::<i32>::new());
    }
}

/// Whether a process is running; an unreaped one is not.
pub(crate) fn runs(pid: i32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let state = stat
        .rsplit_once(") ")
        .and_then(|(_, rest)| rest.chars().next());
    !matches!(state, None | Some('Z' | 'X'))
}

/// The running processes of a group, without unreaped ones.
pub(crate) fn running(pgid: i32) -> Vec<i32> {
    fs::read_dir("/proc")
        .unwrap()
        .filter_map(|entry| entry.unwrap().file_name().to_str()?.parse().ok())
        .filter(|pid: &i32| {
            let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
            let fields: Vec<&str> = stat
                .rsplit_once(')')
                .map(|(_, rest)| rest.split_whitespace().collect())
                .unwrap_or_default();
            fields.first().is_some_and(|&state| state != "Z")
                && fields
                    .get(2)
                    .is_some_and(|&group| group == pgid.to_string())
        })
        .collect()
}

/// Waits until a child has created the file.
pub(crate) async fn made(path: &Path) {
    while !path.exists() {
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
}
