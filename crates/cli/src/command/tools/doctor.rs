//! `agon tools doctor`: checks whether the installed tools still match their profiles.

use agon_seats::tools::doctor::{self, DoctorRequest};

use crate::args::{DoctorArgs, Global};
use crate::error::{Exit, Failure, FailureKind};
use crate::output::{Out, line_to_ansi};
use crate::surroundings::Surroundings;

/// Checks the tools one after the other and prints what no longer matches.
pub(crate) async fn run(
    edge: &Surroundings,
    global: &Global,
    args: &DoctorArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let request = DoctorRequest {
        tools: args.tool.clone(),
        deep: args.deep,
        shows_passed: args.verbose,
        width: edge.width,
    };
    let checkup = doctor::examine_tools(edge, &request, out).await?;
    if global.json {
        out.write_json(&checkup.document)?;
    } else {
        let mut lines = checkup.lines.iter();
        lines.try_for_each(|line| out.write_line(&line_to_ansi(line)))?;
    }
    Ok(match (checkup.is_usable, checkup.is_missing) {
        (false, _) => Exit::Findings,
        (true, true) => FailureKind::Tool.into(),
        (true, false) => Exit::Done,
    })
}
