//! What a user and the model agreed on that calls can be held against: names, words, versions,
//! flags, and what the user does themselves.

use std::sync::LazyLock;

use regex::Regex;

use super::{Forbidden, path_objects};
use crate::prose::{Sentence, is_code_like, phrases, strip_quotes};

fn regex(text: &str) -> Option<Regex> {
    Regex::new(text).ok()
}

/// "I make the commits", "leave pushing to me".
static BY_USER: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let what = "(?P<what>commit|push|merg|rebas|publish|releas)";
    regex(&format!(
        r"(?i)\b(?:i|i['’]ll|i will|we) (?:make|do|handle|take care of|write|create|run) (?:the |all |all the |every |any )?{what}\w*|\bleave (?:the |all |all the )?{what}\w* to (?:me|us)\b|\b{what}\w* (?:is|are) (?:mine|my job|my business)\b"
    ).replacen("(?P<what>", "(?P<a>", 1).replacen("(?P<what>", "(?P<b>", 1).replacen("(?P<what>", "(?P<c>", 1))
});
/// What says of a name of code that it is not wanted.
static BANNED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    regex(
        r"(?i)\b(?:(?:is|are|get|gets|will be) (?:forbidden|banned|rejected|refused|not allowed|not accepted|disallowed|prohibited|a no-go)|(?:must|may|should|shall) not|no)\b",
    )
});
static CALLED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    regex(r"\b(?P<name>[a-z_][a-z0-9_.]*(?:\(\)|!))|\b(?P<mark>TODO|FIXME|XXX|HACK)s?\b")
});
static FROZEN_DEPENDENCIES: LazyLock<Option<Regex>> = LazyLock::new(|| {
    regex(
        r"(?i)\b(?:dependenc(?:y|ies)|crates|packages|libraries)\b[^.;]{0,40}\b(?:as (?:it is|they are|is)|frozen|unchanged|untouched|closed|stays? the same)\b|\b(?:nothing|none|no more)\b[^.;]{0,20}\badded to (?:the |our )?(?:dependenc|packages|crates)",
    )
});
static OFF_LIMITS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    regex(
        r"(?i)\b(?:off[- ]limits|hands off|frozen|not to be touched|don['’]t touch|do not touch)\b",
    )
});
static TICKET: LazyLock<Option<Regex>> =
    LazyLock::new(|| regex(r"\b(?P<project>[A-Z][A-Z0-9]*-)\d+\b"));
static EACH_COMMIT: LazyLock<Option<Regex>> = LazyLock::new(|| {
    regex(
        r"(?i)\bcommits?\b.*\b(?:begin|start|prefix|front|carry|need|needs|name|mention|subject)\w*\b|\b(?:begin|start|prefix|front)\w*\b.*\bcommits?\b",
    )
});
static FLAG: LazyLock<Option<Regex>> =
    LazyLock::new(|| regex(r"(?:^|[\s`'\x22(])(?P<flag>--?[a-z][a-z-]*)\b"));
static WITH: LazyLock<Option<Regex>> =
    LazyLock::new(|| regex(r"(?i)\b(?:always|every|each|all|use|with|add|pass|need|run)\b"));
static PYTHON: LazyLock<Option<Regex>> =
    LazyLock::new(|| regex(r"\b(?i:python ?)?3\.(?P<minor>\d{1,2})\b"));
static SUPPORTS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    regex(
        r"(?i)\b(?:support|run|runs|work|works|have|has|compatible|parse|down to|minimum|oldest|annotations?|types?)\b",
    )
});
/// "We say cart, not basket", "in texts it is 'caller', never 'user'".
static WORDING: LazyLock<Option<Regex>> = LazyLock::new(|| {
    regex(
        r#"(?i)\b(?:say|write|call|texts?|wording|terms?|docs|documentation|spell|it is|it['’]s)\b[^.;]{0,40}?['"“‘`]?(?P<one>[a-z][a-z-]{2,})['"”’`]?,? (?:and )?(?:not|never|instead of|rather than) ['"“‘`]?(?P<other>[a-z][a-z-]{2,})['"”’`]?[\s.,!]*$"#,
    )
});
static NAMING: LazyLock<Option<Regex>> = LazyLock::new(|| {
    regex(
        r"(?i)\b(?:named?|called|rename[ds]?|name is|settled on|agreed on|went with|go with|decided on|decided for|goes by)\b",
    )
});
/// What is said of the other name, before it and after it.
static OTHER_BEFORE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    regex(
        r"(?i)\b(?:not|never|instead of|rather than|had|was|no longer|(?:nobody|no one|none of us|i don['’]t|we don['’]t) (?:wants?|likes?|needs?|uses?)|avoid|drop(?:ped)?|against|over) $",
    )
});
static OTHER_AFTER: LazyLock<Option<Regex>> = LazyLock::new(|| {
    regex(r"(?i)^ ?(?:(?:is|was) (?:taken|used|gone|wrong|out)|before\b|any ?more)")
});

