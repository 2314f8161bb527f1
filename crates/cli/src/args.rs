//! Command-line arguments.

use std::path::PathBuf;

use agon_config::default;
use agon_debates::request::{CONTEXT_SEPARATOR, Effort, Seat, Transport};
use clap::{Arg, ArgAction, Args, Parser, Subcommand, ValueHint};

use crate::error::{Code, Failure};

mod ask;
mod batch;
mod complete;
mod consult;
mod context;
mod debate;
mod exit;
mod formal;
mod graph;
mod groups;
mod hook;
mod hosts;
mod init;
mod live;
mod model;
mod ops;
mod parse;
mod read;
mod replay;
mod review;
mod roster;
mod skills;
mod steer;
mod team;
mod tools;
mod trial;
mod wait;
mod watch;
mod web;

pub(crate) use ask::AskArgs;
pub(crate) use batch::BatchArgs;
pub(crate) use complete::{COMPLETION_VARIABLE, complete_if_asked};
pub(crate) use consult::ConsultArgs;
pub(crate) use context::ContextArgs;
pub(crate) use debate::{ContinueOptions, DebateArgs, ResumeArgs, SeatArgs};
pub(crate) use formal::{FormalSeatArgs, NewArgs, RunArgs};
pub(crate) use graph::GraphArgs;
pub(crate) use groups::{HelpDetail, command};
pub(crate) use hook::HookArgs;
pub(crate) use hosts::{
    ContentName, HostsArgs, HostsCommand, InstallArgs, InstallTargetArgs, LintArgs, ScopeName,
    UninstallArgs,
};
pub(crate) use init::InitArgs;
pub(crate) use live::LiveArgs;
pub(crate) use model::ModelCommand;
pub(crate) use ops::OpsCommand;
pub(crate) use read::{
    By, CheckArgs, ConfigCommand, ConfigOwnerArgs, ConfigShowArgs, ConsentArgs, ConsentChange,
    EvidenceArgs, ListArgs, OpenArgs, PartName, RecallArgs, ReportArgs, RmArgs, RulesCommand,
    SchemaArgs, SectionName, ShowArgs, UsageArgs,
};
pub(crate) use replay::{DemoArgs, PaceArgs, ReplayArgs};
pub(crate) use review::{ChangeReviewArgs, ReviewFormat};
pub(crate) use roster::{MatrixArgs, RoleArgs, RosterArgs, RosterCommand};
pub(crate) use skills::{
    ExplainArgs, ImportArgs, MatchArgs, SkillsCommand, SkillsLintArgs, SkillsListArgs,
    SkillsShowArgs,
};
pub(crate) use steer::{ContinueArgs, DecideArgs, JudgeArgs, SayArgs, StopArgs};
pub(crate) use team::{
    AddArgs, ClaimedTaskArgs, CleanArgs, DepCommand, EditArgs, GateAddArgs, GateCommand, LandArgs,
    ListTasksArgs, LockTakeArgs, PolicyCommand, PolicyCompileArgs, PolicyExplainArgs,
    PrecommitCommand, ReviewArgs, SendArgs, SpecArgs, StartArgs, TeamBy, TeamCommand,
    TeamDoctorArgs, TeamExportArgs, TeamImportArgs, TeamLockCommand, TeamLogArgs, TeamMailCommand,
    TeamRunArgs, TeamStatusArgs, TeamTaskCommand, TeamUsageArgs, TeamWatchArgs, TurnArgs,
    WorktreeCommand,
};
pub(crate) use tools::{DoctorArgs, ToolsCommand};
pub(crate) use trial::{
    TrialArgs, TrialCommand, TrialFormat, TrialGenerateArgs, TrialRunArgs, TrialShowArgs,
};
pub(crate) use wait::WaitArgs;
pub(crate) use watch::WatchArgs;
pub(crate) use web::WebArgs;

#[cfg(test)]
mod printed_commands;

/// Make AI tools argue a decision, and get a verdict that you can check.
#[derive(Debug, Parser)]
#[command(name = "agon", version, max_term_width = 98)]
#[command(disable_help_flag = true, disable_version_flag = true)]
#[command(arg = help_arg(), arg = help_all_arg(), arg = version_arg())]
#[command(after_help = EXAMPLES, after_long_help = EXAMPLES_AND_EXIT_CODES)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,

    #[command(flatten)]
    pub(crate) global: Global,
}

const EXAMPLES: &str = "\
Examples:
  agon demo                       watch a recorded debate, offline
  agon init                       find your AI tools and choose who debates
  agon debate \"REST or GraphQL?\"  let two argue it and a third judge";

const EXAMPLES_AND_EXIT_CODES: &str = "\
Examples:
  agon demo                       watch a recorded debate, offline
  agon init                       find your AI tools and choose who debates
  agon debate \"REST or GraphQL?\"  let two argue it and a third judge
  agon new, then agon run         hold a formal debate, exchange by exchange

