//! The flags of the commands that read.

use std::path::PathBuf;

use agon_config::default;
use agon_debates::request::{NodeId, StampKind, ToolName};
use agon_report::{REPORT_KINDS, ReportKind};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand, ValueEnum, ValueHint};

use super::complete::{debate_completer, tool_completer};

/// Show where a debate stands, or its verdict.
#[derive(Clone, Debug, Args)]
#[command(after_help = SHOWS)]
pub(crate) struct ShowArgs {
    /// The debate: a folder, a name or an id [default: the latest]
    #[arg(add = debate_completer())]
    pub(crate) debate: Option<String>,

    /// Only this point, whole: what it says, what it rests on, and what was said of it
    #[arg(conflicts_with = "section")]
    pub(crate) point: Option<NodeId>,

    /// Only a section of it
    #[arg(long)]
    pub(crate) section: Option<SectionName>,

    /// The most entries of a section
    #[arg(long, value_name = "N", requires = "section")]
    pub(crate) limit: Option<usize>,

    /// All that the verdict says, or each turn whole as long as there is none; with `--section
    /// arguments` each point whole
    #[arg(long)]
    pub(crate) full: bool,
}

const SHOWS: &str = "\
Examples:
  agon show                       the latest debate: its verdict in short, or where it stands
  agon show job-store pro_001a    one point, whole
  agon show pro_001a              the same of the latest debate
  agon show job-store --full      the whole verdict
  agon show job-store --section transcript";

/// List the debates here, or search them.
#[derive(Clone, Debug, Default, Args)]
#[command(after_help = SEARCHES)]
pub(crate) struct ListArgs {
    /// Only debates in which all these words stand, the best first
    #[arg(long, value_name = "WORDS")]
    pub(crate) search: Option<String>,

    #[arg(long, value_name = "N",
          help = format!("The most debates to list [default: all, of a search {}]", default::FOUND_DEBATES))]
    pub(crate) limit: Option<usize>,

    /// Names, topics and answers whole, instead of a line each
    #[arg(long)]
    pub(crate) full: bool,
}

/// Recall what was decided near a topic.
#[derive(Clone, Debug, Args)]
#[command(after_help = RECALLS)]
pub(crate) struct RecallArgs {
    /// The topic
    #[arg(value_name = "TOPIC", required = true)]
    pub(crate) topic: Vec<String>,

    #[arg(long, value_name = "N",
          help = format!("The most decisions [default: {}]", default::RECALLED_DECISIONS))]
    pub(crate) limit: Option<usize>,
}

const RECALLS: &str = "\
Recalled are debates with an answer that share the topic's words, or have most of its telling ones
in what they say. Where nothing is near, it says so. Each place that a debate cites is compared
with the files here now, as far as the debate was given a source: it is the same, has moved, has
changed or is gone.

Examples:
  agon recall \"where do jobs live?\"
  agon recall \"SQLite or plain files\" --json";

/// What debates have cost.
#[derive(Clone, Debug, Args)]
#[command(after_help = LEDGER)]
pub(crate) struct UsageArgs {
    /// Only calls since then: 7d, 24h, 2w, or a day such as 2026-11-01 (UTC)
    #[arg(long, value_name = "WHEN")]
    pub(crate) since: Option<String>,

    /// What the calls are added up by
    #[arg(long, value_enum, default_value_t = By::Tool)]
    pub(crate) by: By,
}

/// What calls are added up by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum By {
    /// The tool that was called
    Tool,
    /// The debate it was called for
    Debate,
    /// The tool and its model
    Model,
    /// The day of the call (UTC)
    Day,
}

const LEDGER: &str = "\
The figures come from the journals of the debates here. Money is what tools report themselves;
calls that reported none are counted beside it. Debates of other tools have no calls.

Examples:
  agon usage
  agon usage --since 7d --by day
  agon usage --since 2026-11-01 --by debate --json";

const SEARCHES: &str = "\
Searched are topics, answers, the points made, reasons, seats, states, days and names.
Word endings and accents do not count.

Examples:
  agon list --search \"job store\"           both words, anywhere
  agon list --search '\"job store\" lease*'  the phrase, and a word that begins with lease
  agon list --search \"codex 2026-11\"       a seat, and a month";

/// A section of a debate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SectionName {
    /// What was said
    Transcript,
    /// Which rules were broken
    Findings,
    /// The points made
    Arguments,
    /// What it came to beyond the answer: agreements, disagreements, what stays open, rigor
    Synthesis,
}

