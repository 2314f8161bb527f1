//! Decides whether a text says that a file belongs to another project.

use std::sync::LazyLock;

use regex::Regex;

use super::mention::KnownFiles;

// Chosen, not measured: about a sentence on either side.
/// Maximum number of bytes read before and after a path.
const NEAR: usize = 160;

/// Which project a file belongs to, according to the text around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ProjectOwner {
    /// The text does not mention another project.
    Open,
    /// The sentence names another project, so a file that is missing here may belong to it.
    PerhapsOther,
    /// The text says that the file belongs to another project, even if this one has a file of that
    /// name.
    Other,
}

/// Matches `upstream`, `in its own repository`, `(not here)`, and `(owner/name)` after a
/// capitalized name.
static SAID: LazyLock<Option<Regex>> = LazyLock::new(|| {
    super::compile_regex(
        r"(?i)\b(?:upstream|standard\slibrary|stdlib|(?:its|their|another|a\sdifferent|the\supstream)\s(?:own\s)?(?:repo|repository|project|codebase|code\sbase)|own\s(?:repo|repository)|(?:neighbou?ring|sister)\s(?:repo|repository|project)|other\s(?:projects?|repositor(?:y|ies)|libraries)|third[-\s]party|not\s(?:in\s)?(?:here|this\s(?:repo|repository|project|tree))|nobody\shere)\b|\([\w-]+/[\w-]+\)\s",
    )
});

/// Matches `PostgreSQL's `, `Django's own ` or `.NET's own runtime has it in ` directly before a
/// path.
static OWNED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    super::compile_regex(
        r"(?:^|[\s(])(?P<owner>\.?[A-Z][\w.+\x23-]*)['’]s\s(?:(?:own|core|original|source|sources|repository|repo|tree|code|runtime|library|file|module|does|has|have|it|this|in|the)\s){0,6}[`'\x22*(\[]{0,3}$",
    )
});

/// Matches `in the SolidJS repository`, `of the upstream Astro project`.
static NAMED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    super::compile_regex(
        r"\b(?:[Ii]n|[Oo]f|[Ff]rom|[Aa]t)\s(?:the\s)?(?:upstream\s|original\s)?(?P<owner>\.?[A-Z][\w.+\x23-]*)(?:['’]s)?\s(?:own\s)?(?:repository|repo|monorepo|project|sources?|codebase|code\sbase)\b",
    )
});

/// Matches `not ours`, `not our file`, `(a different project)`.
static DENIED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    super::compile_regex(
        r"(?i)\b(?:not\sours|not\sour\s(?:own\s)?(?:file|copy|repo|repository|project|code|tree)|not\s(?:in\s|from\s|of\s)?this\s(?:repo|repository|project|tree)|not\shere|(?:another|a\sdifferent)\s(?:repo|repository|project))\b",
    )
});

/// Matches `upstream's ` or `the upstream ` directly before a path.
static UPSTREAM_BEFORE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    super::compile_regex(r"(?i)\bupstream(?:['’]s)?\s(?:own\s)?[`'\x22*(\[]{0,3}$")
});

/// Matches ` of the upstream project` or ` in upstream` directly after a path.
static UPSTREAM_AFTER: LazyLock<Option<Regex>> = LazyLock::new(|| {
    super::compile_regex(r"(?i)^[`'\x22*)\]]{0,3}\s(?:of|in|from)\s(?:the\s)?upstream\b")
});

/// Words before `'s` that are not project names.
const NO_PROJECTS: [&str; 10] = [
    "It", "That", "What", "Here", "There", "Opponent", "Seat", "Judge", "He", "She",
];

/// Returns the owner of the file at `span`, according to the sentence around it.
pub(super) fn find_project_owner(
    text: &str,
    [start, end]: [usize; 2],
    known: &impl KnownFiles,
) -> ProjectOwner {
    let before = sentence_before(text, start);
    let after = sentence_after(text, end);
    let matches = |regex: &LazyLock<Option<Regex>>, part: &str| {
        regex.as_ref().is_some_and(|it| it.is_match(part))
    };
    let other_in = |regex: &LazyLock<Option<Regex>>, part: &str| {
        let found = regex.as_ref().and_then(|it| it.captures(part));
        let owner = found.and_then(|it| it.name("owner"));
        owner.is_some_and(|it| is_other_project(it.as_str(), known))
    };
    let is_owned = other_in(&OWNED, before);
    let is_named = other_in(&NAMED, before) || other_in(&NAMED, after);
    let is_bare = !text[start..end].contains(['/', '\\']);
    let is_said = matches(&SAID, before) || matches(&SAID, after);
    let is_other = matches(&UPSTREAM_BEFORE, before)
        || matches(&UPSTREAM_AFTER, after)
        || (is_named || is_owned) && matches(&DENIED, after)
        || is_owned && is_bare && before.contains("s own ");
    match (is_other, is_said || is_owned || is_named) {
        (true, _) => ProjectOwner::Other,
        (false, true) => ProjectOwner::PerhapsOther,
        (false, false) => ProjectOwner::Open,
    }
}

