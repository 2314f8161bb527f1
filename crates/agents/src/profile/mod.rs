//! Tools as data: what a tool is, how it is found, started and understood.

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
pub use service_variables::ServiceVariables;
pub use skills::Skills;
pub(crate) use variables::hold_git_to;
pub use variables::{PassWhen, TOOL_VARIABLES, Vars};
pub use weights::{LOCAL, Weights};
pub(crate) use work::WorkValues;
pub use work::{Access, Work};
pub use work_policy::{KeptSettings, PolicyMisfit, PolicyPlace, WorkPolicy};

/// Everything there is to know about a tool.
///
/// Written in TOML; a key that is not known is an error.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// What it is called in flags and files.
    pub name: ToolName,
    /// What its maker calls it.
    pub title: String,
    /// Who makes its default models; empty when that is the user's choice.
    pub vendor: String,
    /// The programs to look for, the first found winning.
    pub programs: Vec<String>,
    /// How it can be spoken to, by preference.
    pub transports: Vec<Transport>,
    /// Calls at once under one account.
    pub concurrency: usize,
    /// What it reads from a project: left out of a seat's working copy.
    #[serde(default)]
    pub config_dirs: Vec<String>,
    /// How to get it.
    pub install: Install,
    /// How to ask its version.
    pub version: Version,
    /// How to tell whether someone is logged in.
    pub login: Login,
    /// How to start it for one answer; none: it has no such command line.
    pub cli: Option<Cli>,
    /// How a member of a team works with it; none: it cannot be held to a work tree.
    pub work: Option<Work>,
    /// How to speak to it over the Agent Client Protocol; none: it does not.
    pub acp: Option<Acp>,
    /// How to ask it over HTTP; none: it is not a model's server.
    pub http: Option<Http>,
    /// Which model answers, of a tool that is a model in this process.
    pub weights: Option<Weights>,
    /// Its environment.
    #[serde(default)]
    pub env: Vars,
    /// Files that are written into the private folder of a call before it, by name; an argument
    /// names that folder `{private}`.
    #[serde(default)]
    pub files: BTreeMap<String, String>,
    /// How its command line is kept from reading the prompt; none: it reads nothing there.
    pub passage: Option<Passage>,
    /// The skills of the user's that a prompt could name; none: it reads no such name.
    pub skills: Option<Skills>,
    /// Whether it is seated although it was seen to offer tools that no list names.
    #[serde(default)]
    pub unlisted: bool,
    /// Bounds on a call.
    #[serde(default)]
    pub limits: CallLimits,
    /// What is known of its models.
    #[serde(default)]
    pub models: Vec<ModelFacts>,
    /// Its models for little and for much thought; none where they are the user's own choice.
    pub classes: Option<ModelClasses>,
    /// Whether it was never tried: it is written to what its maker says.
    #[serde(default)]
    pub untested: bool,
    /// The version that all of this was measured with.
    pub measured: Option<String>,
    /// Whether it reads in the folder it is given alone.
    pub confined: Option<Confined>,
    /// How to find out whether all of this still holds.
    pub probe: Option<Probe>,
}

/// Whether a tool that is given a folder to read in reads there alone.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Confined {
    /// Whether it does.
    pub reads: bool,
    /// By what, or why not.
    pub why: String,
}

/// How to find out whether a profile still fits its tool.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Probe {
    /// Arguments that print help with the switches that are used; a start each.
    pub help: Vec<Vec<String>>,
    /// Switches that no help lists.
    pub hidden: Vec<String>,
    /// Variables that point it at the server `{url}`, with placeholders for keys; `{home}` is the
    /// private home it runs in.
    pub env: BTreeMap<String, String>,
    /// Files in that home that do the same, by name.
    pub files: BTreeMap<String, String>,
    /// Models to ask with, where what is offered depends on the model; none: its own choice alone.
    pub models: Vec<String>,
}

/// How a tool is spoken to: its transport.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Transport {
    /// One start of its command line for each answer.
    Cli,
    /// One start for a whole conversation, over the Agent Client Protocol.
    Acp,
    /// A model's server, asked over HTTP.
    Http,
    /// A model in this process.
    Local,
    /// A person, who answers in their own time.
    Human,
}