/// Check that a debate's folder is whole and keeps the rules.
#[derive(Clone, Debug, Args)]
#[command(after_help = CHECKS)]
pub(crate) struct CheckArgs {
    /// The debate: a folder, a name or an id [default: the latest]
    #[arg(add = debate_completer())]
    pub(crate) debate: Option<String>,

    /// Only findings of this rule
    #[arg(long, value_name = "CODE")]
    pub(crate) rule: Option<String>,

    /// Look every citation up again in what is kept of the source, and say what is no longer as recorded
    #[arg(long)]
    pub(crate) evidence: bool,

    /// Compare the places that each decision here cites with the project as it is now, or those of DEBATE
    #[arg(long, conflicts_with_all = ["rule", "evidence"])]
    pub(crate) stale: bool,
}

const CHECKS: &str = "\
It ends with 8 where anything is an error, and with 0 where all is good or only warned of. With
--stale it ends with 8 where a decision rests on a place that has changed or is gone; one that has
moved still stands.

Examples:
  agon check                               the latest debate
  agon check --stale                       every decision of this project
  agon check job-store --rule evidence-wrong
  agon check job-store --evidence          looks every citation up again";

/// Show every place that a debate cites, what was found there, and the real text.
#[derive(Clone, Debug, Args)]
#[command(after_help = EVIDENCE_EXAMPLES)]
pub(crate) struct EvidenceArgs {
    /// The debate: a folder, a name or an id [default: the latest]
    #[arg(add = debate_completer())]
    pub(crate) debate: Option<String>,

    /// Only places with this stamp: found, moved, place, wrong, missing, unreachable or unchecked; may be given several times
    #[arg(long, value_name = "STAMP", value_parser = parse_stamp)]
    pub(crate) stamp: Vec<OnlyStamp>,

    /// Only those of this point
    #[arg(long, value_name = "ID")]
    pub(crate) id: Option<NodeId>,

    /// Also grounds that name no place
    #[arg(long)]
    pub(crate) all: bool,

    /// All of the real text that is kept of a place
    #[arg(long)]
    pub(crate) full: bool,

    /// The most places to show
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<usize>,
}

const EVIDENCE_EXAMPLES: &str = "\
`found` means that the words stand at the place, never that they prove the claim; `place` that
there is such a place, of which nothing was quoted.

Examples:
  agon evidence job-store --stamp wrong --stamp missing
  agon evidence job-store --id pro_001c
  agon evidence job-store --json --limit 20";

/// A stamp that was asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OnlyStamp(pub(crate) StampKind);

fn parse_stamp(text: &str) -> Result<OnlyStamp, String> {
    let mut kinds = StampKind::ALL.into_iter();
    let kind = kinds.find(|kind| kind.name() == text).map(OnlyStamp);
    kind.ok_or_else(|| {
        let names = StampKind::ALL.map(StampKind::name).join(", ");
        format!("there is no such stamp; there are {names}")
    })
}

/// Render a debate.
#[derive(Clone, Debug, Args)]
#[command(after_help = REPORTS)]
pub(crate) struct ReportArgs {
    /// The debate: a folder, a name or an id [default: the latest]
    #[arg(add = debate_completer())]
    pub(crate) debate: Option<String>,

    /// What to render, to stdout; without it the whole report goes into the debate's folder:
    /// README.md, report.html and its argument graph as pictures
    #[arg(long, value_name = "FORMAT", value_parser = report_kind_parser())]
    pub(crate) format: Option<&'static ReportKind>,

    /// Write to this file, whose ending says what is rendered unless --format does; a folder gets
    /// the whole report and the documents of the debate
    #[arg(short, long, value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub(crate) output: Option<PathBuf>,

    /// Replace files that are in the way; those in the debate's folder are kept in .agon/aside/
    #[arg(long)]
    pub(crate) force: bool,

    /// Let a tool write an account of the formal debate, which is checked
    #[arg(long, value_name = "TOOL")]
    #[arg(add = tool_completer())]
    pub(crate) narrator: Option<ToolName>,

    /// The narrator's model
    #[arg(long, value_name = "MODEL", requires = "narrator")]
    pub(crate) model: Option<String>,
}

const REPORTS: &str = "\
Examples:
  agon report                              the whole report of the latest debate, into its folder
  agon report job-store --format pr        a comment for a pull request, to stdout
  agon report job-store --format adr -o docs/adr/0007-job-store.md
  agon report job-store -o shared/         all of it, in a folder of its own
  agon open job-store                      the page, in your browser";