/// Returns whether a name belongs to another project, and not to this project or a folder in it.
fn is_other_project(name: &str, known: &impl KnownFiles) -> bool {
    let letters = |text: &str| -> String {
        let kept = text.chars().filter(|c| c.is_alphanumeric());
        kept.flat_map(char::to_lowercase).collect()
    };
    let (other, own) = (letters(name), letters(known.name()));
    let is_own = !own.is_empty() && (own.contains(&other) || other.contains(&own));
    !is_own && !known.has_folder(name) && !NO_PROJECTS.contains(&name)
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
    use crate::known::KnownPaths;

    struct Shop(KnownPaths);

    impl KnownFiles for Shop {
        fn name(&self) -> &str {
            "shop-web"
        }

        fn paths(&self) -> &KnownPaths {
            &self.0
        }

        fn is_root(&self, _: &str) -> bool {
            false
        }

        fn has(&self, _: &str) -> bool {
            false
        }

        fn has_folder(&self, name: &str) -> bool {
            self.0.has_folder(name)
        }
    }

    fn owner(text: &str, file: &str) -> ProjectOwner {
        let start = text.find(file).unwrap();
        let shop = Shop(KnownPaths::new(["kiosk/package.json", "README.md"]));
        find_project_owner(text, [start, start + file.len()], &shop)
    }

    #[test]
    fn a_file_of_another_project_is_told_by_its_sentence() {
        for (text, expected) in [
            ("Kafka's core/Log.x:4 does so", ProjectOwner::PerhapsOther),
            (
                ".NET's own runtime has it in core/Log.x.",
                ProjectOwner::PerhapsOther,
            ),
            (
                "Upstream it is core/Log.x:4 that does so",
                ProjectOwner::PerhapsOther,
            ),
            (
                "Tokio does this in core/Log.x, in its own repository",
                ProjectOwner::PerhapsOther,
            ),
            (
                "In Hugo (gohugoio/hugo) core/Log.x says so",
                ProjectOwner::PerhapsOther,
            ),
            ("It is in core/Log.x (not here)", ProjectOwner::PerhapsOther),
            (
                "In the Kubernetes project core/Log.x does so",
                ProjectOwner::PerhapsOther,
            ),
            (
                "A neighbouring project has core/Log.x",
                ProjectOwner::PerhapsOther,
            ),
            ("Shop's core/Log.x:4 does so", ProjectOwner::Open),
            (
                "In the Shop repository core/Log.x does so",
                ProjectOwner::Open,
            ),
            ("the project's core/Log.x:4 does so", ProjectOwner::Open),
            ("It's core/Log.x:4 that does so", ProjectOwner::Open),
            ("Kafka's way is another. See core/Log.x", ProjectOwner::Open),
            ("See core/Log.x. Upstream is another", ProjectOwner::Open),
        ] {
            assert_eq!(owner(text, "core/Log.x"), expected, "{text}");
        }
    }

    #[test]
    fn a_name_that_exists_here_is_another_projects_only_where_the_text_says_so() {
        for (text, expected) in [
            ("upstream's README.md says so", ProjectOwner::Other),
            ("the upstream `README.md` says so", ProjectOwner::Other),
            (
                "The README.md of the upstream Astro project says so",
                ProjectOwner::Other,
            ),
            (
                "The README.md in the SolidJS repository (not ours) says so",
                ProjectOwner::Other,
            ),
            (
                "React's README.md, which is not our file, says so",
                ProjectOwner::Other,
            ),
            ("React's own README.md says so", ProjectOwner::Other),
            // A contrast, a folder, this project and a vendored file do not decide the owner.
            (
                "Unlike upstream, README.md says so",
                ProjectOwner::PerhapsOther,
            ),
            (
                "The README.md in the SolidJS repository says so",
                ProjectOwner::PerhapsOther,
            ),
            ("Kiosk's own README.md says so", ProjectOwner::Open),
            ("Shop's own README.md says so", ProjectOwner::Open),
            (
                "The README.md, which is not our code, says so",
                ProjectOwner::Open,
            ),
        ] {
            assert_eq!(owner(text, "README.md"), expected, "{text}");
        }
    }
}