impl Transport {
    /// Every way.
    pub const ALL: [Self; 5] = [Self::Cli, Self::Acp, Self::Http, Self::Local, Self::Human];

    /// The name used in flags and files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Cli => "cli",
            Self::Acp => "acp",
            Self::Http => "http",
            Self::Local => "local",
            Self::Human => "human",
        }
    }

    /// The way with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|transport| transport.name() == name)
    }

    /// Whether a conversation may go on where it was: what it was told once it need not be told
    /// again.
    pub fn retains_context(self) -> bool {
        match self {
            Self::Cli | Self::Http | Self::Local | Self::Human => false,
            Self::Acp => true,
        }
    }
}

/// How to get a tool.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Install {
    /// Its npm package; a program found inside it has that package's version.
    pub npm: Option<String>,
    /// The command that installs it.
    pub hint: String,
}

/// How to ask for a version.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Version {
    /// The arguments.
    pub args: Vec<String>,
    /// A regular expression whose first group is the version.
    pub pattern: String,
}

/// How to tell whether someone is logged in.
///
/// One of `env` set, or a file of `files` there: yes. Else a program run with
/// `args` that ends with 0: yes. Else a file of `maybe` there: not known. Else
/// `absent`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Login {
    /// Arguments of the tool's own check, which ends with 0 for yes.
    #[serde(default)]
    pub args: Vec<String>,
    /// Variables that hold credentials.
    #[serde(default)]
    pub env: Vec<String>,
    /// Files that hold credentials.
    #[serde(default)]
    pub files: Vec<FileMark>,
    /// Files that show a way to log in which cannot be checked from outside.
    #[serde(default)]
    pub maybe: Vec<FileMark>,
    /// The command that logs in.
    pub command: String,
    /// What it means that there is no sign of a login.
    pub absent: NoLoginSignMeans,
}

/// What it means that there is no sign of a login.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NoLoginSignMeans {
    /// The user is not logged in.
    LoggedOut,
    /// It cannot be told.
    Unknown,
}

/// A file that says something by being there.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileMark {
    /// Where, as [`Environment::expand_path`](crate::Environment::expand_path) reads it.
    pub file: String,
    /// What has to stand in it; nothing: any content.
    #[serde(default)]
    pub contains: String,
}

// Claude Code keeps the history of every project in the file that also has the login.
/// The most bytes of a file of the user's that are read to look for a login.
const MAX_MARK_BYTES: u64 = 64 << 20;

impl FileMark {
    /// Whether the file is there and has what it has to.
    pub(crate) fn is_present(&self, here: &crate::Environment) -> bool {
        agon_files::read(&here.expand_path(&self.file), MAX_MARK_BYTES)
            .is_ok_and(|bytes| String::from_utf8_lossy(&bytes).contains(&self.contains))
    }
}

/// How to start a tool for one answer; the prompt always goes to its stdin.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cli {
    /// Who reads what it prints.
    pub dialect: String,
    /// The arguments. A whole argument may be `{model}`, `{effort}`, `{turns}`,
    /// `{read_only}` (`reads` where it is given a folder), `{no_mcp}` or `{session}`, which stand for
    /// the lists below, or `{usage_file}`, the path of a file it writes its usage to. `{private}`
    /// anywhere is the folder with the files of [`Profile::files`].
    pub args: Vec<String>,
    /// How a model is chosen, with `{name}` in it.
    #[serde(default)]
    pub model: Vec<String>,
    /// What keeps it from writing and running anything, and from reading files; never empty.
    pub read_only: Vec<String>,
    /// The same, but that it reads files in the folder it runs in; empty: it cannot be given one.
    #[serde(default)]
    pub reads: Vec<String>,
    /// What keeps it from starting MCP servers.
    #[serde(default)]
    pub no_mcp: Vec<String>,
    /// MCP servers that can only be switched off by name.
    pub no_mcp_each: Option<ArgsPerTableKey>,
    /// Addresses that must answer before it is worth a start.
    #[serde(default)]
    pub base_urls: Vec<BaseUrl>,
    /// Arguments by effort; a missing step has none.
    #[serde(default)]
    pub effort: BTreeMap<Effort, Vec<String>>,
    /// What bounds the turns of its own that it takes for one answer without a folder, by effort.
    #[serde(default)]
    pub turns: BTreeMap<Effort, Vec<String>>,
    /// The same where it reads in a folder. Each read is a turn, and an answer that is ended by this
    /// bound has no text: it stops a tool that reads in circles, and no other.
    #[serde(default)]
    pub reading_turns: BTreeMap<Effort, Vec<String>>,
    /// How a conversation is kept and taken up again; none: it cannot be.
    pub session: Option<Conversations>,
    /// The tools of its own that it may offer its model.
    #[serde(default)]
    pub offer: Offer,
}

