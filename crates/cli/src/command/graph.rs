//! `agon graph`: what an argument graph says.

mod export;
mod sets;
mod source;
mod strengths;
mod text;

use agon_argue::{ArgId, Gradual, Semantics};
use agon_verdict::graph::{GRAPH_SCHEMA, GraphDoc, NodeKind};

use crate::args::{Global, GraphArgs, Reading, Task};
use crate::edge::Edge;
use crate::error::{Exit, Failure};
use crate::output::Out;
use source::{Graph, Source};

/// A graph, whole and with some nodes struck, and what is asked of it.
struct Question<'a> {
    args: &'a GraphArgs,
    whole: &'a Source,
    /// What is left; the same when nothing is struck.
    left: &'a Source,
    struck: &'a [ArgId],
}

/// Solves a graph, or writes it in another format.
pub(crate) fn run(
    edge: &Edge,
    global: &Global,
    args: &GraphArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let whole = Source::open(edge, global, args, out)?;
    let struck = struck(&whole, &args.without)?;
    let less = (!struck.is_empty()).then(|| whole.without(&struck));
    let left = less.as_ref().unwrap_or(&whole);
    if let Some(format) = args.format {
        return export::write(left, format, out);
    }
    let question = Question {
        args,
        whole: &whole,
        left,
        struck: &struck,
    };
    let (task, reading) = asked(args, &whole)?;
    let mut doc = GraphDoc {
        schema: GRAPH_SCHEMA.to_owned(),
        graph: whole.name.clone(),
        format: whole.format.clone(),
        nodes: left.names.len(),
        task: task.name().to_owned(),
        without: struck
            .iter()
            .map(|at| whole.names[at.index()].clone())
            .collect(),
        ..GraphDoc::default()
    };
    let given_up = match reading {
        Reading::Gradual(semantics) => {
            doc.semantics = semantics.name().to_owned();
            strengths::answer(&question, task, semantics, &mut doc)?
        }
        Reading::Sets(semantics) => {
            doc.semantics = semantics.name().to_owned();
            sets::answer(&question, task, semantics, &mut doc)?
        }
    };
    if global.json {
        out.json(&doc)?;
    } else {
        out.data(&text::of(&doc, edge.width))?;
    }
    if given_up {
        let work = args.work;
        out.note(&format!(
            "given up after {work} steps; --work lets it go on longer"
        ));
        return Ok(Exit::Limit);
    }
    Ok(Exit::Done)
}

/// The nodes that are struck, in order.
fn struck(whole: &Source, names: &[String]) -> Result<Vec<ArgId>, Failure> {
    let mut struck = names
        .iter()
        .map(|name| {
            let at = whole.find(name.trim(), "without")?;
            let position = |at: ArgId| {
                let node = &whole.debate()?.nodes()[at.index()];
                (node.kind == NodeKind::Position).then_some(())
            };
            if position(at).is_some() {
                let message = format!("{name} is what a side defends, and cannot be struck");
                return Err(Failure::new(Exit::Usage, "position", message)
                    .hint("strike the points that it rests on")
                    .parameter("without"));
            }
            Ok(at)
        })
        .collect::<Result<Vec<_>, _>>()?;
    struck.sort_unstable();
    struck.dedup();
    Ok(struck)
}

/// What is asked and how it is read, where it is not said.
fn asked(args: &GraphArgs, source: &Source) -> Result<(Task, Reading), Failure> {
    let by_strength = Reading::Gradual(Gradual::QuadraticEnergy);
    let by_sets = Reading::Sets(Semantics::Grounded);
    let attacks = matches!(source.graph, Graph::Attacks(_));
    match (args.task, args.semantics) {
        (None, None) if args.topic.is_some() || args.measure.is_some() => {
            Ok((Task::Contributions, by_strength))
        }
        (None, None) if attacks => Ok((Task::Extensions, by_sets)),
        (None, None) => Ok((Task::Strength, by_strength)),
        (None, Some(reading @ Reading::Gradual(_))) => Ok((Task::Strength, reading)),
        (None, Some(reading @ Reading::Sets(_))) => Ok((Task::Extensions, reading)),
        (Some(task @ (Task::Strength | Task::Contributions | Task::Flip)), reading) => {
            match reading.unwrap_or(by_strength) {
                reading @ Reading::Gradual(_) => Ok((task, reading)),
                Reading::Sets(semantics) => Err(mismatch(task, semantics.name(), "strength")),
            }
        }
        (Some(task @ (Task::Extensions | Task::Acceptance)), reading) => {
            match reading.unwrap_or(by_sets) {
                reading @ Reading::Sets(_) => Ok((task, reading)),
                Reading::Gradual(semantics) => Err(mismatch(task, semantics.name(), "sets")),
            }
        }
    }
}

fn mismatch(task: Task, semantics: &str, kind: &str) -> Failure {
    let message = format!("{semantics} does not answer --task {}", task.name());
    Failure::new(Exit::Usage, "semantics", message)
        .hint(format!(
            "it takes a semantics by {kind}: `agon graph --help` lists them"
        ))
        .parameter("semantics")
}
