//! `agon tools doctor`: whether the tools here still are as their profiles say.

use std::path::Path;

use agon_seats::tools::doctor;
use agon_seats::tools::doctor::{DoctorRequest, RecordFront, RecordRequest};

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
    if let Some(folder) = &args.record {
        global.refuse_json("what is recorded", "leave --json out: the files are named")?;
        let request = RecordRequest {
            tools: args.tool.clone(),
            folder: folder.clone(),
        };
        let recorded = doctor::record(edge, &request, out).await?;
        return Ok(checkup_exit(recorded.is_complete, recorded.is_missing));
    }
    let request = DoctorRequest {
        tools: args.tool.clone(),
        deep: args.deep,
        against: args.against.clone(),
    };
    let checkup = doctor::examine_tools(edge, &request, out).await?;
    if global.json {
        out.write_json(&checkup.document)?;
    } else {
        let mut lines = checkup.lines.iter();
        lines.try_for_each(|line| out.write_line(&line_to_ansi(line)))?;
    }
    Ok(checkup_exit(checkup.is_fit, checkup.is_missing))
}

fn checkup_exit(fits: bool, is_missing: bool) -> Exit {
    match (fits, is_missing) {
        (false, _) => Exit::Findings,
        (true, true) => FailureKind::Tool.into(),
        (true, false) => Exit::Done,
    }
}

impl RecordFront for Out {
    fn recording_written(&mut self, path: &Path) -> Result<(), Failure> {
        self.write_line(&path.display().to_string())
    }
}
