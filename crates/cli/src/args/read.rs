//! The flags of the commands that read debates, rules, schemas and the configuration.

use std::path::PathBuf;

use agon_config::default;
use agon_debates::request::{NodeId, StampKind, ToolName};
use agon_report::{REPORT_KINDS, ReportKind};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand, ValueEnum, ValueHint};

use super::complete::{debate_completer, tool_completer};

/// Show the verdict of a debate, or its progress.
#[derive(Clone, Debug, Args)]
#[command(after_help = SHOWS)]
pub(crate) struct ShowArgs {
    /// Folder, name or id of the debate [default: the latest]
    #[arg(add = debate_completer())]
    pub(crate) debate: Option<String>,

    /// Show only this point in full: its text, its evidence and the replies to it
    #[arg(conflicts_with = "section")]
    pub(crate) point: Option<NodeId>,

    /// Show only this section
    #[arg(long)]
    pub(crate) section: Option<SectionName>,

    /// Show at most N entries of the section
    #[arg(long, value_name = "N", requires = "section")]
    pub(crate) limit: Option<usize>,

    /// Show the whole verdict, or every turn in full if there is none yet; with `--section
    /// arguments`, every point in full
    #[arg(long)]
    pub(crate) full: bool,
}

const SHOWS: &str = "\
Examples:
  agon show                       the latest debate: its verdict in short, or its progress
  agon show job-store pro_001a    one point in full
  agon show pro_001a              one point of the latest debate
  agon show job-store --full      the whole verdict
  agon show job-store --section transcript";

/// List or search the debates in this folder.
#[derive(Clone, Debug, Default, Args)]
#[command(after_help = SEARCHES)]
pub(crate) struct ListArgs {
    /// List only debates that contain all these words, best match first
    #[arg(long, value_name = "WORDS")]
    pub(crate) search: Option<String>,

    #[arg(long, value_name = "N",
          help = format!("List at most N debates [default: all; with --search, {}]", default::FOUND_DEBATES))]
    pub(crate) limit: Option<usize>,

    /// Print names, topics and answers in full instead of one line each
    #[arg(long)]
    pub(crate) full: bool,
}

/// Find earlier decisions on a topic.
#[derive(Clone, Debug, Args)]
#[command(after_help = RECALLS)]
pub(crate) struct RecallArgs {
    /// Topic
    #[arg(value_name = "TOPIC", required = true)]
    pub(crate) topic: Vec<String>,

    #[arg(long, value_name = "N",
          help = format!("List at most N decisions [default: {}]", default::RECALLED_DECISIONS))]
    pub(crate) limit: Option<usize>,
}

const RECALLS: &str = "\
Finds debates that have an answer and whose topic shares words with yours, or whose text contains
most of its distinctive words. Each cited place is compared with the current files if the debate
was given a source. The result is same, moved, changed or gone.

Examples:
  agon recall \"where do jobs live?\"
  agon recall \"SQLite or plain files\" --json";

/// Show what debates cost.
#[derive(Clone, Debug, Args)]
#[command(after_help = LEDGER)]
pub(crate) struct UsageArgs {
    /// Count only calls since WHEN: 7d, 24h, 2w, or a day such as 2026-11-01 (UTC)
    #[arg(long, value_name = "WHEN")]
    pub(crate) since: Option<String>,

    /// Group calls by this
    #[arg(long, value_enum, default_value_t = By::Tool)]
    pub(crate) by: By,
}

/// How calls are grouped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum By {
    /// Tool
    Tool,
    /// Debate
    Debate,
    /// Tool and model
    Model,
    /// Day of the call (UTC)
    Day,
}

const LEDGER: &str = "\
The figures come from the journals of the debates in this folder. Cost is what the tools report;
calls without a reported cost are counted separately. Imported debates contain no calls.

Examples:
  agon usage
  agon usage --since 7d --by day
  agon usage --since 2026-11-01 --by debate --json";

const SEARCHES: &str = "\
Searches topics, answers, points, reasons, seats, states, days and names. Ignores word endings and
accents.

Examples:
  agon list --search \"job store\"           both words, in any order
  agon list --search '\"job store\" lease*'  the phrase, and a word that begins with lease
  agon list --search \"codex 2026-11\"       a seat, and a month";

/// A section of a debate, for `agon show --section`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SectionName {
    /// Every turn
    Transcript,
    /// Broken rules
    Findings,
    /// Points of both sides
    Arguments,
    /// Agreements, disagreements, open questions and rigor
    Synthesis,
}

/// Check a debate's folder for damage and broken rules.
#[derive(Clone, Debug, Args)]
#[command(after_help = CHECKS)]
pub(crate) struct CheckArgs {
    /// Folder, name or id of the debate [default: the latest]
    #[arg(add = debate_completer())]
    pub(crate) debate: Option<String>,

    /// Show only findings of this rule
    #[arg(long, value_name = "CODE")]
    pub(crate) rule: Option<String>,

