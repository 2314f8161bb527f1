//! Graphs of debates and of files: solved, exported, rejected.

mod debates;
mod files;

use agon_caller::{Caller, Failure, IgnoreNotes};
use agon_config::default;
use agon_debates::read::graph::{self, Solved};
use agon_debates::request::{BaseWeights, GraphFormat, GraphRequest};
use agon_report::screen::graph_lines;
use agon_verdict::graph::GraphDoc;
use serde_json::Value;

/// Returns the default request about `graph`.
fn request(graph: &str) -> GraphRequest {
    GraphRequest {
        graph: Some(graph.to_owned()),
        from: None,
        task: None,
        semantics: None,
        without: Vec::new(),
        topic: None,
        against: None,
        measure: None,
        base: BaseWeights::Scored,
        limit: default::LISTED_SETS,
        work: default::SEARCH_WORK,
    }
}

fn solve(caller: &Caller, request: &GraphRequest) -> Result<Solved, Failure> {
    graph::solve(caller, request, &mut std::io::empty(), &mut IgnoreNotes)
}

fn solved(caller: &Caller, request: &GraphRequest) -> Solved {
    solve(caller, request).unwrap_or_else(|failure| panic!("{request:?}: {failure:?}"))
}

/// Returns the machine-readable document.
fn document(caller: &Caller, request: &GraphRequest) -> Value {
    let document = serde_json::to_value(solved(caller, request).document).unwrap();
    assert_eq!(document["schema"], "agon.graph/1");
    document
}

/// Returns the lines for people.
fn screen(document: &GraphDoc) -> String {
    let lines = graph_lines(document, 100).into_iter();
    lines.map(|line| format!("{line}\n")).collect()
}

fn written(caller: &Caller, request: &GraphRequest, format: GraphFormat) -> String {
    let mut input = std::io::empty();
    graph::export(caller, request, format, &mut input, &mut IgnoreNotes).unwrap()
}
