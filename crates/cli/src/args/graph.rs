//! The flags of `agon graph`.

use agon_config::default;
use agon_debates::request::{
    BaseWeights, FileFormat, Gradual, GraphFormat, MeasureName, Reading, Semantics, Task,
};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueHint};

/// Solve an argument graph: a debate's, or one in a file.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct GraphArgs {
    /// The debate (a folder, a name or an id) or a file with a graph; - is stdin [default: the
    /// latest debate]
    #[arg(value_name = "DEBATE|FILE", value_hint = ValueHint::AnyPath)]
    pub(crate) graph: Option<String>,

    /// What to work out [default: strength; for a file of attacks alone, extensions]
    #[arg(long, value_name = "TASK", value_parser = named_choice_parser(TASKS, Task::name))]
    pub(crate) task: Option<Task>,

    /// How to read the graph [default: quadratic-energy for strengths, grounded for sets]
    #[arg(long, value_name = "NAME", value_parser = reading_parser(), hide_possible_values = true)]
    pub(crate) semantics: Option<Reading>,

    /// Strike a node and show what moves; can be given again, and takes lists: a,b
    #[arg(long, value_name = "ID", value_delimiter = ',')]
    pub(crate) without: Vec<String>,

    /// The node that is asked about: contributions to it, or with --against what turns the two
    #[arg(long, value_name = "ID")]
    pub(crate) topic: Option<String>,

    /// The node that --topic is compared with [default: the other side's position]
    #[arg(long, value_name = "ID", requires = "topic")]
    pub(crate) against: Option<String>,

    /// What a contribution is [default: removal]
    #[arg(long, value_name = "MEASURE", value_parser = named_choice_parser(MEASURES, MeasureName::name))]
    pub(crate) measure: Option<MeasureName>,

    /// Where strengths start: `scored` by scores or the file, `equal`, or a number from 0 to 1
    #[arg(long, value_name = "WEIGHTS", default_value = "scored", value_parser = parse_base_weights)]
    pub(crate) base: BaseWeights,

    /// Write the graph instead of solving it
    #[arg(long, value_name = "FORMAT", value_parser = named_choice_parser(GRAPH_FORMATS, GraphFormat::name), conflicts_with_all = ["task", "semantics"])]
    pub(crate) format: Option<GraphFormat>,

    /// The format of the file [default: by its ending]
    #[arg(long, value_name = "FROM", value_parser = named_choice_parser(FILE_FORMATS, FileFormat::name))]
    pub(crate) from: Option<FileFormat>,

    /// The most extensions or sets to list
    #[arg(long, value_name = "N", default_value_t = default::LISTED_SETS)]
    pub(crate) limit: usize,

    /// Give a search up after this much: conflicts of the solver, or evaluations of the graph
    #[arg(long, value_name = "N", default_value_t = default::SEARCH_WORK, value_parser = agon_config::parse_number)]
    pub(crate) work: u64,
}

/// Values with a name and a line of help each.
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
        "How strong each node is, who leads, and what that hangs on",
    ),
    (
        Task::Contributions,
        "What each node adds to a topic's strength",
    ),
    (
        Task::Flip,
        "The smallest sets of nodes without which the other side leads",
    ),
    (
        Task::Extensions,
        "Which sets of nodes can be accepted together",
    ),
    (
        Task::Acceptance,
        "Which nodes some, and which every such set accepts",
    ),
];

const MEASURES: &[(MeasureName, &str)] = &[
    (MeasureName::Removal, "What would be lost without the node"),
    (
        MeasureName::Intrinsic,
        "The same for the node by itself, whatever speaks about it",
    ),
    (
        MeasureName::Shapley,
        "Its share of the way from base weight to strength; all shares add up to it",
    ),
    (
        MeasureName::Gradient,
        "How fast the strength changes with the node's base weight",
    ),
];

const FILE_FORMATS: &[(FileFormat, &str)] = &[
    (FileFormat::I23, "Attacks between numbers (.i23, .af)"),
    (FileFormat::Apx, "Attacks between names (.apx)"),
    (FileFormat::Tgf, "Attacks and supports between names (.tgf)"),
    (FileFormat::Bag, "The same with base weights (.bag)"),
    (
        FileFormat::Aif,
        "The argument interchange format of AIFdb (.json, .aif)",
    ),
];

const GRAPH_FORMATS: &[(GraphFormat, &str)] = &[
    (
        GraphFormat::I23,
        "Attacks between numbers, as in the ICCMA competitions",
    ),
    (GraphFormat::Apx, "Attacks between names"),
    (GraphFormat::Tgf, "Attacks and supports between names"),
    (GraphFormat::Bag, "The same with base weights"),
    (GraphFormat::Aif, "The argument interchange format of AIFdb"),
    (GraphFormat::Mermaid, "A drawing for Mermaid"),
    (GraphFormat::Dot, "A drawing for Graphviz"),
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
What a debate's graph says:
  agon graph job-store                          strengths, who leads, what it hangs on
  agon graph job-store --without pro_001a       what moves if that had not been said
  agon graph job-store --task contributions --measure shapley
                                                what each point adds to either position
  agon graph job-store --task flip --limit 5    sets of points that turn it, smallest first
  agon graph job-store --task acceptance --semantics preferred
                                                by its attacks alone
  agon graph job-store --format bag > job-store.bag

A file:
  agon graph claims.bag --semantics df-quad
  agon graph claims.bag --task flip --topic buy --against sell
  agon graph instance.af --task extensions --semantics stable --limit 1
  agon graph instance.af --task acceptance --semantics preferred --json
  curl … | agon graph - --from aif

Semantics by strength, for weights, attacks and supports:
  df-quad  squared-df-quad  quadratic-energy  euler  euler-top  mlp
  h-categoriser  max-based  card-based          attacks alone
Semantics by sets, for attacks alone (or by code: GR CO PR ST SST STG ID EAG):
  grounded  complete  preferred  stable  semi-stable  stage  ideal  eager

In a debate each argument supports its side's position, objections and attacks weaken their
targets, answers weaken objections, and a concession weakens a point of one's own. Nodes are named
as in the debate; the positions are position.proposer, position.opposition and so on. What an edge
carries is configured under [graph], such as grounds = 0.9, before a debate is opened.

Exit code 5: a search was given up at --work; what was found until then is printed.";