    /// Check every citation again in the stored source and report changes
    #[arg(long)]
    pub(crate) evidence: bool,

    /// Compare the places that each decision in this folder (or DEBATE) cites with the current
    /// files
    #[arg(long, conflicts_with_all = ["rule", "evidence"])]
    pub(crate) stale: bool,
}

const CHECKS: &str = "\
Exits with 8 if there is an error, and with 0 if there are only warnings or nothing. With --stale,
exits with 8 if a place that a decision rests on has changed or is gone. A moved place is fine.

Examples:
  agon check                               the latest debate
  agon check --stale                       every decision of this project
  agon check job-store --rule evidence-wrong
  agon check job-store --evidence          check every citation again";

/// Show every citation of a debate, and the text found there.
#[derive(Clone, Debug, Args)]
#[command(after_help = EVIDENCE_EXAMPLES)]
pub(crate) struct EvidenceArgs {
    /// Folder, name or id of the debate [default: the latest]
    #[arg(add = debate_completer())]
    pub(crate) debate: Option<String>,

    /// Show only citations with this stamp: found, moved, place, wrong, missing, unreachable or
    /// unchecked; repeat for more
    #[arg(long, value_name = "STAMP", value_parser = parse_stamp)]
    pub(crate) stamp: Vec<OnlyStamp>,

    /// Show only the citations of this point
    #[arg(long, value_name = "ID")]
    pub(crate) id: Option<NodeId>,

    /// Include grounds that cite nothing
    #[arg(long)]
    pub(crate) all: bool,

    /// Print all of the stored text of each place
    #[arg(long)]
    pub(crate) full: bool,

    /// Show at most N citations
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<usize>,
}

const EVIDENCE_EXAMPLES: &str = "\
`found` means that the quoted words are at the cited place, not that they prove the claim. `place`
means that the cited place exists and the citation quotes nothing.

Examples:
  agon evidence job-store --stamp wrong --stamp missing
  agon evidence job-store --id pro_001c
  agon evidence job-store --json --limit 20";

/// A stamp given with `--stamp`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OnlyStamp(pub(crate) StampKind);

fn parse_stamp(text: &str) -> Result<OnlyStamp, String> {
    let mut kinds = StampKind::ALL.into_iter();
    let kind = kinds.find(|kind| kind.name() == text).map(OnlyStamp);
    kind.ok_or_else(|| {
        let names = StampKind::ALL.map(StampKind::name).join(", ");
        format!("unknown stamp; use one of {names}")
    })
}

/// Write the report of a debate, or print its verdict or transcript.
#[derive(Clone, Debug, Args)]
#[command(after_help = REPORTS)]
pub(crate) struct ReportArgs {
    /// Folder, name or id of the debate [default: the latest]
    #[arg(add = debate_completer())]
    pub(crate) debate: Option<String>,

    /// Print this format to stdout [default: write README.md, report.html and pictures of the
    /// argument graph into the debate's folder]
    #[arg(long, value_name = "FORMAT", value_parser = report_kind_parser())]
    pub(crate) format: Option<&'static ReportKind>,

    /// Write to PATH; a file's extension sets the format unless --format does; a folder gets the
    /// whole report, or with `--format adr` the next record
    #[arg(short, long, value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub(crate) output: Option<PathBuf>,

    /// Overwrite existing files (those in the debate's folder are kept in .agon/aside/)
    #[arg(long)]
    pub(crate) force: bool,

    /// Let TOOL write a summary of the formal debate, which Agon checks
    #[arg(long, value_name = "TOOL")]
    #[arg(add = tool_completer())]
    pub(crate) narrator: Option<ToolName>,

    /// Model of the narrator
    #[arg(long, value_name = "MODEL", requires = "narrator")]
    pub(crate) model: Option<String>,
}

const REPORTS: &str = "\
Examples:
  agon report                              write the report of the latest debate into its folder
  agon report job-store --format pr        a comment for a pull request, to stdout
  agon report job-store --format adr -o docs/adr/     the next number, in the form used there
  agon report job-store -o shared/         the whole report, in another folder
  agon open job-store                      the page, in your browser";

/// Open the report of a debate in a browser.
#[derive(Clone, Debug, Args)]
#[command(after_help = OPENS)]
pub(crate) struct OpenArgs {
    /// Folder, name or id of the debate [default: the latest]
    #[arg(add = debate_completer())]
    pub(crate) debate: Option<String>,
}

const OPENS: &str = "\
The page is one file, report.html in the debate's folder. It loads nothing from the network.

Examples:
  agon open
  agon open job-store";

/// Delete debates.
#[derive(Clone, Debug, Args)]
#[command(after_help = REMOVES)]
pub(crate) struct RmArgs {
    /// Folders, names or ids of the debates
    #[arg(value_name = "DEBATE", required = true)]
    #[arg(add = debate_completer())]
    pub(crate) debates: Vec<String>,

    /// Delete without asking
    #[arg(short, long)]
    pub(crate) yes: bool,
}

