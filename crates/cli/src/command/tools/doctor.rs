//! `agon tools doctor`: whether the tools here still are as their profiles say.

use std::path::Path;

use agon_app::tools::doctor::{self, DoctorRequest, RecordFront, RecordRequest};

use crate::args::{DoctorArgs, Global};
use crate::edge::Surroundings;
use crate::error::{Exit, Failure, FailureKind};
use crate::output::{Out, ansi};

/// Looks at the tools, one after the other, and says what does not fit.
pub(crate) async fn run(
    edge: &Surroundings,
    global: &Global,
    args: &DoctorArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    if let Some(folder) = &args.record {
        let request = RecordRequest {
            tools: args.tool.clone(),
            folder: folder.clone(),
        };
        let recorded = doctor::record(edge, &request, out).await?;
        return Ok(exit(recorded.is_complete, recorded.is_missing));
    }
    let request = DoctorRequest {
        tools: args.tool.clone(),
        deep: args.deep,
        against: args.against.clone(),
    };
    let checkup = doctor::look(edge, &request, out).await?;
    if global.json {
        out.json(&checkup.document)?;
    } else {
        let mut lines = checkup.lines.iter();
        lines.try_for_each(|line| out.line(&ansi(line)))?;
    }
    Ok(exit(checkup.is_fit, checkup.is_missing))
}

fn exit(fits: bool, is_missing: bool) -> Exit {
    match (fits, is_missing) {
        (false, _) => Exit::Findings,
        (true, true) => FailureKind::Tool.into(),
        (true, false) => Exit::Done,
    }
}

impl RecordFront for Out {
    fn recorded(&mut self, path: &Path) -> Result<(), Failure> {
        self.line(&path.display().to_string())
    }
}
