//! What came of a debate, on the screen or as a document.

use agon_debates::status::ending::RequiredAuthority;
use agon_debates::status::outcome::{Ended, Outcome, Planned, Started};
use agon_report::screen::{Line, conclusion_lines, full_conclusion_lines, header_lines};
use agon_verdict::fixed_line::fixed_line;

use crate::args::Global;
use crate::edge::Surroundings;
use crate::error::{Exit, Failure};
use crate::output::{Out, line_to_ansi};

/// Prints what came of a debate, and says how the program ends.
///
/// # Errors
///
/// If stdout cannot take it, or there is no verdict.
pub(crate) fn print_outcome(
    edge: &Surroundings,
    global: &Global,
    outcome: Outcome,
    required: RequiredAuthority,
    out: &mut Out,
) -> Result<Exit, Failure> {
    match outcome {
        Outcome::Planned(planned) => print_plan(edge, global, &planned, out),
        Outcome::Started(started) => print_started(edge, global, &started, out),
        Outcome::Ended(ended) => {
            print_ended(edge, global, &ended, out)?;
            match ended.failure {
                Some(failure) => Err(failure),
                None if required.is_met_by(ended.authority) => Ok(Exit::Done),
                None => Ok(Exit::Lesser),
            }
        }
    }
}

/// Prints what a debate came to, and whom it waits for.
///
/// # Errors
///
/// If stdout cannot take it.
pub(crate) fn print_ended(
    edge: &Surroundings,
    global: &Global,
    ended: &Ended,
    out: &mut Out,
) -> Result<(), Failure> {
    if global.json {
        return out.write_json(&ended.document());
    }
    let lines = conclusion_lines(&ended.state, || ended.verdict(), &ended.folder, edge.width);
    print_lines_and_waits(&lines, ended, out)
}

/// As [`print_ended`], with all that the verdict says.
///
/// # Errors
///
/// If stdout cannot take it.
pub(crate) fn print_ended_in_full(
    edge: &Surroundings,
    ended: &Ended,
    out: &mut Out,
) -> Result<(), Failure> {
    let lines = full_conclusion_lines(&ended.state, || ended.verdict(), &ended.folder, edge.width);
    print_lines_and_waits(&lines, ended, out)
}

fn print_lines_and_waits(lines: &[Line], ended: &Ended, out: &mut Out) -> Result<(), Failure> {
    // Programs look for it as it is: not wrapped, not coloured.
    if let Some(fixed) = fixed_line(&ended.state) {
        out.write_line(&fixed)?;
    }
    let mut each = lines.iter();
    each.try_for_each(|line| out.write_line(&line_to_ansi(line)))?;
    let waits = ended.waits.iter();
    let mut waits = waits.map(|line| format!("your turn {line}"));
    waits.try_for_each(|line| out.write_line(&line))
}

/// Prints what a debate would be.
///
/// # Errors
///
/// If stdout cannot take it.
pub(crate) fn print_plan(
    edge: &Surroundings,
    global: &Global,
    planned: &Planned,
    out: &mut Out,
) -> Result<Exit, Failure> {
    if global.json {
        out.write_json(&planned.document())?;
        return Ok(Exit::Done);
    }
    let expected = planned.expected.describe();
    let lines = header_lines(
        &planned.state,
        &planned.folder,
        expected.as_deref(),
        edge.width,
    );
    lines
        .iter()
        .try_for_each(|line| out.write_line(&line_to_ansi(line)))?;
    Ok(Exit::Done)
}

fn print_started(
    edge: &Surroundings,
    global: &Global,
    started: &Started,
    out: &mut Out,
) -> Result<Exit, Failure> {
    if global.json {
        out.write_json(&started.document())?;
        return Ok(Exit::Done);
    }
    let Started { state, folder, .. } = started;
    if !started.is_reused {
        let expected = started.expected.describe();
        for line in header_lines(state, folder, expected.as_deref(), edge.live_width) {
            out.eprint_line(&line_to_ansi(&line));
        }
    }
    let name = state.command_name();
    out.write_line(folder)?;
    out.eprint_line(&if started.is_live {
        format!("running in the background: agon watch {name} · agon show {name}")
    } else {
        format!("it is over: agon show {name}; --again starts another")
    });
    Ok(Exit::Done)
}
