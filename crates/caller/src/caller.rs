//! The caller of a request: its environment, its folders, and whether a person watches.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use agon_agents::CallLimits;
use agon_hint::{CommandLine, Hint, Words};

use crate::notes::Notes;

/// The caller of a request. A front end creates one for each request.
#[derive(Clone, Debug)]
pub struct Caller {
    /// The environment variables that are valid UTF-8.
    pub vars: BTreeMap<String, String>,
    /// All environment variables.
    pub vars_os: BTreeMap<OsString, OsString>,
    /// The folder that relative paths start from.
    pub cwd: PathBuf,
    /// The folder of debates; `None` for the configured one.
    pub debates_dir: Option<PathBuf>,
    /// Whether a person watches, sees the cost and can stop the request.
    pub is_watched: bool,
    /// Whether the caller is known to be an AI tool; the environment may show it too.
    pub is_hosted: bool,
    /// Whether the request came over a protocol, possibly written by a model. Such a request cannot
    /// read outside the project, and can only name programs and URLs in the user's own
    /// configuration.
    pub is_relayed: bool,
    /// Whether to skip invalid layers of the configuration, for commands that must always work.
    pub skips_broken_settings: bool,
    /// Whether to ignore the project's configuration, which may be of others.
    pub ignores_project_settings: bool,
    /// Whether to show absolute paths, for a reader in another folder.
    pub shows_whole_paths: bool,
    /// The time limit for finding the installed and logged-in tools, if there is one.
    pub probe_timeout: Option<Duration>,
    /// The limits on simultaneous calls that this request shares with others; `None` leaves each tool
    /// the call slots of its profile.
    pub call_limits: Option<CallLimits>,
    /// The program file for debates in the background and for the guard that ends the tools of a
    /// killed process; without it there is neither.
    pub program: Option<PathBuf>,
    /// The front end's words for flags and commands.
    pub words: Arc<dyn Words>,
}

impl Caller {
    /// Returns a caller in the folder `cwd` with these variables, unwatched and without a program.
    pub fn new(vars_os: BTreeMap<OsString, OsString>, cwd: impl Into<PathBuf>) -> Self {
        let text = |(name, value): (&OsString, &OsString)| {
            Some((name.to_str()?.to_owned(), value.to_str()?.to_owned()))
        };
        Self {
            vars: vars_os.iter().filter_map(text).collect(),
            vars_os,
            cwd: cwd.into(),
            debates_dir: None,
            is_watched: false,
            is_hosted: false,
            is_relayed: false,
            skips_broken_settings: false,
            ignores_project_settings: false,
            shows_whole_paths: false,
            probe_timeout: None,
            call_limits: None,
            program: None,
            words: Arc::new(CommandLine),
        }
    }

    /// Notes `advice` in the words of the front end, if its user can take at least one of the
    /// steps.
    pub fn advise(&self, advice: &Hint, notes: &mut dyn Notes) {
        if let Some(advice) = advice.worded(&*self.words) {
            notes.note(&advice);
        }
    }

    /// Returns the project: the nearest folder upwards with `agon.toml` or `.git`, or the current
    /// folder.
    pub fn project(&self) -> PathBuf {
        self.marked_project().unwrap_or_else(|| self.cwd.clone())
    }

    /// Returns whether the current folder is in a project.
    pub fn is_in_project(&self) -> bool {
        self.marked_project().is_some()
    }

    /// Returns whether the current folder is in a git work tree.
    pub fn is_in_work_tree(&self) -> bool {
        let mut folders = self.folders_upwards();
        folders.any(|dir| dir.join(".git").exists())
    }

    /// Returns the nearest folder upwards with `agon.toml` or `.git`.
    fn marked_project(&self) -> Option<PathBuf> {
        let is_marked = |dir: &&Path| dir.join("agon.toml").is_file() || dir.join(".git").exists();
        self.folders_upwards().find(is_marked).map(Path::to_owned)
    }

    /// Returns the current folder and the parents that can be its project. A request over a
    /// protocol never reaches the user's home or its parents from a folder inside the home.
    fn folders_upwards(&self) -> impl Iterator<Item = &Path> {
        let home = self.vars.get("HOME").filter(|_| self.is_relayed);
        let is_of_user =
            move |dir: &Path| home.is_some_and(|home| Path::new(home).starts_with(dir));
        let mut folders = self.cwd.ancestors().enumerate();
        std::iter::from_fn(move || {
            let (steps, dir) = folders.next()?;
            (steps == 0 || !is_of_user(dir)).then_some(dir)
        })
    }

    /// Returns the nearest `configured` folder in a parent folder, within the project or else
    /// within the user's home. `None` if the caller's own folder has one, or for a protocol request
    /// outside a project.
    pub(crate) fn debates_dir_above(&self, configured: &Path) -> Option<PathBuf> {
        if configured.is_absolute() || self.cwd.join(configured).is_dir() {
            return None;
        }
        // A protocol client did not choose the folder, and must not see its parents.
        if self.is_relayed && !self.is_in_project() {
            return None;
        }
        let home = || self.vars.get("HOME").map(PathBuf::from);
        let top = self.marked_project().or_else(home)?;
        let above = self.cwd.ancestors().skip(1);
        let mut folders = above
            .take_while(|dir| dir.starts_with(&top))
            .map(|dir| dir.join(configured));
        folders.find(|dir| dir.is_dir())
    }

    /// Returns the number of debates that this process is nested in.
    pub fn nesting_depth(&self) -> u32 {
        let depth = self.vars.get("AGON_DEPTH");
        depth.map_or(0, |text| text.trim().parse().unwrap_or(u32::MAX))
    }

    /// Joins `path` to the caller's folder. Leaves it unchanged if the process runs in that folder,
    /// so that messages show the typed path.
    pub fn resolve_path(&self, path: &Path) -> PathBuf {
        match std::env::current_dir().is_ok_and(|here| here == self.cwd) {
            true => path.to_owned(),
            false => self.cwd.join(path),
        }
    }

    /// Returns `path` for display, relative to the current folder if possible.
    pub fn display_path(&self, path: &Path) -> String {
        if self.shows_whole_paths {
            return self.cwd.join(path).display().to_string();
        }
        let relative = path
            .strip_prefix(&self.cwd)
            .ok()
            .filter(|rest| !rest.as_os_str().is_empty());
        relative.unwrap_or(path).display().to_string()
    }
}
