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
        let said = "  each seat reads in a copy of this repository; --context none undoes it";
        Line::default().with(Style::Dim, said)
    })
}

/// The model that a seat's tool refused.
pub(super) fn refused_model(seating: &Seating) -> Option<String> {
    let refused = seating.refused_model.as_deref()?;
    Some(format!("without {}, which it refused", plain_line(refused)))
}

/// How hard the seats think, and whose tool does as it does whatever it is told.
pub(super) fn effort_lines(state: &State) -> Vec<Line> {
    let called = || {
        state
            .seats
            .iter()
            .filter(|(_, seating)| !seating.is_human())
    };
    let efforts: Vec<(Seat, Effort)> = called()
        .map(|(&seat, seating)| (seat, seating.effort))
        .collect();
    let Some(&(_, usual)) = efforts.first() else {
        return Vec::new();
    };
    let others = efforts.iter().filter(|(_, effort)| *effort != usual);
    let others = others.map(|(seat, effort)| format!("{seat} {effort}"));
    let mut parts = vec![format!("effort {usual}")];
    parts.extend(others);
    let said = Line::default().with(Style::Plain, format!("  {}", parts.join(", ")));
    let deaf: BTreeSet<_> = called()
        .filter(|(_, seating)| seating.ignores_effort)
        .map(|(_, seating)| seating.tool.as_str())
        .collect();
    let deaf = deaf.into_iter().collect::<Vec<_>>();
    let unheard = (!deaf.is_empty()).then(|| {
        let text = format!("  effort changes nothing for {}", deaf.join(" and "));
        Line::default().with(Style::Dim, text)
    });
    [Some(said), unheard].into_iter().flatten().collect()
}
