//! Describes the next step with its content, shortened for the document.

use std::collections::HashSet;

use agon_sessions::{CitedPlace, Handover, NextStep, Preparation, Quotation};

use super::describe::clean;
use super::step_doc::{NextStepDoc, QuotedLineDoc, SessionPlaceDoc, SummableTurnsDoc};
use super::words::pattern_word;

/// Maximum number of rows of a list.
const MAX_ROWS: usize = 20;

pub(super) fn describe_step(preparation: &Preparation) -> NextStepDoc {
    let mut step = NextStepDoc {
        step: "",
        patterns: preparation
            .patterns
            .iter()
            .map(|it| pattern_word(*it))
            .collect(),
        lines: Vec::new(),
        tasks: Vec::new(),
        load: Vec::new(),
        leave: Vec::new(),
        spans: Vec::new(),
        more: 0,
    };
    match &preparation.step {
        NextStep::Write { lines } => {
            step.step = "write";
            step.lines = first_rows(lines, &mut step.more, quoted_line_doc);
        }
        NextStep::Select { load, leave } => {
            step.step = "select";
            step.load = first_rows(load, &mut step.more, session_place_doc);
            step.leave = first_rows(leave, &mut step.more, |it| clean(it));
        }
        NextStep::Compress(compression) => {
            step.step = "compress";
            step.lines = first_rows(&compression.verbatim, &mut step.more, quoted_line_doc);
            step.spans = first_rows(&compression.spans, &mut step.more, |it| SummableTurnsDoc {
                first: it.first,
                last: it.last,
                bytes: it.bytes,
            });
        }
        NextStep::Isolate(handover) => {
            step.step = "isolate";
            isolate(&mut step, handover);
        }
    }
    step
}

fn isolate(step: &mut NextStepDoc, handover: &Handover) {
    let said = [&handover.asked, &handover.constraints, &handover.decisions];
    let mut known = HashSet::new();
    let mut lines: Vec<Quotation> = Vec::new();
    for it in said.into_iter().flatten() {
        // A rule can also be a decision, so list each line once.
        if known.insert((it.entry, it.words.as_str())) {
            lines.push(it.clone());
        }
    }
    step.lines = first_rows(&lines, &mut step.more, quoted_line_doc);
    step.tasks = first_rows(&handover.tasks.open, &mut step.more, |it| clean(&it.words));
    step.load = first_rows(&handover.places, &mut step.more, session_place_doc);
}

fn first_rows<T, U>(all: &[T], more: &mut usize, describe: impl Fn(&T) -> U) -> Vec<U> {
    *more += all.len().saturating_sub(MAX_ROWS);
    all.iter().take(MAX_ROWS).map(describe).collect()
}

fn quoted_line_doc(quotation: &Quotation) -> QuotedLineDoc {
    QuotedLineDoc {
        words: clean(&quotation.words),
        turn: quotation.turn,
        place: clean(&quotation.location.to_string()),
        is_of_user: quotation.is_of_user,
        revised_in: quotation.revised_in,
    }
}

fn session_place_doc(place: &CitedPlace) -> SessionPlaceDoc {
    SessionPlaceDoc {
        path: clean(&place.path),
        lines: place.lines.clone(),
        is_changed: place.is_changed,
    }
}
