//! `agon graph`: what an argument graph says.

use agon_app::graph;
use agon_app::request::GraphRequest;
use agon_report::screen::graph_lines;

use crate::args::{Global, GraphArgs};
use crate::edge::Surroundings;
use crate::error::{Exit, Failure, FailureKind};
use crate::output::{Out, ansi};

/// Solves a graph, or writes it in another format.
pub(crate) fn run(
    edge: &Surroundings,
    global: &Global,
    args: &GraphArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let request = request(args);
    let mut input = std::io::stdin();
    if let Some(format) = args.format {
        let text = graph::export(edge, &request, format, &mut input, out)?;
        out.data(&text)?;
        return Ok(Exit::Done);
    }
    let solved = graph::solve(edge, &request, &mut input, out)?;
    if global.json {
        out.json(&solved.document)?;
    } else {
        let lines = graph_lines(&solved.document, edge.width);
        let lines = lines.iter().map(|line| format!("{}\n", ansi(line)));
        out.data(&lines.collect::<String>())?;
    }
    if solved.is_given_up {
        let work = args.work;
        out.note(&format!(
            "given up after {work} steps; --work lets it go on longer"
        ));
        return Ok(FailureKind::Limit.into());
    }
    Ok(Exit::Done)
}

fn request(args: &GraphArgs) -> GraphRequest {
    GraphRequest {
        graph: args.graph.clone(),
        from: args.from,
        task: args.task,
        semantics: args.semantics,
        without: args.without.clone(),
        topic: args.topic.clone(),
        against: args.against.clone(),
        measure: args.measure,
        base: args.base,
        limit: args.limit,
        work: args.work,
    }
}
