//! The flags of the commands that read.

use clap::{Args, Subcommand, ValueEnum};

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

/// Render a debate to stdout.
#[derive(Clone, Debug, Args)]
pub(crate) struct ReportArgs {
    /// The debate: a folder, a name or an id [default: the only one]
    pub(crate) debate: Option<String>,

    /// What to render
    #[arg(long, value_enum, default_value_t = ReportKind::Verdict)]
    pub(crate) format: ReportKind,
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
