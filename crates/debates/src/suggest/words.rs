//! The line that suggests a debate. It has only Agon's own words and the name of a topic, because a
//! model trusts the answer of a hook.

/// Returns the line for the model.
pub(super) fn for_model(name: &str, about: &str) -> String {
    format!(
        "agon: this request touches {}, which is costly to undo. Before you start, you may offer \
         the user a debate between AI tools on it, once and in one sentence (`debate_start`, or \
         `agon debate` in a shell). If the user declines, continue and do not offer it again.",
        topic(name, about)
    )
}

/// Returns the line for the person, about a plan.
pub(super) fn for_person(name: &str, about: &str) -> String {
    format!(
        "Agon: this plan touches {}, which is costly to undo. Ask for a debate on it if other AI \
         tools should examine it first.",
        topic(name, about)
    )
}

fn topic(name: &str, about: &str) -> String {
    match about {
        "" => format!("\"{name}\""),
        about => format!("\"{name}\" ({about})"),
    }
}
