//! What a sentence of a user's forbids.

use std::sync::LazyLock;

use regex::Regex;

use crate::patterns::act::is_path;
use crate::prose::{phrases, runs};

mod agreed;
mod breach;
mod verb;

pub(super) use agreed::agreed;
use verb::{by_verb, plain_command, use_of};

/// What is not to be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::patterns) enum Forbidden {
    /// A command that has these words in their order, the first as its program.
    Command(Vec<String>),
    /// Words that an edit must not write.
    Word(String),
    /// A path that is not to be changed.
    Path(String),
    /// Adding a package.
    Dependency,
    /// A commit whose message has no such words.
    CommitWithout(String),
    /// A run of the tests without this flag.
    TestsWithout(String),
    /// A word in texts for people.
    Wording(String),
    /// A new name of something that was to have another.
    Name(String),
    /// Syntax that a Python of this minor version does not read.
    PythonSyntax(u32),
}

/// Programs of which a user names one to exclude the others.
const ALTERNATIVES: &[&[&str]] = &[
    &["npm", "pnpm", "yarn", "bun"],
    &["pip", "uv", "poetry", "conda", "pipenv"],
    &["cargo test", "cargo nextest"],
    &["jest", "vitest", "mocha"],
    &["docker", "podman"],
    &["make", "just"],
];

static OTHERWISE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)(?:,? (?:not|never)|,? instead of|,? rather than|,? over|,? no) (?:with |the )?(?P<rest>.+)$").ok()
});
static NO_DEPENDENCIES: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)(?:\b(?:no|not|never|without|avoid)|n['’]t)\b[^.;]{0,30}?\b(?:new|additional|extra|more|further|other|any|third-party|external)? ?(?:dependenc(?:y|ies)|crates?|packages?|libraries)\b").ok()
});
static CLAUSE_END: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)[,;()](?:\s|$)|[.!](?:\s|$)|\s[-–—]\s|:\s|\b(?:because|as it|since|instead|but|so that|they|it is|it's)\b").ok()
});

/// What a sentence forbids, as far as a call can be seen to do it.
pub(in crate::patterns) fn forbidden(sentence: &str) -> Vec<Forbidden> {
    let mut found = Vec::new();
    if sentence.len() > 400 {
        return found;
    }
    for phrase in phrases().forbid.find_iter(sentence) {
        let rest = &sentence[phrase.end()..];
        // "Never X unless Y" needs a judgement that is not made here.
        let clause = clause(rest);
        let end = ["! ", "; ", ". "]
            .iter()
            .filter_map(|it| rest.find(it))
            .min();
        let tail = &rest[..end.unwrap_or(rest.len())];
        if phrases().exception.is_match(tail) {
            continue;
        }
        let is_leave = phrase.as_str().eq_ignore_ascii_case("leave");
        let is_away = [
            "stay away from",
            "keep out of",
            "keep away from",
            "hands off",
        ]
        .contains(&phrase.as_str().to_lowercase().as_str());
        if is_leave
            && !["alone", "as is", "as it is", "untouched", "unchanged"]
                .iter()
                .any(|it| rest.contains(it))
        {
            continue;
        }
        if is_leave || is_away {
            found.extend(path_objects(clause).map(Forbidden::Path));
            // "Hands off git commit" is said of what a program does.
            let words: Vec<String> = clause.split_whitespace().map(str::to_owned).collect();
            plain_command(words.get(..words.len().min(2)).unwrap_or(&[]), &mut found);
            continue;
        }
        by_verb(clause, &mut found);
    }
    if NO_DEPENDENCIES
        .as_ref()
        .is_some_and(|it| it.is_match(sentence))
        && !phrases().exception.is_match(sentence)
    {
        found.push(Forbidden::Dependency);
    }
    if FROZEN.as_ref().is_some_and(|it| it.is_match(sentence))
        && !phrases().exception.is_match(sentence)
    {
        found.extend(path_objects(sentence).map(Forbidden::Path));
    }
    found.extend(commit_prefix(sentence));
    instead(sentence, &mut found);
    found.dedup();
    found
}

