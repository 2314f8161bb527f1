//! `agon graph`: solves an argument graph.

use agon_debates::read::graph;
use agon_debates::request::GraphRequest;
use agon_report::screen::graph_lines;

use crate::args::{Global, GraphArgs};
use crate::error::{Exit, Failure, FailureKind};
use crate::output::{Out, line_to_ansi};
use crate::surroundings::Surroundings;

/// Solves a graph, or writes it in another format.
pub(crate) fn run(
    edge: &Surroundings,
    global: &Global,
    args: &GraphArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let request = request_from_args(args);
    let mut input = std::io::stdin();
    if let Some(format) = args.format {
        global.refuse_json("an exported graph", "leave out --json, or --format")?;
        let text = graph::export(edge, &request, format, &mut input, out)?;
        out.write_stdout(&text)?;
        return Ok(Exit::Done);
    }
    let solved = graph::solve(edge, &request, &mut input, out)?;
    if global.json {
        out.write_json(&solved.document)?;
    } else {
        let lines = graph_lines(&solved.document, edge.table_width);
        let lines = lines.iter().map(|line| format!("{}\n", line_to_ansi(line)));
        out.write_stdout(&lines.collect::<String>())?;
    }
    if solved.is_given_up {
        let work = args.work;
        out.eprint_line(&format!(
            "stopped after {work} steps; to search longer, set a higher --work"
        ));
        return Ok(FailureKind::Limit.into());
    }
    Ok(Exit::Done)
}

fn request_from_args(args: &GraphArgs) -> GraphRequest {
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
