//! The environment of a call, as passed in by the program that uses this crate.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::time::Duration;

use agon_proc::PrivatePlaces;
use agon_record::event::CauseCode;
use agon_record::spec::ToolName;

use crate::call_limits::CallLimits;
use crate::probe_memory::ProbeMemory;

/// The environment in which tools are detected and started.
///
/// Nothing in this crate reads the process's own environment.
///
/// ```
/// # use agon_agents::Environment;
/// let here = Environment::new([("HOME", "/srv/ada"), ("CODEX_HOME", "/srv/codex")]);
/// assert_eq!(here.expand_path("~/.gemini").to_str(), Some("/srv/ada/.gemini"));
/// assert_eq!(here.expand_path("{CODEX_HOME:~/.codex}/auth.json").to_str(), Some("/srv/codex/auth.json"));
/// assert_eq!(here.expand_path("{COPILOT_HOME:~/.copilot}").to_str(), Some("/srv/ada/.copilot"));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Environment {
    vars: BTreeMap<OsString, OsString>,
    probe_within: Option<Duration>,
    private: Option<PrivatePlaces>,
    probe_memory: Option<ProbeMemory>,
    call_limits: Option<CallLimits>,
}

impl Environment {
    /// Creates an environment with exactly these variables.
    pub fn new<K, V>(vars: impl IntoIterator<Item = (K, V)>) -> Self
    where
        K: Into<OsString>,
        V: Into<OsString>,
    {
        let vars = vars
            .into_iter()
            .map(|(name, value)| (name.into(), value.into()));
        Self {
            vars: vars.collect(),
            probe_within: None,
            private: None,
            probe_memory: None,
            call_limits: None,
        }
    }

    /// Sets the places of the private folders, regardless of the variables.
    #[must_use]
    pub fn with_private_places(mut self, places: PrivatePlaces) -> Self {
        self.private = Some(places);
        self
    }

    /// Sets the time limit for detecting installed tools and logins.
    ///
    /// What takes longer counts as unknown.
    #[must_use]
    pub fn with_probe_limit(mut self, time: Option<Duration>) -> Self {
        self.probe_within = time;
        self
    }

    /// Returns the time limit for detecting installed tools, if there is one.
    pub(crate) fn probe_limit(&self) -> Option<Duration> {
        self.probe_within
    }

    /// Returns whether detection has a time limit, because the caller is waiting.
    pub fn has_probe_limit(&self) -> bool {
        self.probe_within.is_some()
    }

    /// Sets where to remember what programs say about themselves. Without it, they are asked each
    /// time.
    #[must_use]
    pub fn with_probe_memory(mut self, memory: Option<ProbeMemory>) -> Self {
        self.probe_memory = memory;
        self
    }

    /// Returns where to remember what programs say about themselves.
    pub(crate) fn probe_memory(&self) -> Option<&ProbeMemory> {
        self.probe_memory.as_ref()
    }

    /// Forgets that the user is logged in to `tool` if a call failed because it is logged out, so
    /// that the next start asks it.
    pub(crate) fn forget_login_if_refused(&self, tool: &ToolName, failure: CauseCode) {
        if let Some(memory) = &self.probe_memory
            && failure == CauseCode::LoggedOut
        {
            memory.forget_login(tool.as_str());
        }
    }

    /// Sets the limits on simultaneous calls that this environment shares with others. Without them,
    /// each tool has the call slots of its profile.
    #[must_use]
    pub fn with_call_limits(mut self, limits: Option<CallLimits>) -> Self {
        self.call_limits = limits;
        self
    }

    /// Returns the shared limits on simultaneous calls.
    pub(crate) fn call_limits(&self) -> Option<&CallLimits> {
        self.call_limits.as_ref()
    }

    /// Returns a variable as text; `None` if it is unset, empty or not UTF-8.
    pub fn var_text(&self, name: &str) -> Option<&str> {
        let value = self.vars.get(OsStr::new(name))?.to_str()?;
        (!value.is_empty()).then_some(value)
    }

    /// Returns all variables.
    pub fn vars(&self) -> &BTreeMap<OsString, OsString> {
        &self.vars
    }

    /// Returns the search path for programs.
    pub fn search_path(&self) -> &OsStr {
        self.vars
            .get(OsStr::new("PATH"))
            .map_or(OsStr::new(""), OsString::as_os_str)
    }

    /// Returns the user's home folder; `/` if unset.
    pub fn home(&self) -> PathBuf {
        PathBuf::from(self.var_text("HOME").unwrap_or("/"))
    }

    /// Returns the folder for temporary files.
    pub fn temp_dir(&self) -> PathBuf {
        PathBuf::from(self.var_text("TMPDIR").unwrap_or("/tmp"))
    }

    /// Returns the user's cache folder, from `XDG_CACHE_HOME` or else from `HOME`.
    pub fn cache_dir(&self) -> Option<PathBuf> {
        let named = self.var_text("XDG_CACHE_HOME").map(PathBuf::from);
        let named = named.filter(|folder| folder.is_absolute());
        named.or_else(|| Some(PathBuf::from(self.var_text("HOME")?).join(".cache")))
    }

    /// Returns the places of the private folders in which tools run. Only this user can read these
    /// folders.
    pub fn private_places(&self) -> PrivatePlaces {
        let usual = || PrivatePlaces::new(self.cache_dir().as_deref(), &self.temp_dir());
        self.private.clone().unwrap_or_else(usual)
    }

    /// Returns the number of debates that this process is nested in, from `AGON_DEPTH`.
    pub fn debate_depth(&self) -> u32 {
        self.var_text(DEPTH)
            .map_or(0, |text| text.parse().unwrap_or(1))
    }

    /// Expands a path from a profile: `{VAR:DEFAULT}` becomes the value of the variable, or else
    /// the default, and a leading `~` becomes the home folder.
    pub fn expand_path(&self, template: &str) -> PathBuf {
        let (start, rest) = match template
            .strip_prefix('{')
            .and_then(|open| open.split_once('}'))
        {
            Some((choice, rest)) => {
                let (name, default) = choice.split_once(':').unwrap_or((choice, ""));
                (self.var_text(name).unwrap_or(default), rest)
            }
            None => (template, ""),
        };
        match start.strip_prefix('~') {
            Some(below) => {
                let home = self.home();
                PathBuf::from(format!("{}{below}{rest}", home.display()))
            }
            None => PathBuf::from(format!("{start}{rest}")),
        }
    }
}

/// The variable with the nesting depth of debates. Each started tool gets a depth that is one
/// higher.
pub const DEPTH: &str = "AGON_DEPTH";
