//! `agon tools doctor`: whether the tools here still are as their profiles say.

use agon_seats::tools::doctor::{self, DoctorRequest};

use crate::args::{DoctorArgs, Global};
use crate::edge::Surroundings;
use crate::error::{Exit, Failure, FailureKind};
use crate::output::{Out, line_to_ansi};

/// Looks at the tools, one after the other, and says what does not fit.
pub(crate) async fn run(
    edge: &Surroundings,
    global: &Global,
    args: &DoctorArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let request = DoctorRequest {
        tools: args.tool.clone(),
        deep: args.deep,
    };
    let checkup = doctor::examine_tools(edge, &request, out).await?;
    if global.json {
        out.write_json(&checkup.document)?;
    } else {
        let mut lines = checkup.lines.iter();
        lines.try_for_each(|line| out.write_line(&line_to_ansi(line)))?;
    }
    Ok(match (checkup.is_fit, checkup.is_missing) {
        (false, _) => Exit::Findings,
        (true, true) => FailureKind::Tool.into(),
        (true, false) => Exit::Done,
    })
}
