//! The flags of the commands that read.

use std::path::PathBuf;

use agon_debate::spec::ToolName;
use clap::{Args, Subcommand, ValueEnum, ValueHint};

/// Show where a debate stands, or its verdict.
#[derive(Clone, Debug, Args)]
pub(crate) struct ShowArgs {
    /// The debate: a folder, a name or an id [default: the only one]
    pub(crate) debate: Option<String>,

    /// Only a section of it
    #[arg(long)]
    pub(crate) section: Option<Section>,

    /// The most entries of a section
    #[arg(long, value_name = "N", requires = "section")]
    pub(crate) limit: Option<usize>,
}

/// A section of a debate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Section {
    /// What was said
    Transcript,
    /// Which rules were broken
    Findings,
    /// The points made
    Arguments,
}

/// Check that a debate's folder is whole and keeps the rules.
#[derive(Clone, Debug, Args)]
pub(crate) struct CheckArgs {
    /// The debate: a folder, a name or an id [default: the only one]
    pub(crate) debate: Option<String>,

    /// Only findings of this rule
    #[arg(long, value_name = "CODE")]
    pub(crate) rule: Option<String>,
}

/// Render a debate.
#[derive(Clone, Debug, Args)]
pub(crate) struct ReportArgs {
    /// The debate: a folder, a name or an id [default: the only one]
    pub(crate) debate: Option<String>,

    /// What to render, to stdout; without it the whole report goes into the debate's folder:
    /// README.md, report.html, and of a formal debate its argument graph as pictures
    #[arg(long, value_enum)]
    pub(crate) format: Option<ReportKind>,

    /// Write what is rendered to this file
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,

    /// Let a tool write an account of the formal debate, which is checked
    #[arg(long, value_name = "TOOL")]
    pub(crate) narrator: Option<ToolName>,

    /// The narrator's model
    #[arg(long, value_name = "MODEL", requires = "narrator")]
    pub(crate) model: Option<String>,
}

/// What to render.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReportKind {
    /// The verdict, as Markdown
    Verdict,
    /// The verdict, as JSON
    Json,
    /// What was said, as Markdown
    Transcript,
    /// The report, as Markdown
    Md,
    /// The report, as one page for a browser
    Html,
    /// The argument graph, as a Mermaid flowchart
    Mermaid,
    /// The argument graph, for Graphviz
    Dot,
    /// The argument graph, as a picture
    Svg,
    /// The argument graph, as a picture in pixels
    Png,
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
pub(crate) struct SchemaArgs {
    /// The document; without it, the list
    pub(crate) name: Option<String>,
}

/// The configuration.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum ConfigCommand {
    /// Print the configuration that holds here
    Show {
        /// Say where every value comes from
        #[arg(long)]
        sources: bool,
    },
}