/// What a sentence of a prompt settles, beside what it forbids in so many words.
pub(in crate::patterns::lost) fn agreed(prompt: &str, sentence: Sentence<'_>) -> Vec<Forbidden> {
    let text = sentence.text;
    let mut found = Vec::new();
    if text.len() > 600 || sentence.is_question() {
        return found;
    }
    let has = |regex: &Option<Regex>| regex.as_ref().is_some_and(|it| it.is_match(text));
    if let Some(captures) = BY_USER.as_ref().and_then(|it| it.captures(text)) {
        let what = ["a", "b", "c"].iter().find_map(|it| captures.name(it));
        let verb = match what.map(|it| it.as_str().to_lowercase()).as_deref() {
            Some("push") => Some("push"),
            Some("merg") => Some("merge"),
            Some("rebas") => Some("rebase"),
            Some("commit") => Some("commit"),
            _ => None,
        };
        found.extend(verb.map(|it| Forbidden::Command(vec!["git".to_owned(), it.to_owned()])));
    }
    let is_open = !phrases().exception.is_match(text);
    if is_open && has(&BANNED) {
        for captures in CALLED.iter().flat_map(|it| it.captures_iter(text)) {
            let name = captures.name("name").or_else(|| captures.name("mark"));
            found.extend(name.map(|it| {
                Forbidden::Word(
                    it.as_str()
                        .trim_end_matches("()")
                        .trim_end_matches('!')
                        .to_owned(),
                )
            }));
        }
    }
    if is_open && has(&FROZEN_DEPENDENCIES) {
        found.push(Forbidden::Dependency);
    }
    if is_open && has(&OFF_LIMITS) {
        found.extend(path_objects(text).map(Forbidden::Path));
    }
    if has(&EACH_COMMIT)
        && let Some(project) = TICKET
            .as_ref()
            .and_then(|it| it.captures(text)?.name("project"))
    {
        found.push(Forbidden::CommitWithout(project.as_str().to_owned()));
    }
    let of_tests = text.to_lowercase().contains("test");
    if of_tests && has(&WITH) && !phrases().negation.is_match(text) {
        let flag = FLAG.as_ref().and_then(|it| it.captures(text)?.name("flag"));
        found.extend(flag.map(|it| Forbidden::TestsWithout(it.as_str().to_owned())));
    }
    if has(&SUPPORTS) {
        let minor = PYTHON
            .as_ref()
            .and_then(|it| it.captures(text)?.name("minor"));
        let minor = minor.and_then(|it| it.as_str().parse().ok());
        found.extend(
            minor
                .filter(|it| (6..10).contains(it))
                .map(Forbidden::PythonSyntax),
        );
    }
    if let Some(other) = WORDING
        .as_ref()
        .and_then(|it| it.captures(text)?.name("other"))
    {
        let word = other.as_str();
        if !is_code_like(word) {
            found.push(Forbidden::Wording(word.to_lowercase()));
        }
    }
    found.extend(other_names(prompt, sentence));
    found
}

/// Names that something is not to have, where the sentence gives it one.
fn other_names(prompt: &str, sentence: Sentence<'_>) -> Vec<Forbidden> {
    if !NAMING.as_ref().is_some_and(|it| it.is_match(sentence.text)) {
        return Vec::new();
    }
    // "Please not `x`" may be a sentence of its own.
    let end = prompt[sentence.start..]
        .find('\n')
        .map_or(prompt.len(), |it| sentence.start + it);
    let text = &prompt[sentence.start..end];
    let parts: Vec<&str> = text.split('`').collect();
    let mut found = Vec::new();
    for at in (1..parts.len().saturating_sub(1)).step_by(2) {
        let name = strip_quotes(parts[at]);
        let is_name = name.len() >= 3 && name.chars().all(|c| c.is_alphanumeric() || c == '_');
        let is_match =
            |regex: &Option<Regex>, it: &str| regex.as_ref().is_some_and(|re| re.is_match(it));
        let is_other =
            is_match(&OTHER_BEFORE, parts[at - 1]) || is_match(&OTHER_AFTER, parts[at + 1]);
        if is_name && is_other {
            found.push(Forbidden::Name(name.to_owned()));
        }
    }
    found
}