/// How a sentence says of a path that it stays as it is.
static FROZEN: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let changed = "(?:edited|changed|touched|modified|deleted|moved|renamed|reformatted|altered)";
    Regex::new(&format!(
        r"(?i)\b(?:must|may|should|can|shall)(?: ?not|n['’]t| never) be {changed}|^(?:no|nothing|none)\b.*\b(?:may|must|should|can|is to) be {changed}|\b(?:is|are) (?:frozen|off[- ]limits|read[- ]only|not to be {changed})|\b(?:stays?|remains?) (?:untouched|unchanged|as (?:it )?(?:is|they are))"
    ))
    .ok()
});
static COMMIT_PREFIX: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)commit (?:message|subject|title)s?\b.{0,40}\b(?:start|begin|prefix|contain|include|carry|mention|have|name)\w*\b(?P<rest>.+)$").ok()
});
static TICKET: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"\b(?P<project>[A-Z][A-Z0-9]+-)\d+\b").ok());

/// What every commit's message has to have, by its example or in quotes.
fn commit_prefix(sentence: &str) -> Option<Forbidden> {
    let rest = COMMIT_PREFIX
        .as_ref()?
        .captures(sentence)?
        .name("rest")?
        .as_str();
    if phrases().negation.is_match(sentence) || phrases().exception.is_match(sentence) {
        return None;
    }
    let ticket = TICKET
        .as_ref()
        .and_then(|it| it.captures(rest)?.name("project"));
    let words = ticket
        .map(|it| it.as_str())
        .or_else(|| quoted(rest).first().copied())?;
    Some(Forbidden::CommitWithout(words.to_owned()))
}

fn clause(text: &str) -> &str {
    let end = CLAUSE_END
        .as_ref()
        .and_then(|it| it.find(text))
        .map_or(text.len(), |it| it.start());
    &text[..end]
}

/// "Use X, not Y": Y is forbidden, and where none is named the other programs of X's kind.
fn instead(sentence: &str, found: &mut Vec<Forbidden>) {
    let lower = sentence.to_lowercase();
    let wants = [
        "use ",
        "using ",
        "prefer ",
        "only ",
        "with ",
        "stick to ",
        "run ",
    ]
    .iter()
    .any(|it| lower.contains(it));
    if !wants || phrases().exception.is_match(sentence) {
        return;
    }
    if let Some(rest) = OTHERWISE
        .as_ref()
        .and_then(|it| it.captures(sentence)?.name("rest"))
    {
        let rest = clause(rest.as_str());
        let words: Vec<String> = rest.split_whitespace().take(2).map(str::to_owned).collect();
        let before = found.len();
        for object in quoted(rest).into_iter().take(1) {
            use_of(object, found);
        }
        if found.len() == before {
            plain_command(&words, found);
        }
        return;
    }
    let is_strict = [
        "only",
        "always",
        "must",
        "exclusively",
        "everything",
        "never anything else",
    ]
    .iter()
    .any(|it| lower.contains(it));
    if !is_strict || phrases().negation.is_match(sentence) {
        return;
    }
    let has = |program: &str| {
        let mut run = runs(&lower).collect::<Vec<_>>().join(" ");
        run.push(' ');
        format!(" {run}").contains(&format!(" {program} "))
    };
    for group in ALTERNATIVES {
        if group.iter().filter(|it| has(it)).count() == 1 {
            let others = group.iter().filter(|it| !has(it));
            found.extend(
                others.map(|it| Forbidden::Command(it.split(' ').map(str::to_owned).collect())),
            );
        }
    }
}

fn quoted(text: &str) -> Vec<&str> {
    text.split('`')
        .skip(1)
        .step_by(2)
        .filter(|it| !it.is_empty())
        .collect()
}

