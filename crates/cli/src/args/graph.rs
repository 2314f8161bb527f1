//! The flags of `agon graph`.

use agon_config::default;
use agon_debates::request::{
    BaseWeights, FileFormat, Gradual, GraphFormat, MeasureName, Reading, Semantics, Task,
};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueHint};

/// Solve the argument graph of a debate or a file.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct GraphArgs {
    /// Debate (folder, name or id), or file with a graph; - reads stdin [default: the latest
    /// debate]
    #[arg(value_name = "DEBATE|FILE", value_hint = ValueHint::AnyPath)]
    pub(crate) graph: Option<String>,

    /// What to compute [default: strength; extensions for a file that has only attacks]
    #[arg(long, value_name = "TASK", value_parser = named_choice_parser(TASKS, Task::name))]
    pub(crate) task: Option<Task>,

    /// Semantics of the graph [default: quadratic-energy for strengths, grounded for sets]
    #[arg(long, value_name = "NAME", value_parser = reading_parser(), hide_possible_values = true)]
    pub(crate) semantics: Option<Reading>,

    /// Remove a node and show what changes; repeat, or separate with commas, for more
    #[arg(long, value_name = "ID", value_delimiter = ',')]
    pub(crate) without: Vec<String>,

    /// Node to show contributions to; with --against, one of two nodes to compare
    #[arg(long, value_name = "ID")]
    pub(crate) topic: Option<String>,

    /// Node to compare with --topic [default: the other side's position]
    #[arg(long, value_name = "ID", requires = "topic")]
    pub(crate) against: Option<String>,

    /// How to measure a contribution [default: removal]
    #[arg(long, value_name = "MEASURE", value_parser = named_choice_parser(MEASURES, MeasureName::name))]
    pub(crate) measure: Option<MeasureName>,

    /// Base weights: `scored` (from scores or the file), `equal`, or a number from 0 to 1
    #[arg(long, value_name = "WEIGHTS", default_value = "scored", value_parser = parse_base_weights)]
    pub(crate) base: BaseWeights,

    /// Write the graph instead of solving it
    #[arg(long, value_name = "FORMAT", value_parser = named_choice_parser(GRAPH_FORMATS, GraphFormat::name), conflicts_with_all = ["task", "semantics"])]
    pub(crate) format: Option<GraphFormat>,

    /// Format of the file [default: from its extension]
    #[arg(long, value_name = "FROM", value_parser = named_choice_parser(FILE_FORMATS, FileFormat::name))]
    pub(crate) from: Option<FileFormat>,

    /// List at most N extensions or sets
    #[arg(long, value_name = "N", default_value_t = default::LISTED_SETS)]
    pub(crate) limit: usize,

    /// Stop a search after N solver conflicts or evaluations of the graph
    #[arg(long, value_name = "N", default_value_t = default::SEARCH_WORK, value_parser = agon_config::parse_number)]
    pub(crate) work: u64,
}

/// Returns a parser of named values, each with one line of help.
fn named_choice_parser<T: Copy + Send + Sync + 'static>(
    all: &'static [(T, &'static str)],
    name: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    let values = all
        .iter()
        .map(|(it, about)| PossibleValue::new(name(*it)).help(*about));
    PossibleValuesParser::new(values).try_map(move |text| {
        let known = all.iter().find(|(it, _)| name(*it) == text);
        known.map(|(it, _)| *it).ok_or("use one of the values")
    })
}

const TASKS: &[(Task, &str)] = &[
    (
        Task::Strength,
        "Strength of each node, who leads, and what that depends on",
    ),
    (
        Task::Contributions,
        "What each node adds to the strength of --topic",
    ),
    (
        Task::Flip,
        "Smallest sets of nodes whose removal lets the other side lead",
    ),
    (
        Task::Extensions,
        "Sets of nodes that can be accepted together",
    ),
    (
        Task::Acceptance,
        "Nodes accepted by some set, and by every set",
    ),
];

const MEASURES: &[(MeasureName, &str)] = &[
    (
        MeasureName::Removal,
        "Change in strength if the node is removed",
    ),
    (
        MeasureName::Intrinsic,
        "The same for the node alone, without its attackers and supporters",
    ),
    (
        MeasureName::Shapley,
        "The node's share of the difference between base weight and strength",
    ),
    (
        MeasureName::Gradient,
        "Rate of change of the strength with the node's base weight",
    ),
];

