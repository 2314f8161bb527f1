//! The line of a finding.

use agon_record::finding::Finding;

use super::line::{Line, Style};
use crate::text::plain;

/// A finding with its severity, its code, and where in the reply it is.
pub(super) fn finding_line(finding: &Finding) -> Line {
    let at = match plain(&finding.at).as_str() {
        "" => String::new(),
        at => format!(" at {at}"),
    };
    Line::default()
        .with(
            Style::Warn,
            format!("  {}[{}]{at}: ", finding.severity, plain(&finding.code)),
        )
        .with(Style::Plain, plain(&finding.message))
}
