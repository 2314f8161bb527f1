//! The line of a finding.

use agon_record::finding::Finding;

use super::line::{Line, Style};
use crate::text::plain_line;

/// A finding with its severity, its code, and where in the reply it is.
pub(super) fn finding_line(finding: &Finding) -> Line {
    let at = match plain_line(&finding.at).as_str() {
        "" => String::new(),
        at => format!(" at {at}"),
    };
    Line::default()
        .with(
            Style::Warn,
            format!(
                "  {}[{}]{at}: ",
                finding.severity,
                plain_line(&finding.code)
            ),
        )
        .with(Style::Plain, plain_line(&finding.message))
}
