//! Who asks, and from where: environment, folders, and whether a person watches.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use agon_hint::{CommandLine, Hint, Words};

use crate::notes::Notes;

/// Who asks, and from where. A front end makes one for each request.
#[derive(Clone, Debug)]
pub struct Caller {
    /// The environment, as far as it is text.
    pub vars: BTreeMap<String, String>,
    /// The environment, whole.
    pub vars_os: BTreeMap<OsString, OsString>,
    /// The folder that paths are meant from.
    pub cwd: PathBuf,
    /// The folder of debates, where it is named; else the configuration says which.
    pub debates_dir: Option<PathBuf>,
    /// Whether a person watches, who sees what it costs and can stop it.
    pub is_watched: bool,
    /// Whether it is known to be an AI tool that asks; the environment may tell so too.
    pub is_hosted: bool,
    /// Whether the request came over a protocol, from a program whose model may have written it. It
    /// then reads nothing outside the project, and names no program and no address that the user's
    /// own configuration does not have.
    pub is_relayed: bool,
    /// Whether layers of the configuration that are not valid are left out: for what must work
    /// without them.
    pub skips_broken_settings: bool,
    /// Whether paths are shown whole, and not from the caller's folder: for a reader in another one.
    pub shows_whole_paths: bool,
    /// The time there is to tell which tools are here and logged in, where it is bounded.
    pub probe_timeout: Option<Duration>,
    /// The file of the program that a debate runs in while in the background, and the guard that
    /// ends the tools of a process which was killed; without one there is neither.
    pub program: Option<PathBuf>,
    /// How the front end names flags and commands to its user.
    pub words: Arc<dyn Words>,
}

impl Caller {
    /// A caller in the folder `cwd` with these variables, unwatched and without a program.
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
            shows_whole_paths: false,
            probe_timeout: None,
            program: None,
            words: Arc::new(CommandLine),
        }
    }

    /// Notes `advice` in the words of the front end; nothing if its user can take none of the steps.
    pub fn advise(&self, advice: &Hint, notes: &mut dyn Notes) {
        if let Some(advice) = advice.worded(&*self.words) {
            notes.note(&advice);
        }
    }

    /// The project: the nearest folder upwards with `agon.toml` or `.git`, else the current one.
    pub fn project(&self) -> PathBuf {
        self.marked_project().unwrap_or_else(|| self.cwd.clone())
    }

    /// Whether the current folder is in a project.
    pub fn is_in_project(&self) -> bool {
        self.marked_project().is_some()
    }

    /// Whether the current folder is in a git work tree.
    pub fn is_in_work_tree(&self) -> bool {
        let mut folders = self.folders_upwards();
        folders.any(|dir| dir.join(".git").exists())
    }

    /// The nearest folder upwards with `agon.toml` or `.git`.
    fn marked_project(&self) -> Option<PathBuf> {
        let is_marked = |dir: &&Path| dir.join("agon.toml").is_file() || dir.join(".git").exists();
        self.folders_upwards().find(is_marked).map(Path::to_owned)
    }

    /// The current folder and those above it that can be its project. A request over a protocol
    /// does not reach the user's home, or a folder above it, from a folder below it.
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

    /// The nearest `configured` folder above the caller's, within the project, or outside any
    /// within the user's home; none where the caller's own folder has one, or a request over a
    /// protocol is outside any.
    pub(crate) fn debates_dir_above(&self, configured: &Path) -> Option<PathBuf> {
        if configured.is_absolute() || self.cwd.join(configured).is_dir() {
            return None;
        }
        // Who asks over a protocol did not choose the folder, and knows of none above it.
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

    /// How many debates this process runs inside of.
    pub fn nesting_depth(&self) -> u32 {
        let depth = self.vars.get("AGON_DEPTH");
        depth.map_or(0, |text| text.trim().parse().unwrap_or(u32::MAX))
    }

    /// `path` joined to the caller's folder; unchanged where the process already runs in that
    /// folder, so that messages show it as it was typed.
    pub fn resolve_path(&self, path: &Path) -> PathBuf {
        match std::env::current_dir().is_ok_and(|here| here == self.cwd) {
            true => path.to_owned(),
            false => self.cwd.join(path),
        }
    }

    /// `path` as it is shown: below the current folder without that folder, unless paths are shown
    /// whole.
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
