//! `agon evidence`: shows every citation of a debate and the text found there.

use agon_debates::read::evidence;
use agon_debates::read::evidence::EvidenceRequest;
use agon_report::screen::{Line, Style, evidence_lines, evidence_summary};

use crate::args::{EvidenceArgs, Global};
use crate::error::{Exit, Failure};
use crate::output::{Out, line_to_ansi};
use crate::pager;
use crate::surroundings::Surroundings;

/// Runs `agon evidence`.
pub(crate) fn run(
    edge: &Surroundings,
    global: &Global,
    args: &EvidenceArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let request = EvidenceRequest {
        debate: args.debate.clone(),
        stamps: args.stamp.iter().map(|only| only.0).collect(),
        id: args.id,
        all: args.all,
        limit: args.limit,
    };
    let evidence = evidence::evidence(edge, request, out)?;
    if global.json {
        out.write_json(&evidence.document())?;
        return Ok(Exit::Done);
    }
    pager::begin(edge, global, out);
    if let Some(none) = evidence.nothing_found() {
        out.eprint_line(&none);
    }
    for one in evidence.requested_places() {
        for line in evidence_lines(&one, args.full, edge.width) {
            out.write_line(&line_to_ansi(&line))?;
        }
    }
    let summary = Line::default().with(Style::Plain, evidence_summary(&evidence.state));
    for line in summary.wrap_to_width(4, edge.width) {
        out.write_line(&line_to_ansi(&line))?;
    }
    Ok(Exit::Done)
}
