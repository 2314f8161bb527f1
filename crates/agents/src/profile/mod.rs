//! Tool profiles: how a tool is found and started, and how its output is read.

mod acp;
mod address;
mod api;
mod child;
mod classes;
mod command;
mod error;
mod http;
mod model;
mod offer;
mod overlay;
mod passage;
mod private_folder;
mod refuse;
mod refuse_work;
mod refused;
mod registry;
mod service;
mod service_variables;
mod skills;
mod user_file;
mod variables;
mod weights;
mod work;
mod work_policy;

use std::collections::BTreeMap;

use agon_record::spec::{Effort, ToolName};
use serde::{Deserialize, Serialize};

pub use acp::{Acp, Confinement, Notices};
pub use address::{Address, AddressError};
pub(crate) use child::{acp_args, merge_json};
pub use child::{command_args, explicit_model};
pub use classes::ModelClasses;
pub use error::ProfileError;
pub use http::{Adapter, ConstrainWhen, Http};
pub use model::{ContextDegradation, ModelFacts, Price};
pub use offer::{Capability, HostTool, Offer, UnlistedTool, toml_key};
use overlay::overlay_json;
pub(crate) use passage::OpenPassage;
pub use passage::Passage;
pub(crate) use private_folder::{EMPTY, TEMP, USAGE_FILE};
pub use refused::PermissionBypass;
pub use registry::{Profiles, ProfilesError};
pub use service::Api;
pub(crate) use service::{Service, is_host_of_service};
pub use service_variables::ServiceVariables;
pub use skills::Skills;
pub(crate) use variables::confine_git;
pub use variables::{PassWhen, TOOL_VARIABLES, Vars};
pub use weights::{LOCAL, Weights};
pub(crate) use work::WorkValues;
pub use work::{Access, Work};
pub use work_policy::{KeptSettings, PolicyMisfit, PolicyPlace, WorkPolicy};

/// The complete description of a tool.
///
/// Written in TOML; an unknown key is an error.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// The tool's name in flags and files.
    pub name: ToolName,
    /// The tool's official name.
    pub title: String,
    /// The vendor of the tool's default models; empty if the user chooses the model.
    pub vendor: String,
    /// The programs to look for; the first one found is used.
    pub programs: Vec<String>,
    /// The tool's transports, in order of preference.
    pub transports: Vec<Transport>,
    /// The maximum number of simultaneous calls under one account.
    pub concurrency: usize,
    /// The tool's configuration files and folders in a project. They are left out of the working
    /// copy for a debate.
    #[serde(default)]
    pub config_dirs: Vec<String>,
    /// How to install the tool.
    pub install: Install,
    /// How to get the tool's version.
    pub version: Version,
    /// How to detect whether the user is logged in.
    pub login: Login,
    /// How to start the tool for one answer; `None`: it has no such command line.
    pub cli: Option<Cli>,
    /// How a team member works with the tool; `None`: the tool cannot be restricted to a work tree.
    pub work: Option<Work>,
    /// How to use the tool over the Agent Client Protocol; `None`: not supported.
    pub acp: Option<Acp>,
    /// How to call the tool over HTTP; `None`: it is not a model server.
    pub http: Option<Http>,
    /// The model, for a tool that runs a model in this process.
    pub weights: Option<Weights>,
    /// The tool's environment variables.
    #[serde(default)]
    pub env: Vars,
    /// Files to write into the private folder before a call, by name; in arguments, that folder is
    /// `{private}`.
    #[serde(default)]
    pub files: BTreeMap<String, String>,
    /// How the tool's command line is prevented from interpreting the prompt; `None`: it does not
    /// interpret prompts.
    pub passage: Option<Passage>,
    /// The user's skills that a prompt could invoke by name; `None`: the tool has no such skills.
    pub skills: Option<Skills>,
    /// Whether the tool may take part in debates although it offers tools that its profile does not
    /// list.
    #[serde(default)]
    pub unlisted: bool,
    /// Limits on a call.
    #[serde(default)]
    pub limits: CallLimits,
    /// What is known about the tool's models.
    #[serde(default)]
    pub models: Vec<ModelFacts>,
    /// The tool's models by class; `None` if the user chooses the models.
    pub classes: Option<ModelClasses>,
    /// Whether the profile was never tested and is based only on the documentation.
    #[serde(default)]
    pub untested: bool,
    /// The tool's version with which the profile was measured.
    pub measured: Option<String>,
    /// Whether the tool reads only in the given folder; `None`: not known.
    pub confined: Option<Confined>,
    /// How to check whether the profile is still correct.
    pub probe: Option<Probe>,
}

