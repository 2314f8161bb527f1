//! Shortens the document of a session.

use super::document::SessionHealthDoc;
use super::step_doc::NextStepDoc;

/// Maximum number of rows of each list.
const MAX_ROWS: usize = 3;

/// Removes the curve and all but the first rows of each list.
pub fn shorten(session: &mut SessionHealthDoc) {
    session.curve.clear();
    session.compactions = session
        .compactions
        .split_off(session.compactions.len().saturating_sub(MAX_ROWS));
    session.plan.retain(|it| it.state != "done");
    session.plan.truncate(MAX_ROWS);
    session.problems.truncate(MAX_ROWS);
    if let Some(findings) = &mut session.findings {
        findings.shown.truncate(MAX_ROWS);
    }
    if let Some(examined) = &mut session.examined {
        examined.findings.truncate(MAX_ROWS);
    }
    if let Some(step) = &mut session.next_step {
        shorten_step(step);
    }
}

fn shorten_step(step: &mut NextStepDoc) {
    let NextStepDoc {
        lines,
        tasks,
        load,
        leave,
        spans,
        more,
        ..
    } = step;
    cut(lines, more);
    cut(tasks, more);
    cut(load, more);
    cut(leave, more);
    cut(spans, more);
}

fn cut<T>(rows: &mut Vec<T>, more: &mut usize) {
    *more += rows.len().saturating_sub(MAX_ROWS);
    rows.truncate(MAX_ROWS);
}
