//! Header lines about default choices: the context and the effort.

use std::collections::BTreeSet;

use agon_record::id::Seat;
use agon_record::spec::{DefaultContext, Effort, Seating, Spec};
use agon_record::state::State;

use super::super::line::{Line, Style};
use crate::text::plain_line;

/// Returns the label for an empty context that the user did not ask for, with the reason.
pub(super) fn no_context_label(spec: &Spec) -> Option<String> {
    let why = match spec.default_context.as_ref()? {
        DefaultContext::Repository => return None,
        DefaultContext::Outside => "not in a git work tree".to_owned(),
        DefaultContext::CannotRead { tool } => format!("{tool} cannot read a folder"),
        DefaultContext::Unusable { why } => plain_line(why),
    };
    Some(format!("context none ({why})"))
}

/// Returns the line that says that the tools read the repository by default.
pub(super) fn default_context_line(spec: &Spec) -> Option<Line> {
    let is_default = spec.default_context == Some(DefaultContext::Repository);
    is_default.then(|| {
        let said = "  each tool gets a read-only copy of this repository (--context none: without)";
        Line::default().with(Style::Dim, said)
    })
}

/// Returns a note on the model that a seat's tool refused.
pub(super) fn refused_model(seating: &Seating) -> Option<String> {
    let refused = seating.refused_model.as_deref()?;
    Some(format!(
        "with its default model (it refused {})",
        plain_line(refused)
    ))
}

/// Returns the effort of the seats; `None` if only people hold seats.
pub(super) fn effort_label(state: &State) -> Option<String> {
    let efforts: Vec<(Seat, Effort)> = seats_held_by_tools(state)
        .map(|(&seat, seating)| (seat, seating.effort))
        .collect();
    let &(_, usual) = efforts.first()?;
    let others = efforts.iter().filter(|(_, effort)| *effort != usual);
    let others = others.map(|(seat, effort)| format!("{seat} {effort}"));
    let mut parts = vec![format!("effort {usual}")];
    parts.extend(others);
    Some(parts.join(", "))
}

/// Returns the line that names the tools without an effort setting.
pub(super) fn ignored_effort_line(state: &State) -> Option<Line> {
    let tools: BTreeSet<_> = seats_held_by_tools(state)
        .filter(|(_, seating)| seating.ignores_effort)
        .map(|(_, seating)| seating.tool.as_str())
        .collect();
    let tools = tools.into_iter().collect::<Vec<_>>();
    (!tools.is_empty()).then(|| {
        let text = format!("  effort has no effect on {}", tools.join(" and "));
        Line::default().with(Style::Dim, text)
    })
}

/// Returns the seats that a tool holds.
fn seats_held_by_tools(state: &State) -> impl Iterator<Item = (&Seat, &Seating)> {
    let seats = state.seats.iter();
    seats.filter(|(_, seating)| !seating.is_human())
}
