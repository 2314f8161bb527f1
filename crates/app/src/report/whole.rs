//! The whole report: the README, the page and the pictures of a debate, in its folder.

use std::path::Path;

use agon_engine::host::Host;
use agon_record::state::State;
use agon_report::graph::svg;
use agon_report::{debate_drawing, html, readme_md};
use agon_store::{Projection, RelPath};
use agon_verdict::verdict::verdict_without_graph;
use serde::Serialize;

use super::{no_verdict, pixels};
use crate::caller::Caller;
use crate::failure::{Failure, store_failure};
use crate::notes::Notes;
use crate::open;

/// The files that a whole report consists of: `agon.report/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ReportDoc {
    schema: &'static str,
    debate: String,
    /// Each file, as it is shown.
    pub files: Vec<String>,
}

/// Writes the README, the page and the pictures of a debate into its folder.
pub(super) fn write(
    caller: &Caller,
    path: &Path,
    state: &State,
    narrative: Option<&str>,
    notes: &mut dyn Notes,
) -> Result<ReportDoc, Failure> {
    if verdict_without_graph(state).is_none() {
        return Err(no_verdict(&state.spec.slug));
    }
    let mut host = open::open_for_writing(path, notes)?;
    host.publish_documents()
        .map_err(|error| store_failure(&error))?;
    let verdict = host.verdict();
    let (state, verdict) = (host.state(), verdict.as_deref());
    let is_formal = state.is_scored();
    let mut files = vec![
        (
            "README.md",
            readme_md(state, verdict, narrative).into_bytes(),
        ),
        ("report.html", html(state, verdict, narrative).into_bytes()),
        (
            "argument-graph.svg",
            svg(&debate_drawing(state)).into_bytes(),
        ),
    ];
    if let Some(bytes) = pixels::report_png(state, notes)? {
        files.push(("argument-graph.png", bytes));
    }
    let files = files.into_iter().filter_map(|(name, bytes)| {
        let path = RelPath::new(name).ok()?;
        Some((path, bytes))
    });
    let files: Vec<Projection> = files.collect();
    host.write_documents(&files)
        .map_err(|error| store_failure(&error))?;
    let folder = caller.display_path(host.folder().path());
    let mut paths: Vec<_> = files
        .iter()
        .map(|(path, _)| format!("{folder}/{path}"))
        .collect();
    if is_formal {
        paths.push(format!("{folder}/argument-graph.mmd"));
    }
    Ok(ReportDoc {
        schema: "agon.report/1",
        debate: host.state().spec.slug.clone(),
        files: paths,
    })
}
