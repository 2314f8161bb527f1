//! Whether prose names a file as one of another project.

use std::sync::LazyLock;

use regex::Regex;

// Chosen, not measured: about a sentence on either side.
/// Bytes before and after a path that are read.
const NEAR: usize = 160;

/// `upstream`, `in its own repository`, `(not here)`, and `(owner/name)` behind a capitalized name.
static SAID: LazyLock<Option<Regex>> = LazyLock::new(|| {
    super::compile_regex(
        r"(?i)\b(?:upstream|standard\slibrary|stdlib|(?:its|their|another|a\sdifferent|the\supstream)\s(?:own\s)?(?:repo|repository|project|codebase|code\sbase)|own\s(?:repo|repository)|other\s(?:projects?|repositor(?:y|ies)|libraries)|third[-\s]party|not\s(?:in\s)?(?:here|this\s(?:repo|repository|project|tree))|nobody\shere)\b|\([\w-]+/[\w-]+\)\s",
    )
});

/// `PostgreSQL's `, `Django's own ` or `.NET's own runtime has it in ` directly before a path.
static OWNED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    super::compile_regex(
        r"(?:^|[\s(])(?P<owner>\.?[A-Z][\w.+\x23-]*)['’]s\s(?:(?:own|core|original|source|sources|repository|repo|tree|code|runtime|library|file|module|does|has|have|it|this|in|the)\s){0,6}[`'\x22*(\[]{0,3}$",
    )
});

/// Words before `'s` that are no names of projects.
const NO_PROJECTS: [&str; 10] = [
    "It", "That", "What", "Here", "There", "Opponent", "Seat", "Judge", "He", "She",
];

/// Whether the sentence around `span` says that the file there is one of another project than
/// `own`.
pub(super) fn is_of_another_project(text: &str, [start, end]: [usize; 2], own: &str) -> bool {
    let before = sentence_before(text, start);
    let after = sentence_after(text, end);
    let is_said = |part: &str| SAID.as_ref().is_some_and(|it| it.is_match(part));
    if is_said(before) || is_said(after) {
        return true;
    }
    let owned = OWNED.as_ref().and_then(|it| it.captures(before));
    let owner = owned.and_then(|it| it.name("owner"));
    owner.is_some_and(|it| {
        !it.as_str().eq_ignore_ascii_case(own) && !NO_PROJECTS.contains(&it.as_str())
    })
}

fn sentence_before(text: &str, to: usize) -> &str {
    let from = (to.saturating_sub(NEAR)..=to).find(|at| text.is_char_boundary(*at));
    let window = text.get(from.unwrap_or(to)..to).unwrap_or("");
    let starts = ["\n", ". ", "! ", "? "].iter();
    let start = starts
        .filter_map(|end| Some(window.rfind(end)? + end.len()))
        .max();
    &window[start.unwrap_or(0)..]
}

fn sentence_after(text: &str, from: usize) -> &str {
    let to = text.len().min(from + NEAR);
    let to = (from..=to).rev().find(|at| text.is_char_boundary(*at));
    let window = text.get(from..to.unwrap_or(from)).unwrap_or("");
    let ends = ["\n", ". ", "! ", "? ", "; "].iter();
    let end = ends.filter_map(|end| window.find(end)).min();
    &window[..end.unwrap_or(window.len())]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_another_project_is_told_by_its_sentence() {
        for (text, expected) in [
            ("Kafka's core/Log.x:4 does so", true),
            (".NET's own runtime has it in core/Log.x.", true),
            ("Upstream it is core/Log.x:4 that does so", true),
            ("Tokio does this in core/Log.x, in its own repository", true),
            ("In Hugo (gohugoio/hugo) core/Log.x says so", true),
            ("It is in core/Log.x (not here)", true),
            ("Shop's core/Log.x:4 does so", false),
            ("the project's core/Log.x:4 does so", false),
            ("It's core/Log.x:4 that does so", false),
            ("Kafka's way is another. See core/Log.x", false),
            ("See core/Log.x. Upstream is another", false),
        ] {
            let start = text.find("core").unwrap();
            let span = [start, start + "core/Log.x".len()];
            assert_eq!(
                is_of_another_project(text, span, "shop"),
                expected,
                "{text}"
            );
        }
    }
}
