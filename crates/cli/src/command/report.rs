//! `agon report`: a debate rendered for people.

#[cfg(feature = "png")]
mod pixels;
#[cfg(not(feature = "png"))]
#[path = "report/no_pixels.rs"]
mod pixels;

use std::fs;
use std::io::{IsTerminal, Write};
use std::path::Path;

use agon_app::{find, open};
use agon_engine::host::Host;
use agon_record::spec::FormatName;
use agon_record::state::State;
use agon_report::graph::{dot, mermaid, svg};
use agon_report::{drawing, html, readme_md, transcript_md, verdict_md};
use agon_store::{Projection, RelPath};
use agon_verdict::verdict::verdict;
use serde_json::json;

use crate::args::{Global, ReportArgs, ReportKind};
use crate::command::narrate;
use crate::edge::Edge;
use crate::error::{Exit, Failure, FailureKind};
use crate::output::{Out, escaped};

/// Renders one document, or writes the whole report into the debate's folder.
pub(crate) async fn run(
    edge: &Edge,
    global: &Global,
    args: &ReportArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let path = find::find(edge, args.debate.as_deref())?;
    let view = find::read(&path)?;
    let state = &view.state;
    find::note_problems(&view, &state.spec.slug, out);
    let narrative = match &args.narrator {
        Some(tool) => Some(narrate::narrative(edge, state, (tool, args), out).await?),
        None => None,
    };
    let kind = match args.format {
        Some(kind) => kind,
        None if args.output.is_none() => {
            return whole(edge, global, (&path, state), narrative.as_deref(), out);
        }
        None => ReportKind::Md,
    };
    let bytes = render(state, kind, narrative.as_deref(), global.json)?;
    if let Some(file) = &args.output {
        let failed = |error: std::io::Error| {
            let message = format!("cannot write {}: {error}", file.display());
            Failure::new(FailureKind::Store, "output", message)
        };
        fs::write(file, bytes).map_err(failed)?;
        return Ok(Exit::Done);
    }
    match String::from_utf8(bytes) {
        Ok(text) => out.data(&text)?,
        Err(picture) => put(picture.as_bytes())?,
    }
    Ok(Exit::Done)
}

/// A picture to stdout, which must not be a terminal.
fn put(bytes: &[u8]) -> Result<(), Failure> {
    let mut stdout = std::io::stdout();
    if stdout.is_terminal() {
        let message = "a picture is no text for a terminal";
        return Err(Failure::new(FailureKind::Usage, "terminal", message)
            .hint("-o FILE writes it to a file"));
    }
    match stdout.write_all(bytes).and_then(|()| stdout.flush()) {
        Err(cause) if cause.kind() != std::io::ErrorKind::BrokenPipe => {
            let message = format!("cannot write to stdout: {cause}");
            Err(Failure::new(FailureKind::Store, "stdout", message))
        }
        Ok(()) | Err(_) => Ok(()),
    }
}

fn render(
    state: &State,
    kind: ReportKind,
    narrative: Option<&str>,
    json: bool,
) -> Result<Vec<u8>, Failure> {
    let name = &state.spec.slug;
    let text = match kind {
        ReportKind::Transcript => transcript_md(state),
        ReportKind::Md => readme_md(state, narrative),
        ReportKind::Html => html(state, narrative),
        ReportKind::Mermaid => mermaid(&drawing(state)),
        ReportKind::Dot => dot(&drawing(state)),
        ReportKind::Svg => svg(&drawing(state)),
        ReportKind::Png => return pixels::png(state),
        ReportKind::Verdict | ReportKind::Json => {
            let verdict = verdict(state).ok_or_else(|| no_verdict(name))?;
            if kind == ReportKind::Json || json {
                let text = serde_json::to_string_pretty(&verdict)
                    .map_err(|cause| Failure::from_error(FailureKind::Bug, "json", &cause))?;
                escaped(&text) + "\n"
            } else {
                verdict_md(state, &verdict)
            }
        }
    };
    Ok(text.into_bytes())
}

fn no_verdict(name: &str) -> Failure {
    Failure::new(
        FailureKind::NoVerdict,
        "no_verdict",
        format!("{name} has no verdict yet"),
    )
    .hint(format!(
        "`agon show {name}` says where it stands, `agon resume {name}` goes on"
    ))
}

/// Writes the README, the page and the pictures of a debate into its folder.
fn whole(
    edge: &Edge,
    global: &Global,
    (path, state): (&Path, &State),
    narrative: Option<&str>,
    out: &mut Out,
) -> Result<Exit, Failure> {
    if verdict(state).is_none() {
        return Err(no_verdict(&state.spec.slug));
    }
    let mut host = open::open(path, out)?;
    host.publish()
        .map_err(|error| agon_app::store_failure(&error))?;
    let state = host.state();
    let is_formal = state.spec.format == FormatName::Formal;
    let mut files = vec![
        ("README.md", readme_md(state, narrative).into_bytes()),
        ("report.html", html(state, narrative).into_bytes()),
        ("argument-graph.svg", svg(&drawing(state)).into_bytes()),
    ];
    if let Some(bytes) = pixels::report_png(state, out)? {
        files.push(("argument-graph.png", bytes));
    }
    let files = files.into_iter().filter_map(|(name, bytes)| {
        let path = RelPath::new(name).ok()?;
        Some((path, bytes))
    });
    let files: Vec<Projection> = files.collect();
    host.write(&files)
        .map_err(|error| agon_app::store_failure(&error))?;
    let folder = edge.shown(host.folder().path());
    let mut paths: Vec<_> = files
        .iter()
        .map(|(path, _)| format!("{folder}/{path}"))
        .collect();
    if is_formal {
        paths.push(format!("{folder}/argument-graph.mmd"));
    }
    if global.json {
        out.json(
            &json!({ "schema": "agon.report/1", "debate": host.state().spec.slug, "files": paths }),
        )?;
    } else {
        for path in paths {
            out.line(&path)?;
        }
    }
    Ok(Exit::Done)
}