Exit codes:
    0  done; for a debate: a judge ruled on it
    1  the debate ended without a verdict
    2  usage error, or the named debate or file does not exist
    3  invalid configuration
    4  a tool is missing or logged out
    5  a limit was reached before a verdict
    6  the debate's folder is locked, edited by hand or from a newer Agon, or the disk is full
    7  an uncontested verdict: only one side was heard, or no judge ruled
       with --exit-code or --require full: any verdict with less than full authority
       consult: not every tool answered; install, skills import: something was left as it is
       review: nothing was found, but the verdict is not a full yes
       roster check: an installed agent differs from the roster
    8  check, hosts lint, skills lint, roster check or skills import found errors
       review: a defect or a standing objection is at least as severe as --fail-on
    9  batch, trial: some debates or answers failed
   70  a bug in Agon
  130  cancelled; `agon resume` continues a debate";

const RULES: &str = "\
Set the severity of a rule in the configuration, for example: rules.reply-words = \"warning\"

Examples:
  agon rules
  agon rules explain attack-target";

const ERRORS: &str = "\
Examples:
  agon errors
  agon errors too_few_tools";

const CONFIG: &str = "\
Flags override variables such as AGON_ROUNDS. Variables override the project's agon.toml, which
overrides your own file. A team's settings (agents, flags, profiles, teams, mcp) are in files
next to yours and in the project's .agon folder.

Examples:
  agon config path                print where the files are
  agon config init                write your own file, with every key in it
  agon config show --sources      print every value and where it is set";

const COMPLETIONS: &str = "\
Completes commands, flags, tools and the debates in this folder. To enable it, run:

  bash        echo 'source <(agon completions bash)' >> ~/.bashrc
  zsh         echo 'source <(agon completions zsh)' >> ~/.zshrc
  fish        agon completions fish > ~/.config/fish/completions/agon.fish
  elvish      agon completions elvish >> ~/.config/elvish/rc.elv
  powershell  agon completions powershell >> $PROFILE";

/// Returns the flag `-h, --help`. `command` hides the options that only `--help-all` shows.
fn help_arg() -> Arg {
    Arg::new("help")
        .short('h')
        .long("help")
        .help("Print help")
        .global(true)
        .action(ArgAction::HelpShort)
}

fn help_all_arg() -> Arg {
    Arg::new("help_all")
        .long("help-all")
        .help("Print help with every option")
        .global(true)
        .action(ArgAction::HelpShort)
}

/// Returns the flag `-V, --version`. `version::answer` reads its `--verbose`.
fn version_arg() -> Arg {
    Arg::new("version")
        .short('V')
        .long("version")
        .help("Print version (with --verbose, also commit, features and target)")
        .action(ArgAction::Version)
}

/// Options of every command.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct Global {
    /// Print one JSON document instead of text
    #[arg(long, global = true)]
    pub(crate) json: bool,

    /// Keep debates in DIR [default: debates]
    #[arg(long, global = true, hide_short_help = true, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) debates_dir: Option<PathBuf>,

    /// Use profile NAME of the configuration
    #[arg(long, global = true, hide_short_help = true, value_name = "NAME")]
    pub(crate) profile: Option<String>,

    /// Wrap output at N columns [default: terminal width, at most 110; never when piped]
    #[arg(long, global = true, hide_short_help = true, value_name = "N", value_parser = parse_width)]
    pub(crate) width: Option<usize>,

    /// Do not use a pager
    #[arg(long, global = true, hide_short_help = true)]
    pub(crate) no_pager: bool,
}

impl Global {
    /// Rejects `--json` for `what`, which has no JSON form; `hint` says what to do instead.
    ///
    /// # Errors
    ///
    /// Returns an error if `--json` is given.
    pub(crate) fn refuse_json(&self, what: &str, hint: &str) -> Result<(), Failure> {
        match self.json {
            false => Ok(()),
            true => {
                let message = format!("--json does not apply to {what}");
                Err(Failure::new(Code::NotJson, message)
                    .parameter("json")
                    .hint(hint))
            }
        }
    }
}