/// Whether a tool reads only in the folder that it is given.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Confined {
    /// Whether the tool reads only in that folder.
    pub reads: bool,
    /// What enforces this, or why it is not enforced.
    pub why: String,
}

/// How to check whether a profile still matches its tool.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Probe {
    /// Argument lists that print help about the flags in use; the tool is started once for each
    /// list.
    pub help: Vec<Vec<String>>,
    /// Flags that no help text lists.
    pub hidden: Vec<String>,
    /// Variables that make the tool use the server `{url}`, with placeholders for keys; `{home}` is
    /// its private home folder.
    pub env: BTreeMap<String, String>,
    /// Files in the home folder that make the tool use this server, by name.
    pub files: BTreeMap<String, String>,
    /// Models to test with, if the offered tools depend on the model. If empty, only the default
    /// model is tested.
    pub models: Vec<String>,
}

/// How Agon communicates with a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Transport {
    /// The tool's command line, started once for each answer.
    Cli,
    /// The Agent Client Protocol, with one process for a whole conversation.
    Acp,
    /// A model server over HTTP.
    Http,
    /// A model in this process.
    Local,
    /// A person, who answers at any time.
    Human,
}

impl Transport {
    /// All transports.
    pub const ALL: [Self; 5] = [Self::Cli, Self::Acp, Self::Http, Self::Local, Self::Human];

    /// Returns the name used in flags and files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Cli => "cli",
            Self::Acp => "acp",
            Self::Http => "http",
            Self::Local => "local",
            Self::Human => "human",
        }
    }

    /// Returns the transport with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|transport| transport.name() == name)
    }

    /// Returns whether a conversation over this transport can keep its context, so that earlier
    /// text need not be sent again.
    pub fn retains_context(self) -> bool {
        match self {
            Self::Cli | Self::Http | Self::Local | Self::Human => false,
            Self::Acp => true,
        }
    }
}

/// How to install a tool.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Install {
    /// The tool's npm package; a program in it has the package's version.
    pub npm: Option<String>,
    /// The command that installs it.
    pub hint: String,
}

/// How to get a tool's version.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Version {
    /// The arguments that print the version.
    pub args: Vec<String>,
    /// A regular expression whose first group is the version.
    pub pattern: String,
}

/// How to detect whether the user is logged in.
///
/// Yes if one of `env` is set or a file of `files` exists, or if the program exits with 0 when run
/// with `args`. Otherwise unknown if a file of `maybe` exists. Otherwise as `absent` says.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Login {
    /// Arguments of the tool's own check, which exits with 0 for yes.
    #[serde(default)]
    pub args: Vec<String>,
    /// Files that this check reads. When one changes, an earlier answer is no longer used.
    #[serde(default)]
    pub reads: Vec<String>,
    /// Variables that contain credentials.
    #[serde(default)]
    pub env: Vec<String>,
    /// Files that contain credentials.
    #[serde(default)]
    pub files: Vec<FileMark>,
    /// Files that show that a login method is configured, but not whether it works.
    #[serde(default)]
    pub maybe: Vec<FileMark>,
    /// The command that logs in.
    pub command: String,
    /// What it means if no credentials are found.
    pub absent: NoLoginSignMeans,
}

/// What it means if no credentials are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NoLoginSignMeans {
    /// The user is not logged in.
    LoggedOut,
    /// The login state is unknown.
    Unknown,
}

/// A file whose presence is checked.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileMark {
    /// Its path, expanded with [`Environment::expand_path`](crate::Environment::expand_path).
    pub file: String,
    /// Text that the file must contain; if empty, any content will do.
    #[serde(default)]
    pub contains: String,
}

// Large, because Claude Code stores its login in the same file as the history of every project.
/// The size limit, in bytes, of a user file that is read to detect a login.
const MAX_MARK_BYTES: u64 = 64 << 20;

impl FileMark {
    /// Returns whether the file exists and contains the required text.
    pub(crate) fn is_present(&self, here: &crate::Environment) -> bool {
        agon_files::read(&here.expand_path(&self.file), MAX_MARK_BYTES)
            .is_ok_and(|bytes| String::from_utf8_lossy(&bytes).contains(&self.contains))
    }
}

