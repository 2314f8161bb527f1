//! The pages of sessions in Markdown.

use agon_health::{ContextDoc, SessionHealthDoc};
use agon_report::markdown::escape_inline;
use agon_report::text::plain_line;

use super::{fill, pattern_name, state_name, time, title};

/// Returns the list.
pub(super) fn list(document: &ContextDoc) -> String {
    let rows: Vec<String> = document
        .sessions
        .iter()
        .map(|session| {
            let last = session.last.as_deref().map(time).unwrap_or_default();
            format!(
                "- {} `{}`: {}, {}, {last}: {}\n",
                session.host,
                plain_line(&session.id).replace('`', ""),
                state_name(session.state),
                fill(session),
                line(&title(session))
            )
        })
        .collect();
    format!("# Sessions\n\n{}", rows.concat())
}

/// Returns the sessions of a document in full.
pub(super) fn sessions(document: &ContextDoc) -> String {
    document.sessions.iter().map(session).collect()
}

fn session(session: &SessionHealthDoc) -> String {
    let mut text = format!(
        "# {}\n\n{}: {}\n",
        line(&title(session)),
        state_name(session.state),
        fill(session)
    );
    let reasons: Vec<String> = session
        .reasons
        .iter()
        .map(|it| format!("- {}\n", line(&it.words)))
        .collect();
    if !reasons.is_empty() {
        text.push_str(&format!("\n## Reasons\n\n{}", reasons.concat()));
    }
    let found = session.findings.iter().flat_map(|found| &found.shown);
    let found: Vec<String> = found
        .map(|it| {
            let place = it.place.as_deref().map(line).unwrap_or_default();
            format!(
                "- {} ({place}): {} “{}”\n",
                pattern_name(it.pattern),
                line(&it.reason),
                line(&it.words)
            )
        })
        .collect();
    if !found.is_empty() {
        text.push_str(&format!("\n## Findings\n\n{}", found.concat()));
    }
    text
}

fn line(text: &str) -> String {
    escape_inline(&plain_line(text))
}
