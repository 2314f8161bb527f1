//! The folders of a project that Agon writes to. No seat is given their contents, so that one
//! debate does not change the context of the next.

use std::path::Path;

use agon_caller::Caller;
use agon_caller::host_sign::{STATE_FOLDER, state_folder_of_user, state_folders};
use agon_evidence::Excluded;

/// The folders, as paths in the project.
#[derive(Clone, Debug, Default)]
pub(crate) struct OwnFolders {
    debates: Option<String>,
    states: Vec<String>,
}

impl OwnFolders {
    /// Returns the folders of the caller's project that Agon writes to, with `debates_dir` as the
    /// folder of debates.
    pub(crate) fn in_project(caller: &Caller, debates_dir: &Path) -> Self {
        let project = caller.project();
        let of_user = state_folder_of_user(caller);
        let of_user = of_user.and_then(|folder| path_below(&project, &folder));
        let of_hosts = state_folders();
        let states = of_hosts.map(str::to_owned).chain(of_user);
        let mut states: Vec<String> = states
            .map(|folder| format!("{folder}/{STATE_FOLDER}"))
            .collect();
        states.sort();
        states.dedup();
        Self {
            debates: path_below(&project, &caller.cwd.join(debates_dir)),
            states,
        }
    }

    fn all(&self) -> impl Iterator<Item = &str> {
        let all = self.debates.iter().chain(&self.states);
        all.map(String::as_str)
    }

    /// Returns whether a project path is in one of them.
    pub(crate) fn has(&self, path: &str) -> bool {
        self.all().any(|folder| Path::new(path).starts_with(folder))
    }

    /// Returns git pathspecs that exclude the folders, relative to the project.
    pub(crate) fn pathspecs(&self) -> Vec<String> {
        let all = self.all();
        all.map(|folder| format!(":(exclude,literal){folder}"))
            .collect()
    }

    /// Calls `pin` with the folders to exclude.
    pub(crate) fn excluding<T>(&self, pin: impl FnOnce(Excluded<'_>) -> T) -> T {
        let apart: Vec<&str> = self.debates.as_deref().into_iter().collect();
        let unseen: Vec<&str> = self.states.iter().map(String::as_str).collect();
        pin(Excluded {
            apart: &apart,
            unseen: &unseen,
        })
    }
}

/// Returns the path of `folder` in `project`; `None` if it is outside, or the project itself.
pub(crate) fn path_below(project: &Path, folder: &Path) -> Option<String> {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let path = real(folder);
    let path = path.strip_prefix(real(project)).ok()?.to_str()?;
    (!path.is_empty()).then(|| path.to_owned())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn debates_and_the_state_that_hosts_read_are_agons_own() {
        let vars = [("AI_STATE_DIR", "tools/state")];
        let vars: BTreeMap<_, _> = vars
            .into_iter()
            .map(|(name, value)| (name.into(), value.into()))
            .collect();
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join(".git")).unwrap();
        let caller = Caller::new(vars, folder.path());
        let own = OwnFolders::in_project(&caller, Path::new("debates"));
        for path in [
            "debates/s/verdict.md",
            ".claude/debate/last-debate.json",
            ".codex/debate/last-debate.json",
            ".opencode/debate/last-debate.json",
            "tools/state/debate/last-debate.json",
        ] {
            assert!(own.has(path), "{path}");
        }
        for path in [".claude/settings.json", "debates.md", ".claude/debates/x"] {
            assert!(!own.has(path), "{path}");
        }
    }
}
