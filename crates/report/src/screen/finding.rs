//! The line that shows a finding.

use agon_record::finding::{Finding, Severity, describe_place};

use super::line::{Line, Style};
use crate::text::plain_line;

/// Returns the line of a finding: its severity, its code, its place in the reply and its message.
pub(super) fn finding_line(finding: &Finding) -> Line {
    let at = match plain_line(&describe_place(&finding.at)).as_str() {
        "" => String::new(),
        at => format!(" {at}"),
    };
    let style = match finding.severity {
        Severity::Fatal | Severity::Error => Style::Bad,
        Severity::Warning => Style::Warn,
    };
    Line::default()
        .with(
            style,
            format!(
                "  {}[{}]{at}: ",
                finding.severity,
                plain_line(&finding.code)
            ),
        )
        .with_ids(Style::Plain, &plain_line(&finding.message))
}

#[cfg(test)]
mod tests {
    use agon_record::id::{Seat, TurnId};

    use super::*;

    #[test]
    fn what_is_wrong_is_red_and_what_deserves_a_look_is_yellow() {
        let style = |severity| {
            let finding = Finding {
                code: "reply-words".to_owned(),
                severity,
                turn: TurnId::round(1, Seat::Proposer),
                at: String::new(),
                message: "too long".to_owned(),
                path: None,
                span: None,
                hint: String::new(),
            };
            finding_line(&finding).spans[0].style
        };
        let styles = [Severity::Fatal, Severity::Error, Severity::Warning].map(style);
        assert_eq!(styles, [Style::Bad, Style::Bad, Style::Warn]);
    }
}
