//! Prints the outcome of a debate, on the screen or as a document.

use agon_debates::status::ending::RequiredAuthority;
use agon_debates::status::outcome::{Ended, Outcome, Planned, Started};
use agon_report::screen::{Line, conclusion_lines, full_conclusion_lines, header_lines};
use agon_verdict::fixed_line::fixed_line;

use crate::args::Global;
use crate::error::{Exit, Failure};
use crate::output::{Out, line_to_ansi};
use crate::surroundings::Surroundings;

/// Prints the outcome of a debate and returns the exit code.
///
/// # Errors
///
/// Returns an error if stdout cannot be written, or there is no verdict.
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

/// Prints the state or verdict of a debate, and the people whose turn it is.
///
/// # Errors
///
/// Returns an error if stdout cannot be written.
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
    print_lines_and_pending_turns(&lines, ended, out)
}

/// Like [`print_ended`], with the whole verdict.
///
/// # Errors
///
/// Returns an error if stdout cannot be written.
pub(crate) fn print_ended_in_full(
    edge: &Surroundings,
    ended: &Ended,
    out: &mut Out,
) -> Result<(), Failure> {
    let lines = full_conclusion_lines(&ended.state, || ended.verdict(), &ended.folder, edge.width);
    print_lines_and_pending_turns(&lines, ended, out)
}

fn print_lines_and_pending_turns(
    lines: &[Line],
    ended: &Ended,
    out: &mut Out,
) -> Result<(), Failure> {
    // Neither wrapped nor colored, because programs search for this exact line.
    if let Some(fixed) = fixed_line(&ended.state) {
        out.write_line(&fixed)?;
    }
    let mut each = lines.iter();
    each.try_for_each(|line| out.write_line(&line_to_ansi(line)))?;
    let waits = ended.waits.iter();
    let mut waits = waits.map(|line| format!("your turn {line}"));
    waits.try_for_each(|line| out.write_line(&line))
}

/// Prints the plan of a debate.
///
/// # Errors
///
/// Returns an error if stdout cannot be written.
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
        format!("the debate has ended: agon show {name} · start a new one: --again")
    });
    Ok(Exit::Done)
}
