//! What was chosen where the user did not say otherwise: what is read, and how hard is thought.

use std::collections::BTreeSet;

use agon_record::id::Seat;
use agon_record::spec::{DefaultContext, Effort, Seating, Spec};
use agon_record::state::State;

use super::super::line::{Line, Style};
use crate::text::plain_line;

/// That nothing is read, and why, where the user did not ask for that.
pub(super) fn no_context_label(spec: &Spec) -> Option<String> {
    let why = match spec.default_context.as_ref()? {
        DefaultContext::Repository => return None,
        DefaultContext::Outside => "not in a git work tree".to_owned(),
        DefaultContext::CannotRead { tool } => format!("{tool} cannot read a folder"),
        DefaultContext::Unusable { why } => plain_line(why),
    };
    Some(format!("context none ({why})"))
}

/// That the repository is read although the user did not ask for it.
pub(super) fn default_context_line(spec: &Spec) -> Option<Line> {
    let is_default = spec.default_context == Some(DefaultContext::Repository);
    is_default.then(|| {
        let said = "  each tool gets a read-only copy of this repository (--context none: without)";
        Line::default().with(Style::Dim, said)
    })
}

/// The model that a seat's tool refused.
pub(super) fn refused_model(seating: &Seating) -> Option<String> {
    let refused = seating.refused_model.as_deref()?;
    Some(format!("without {}, which it refused", plain_line(refused)))
}

/// How hard the seats think; none where only people sit.
pub(super) fn effort_label(state: &State) -> Option<String> {
    let efforts: Vec<(Seat, Effort)> = called_seats(state)
        .map(|(&seat, seating)| (seat, seating.effort))
        .collect();
    let &(_, usual) = efforts.first()?;
    let others = efforts.iter().filter(|(_, effort)| *effort != usual);
    let others = others.map(|(seat, effort)| format!("{seat} {effort}"));
    let mut parts = vec![format!("effort {usual}")];
    parts.extend(others);
    Some(parts.join(", "))
}

/// The tools that have no setting of effort.
pub(super) fn ignored_effort_line(state: &State) -> Option<Line> {
    let deaf: BTreeSet<_> = called_seats(state)
        .filter(|(_, seating)| seating.ignores_effort)
        .map(|(_, seating)| seating.tool.as_str())
        .collect();
    let deaf = deaf.into_iter().collect::<Vec<_>>();
    (!deaf.is_empty()).then(|| {
        let text = format!("  effort changes nothing for {}", deaf.join(" and "));
        Line::default().with(Style::Dim, text)
    })
}

/// The seats of tools, which are called.
fn called_seats(state: &State) -> impl Iterator<Item = (&Seat, &Seating)> {
    let seats = state.seats.iter();
    seats.filter(|(_, seating)| !seating.is_human())
}