/// How a tool keeps a conversation, and takes it up again in another start of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Conversations {
    /// Arguments of a call that is not to be kept.
    pub none: Vec<String>,
    /// Arguments of the first call of a conversation that is; `{id}`, where it is there, is a
    /// UUID that becomes its name. Without it, the name is what the dialect reads.
    pub first: Vec<String>,
    /// Arguments of a call that goes on with the conversation `{id}`.
    pub again: Vec<String>,
    /// Whether the usage it reports is that of the whole conversation.
    pub cumulative: bool,
    /// What it says of a conversation that it does not know, any of these.
    pub unknown: Vec<String>,
}

impl Conversations {
    /// Whether a conversation gets the name that we give it.
    pub(crate) fn accepts_our_id(&self) -> bool {
        self.first.iter().any(|arg| arg.contains("{id}"))
    }

    /// Whether this says that there is no such conversation.
    pub(crate) fn is_unknown_conversation(&self, stderr: &[u8]) -> bool {
        let said = String::from_utf8_lossy(stderr);
        self.unknown
            .iter()
            .any(|words| said.contains(words.as_str()))
    }
}

/// Arguments for each key of a table in a TOML or JSON file.
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

/// Where an address stands.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, untagged)]
pub enum BaseUrl {
    /// In a variable.
    Env {
        /// Its name.
        env: String,
    },
    /// In a TOML file: `table.NAME.key`, where the key `named_by` says NAME.
    File {
        /// The file.
        file: String,
        /// The key that says which entry counts.
        named_by: String,
        /// The table of entries.
        table: String,
        /// The key of the address in an entry.
        key: String,
    },
}

/// Bounds on a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct CallLimits {
    /// Bytes of output that are read.
    pub output_bytes: usize,
    /// Milliseconds from being asked to end to being ended.
    pub grace_ms: u64,
    /// Milliseconds for saying a version, or whether someone is logged in.
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
    /// Reads a profile.
    ///
    /// # Errors
    ///
    /// If it is not TOML, has a key that is not known, or breaks a rule: see
    /// [`ProfileError`].
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

    /// Whether it stands for a person, who is neither looked for nor called.
    pub fn is_human(&self) -> bool {
        self.transports == [Transport::Human]
    }

    /// Addresses that must answer before it is worth a start.
    pub(crate) fn base_urls(&self) -> &[BaseUrl] {
        self.cli.as_ref().map_or(&[], |cli| &cli.base_urls)
    }

    /// Whether it is a program, which is installed or not; else it is a person or a service that
    /// is there without.
    pub fn is_program(&self) -> bool {
        let by_program = |way: &Transport| matches!(way, Transport::Cli | Transport::Acp);
        self.transports.iter().any(by_program)
    }

    /// Whether it can be given a folder to read in, by every way it is spoken to.
    pub fn can_read_folder(&self) -> bool {
        let cli = self.cli.as_ref();
        let acp = self.acp.as_ref();
        self.http.is_none()
            && self.weights.is_none()
            && cli.is_none_or(|cli| !cli.reads.is_empty())
            && acp.is_none_or(|acp| acp.reads.is_some())
    }

    /// What is known of a model, by the first entry whose `matches` is in its name.
    pub fn model(&self, name: &str) -> Option<&ModelFacts> {
        self.models
            .iter()
            .find(|facts| name.contains(&facts.matches))
    }
}

/// Whether a file of this name stays in the folder it is written to.
fn is_inside_folder(name: &str) -> bool {
    let mut parts = std::path::Path::new(name).components();
    let inside = |part| matches!(part, std::path::Component::Normal(_));
    !name.is_empty() && parts.all(inside)
}

/// Whether a file of this name is where a call writes a file of its own.
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
