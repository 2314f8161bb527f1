//! Detects tools: their path and version, and whether the user is logged in.

use std::path::{Path, PathBuf};
use std::time::Duration;

use agon_proc::{Ending, Finished, Limits, Program, Unwatched, find_program, run_program};
use futures_util::future::join_all;
use tokio_util::sync::CancellationToken;

use crate::environment::Environment;
use crate::probe_memory::{AnswerPlace, ProbeKey, ProbeMemory, Question};
use crate::profile::{FileMark, NoLoginSignMeans, Profile, Profiles, Transport, UnlistedTool};
use crate::servers;
use crate::transport::{Missing, missing_requirement};

/// A tool, and what Agon detected about it.
#[derive(Clone, Debug, PartialEq)]
pub struct DetectedTool {
    /// The tool.
    pub profile: Profile,
    /// The path of its command-line program; `None` if not installed.
    pub path: Option<PathBuf>,
    /// The path of the program that supports the Agent Client Protocol for it; `None` if not
    /// installed.
    pub acp: Option<PathBuf>,
    /// The tool's version; `None` if unknown.
    pub version: Option<String>,
    /// Whether the user is logged in.
    pub login: Login,
    /// Whether the tool would start the user's MCP servers over the Agent Client Protocol. If so,
    /// Agon does not use that transport.
    pub starts_servers: bool,
    /// Tools that this version offers to its model and that its profile does not list. If there are
    /// any, the tool cannot take part in a debate.
    pub unlisted: Vec<UnlistedTool>,
    /// What a model in this process still needs before it can answer; `None` for every other tool.
    pub missing: Option<Missing>,
}

/// Whether the user is logged in to a tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Login {
    /// There are credentials; only a call shows whether they are still valid.
    LoggedIn,
    /// There are no credentials.
    LoggedOut {
        /// The command that logs in.
        command: String,
    },
    /// The login state cannot be detected, or the tool is not installed.
    Unknown,
}

impl DetectedTool {
    /// Returns the command that installs the tool or logs in; `None` if neither is known to be
    /// needed.
    pub fn setup_hint(&self) -> Option<String> {
        match &self.login {
            _ if self.available_transports().is_empty() => Some(self.install_hint()),
            Login::LoggedOut { command } => Some(command.clone()),
            Login::LoggedIn | Login::Unknown => None,
        }
    }

    /// Returns how to install the tool, or how to get what it still needs.
    pub fn install_hint(&self) -> String {
        let missing = self.missing.as_ref().map(|missing| &missing.hint);
        missing.unwrap_or(&self.profile.install.hint).clone()
    }

    /// Returns the transports that work here, in order of preference.
    pub fn available_transports(&self) -> Vec<Transport> {
        let is_available = |way: &Transport| match way {
            Transport::Cli => self.path.is_some() && self.profile.cli.is_some(),
            Transport::Acp => self.acp.is_some() && self.profile.acp.is_some(),
            Transport::Http => self.profile.http.is_some(),
            Transport::Local => self.missing.is_none(),
            Transport::Human => true,
        };
        let ways = self.profile.transports.iter().copied();
        ways.filter(is_available).collect()
    }

    /// Returns whether the profile was measured with a version other than the installed one.
    pub fn is_version_unmeasured(&self) -> bool {
        let measured = self.profile.measured.as_ref();
        measured.is_some_and(|measured| self.version.as_ref() != Some(measured))
    }

    /// Returns the command that installs this transport; `None` if the tool does not have it.
    pub fn install_command(&self, way: Transport) -> Option<String> {
        let hint = &self.profile.install.hint;
        let named = self.profile.transports.contains(&way);
        match way {
            Transport::Cli | Transport::Http | Transport::Local | Transport::Human => {
                named.then(|| hint.clone())
            }
            Transport::Acp => {
                let acp = self.profile.acp.as_ref().filter(|_| named)?;
                Some(acp.install.as_ref().unwrap_or(hint).clone())
            }
        }
    }
}

/// Detects all tools concurrently; results are in the order of the profiles.
///
/// Starts an installed tool to get its version, unless its npm package contains it, and to run its
/// own login check, if it has one. The profile sets the time limit.
pub(crate) async fn detect_tools(profiles: &Profiles, here: &Environment) -> Vec<DetectedTool> {
    join_all(profiles.iter().map(|profile| detect_tool(profile, here))).await
}

async fn detect_tool(profile: &Profile, here: &Environment) -> DetectedTool {
    let find = |names: &[String]| {
        names
            .iter()
            .find_map(|name| find_program(name, here.search_path()))
    };
    let path = find(&profile.programs);
    let acp = profile.acp.as_ref().and_then(|acp| {
        if acp.starts_user_mcp_servers(here) {
            None
        } else if acp.programs.is_empty() {
            path.clone()
        } else {
            find(&acp.programs)
        }
    });
    let (version, login) = match &path {
        Some(path) => {
            tokio::join!(
                detect_version(profile, path, here),
                detect_login(profile, path, here)
            )
        }
        None if profile.http.is_some() => (None, detect_login(profile, Path::new(""), here).await),
        // A model in this process has no version of its own, so report the model's name.
        None => {
            let weights = profile.weights.as_ref();
            (weights.map(|weights| weights.model.clone()), Login::Unknown)
        }
    };
    let servers = profile.acp.as_ref();
    let starts_servers = servers.is_some_and(|acp| acp.starts_user_mcp_servers(here));
    let mut profile = profile.clone();
    if let Some(http) = &mut profile.http {
        *http = servers::with_measured_budget(http, here).await;
    }
    DetectedTool {
        starts_servers,
        unlisted: Vec::new(),
        missing: missing_requirement(&profile, here),
        profile,
        path,
        acp,
        version,
        login,
    }
}

