//! `agon report`: a debate rendered to stdout.

use agon_debate::verdict::verdict;
use agon_report::{transcript_md, verdict_md};

use crate::args::{Global, ReportArgs, ReportKind};
use crate::command::which;
use crate::edge::Edge;
use crate::error::{Exit, Failure};
use crate::output::{Out, escaped};

/// Prints the verdict or the transcript.
pub(crate) fn run(
    edge: &Edge,
    global: &Global,
    args: &ReportArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let path = which::find(edge, global, args.debate.as_deref())?;
    let view = which::read(&path)?;
    let state = &view.state;
    let name = &state.spec.slug;
    which::note_problems(&view, name, out);
    if args.format == ReportKind::Transcript {
        out.data(&transcript_md(state))?;
        return Ok(Exit::Done);
    }
    let verdict = verdict(state).ok_or_else(|| {
        Failure::new(
            Exit::NoVerdict,
            "no_verdict",
            format!("{name} has no verdict yet"),
        )
        .hint(format!(
            "`agon show {name}` says where it stands, `agon resume {name}` goes on"
        ))
    })?;
    if args.format == ReportKind::Json || global.json {
        let text = serde_json::to_string_pretty(&verdict)
            .map_err(|cause| Failure::from_error(Exit::Bug, "json", &cause))?;
        out.line(&escaped(&text))?;
    } else {
        out.data(&verdict_md(state, &verdict))?;
    }
    Ok(Exit::Done)
}
