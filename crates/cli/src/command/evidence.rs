//! `agon evidence`: every place that a debate cites, with what was found there.

use agon_app::evidence::{self, EvidenceRequest};
use agon_report::screen::{evidence_lines, evidence_summary};

use crate::args::{EvidenceArgs, Global};
use crate::edge::Surroundings;
use crate::error::{Exit, Failure};
use crate::output::{Out, line_to_ansi};

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
    if let Some(none) = evidence.nothing_found() {
        out.eprint_line(&none);
    }
    for one in evidence.requested_places() {
        for line in evidence_lines(&one, edge.width) {
            out.write_line(&line_to_ansi(&line))?;
        }
    }
    out.write_line(&evidence_summary(&evidence.state))?;
    Ok(Exit::Done)
}