const FILE_FORMATS: &[(FileFormat, &str)] = &[
    (
        FileFormat::I23,
        "Attacks between numbered arguments (.i23, .af)",
    ),
    (FileFormat::Apx, "Attacks between named arguments (.apx)"),
    (
        FileFormat::Tgf,
        "Attacks and supports between named arguments (.tgf)",
    ),
    (
        FileFormat::Bag,
        "Attacks and supports with base weights (.bag)",
    ),
    (
        FileFormat::Aif,
        "Argument Interchange Format of AIFdb (.json, .aif)",
    ),
];

const GRAPH_FORMATS: &[(GraphFormat, &str)] = &[
    (
        GraphFormat::I23,
        "Attacks between numbered arguments, as in the ICCMA competitions",
    ),
    (GraphFormat::Apx, "Attacks between named arguments"),
    (
        GraphFormat::Tgf,
        "Attacks and supports between named arguments",
    ),
    (GraphFormat::Bag, "Attacks and supports with base weights"),
    (GraphFormat::Aif, "Argument Interchange Format of AIFdb"),
    (GraphFormat::Mermaid, "Diagram for Mermaid"),
    (GraphFormat::Dot, "Diagram for Graphviz"),
];

fn reading_parser() -> impl TypedValueParser<Value = Reading> {
    let gradual = Gradual::ALL.map(|it| PossibleValue::new(it.name()));
    let sets = Semantics::ALL.map(|it| {
        let code = it.iccma_code();
        PossibleValue::new(it.name()).aliases([code.to_owned(), code.to_lowercase()])
    });
    PossibleValuesParser::new(gradual.into_iter().chain(sets)).try_map(|text| {
        let by_code = text.to_uppercase();
        let sets = text.parse().or_else(|_| by_code.parse());
        match (text.parse(), sets) {
            (Ok(gradual), _) => Ok(Reading::Gradual(gradual)),
            (Err(_), Ok(sets)) => Ok(Reading::Sets(sets)),
            (Err(error), Err(_)) => Err(error),
        }
    })
}

fn parse_base_weights(text: &str) -> Result<BaseWeights, String> {
    let number = |text: &str| text.parse().ok().filter(|it| (0.0..=1.0).contains(it));
    match text {
        "scored" => Ok(BaseWeights::Scored),
        "equal" => Ok(BaseWeights::All(0.5)),
        other => number(other)
            .map(BaseWeights::All)
            .ok_or_else(|| "use scored, equal or a number from 0 to 1".to_owned()),
    }
}

const EXAMPLES: &str = "\
The graph of a debate:
  agon graph job-store                          strengths, who leads, and why
  agon graph job-store --without pro_001a       what changes without this point
  agon graph job-store --task contributions --measure shapley
                                                what each point adds to each position
  agon graph job-store --task flip --limit 5    sets of points that change who leads
  agon graph job-store --task acceptance --semantics preferred
                                                using only its attacks
  agon graph job-store --format bag > job-store.bag

The graph in a file:
  agon graph claims.bag --semantics df-quad
  agon graph claims.bag --task flip --topic buy --against sell
  agon graph instance.af --task extensions --semantics stable --limit 1
  agon graph instance.af --task acceptance --semantics preferred --json
  curl … | agon graph - --from aif

Semantics for strengths, with weights, attacks and supports:
  df-quad  squared-df-quad  quadratic-energy  euler  euler-top  mlp
  h-categoriser  max-based  card-based          only attacks
  Semantics for sets, with only attacks (codes: GR CO PR ST SST STG ID EAG):
  grounded  complete  preferred  stable  semi-stable  stage  ideal  eager

In a debate, each argument supports its side's position. Objections and attacks weaken their
targets, answers weaken objections, and a concession weakens a point of its own side. Nodes have
the ids of the debate; the positions are position.proposer, position.opposition and so on.
Configure the weights of edges under [graph], such as grounds = 0.9, before the debate starts.

Exits with 5 if a search stops at --work; the results so far are printed.";