/// How to start a tool for one answer; the prompt is always sent on standard input.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cli {
    /// The dialect that parses the tool's output.
    pub dialect: String,
    /// The arguments. A whole argument may be `{model}`, `{effort}`, `{turns}`,
    /// `{read_only}` (`reads` with a folder to read), `{no_mcp}` or `{session}`, which are replaced by
    /// the lists below, or `{usage_file}`, the path of a file for its usage. `{private}` anywhere is
    /// the folder with the files of [`Profile::files`].
    pub args: Vec<String>,
    /// Arguments that choose a model, with `{name}` in them.
    #[serde(default)]
    pub model: Vec<String>,
    /// Arguments that prevent the tool from writing, running programs and reading files; never
    /// empty.
    pub read_only: Vec<String>,
    /// Like `read_only`, but the tool may read files in its working folder; empty: it cannot be
    /// given a folder.
    #[serde(default)]
    pub reads: Vec<String>,
    /// Arguments that prevent the tool from starting MCP servers.
    #[serde(default)]
    pub no_mcp: Vec<String>,
    /// Arguments that turn off one MCP server, for servers that can only be turned off by name.
    pub no_mcp_each: Option<ArgsPerTableKey>,
    /// Addresses that must respond before the tool is started.
    #[serde(default)]
    pub base_urls: Vec<BaseUrl>,
    /// Arguments that set an effort; an effort without an entry adds none.
    #[serde(default)]
    pub effort: BTreeMap<Effort, Vec<String>>,
    /// Arguments that limit the tool's turns per answer without a folder to read, by effort.
    #[serde(default)]
    pub turns: BTreeMap<Effort, Vec<String>>,
    /// Like `turns`, with a folder to read. Each read is a turn, and a tool that reaches the limit
    /// does not answer, so the limit should stop only a tool that reads endlessly.
    #[serde(default)]
    pub reading_turns: BTreeMap<Effort, Vec<String>>,
    /// How a conversation is saved and resumed; `None`: not supported.
    pub session: Option<Conversations>,
    /// The built-in tools that the tool may offer to its model.
    #[serde(default)]
    pub offer: Offer,
}

/// How a tool saves a conversation and resumes it in another process.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Conversations {
    /// Arguments of a call whose conversation is not saved.
    pub none: Vec<String>,
    /// Arguments of the first call of a saved conversation; `{id}`, if present, is a UUID that
    /// becomes its ID. Without it, the dialect reads the ID from the output.
    pub first: Vec<String>,
    /// Arguments of a call that continues the conversation `{id}`.
    pub again: Vec<String>,
    /// Whether the tool reports the usage of the whole conversation.
    pub cumulative: bool,
    /// Texts that the tool prints for an unknown conversation.
    pub unknown: Vec<String>,
}

impl Conversations {
    /// Returns whether the caller chooses the ID of a conversation.
    pub(crate) fn accepts_our_id(&self) -> bool {
        self.first.iter().any(|arg| arg.contains("{id}"))
    }

    /// Returns whether this output reports an unknown conversation.
    pub(crate) fn is_unknown_conversation(&self, stderr: &[u8]) -> bool {
        let said = String::from_utf8_lossy(stderr);
        self.unknown
            .iter()
            .any(|words| said.contains(words.as_str()))
    }
}

/// Arguments that are repeated for each key of a table in a TOML or JSON file.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ArgsPerTableKey {
    /// The file.
    pub file: String,
    /// The table.
    pub table: String,
    /// The arguments for one key, with `{name}` in them.
    pub args: Vec<String>,
}

/// Where a URL is configured.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, untagged)]
pub enum BaseUrl {
    /// In a variable.
    Env {
        /// The name of the variable.
        env: String,
    },
    /// In a TOML file: `table.NAME.key`, where NAME is the value of the key `named_by`.
    File {
        /// The file.
        file: String,
        /// The key whose value selects the entry.
        named_by: String,
        /// The table of entries.
        table: String,
        /// The key in an entry that contains the URL.
        key: String,
    },
}

/// Limits on a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct CallLimits {
    /// The size limit of the output, in bytes.
    pub output_bytes: usize,
    /// The time between the request to end and the forced end, in milliseconds.
    pub grace_ms: u64,
    /// The time limit for the version and login checks, in milliseconds.
    pub probe_ms: u64,
}

impl Default for CallLimits {
    fn default() -> Self {
        Self {
            output_bytes: 16 * 1024 * 1024,
            grace_ms: 1_500,
            probe_ms: 10_000,
        }
    }
}

impl Profile {
    /// Parses a profile.
    ///
    /// # Errors
    ///
    /// If it is not TOML, has an unknown key, or is not valid: see [`ProfileError`].
    pub fn parse(text: &str) -> Result<Self, ProfileError> {
        let table: toml::Table = toml::from_str(text).map_err(ProfileError::from_toml_error)?;
        Self::from_table(table)
    }

    fn from_table(table: toml::Table) -> Result<Self, ProfileError> {
        let profile: Self = table.try_into().map_err(ProfileError::from_toml_error)?;
        profile.check()?;
        Ok(profile)
    }