const REMOVES: &str = "\
Asks first, unless --yes is given. Refuses to delete a running debate, a link, or the folder that
you are in.

Examples:
  agon rm job-store
  agon rm job-store cache-store --yes";

fn report_kind_parser() -> impl TypedValueParser<Value = &'static ReportKind> {
    let kinds = REPORT_KINDS.iter();
    let values = kinds.map(|kind| PossibleValue::new(kind.name).help(kind.about));
    PossibleValuesParser::new(values)
        .try_map(|name| ReportKind::find(&name).ok_or("use one of the values"))
}

/// What to do with the rules.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum RulesCommand {
    /// Explain a rule with an example that breaks it
    Explain {
        /// Rule, such as `attack-target`
        code: String,
    },
}

/// Print the JSON Schema of a document, or list the documents.
#[derive(Clone, Debug, Args)]
#[command(after_help = SCHEMAS)]
pub(crate) struct SchemaArgs {
    /// Name of the document [default: list the documents]
    pub(crate) name: Option<String>,
}

const SCHEMAS: &str = "\
Every document printed by --json names its schema, as in \"schema\": \"agon.result/1\". Newer
versions of Agon may add fields without changing the number.

Examples:
  agon schema                     the list
  agon schema result              what agon show and agon debate print
  agon schema agon.check/1        the name in the document works too";

/// What to do with the configuration.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum ConfigCommand {
    /// Print the configuration in effect here, and the keys that are not set
    Show(ConfigShowArgs),
    /// Print the paths of the configuration files: yours and the project's
    Path,
    /// Write a file that lists and explains every key, commented out
    Init(ConfigOwnerArgs),
    /// Open the file in your editor, and create it first if needed
    Edit(ConfigOwnerArgs),
    /// Check every configuration file; exit 3 if one is invalid
    Check,
    /// List the vendors that may be sent material of this project; allow one, or withdraw it
    Consent(ConsentArgs),
}

/// List the vendors that may be sent material of this project; allow one, or withdraw it.
#[derive(Clone, Debug, Args)]
#[command(after_help = CONSENT)]
pub(crate) struct ConsentArgs {
    #[command(subcommand)]
    pub(crate) change: Option<ConsentChange>,
}

/// A change of what may be sent to whom.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum ConsentChange {
    /// Allow vendors in this project; needs a terminal
    Allow {
        /// Vendors, such as anthropic, openai or google
        #[arg(value_name = "VENDOR", required = true)]
        vendors: Vec<String>,
    },
    /// Withdraw your consent for vendors in this project
    Withdraw {
        /// Vendors [default: all]
        #[arg(value_name = "VENDOR")]
        vendors: Vec<String>,

        /// Withdraw them in every project
        #[arg(long)]
        everywhere: bool,
    },
}

const CONSENT: &str = "\
Before Agon first sends material of a project to a vendor, it asks you, once for each project and
vendor. Without a terminal, such as in a script, it uses only tools that you allowed, or that you
name in the command or in your own configuration. The key `vendors` allows vendors in every
project. Models on this machine need no consent.

A withdrawal also holds for debates that were opened before, unless you name the tool.

Examples:
  agon config consent                      the list
  agon config consent allow openai google
  agon config consent withdraw openai
  agon config consent withdraw --everywhere";

/// Print the configuration in effect here, and the keys that are not set.
#[derive(Clone, Debug, Args)]
#[command(after_help = CONFIG_SHOW)]
pub(crate) struct ConfigShowArgs {
    /// Parts to print: config (debates), or agents, flags, profiles, teams, mcp (teams) [default:
    /// all]
    #[arg(value_name = "PART", hide_possible_values = true)]
    pub(crate) parts: Vec<PartName>,

    /// Show where every value is set (for a team's settings, with the line)
    #[arg(long)]
    pub(crate) sources: bool,

    /// Use this team profile instead of the configured one
    #[arg(long, value_name = "NAME")]
    pub(crate) team_profile: Option<String>,
}

/// A part of the configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PartName {
    /// Settings of debates
    Config,
    /// How each role of a team runs
    Agents,
    /// Default behavior of a team
    Flags,
    /// Named sets of team settings
    Profiles,
    /// The roles of each team
    Teams,
    /// MCP servers, and the roles that get them
    Mcp,
}

const CONFIG_SHOW: &str = "\
A team's settings are in five files: agents.toml, flags.toml, profiles.toml, teams.toml and
mcp.toml, next to your own configuration and in the project's .agon folder. For flags, the value
in effect is printed: AGON_FLAG_NAME overrides the profile, which overrides the files.

Examples:
  agon config show --sources
  agon config show config
  agon config show flags --sources --team-profile strict
  agon schema agents                the keys of agents.toml";

/// Which configuration file to use.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct ConfigOwnerArgs {
    /// Use the project's agon.toml instead of your own file
    #[arg(long)]
    pub(crate) project: bool,
}