/// Show a debate's page in a browser.
#[derive(Clone, Debug, Args)]
#[command(after_help = OPENS)]
pub(crate) struct OpenArgs {
    /// The debate: a folder, a name or an id [default: the latest]
    #[arg(add = debate_completer())]
    pub(crate) debate: Option<String>,
}

const OPENS: &str = "\
The page is one file, report.html in the debate's folder, and asks nothing of the network.

Examples:
  agon open
  agon open job-store";

/// Remove debates, with all that was said in them.
#[derive(Clone, Debug, Args)]
#[command(after_help = REMOVES)]
pub(crate) struct RmArgs {
    /// The debates: folders, names or ids
    #[arg(value_name = "DEBATE", required = true)]
    #[arg(add = debate_completer())]
    pub(crate) debates: Vec<String>,

    /// Do not ask
    #[arg(short, long)]
    pub(crate) yes: bool,
}

const REMOVES: &str = "\
Asks first, unless --yes. A debate that runs, a link and the folder you are in are refused.

Examples:
  agon rm job-store
  agon rm job-store cache-store --yes";

fn report_kind_parser() -> impl TypedValueParser<Value = &'static ReportKind> {
    let kinds = REPORT_KINDS.iter();
    let values = kinds.map(|kind| PossibleValue::new(kind.name).help(kind.about));
    PossibleValuesParser::new(values)
        .try_map(|name| ReportKind::find(&name).ok_or("use one of the values"))
}

/// The rules, or one of them.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum RulesCommand {
    /// Explain a rule, with an example that breaks it
    Explain {
        /// The rule, such as `attack-target`
        code: String,
    },
}

/// Print a JSON Schema.
#[derive(Clone, Debug, Args)]
#[command(after_help = SCHEMAS)]
pub(crate) struct SchemaArgs {
    /// The document; without it, the list
    pub(crate) name: Option<String>,
}

const SCHEMAS: &str = "\
Every document that --json prints names its schema, as in \"schema\": \"agon.result/1\". Later
versions of the same number may have more fields.

Examples:
  agon schema                     the list
  agon schema result              what agon show and agon debate print
  agon schema agon.check/1        by the name in the document";

/// The configuration.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum ConfigCommand {
    /// Print the configuration that holds here, and which keys are not set
    Show(ConfigShowArgs),
    /// Print where its files are: yours, and the project's
    Path,
    /// Write a file with every key in it, each with what it is for, commented out
    Init(WhoseArgs),
    /// Open the file in your editor, written first where it is not there
    Edit(WhoseArgs),
    /// Read every file again, and say what is wrong with it; exit 3 if anything is
    Check,
}

/// Print the configuration that holds here, and which keys are not set.
#[derive(Clone, Debug, Args)]
#[command(after_help = CONFIG_SHOW)]
pub(crate) struct ConfigShowArgs {
    /// Only these parts: config (what debates are held with), or of a team's settings agents, flags,
    /// profiles, teams, mcp [default: all of them]
    #[arg(value_name = "PART", hide_possible_values = true)]
    pub(crate) parts: Vec<PartName>,

    /// Say where every value comes from: of a team's settings with the line
    #[arg(long)]
    pub(crate) sources: bool,

    /// The profile of a team, instead of the one that is configured
    #[arg(long, value_name = "NAME")]
    pub(crate) team_profile: Option<String>,
}

/// A part of the configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PartName {
    /// What debates are held with
    Config,
    /// How the roles of a team are run
    Agents,
    /// What a team does unless it is told otherwise
    Flags,
    /// Named sets of choices for a team
    Profiles,
    /// Who belongs to a team
    Teams,
    /// Servers, and which roles get them
    Mcp,
}

const CONFIG_SHOW: &str = "\
A team's settings are five files: agents.toml, flags.toml, profiles.toml, teams.toml and mcp.toml,
beside your own configuration, and in the folder .agon of the project. Of flags the value that holds
is shown: AGON_FLAG_NAME comes before the profile, and that before the files.

Examples:
  agon config show --sources
  agon config show config
  agon config show flags --sources --team-profile strict
  agon schema agents                what agents.toml may have";

/// Whose file is meant.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct WhoseArgs {
    /// The project's file, agon.toml, instead of your own
    #[arg(long)]
    pub(crate) project: bool,
}
