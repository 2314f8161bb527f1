//! The row that lists unanswered serious objections.

use agon_record::moves::{Choose as _, ObjectionSeverity};
use agon_record::state::State;

use crate::screen::line::Style;
use crate::screen::rows::Row;
use crate::text::{first_sentence, plain_line};

/// Returns the blockers and major objections that got no answer; an empty row if there are none.
pub(super) fn open_row(state: &State) -> Row {
    let nodes = state.nodes();
    let answered: Vec<_> = nodes
        .iter()
        .filter_map(|node| Some(node.point.response()?.objection))
        .collect();
    let open = nodes.iter().filter_map(|node| {
        let objection = node.point.objection()?;
        let is_serious = objection.severity != ObjectionSeverity::Minor;
        if !is_serious || answered.contains(&node.id) {
            return None;
        }
        let title = node.point.title().map(plain_line);
        let title = title.filter(|title| !title.is_empty());
        let title = title.unwrap_or_else(|| first_sentence(&plain_line(node.point.main_text())));
        let severity = objection.severity.label();
        Some(format!("{} ({severity}) got no answer: {title}", node.id))
    });
    Row::styled("Open", Style::Warn, open.collect())
}