    fn check(&self) -> Result<(), ProfileError> {
        refuse::check(self)?;
        if let Some(work) = &self.work {
            refuse_work::check(work)?;
            if work.writes.is_empty() || !work.args.iter().any(|arg| arg == "{access}") {
                return Err(ProfileError::Work);
            }
        }
        let of_work = self.work.iter().flat_map(|work| work.files.keys());
        let of_passage = self.passage.iter().flat_map(Passage::names);
        let mut files = self.files.keys().chain(of_work);
        let mut all = files.clone().chain(of_passage);
        if let Some(name) = all.find(|name| !is_inside_folder(name)) {
            return Err(ProfileError::File(name.clone()));
        }
        if let Some(name) = files.find(|name| is_reserved_file_name(name)) {
            return Err(ProfileError::ReservedFile(name.clone()));
        }
        for way in [Transport::Cli, Transport::Acp] {
            self.host_tool_offer(way)
                .map_or(Ok(()), |offer| offer.check(way))?;
        }
        if regex::Regex::new(&self.version.pattern).map_or(true, |re| re.captures_len() < 2) {
            return Err(ProfileError::Pattern);
        }
        if self.concurrency == 0 {
            return Err(ProfileError::Concurrency);
        }
        for transport in &self.transports {
            let described = match transport {
                Transport::Cli => self.cli.is_some(),
                Transport::Acp => self.acp.is_some(),
                Transport::Http => self.http.is_some(),
                Transport::Local => self.weights.is_some(),
                Transport::Human => true,
            };
            if !described {
                return Err(ProfileError::Transport(transport.name()));
            }
        }
        if self.transports.is_empty() {
            return Err(ProfileError::NoTransport);
        }
        self.cli.as_ref().map_or(Ok(()), Cli::check)?;
        self.acp.as_ref().map_or(Ok(()), Acp::check)?;
        self.http.as_ref().map_or(Ok(()), Http::check)
    }

    /// Returns whether the profile is for a person, who is neither detected nor called.
    pub fn is_human(&self) -> bool {
        self.transports == [Transport::Human]
    }

    /// Addresses that must respond before the tool is started.
    pub(crate) fn base_urls(&self) -> &[BaseUrl] {
        self.cli.as_ref().map_or(&[], |cli| &cli.base_urls)
    }

    /// Returns whether the profile is for a program, which may or may not be installed, and not for
    /// a person or a service.
    pub fn is_program(&self) -> bool {
        let by_program = |way: &Transport| matches!(way, Transport::Cli | Transport::Acp);
        self.transports.iter().any(by_program)
    }

    /// Returns whether the tool can be given a folder to read, whichever transport it uses.
    pub fn can_read_folder(&self) -> bool {
        let cli = self.cli.as_ref();
        let acp = self.acp.as_ref();
        self.http.is_none()
            && self.weights.is_none()
            && cli.is_none_or(|cli| !cli.reads.is_empty())
            && acp.is_none_or(|acp| acp.reads.is_some())
    }

    /// Returns what is known about a model: the first entry whose `matches` is part of its name.
    pub fn model(&self, name: &str) -> Option<&ModelFacts> {
        self.models
            .iter()
            .find(|facts| name.contains(&facts.matches))
    }
}

/// Returns whether this path stays inside its folder.
fn is_inside_folder(name: &str) -> bool {
    let mut parts = std::path::Path::new(name).components();
    let inside = |part| matches!(part, std::path::Component::Normal(_));
    !name.is_empty() && parts.all(inside)
}

/// Returns whether Agon itself uses this file name in a call's folder.
fn is_reserved_file_name(name: &str) -> bool {
    let first = std::path::Path::new(name).components().next();
    let first = first.and_then(|part| part.as_os_str().to_str());
    first.is_some_and(|first| [EMPTY, TEMP, USAGE_FILE].contains(&first))
}

impl Cli {
    fn check(&self) -> Result<(), ProfileError> {
        if crate::dialect::find_dialect(&self.dialect).is_none() {
            return Err(ProfileError::Dialect(self.dialect.clone()));
        }
        let in_use = |list: &str| self.args.iter().any(|arg| arg == list);
        if self.read_only.is_empty() || !in_use("{read_only}") {
            return Err(ProfileError::ReadOnly);
        }
        let no_mcp = !self.no_mcp.is_empty() || self.no_mcp_each.is_some();
        if no_mcp && !in_use("{no_mcp}") {
            return Err(ProfileError::NoMcp);
        }
        if let Some(session) = &self.session
            && !session.again.iter().any(|arg| arg.contains("{id}"))
        {
            return Err(ProfileError::Session);
        }
        Ok(())
    }
}