async fn detect_version(profile: &Profile, path: &Path, here: &Environment) -> Option<String> {
    if let Some(version) = npm_package_version(profile, path) {
        return Some(sanitize_version(&version));
    }
    if profile.version.args.is_empty() {
        return None;
    }
    let memory = memory_of(profile, path, here, Question::Version);
    if let Some(said) = memory
        .as_ref()
        .and_then(|(memory, place)| memory.recall(place))
    {
        return Some(sanitize_version(&said));
    }
    let said = run_probe(profile, path, &profile.version.args, here).await?;
    let pattern = regex::Regex::new(&profile.version.pattern).ok()?;
    let text = String::from_utf8_lossy(&said.stdout);
    let found = pattern.captures(&text)?.get(1)?;
    let version = sanitize_version(found.as_str());
    if let Some((memory, place)) = memory {
        memory.remember(&place, &version);
    }
    Some(version)
}

/// Returns where the program's answer to a question is remembered; `None` if it is not.
fn memory_of<'a>(
    profile: &Profile,
    program: &Path,
    here: &'a Environment,
    question: Question,
) -> Option<(&'a ProbeMemory, AnswerPlace)> {
    let memory = here.probe_memory()?;
    let login = &profile.login;
    let (args, files) = match question {
        Question::Version => (&profile.version.args, Vec::new()),
        Question::Login => {
            let marks = login.files.iter().chain(&login.maybe);
            let files = marks.map(|mark| &mark.file).chain(&login.reads);
            let files = files.map(|file| here.expand_path(file));
            (&login.args, files.collect())
        }
    };
    let place = memory.place(&ProbeKey {
        tool: profile.name.as_str(),
        question,
        program,
        args,
        env: &profile.env.child_env(here, None),
        files: &files,
    })?;
    Some((memory, place))
}

/// Makes a tool's version string safe to show: no control characters, at most 60 characters.
fn sanitize_version(version: &str) -> String {
    let seen = agon_record::text::strip_control_characters(version);
    seen.chars().filter(|c| !c.is_control()).take(60).collect()
}

/// The size limit of a `package.json`, in bytes.
const MAX_PACKAGE_BYTES: u64 = 4 << 20;

/// Returns the version of the npm package that contains a program. This avoids starting the tool,
/// which can take seconds.
fn npm_package_version(profile: &Profile, path: &Path) -> Option<String> {
    #[derive(serde::Deserialize)]
    struct Package {
        name: String,
        version: String,
    }
    let npm = profile.install.npm.as_deref()?;
    let real = path.canonicalize().ok()?;
    real.ancestors().skip(1).take(4).find_map(|directory| {
        let text = agon_files::read(&directory.join("package.json"), MAX_PACKAGE_BYTES).ok()?;
        let package: Package = serde_json::from_slice(&text).ok()?;
        (package.name == npm).then_some(package.version)
    })
}

async fn detect_login(profile: &Profile, path: &Path, here: &Environment) -> Login {
    let login = &profile.login;
    let any_present = |marks: &[FileMark]| marks.iter().any(|mark| mark.is_present(here));
    if login.env.iter().any(|name| here.var_text(name).is_some()) || any_present(&login.files) {
        return Login::LoggedIn;
    }
    let mut absent = login.absent;
    if !login.args.is_empty() {
        let memory = memory_of(profile, path, here, Question::Login);
        let recalled = memory
            .as_ref()
            .and_then(|(memory, place)| memory.recall(place));
        if recalled.is_some() {
            return Login::LoggedIn;
        }
        match run_probe(profile, path, &login.args, here).await {
            Some(said) => {
                if said.ending == EXITED_WELL {
                    if let Some((memory, place)) = memory {
                        memory.remember(&place, "logged in");
                    }
                    return Login::LoggedIn;
                }
            }
            None => absent = NoLoginSignMeans::Unknown,
        }
    }
    match absent {
        NoLoginSignMeans::LoggedOut if !any_present(&login.maybe) => Login::LoggedOut {
            command: login.command.clone(),
        },
        NoLoginSignMeans::LoggedOut | NoLoginSignMeans::Unknown => Login::Unknown,
    }
}

// A login check that exits with status 0 means yes.
const EXITED_WELL: Ending = Ending::Exited {
    code: Some(0),
    signal: None,
};

/// Runs a tool with these arguments; `None` if it did not exit by itself.
async fn run_probe(
    profile: &Profile,
    path: &Path,
    args: &[String],
    here: &Environment,
) -> Option<Finished> {
    let program = Program {
        path: path.to_owned(),
        args: args.iter().map(Into::into).collect(),
        env: profile.env.child_env(here, None),
        cwd: here.temp_dir(),
    };
    let usual = Limits {
        deadline: Duration::from_millis(profile.limits.probe_ms),
        ..Limits::probe()
    };
    let limits = match here.probe_limit() {
        None => usual,
        // The caller is waiting, so end the program at once when the time is up, without a grace
        // period.
        Some(time) => Limits {
            deadline: usual.deadline.min(time),
            grace: Duration::ZERO,
            ..usual
        },
    };
    let never = CancellationToken::new();
    let finished = run_program(&program, b"", &limits, &Unwatched, &never)
        .await
        .ok()?;
    match finished.ending {
        Ending::Exited { .. } | Ending::Complete => Some(finished),
        Ending::TimedOut | Ending::Cancelled | Ending::Flooded => None,
    }
}