/// Defines [`Command`], and a function that describes only one of its commands to clap.
macro_rules! commands {
    ($(
        $(#[$about:meta])*
        $variant:ident $(($args:ty))? $({ $($fields:tt)* })?,
    )*) => {
        /// The commands.
        #[derive(Debug, Subcommand)]
        pub(crate) enum Command {
            $($(#[$about])* $variant $(($args))? $({ $($fields)* })?,)*
        }

        impl Command {
            /// Adds the command `name` to a command line, and no other; `None` if there is none.
            fn add_only(name: &str, line: clap::Command) -> Option<clap::Command> {
                if name.contains(|c: char| !c.is_ascii_lowercase()) {
                    return None;
                }
                $(if stringify!($variant).eq_ignore_ascii_case(name) {
                    #[derive(Subcommand)]
                    enum Only {
                        $(#[$about])* $variant $(($args))? $({ $($fields)* })?,
                    }
                    return Some(Only::augment_subcommands(line));
                })*
                None
            }
        }
    };
}

commands! {
    /// Let two AI tools argue a topic, and a third one judge
    Debate(Box<DebateArgs>),
    /// Ask several AI tools one question, without a debate
    Consult(Box<ConsultArgs>),
    /// Debate a change and list its defects
    Review(Box<ChangeReviewArgs>),
    /// Run many debates from a file
    Batch(Box<BatchArgs>),
    /// Measure whether a debate is worth its price
    Trial(Box<TrialArgs>),
    /// Open a formal debate: a motion, two sides, a judge who scores every argument
    New(NewArgs),
    /// Run exchanges of a formal debate
    Run(Box<RunArgs>),
    /// Resume a debate that was stopped or cut off
    Resume(ResumeArgs),
    /// Watch a debate that runs in the background, and see its verdict
    Watch(WatchArgs),
    /// Wait until a background debate ends, for programs
    Wait(WaitArgs),
    /// Finish a debate, or add rounds to one that has ended
    Continue(ContinueArgs),
    /// Add a note or the output of a command to a debate
    Say(SayArgs),
    /// Send a debate to the judge now
    Judge(JudgeArgs),
    /// Stop a running debate; `agon resume` continues it
    Stop(StopArgs),
    /// Show the verdict of a debate, or its progress
    Show(ShowArgs),
    /// Ask a tool about a debate; it answers from the record
    Ask(Box<AskArgs>),
    /// List or search the debates in this folder
    List(ListArgs),
    /// Record whether you took the answer of a debate, and why
    Decide(DecideArgs),
    /// Find earlier decisions on a topic, and check that their evidence is unchanged
    Recall(RecallArgs),
    /// Show what debates cost: calls, tokens, money, time
    Usage(UsageArgs),
    /// Show every citation of a debate, and the text found there
    Evidence(EvidenceArgs),
    /// Replay a debate from its record and report differences
    Replay(ReplayArgs),
    /// Watch a recorded debate, offline
    Demo(DemoArgs),
    /// Check a debate's folder for damage and broken rules (writes nothing)
    Check(CheckArgs),
    /// Write the report of a debate, or print its verdict or transcript
    Report(ReportArgs),
    /// Open the report of a debate in a browser
    Open(OpenArgs),
    /// Show, start and steer debates in a browser
    Web(WebArgs),
    /// Delete debates
    Rm(RmArgs),
    /// Solve the argument graph of a debate or a file
    Graph(Box<GraphArgs>),
    /// Find your AI tools and choose who debates
    Init(InitArgs),
    /// Show which AI tools are installed and logged in
    #[command(after_help = TOOLS)]
    Tools {
        #[command(subcommand)]
        command: Option<ToolsCommand>,
    },
    /// List or download built-in models
    Model {
        #[command(subcommand)]
        command: ModelCommand,
    },
    /// List the rules of a debate, or explain one
    #[command(after_help = RULES)]
    Rules {
        #[command(subcommand)]
        command: Option<RulesCommand>,
    },
    /// List the error codes, or explain one
    #[command(after_help = ERRORS)]
    Errors {
        /// Error code, such as `unknown_tool`
        code: Option<String>,
    },
    /// Add your own arguments or scores to a formal debate
    Ops {
        #[command(subcommand)]
        command: OpsCommand,
    },
    /// Print the JSON Schema of a document, or list the documents
    Schema(SchemaArgs),
    /// Show, edit and check the configuration
    #[command(after_help = CONFIG)]
    Config {
        #[command(subcommand)]
        command: ConfigCommand,
    },
    /// Print shell completions, or how to install them
    #[command(after_help = COMPLETIONS)]
    Completions {
        /// Shell [default: show how to install completions for your shell]
        shell: Option<clap_complete::Shell>,
    },
    /// Serve AI tools over the Model Context Protocol on stdin and stdout
    #[command(after_help = MCP_HELP)]
    Mcp,
    /// Serve an editor over the Agent Client Protocol on stdin and stdout
    #[command(after_help = ACP_HELP)]
    Acp,
    /// Hook entry point; AI tools call it before and after each tool use
    Hook(HookArgs),
    /// Install Agon into your AI tools: server, skills, commands, agents
    Install(InstallArgs),
    /// Remove Agon from your AI tools and restore their files
    Uninstall(UninstallArgs),
    /// Check that your AI tools see what is installed in them
    Hosts(HostsArgs),
    /// Show the roles of a team, and how each AI tool runs them
    Roster(RosterArgs),
    /// Check whether the context of an AI tool's session is still good
    Context(Box<ContextArgs>),
    /// Match, show, lint and import skills
    Skills {
        #[command(subcommand)]
        command: SkillsCommand,
    },
    /// Let several agents work on one repository
    Team {
        #[command(subcommand)]
        command: TeamCommand,
    },
    /// Print the manual page
    Man,
}

const TOOLS: &str = "\
Examples:
  agon tools
  agon tools doctor --deep";

const MCP_HELP: &str = "\
AI tools start this server: add `agon mcp` to the tool's list of MCP servers.
Its model can then start debates, wait for their turns, read verdicts, and consult other tools.
Each debate runs in its own process and outlives the server. The limits for runs without a
terminal apply.

  agon install                    adds it, with skills, commands and agents
  claude mcp add --scope user agon -- agon mcp
  codex mcp add agon -- agon mcp";

const ACP_HELP: &str = "\
Editors start this server: add `agon acp` to the editor's list of agents, then choose Agon in its
agent panel. The first prompt is the topic, and both sides read the files that it mentions. The
rounds appear as the plan, turns appear as they end, and the verdict is the answer. Each later
prompt is a question about the debate; `continue` resumes the debate itself. Cancelling stops it;
closing the editor does not.
Modes: quick, default, deep, formal.

For example, in Zed's settings:
  \"agent_servers\": {\"Agon\": {\"type\": \"custom\", \"command\": \"agon\", \"args\": [\"acp\"]}}";

/// Parses a transport from the command line.
pub(crate) fn parse_transport(text: &str) -> Result<Transport, String> {
    Transport::from_name(text).ok_or_else(|| {
        let transports = Transport::ALL.map(Transport::name);
        format!("transport must be one of {}", transports.join(", "))
    })
}

/// Parses a seat from the command line.
pub(crate) fn parse_seat(text: &str) -> Result<Seat, String> {
    text.parse()
        .map_err(|_| "unknown seat; use a name such as proposer or judge-2".to_owned())
}

/// Returns the help of an effort flag for `whom`, with the default of the configuration.
fn effort_help(whom: &str) -> String {
    let default = default::EFFORT.name();
    format!("Reasoning effort of {whom}: low, medium, high or max [default: {default}]")
}

/// Returns the help of `--context`, with the default of the configuration.
fn context_help(default: &str) -> String {
    format!(
        "Give every seat: none, diff (uncommitted changes), commit=A..B, file=PATH, dir=DIR (repeatable), session (a brief) or repo [default: {default}]"
    )
}

/// Joins the values of `--context` into the single text that a request needs.
pub(crate) fn join_context(named: &[String]) -> Option<String> {
    (!named.is_empty()).then(|| named.join(&CONTEXT_SEPARATOR.to_string()))
}

/// Parses a duration in whole seconds, from 1 to `most`.
pub(crate) fn parse_duration(text: &str, most: u64) -> Result<u64, String> {
    match agon_config::parse_seconds(text)? {
        0 => Err("must be more than 0".to_owned()),
        seconds if seconds > most => Err(format!("must be at most {} hours", most / 3_600)),
        seconds => Ok(seconds),
    }
}

/// Parses the time limit of one answer or command: at most a day.
pub(crate) fn parse_timeout(text: &str) -> Result<u64, String> {
    parse_duration(text, 86_400)
}

/// Parses the time limit of a debate: at most a week.
pub(crate) fn parse_max_time(text: &str) -> Result<u64, String> {
    parse_duration(text, 604_800)
}

/// Parses a positive number of tokens or calls, such as `4000`, `100k` or `1.5M`.
pub(crate) fn parse_amount(text: &str) -> Result<u64, String> {
    match agon_config::parse_number(text)? {
        0 => Err("must be more than 0".to_owned()),
        amount => Ok(amount),
    }
}

/// Parses a number of calls.
pub(crate) fn parse_calls(text: &str) -> Result<u32, String> {
    let calls = parse_amount(text)?;
    u32::try_from(calls).map_err(|_| format!("must be at most {}", u32::MAX))
}

/// Parses a line width in columns.
fn parse_width(text: &str) -> Result<usize, String> {
    parse_count(text, crate::surroundings::WIDTHS)
}

/// Parses a whole number within `range`.
pub(crate) fn parse_count<T>(text: &str, range: std::ops::RangeInclusive<T>) -> Result<T, String>
where
    T: TryFrom<u64> + PartialOrd + std::fmt::Display,
{
    let number = agon_config::parse_number(text).ok();
    let number = number.and_then(|number| T::try_from(number).ok());
    let number = number.filter(|number| range.contains(number));
    number.ok_or_else(|| format!("must be a number from {} to {}", range.start(), range.end()))
}

/// Parses an effort from the command line.
pub(crate) fn parse_effort(text: &str) -> Result<Effort, String> {
    text.parse()
}
