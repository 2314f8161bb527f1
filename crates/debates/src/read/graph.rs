//! Solves argument graphs of debates or files.

mod export;
mod file;
mod question;
mod sets;
mod source;
mod strengths;

use std::io::Read;

use agon_argue::{ArgId, Gradual, Semantics};
use agon_caller::{Caller, Code, Failure, Hint, Notes};
use agon_verdict::graph::{GRAPH_SCHEMA, GraphDoc, NodeKind};

use self::question::Question;
use self::source::{Graph, GraphSource};
use crate::request::{GraphFormat, GraphRequest, Reading, Task};

/// The solution of a graph.
#[derive(Clone, Debug, PartialEq)]
pub struct Solved {
    /// The document for programs.
    pub document: GraphDoc,
    /// Whether the search stopped early, so that results may be missing.
    pub is_given_up: bool,
}

/// Solves the requested graph; `input` is the content for `-`.
///
/// # Errors
///
/// If there is no such graph, or the question does not apply to it.
pub fn solve(
    caller: &Caller,
    request: &GraphRequest,
    input: &mut dyn Read,
    notes: &mut dyn Notes,
) -> Result<Solved, Failure> {
    let whole = GraphSource::open(caller, request, input, notes)?;
    let struck = struck_nodes(&whole, &request.without)?;
    let left = without_struck(&whole, &struck);
    let question = Question {
        request,
        whole: &whole,
        left: left.as_ref().unwrap_or(&whole),
        struck: &struck,
    };
    let (task, reading) = task_and_reading(request, &whole)?;
    let mut document = GraphDoc {
        schema: GRAPH_SCHEMA.to_owned(),
        graph: whole.name.clone(),
        format: whole.format.clone(),
        nodes: question.left.names.len(),
        task: task.name().to_owned(),
        without: source::node_names(&whole, &struck),
        ..GraphDoc::default()
    };
    let is_given_up = match reading {
        Reading::Gradual(semantics) => {
            document.semantics = semantics.name().to_owned();
            strengths::solve_by_strength(&question, task, semantics, &mut document)?
        }
        Reading::Sets(semantics) => {
            document.semantics = semantics.name().to_owned();
            sets::solve_by_sets(&question, task, semantics, &mut document)?
        }
    };
    Ok(Solved {
        document,
        is_given_up,
    })
}

/// Exports the requested graph in `format`, without the struck nodes.
///
/// # Errors
///
/// If there is no such graph, or the format cannot express it.
pub fn export(
    caller: &Caller,
    request: &GraphRequest,
    format: GraphFormat,
    input: &mut dyn Read,
    notes: &mut dyn Notes,
) -> Result<String, Failure> {
    let whole = GraphSource::open(caller, request, input, notes)?;
    let struck = struck_nodes(&whole, &request.without)?;
    export::text(
        without_struck(&whole, &struck).as_ref().unwrap_or(&whole),
        format,
    )
}

/// Returns the graph without the struck nodes; `None` if no node is struck.
fn without_struck(whole: &GraphSource, struck: &[ArgId]) -> Option<GraphSource> {
    (!struck.is_empty()).then(|| whole.without_nodes(struck))
}

/// Returns the struck nodes in order.
fn struck_nodes(whole: &GraphSource, names: &[String]) -> Result<Vec<ArgId>, Failure> {
    let mut struck = names
        .iter()
        .map(|name| {
            let at = whole.find(name.trim(), "without")?;
            let position = |at: ArgId| {
                let node = &whole.debate()?.nodes()[at.index()];
                (node.kind == NodeKind::Position).then_some(())
            };
            if position(at).is_some() {
                let message = format!("cannot strike {name}: it is the claim that a side defends");
                return Err(Failure::new(Code::Position, message)
                    .hint("strike the points that support it")
                    .parameter("without"));
            }
            Ok(at)
        })
        .collect::<Result<Vec<_>, _>>()?;
    struck.sort_unstable();
    struck.dedup();
    Ok(struck)
}

/// Returns the task and the semantics, with defaults for what was not given.
fn task_and_reading(
    request: &GraphRequest,
    source: &GraphSource,
) -> Result<(Task, Reading), Failure> {
    let by_strength = Reading::Gradual(Gradual::QuadraticEnergy);
    let by_sets = Reading::Sets(Semantics::Grounded);
    let attacks = matches!(source.graph, Graph::Attacks(_));
    match (request.task, request.semantics) {
        (None, None) if request.topic.is_some() || request.measure.is_some() => {
            Ok((Task::Contributions, by_strength))
        }
        (None, None) if attacks => Ok((Task::Extensions, by_sets)),
        (None, None) => Ok((Task::Strength, by_strength)),
        (None, Some(reading @ Reading::Gradual(_))) => Ok((Task::Strength, reading)),
        (None, Some(reading @ Reading::Sets(_))) => Ok((Task::Extensions, reading)),
        (Some(task @ (Task::Strength | Task::Contributions | Task::Flip)), reading) => {
            match reading.unwrap_or(by_strength) {
                reading @ Reading::Gradual(_) => Ok((task, reading)),
                Reading::Sets(semantics) => {
                    Err(mismatch_failure(task, semantics.name(), "strength"))
                }
            }
        }
        (Some(task @ (Task::Extensions | Task::Acceptance)), reading) => {
            match reading.unwrap_or(by_sets) {
                reading @ Reading::Sets(_) => Ok((task, reading)),
                Reading::Gradual(semantics) => {
                    Err(mismatch_failure(task, semantics.name(), "sets"))
                }
            }
        }
    }
}

fn mismatch_failure(task: Task, semantics: &str, kind: &str) -> Failure {
    let message = format!(
        "the semantics {semantics} cannot solve the task {}",
        task.name()
    );
    Failure::new(Code::Semantics, message)
        .hint(
            Hint::new(format!("choose a semantics by {kind}: run "))
                .quoted("graph --help")
                .text(" for a list"),
        )
        .parameter("semantics")
}