fn path_objects(clause: &str) -> impl Iterator<Item = String> {
    let mut found: Vec<String> = Vec::new();
    let words: Vec<&str> = clause.split_whitespace().collect();
    for (at, word) in words.iter().enumerate() {
        let bare = word
            .trim_matches(|c: char| matches!(c, '`' | '"' | '\'' | ',' | '(' | ')' | '*'))
            .trim_end_matches('.');
        let is_folder = words.get(at + 1).is_some_and(|next| {
            ["folder", "directory", "dir", "folders"]
                .contains(&next.trim_matches(|c: char| !c.is_alphanumeric()))
        }) && !matches!(bare, "the" | "this" | "that" | "a" | "any" | "whole");
        let is_named = word.starts_with('`') && !bare.is_empty();
        let is_under = at > 0
            && matches!(words[at - 1], "under" | "inside" | "below")
            && bare
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '/' | '.'))
            && !matches!(bare, "the" | "this" | "any");
        if bare.len() >= 3
            && (is_path(bare) || is_folder || is_named || is_under)
            && !bare.contains("()")
        {
            found.push(bare.trim_end_matches(['/', '*']).to_owned());
        }
    }
    found.into_iter()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::{ToolCall, ToolKind};

    fn run(line: &str) -> ToolCall {
        ToolCall {
            id: "1".to_owned(),
            name: "bash".to_owned(),
            kind: ToolKind::Run,
            arguments: json!({ "command": line }),
        }
    }

    fn edit(path: &str, text: &str) -> ToolCall {
        ToolCall {
            id: "1".to_owned(),
            name: "edit".to_owned(),
            kind: ToolKind::Edit,
            arguments: json!({ "file_path": path, "new_string": text }),
        }
    }

    fn breaks(rule: &str, call: &ToolCall) -> bool {
        let rules = forbidden(rule);
        assert!(!rules.is_empty(), "{rule}");
        rules.iter().any(|it| it.breach(call).is_some())
    }

    #[test]
    fn a_call_that_does_what_is_forbidden_breaks_the_rule() {
        for (rule, call) in [
            ("Never push to main.", run("git push origin main")),
            (
                "Please don't run `npm install` here.",
                run("cd a && npm install left-pad"),
            ),
            ("Use pnpm, not npm.", run("npm test")),
            ("Always use pnpm.", run("yarn add x")),
            (
                "Never touch anything under vendor/.",
                edit("/w/p/vendor/a/b.rs", "x"),
            ),
            (
                "Do not change `src/generated.rs`.",
                run("sed -i s/a/b/ src/generated.rs"),
            ),
            (
                "Leave the migrations folder untouched.",
                edit("db/migrations/1.sql", "x"),
            ),
            (
                "Don't use `unwrap()` in new code.",
                edit("src/a.rs", "a.unwrap()"),
            ),
            ("No new dependencies, please.", run("cargo add serde")),
            ("Never force-push.", run("git push -f origin x")),
            ("Do not edit Cargo.lock.", edit("Cargo.lock", "x")),
            (
                "No file under db/migrations may be edited.",
                edit("db/migrations/1.sql", "x"),
            ),
            (
                "Don't use unwrap or expect here.",
                edit("src/a.rs", "a.expect(1)"),
            ),
            (
                "Commit messages start with the ticket, as AG-12.",
                run("git commit -m 'fix it'"),
            ),
        ] {
            assert!(breaks(rule, &call), "{rule} {:?}", forbidden(rule));
        }
    }

    #[test]
    fn a_call_that_does_something_else_does_not_break_it() {
        for (rule, call) in [
            ("Never push to main.", run("git push origin feature")),
            ("Use pnpm, not npm.", run("pnpm test")),
            (
                "Never touch anything under vendor/.",
                edit("/w/p/src/vendoring.rs", "x"),
            ),
            (
                "Do not change `src/generated.rs`.",
                run("cat src/generated.rs"),
            ),
            (
                "Don't use `unwrap()` in new code.",
                edit("src/a.rs", "a.unwrap_or_default()"),
            ),
            ("No new dependencies, please.", run("npm install")),
            ("Never run `cargo publish`.", run("cargo test")),
            (
                "Commit messages start with the ticket, as AG-12.",
                run("git commit -m 'AG-7 fix'"),
            ),
        ] {
            assert!(!breaks(rule, &call), "{rule} {:?}", forbidden(rule));
        }
    }

    #[test]
    fn a_rule_with_an_exception_is_not_judged() {
        for rule in [
            "Never push unless I say so.",
            "Do not change src/a.rs before the review.",
        ] {
            assert_eq!(forbidden(rule), [], "{rule}");
        }
    }
}
