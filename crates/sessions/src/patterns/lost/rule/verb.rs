//! What a verb forbids: the command that does it, the files that it changes, the thing that it uses.

use super::{ALTERNATIVES, Forbidden, path_objects, quoted};
use crate::patterns::act::is_path;
use crate::prose::{is_code_like, is_stop_word, runs};

/// Verbs of commands that are forbidden by themselves, and the command.
const BY_VERB: &[(&str, &[&str])] = &[
    ("push", &["git", "push"]),
    ("force-push", &["git", "push", "--force"]),
    ("commit", &["git", "commit"]),
    ("merge", &["git", "merge"]),
    ("rebase", &["git", "rebase"]),
    ("amend", &["git", "commit", "--amend"]),
    ("stash", &["git", "stash"]),
    ("publish", &["cargo", "publish"]),
];

const CHANGING: &[&str] = &[
    "touch",
    "edit",
    "change",
    "modify",
    "alter",
    "write",
    "delete",
    "remove",
    "rename",
    "move",
    "overwrite",
    "update",
    "rewrite",
    "reformat",
    "format",
    "refactor",
    "leave",
];

const USING: &[&str] = &[
    "run",
    "use",
    "call",
    "invoke",
    "execute",
    "install",
    "add",
    "introduce",
    "import",
    "start",
    "rely",
    "pull",
];

/// Programs that a sentence may name without quotes.
const PROGRAMS: &[&str] = &[
    "npm",
    "pnpm",
    "yarn",
    "bun",
    "pip",
    "uv",
    "poetry",
    "conda",
    "cargo",
    "git",
    "docker",
    "podman",
    "make",
    "just",
    "kubectl",
    "terraform",
    "sudo",
    "curl",
    "wget",
    "rm",
    "jest",
    "vitest",
    "pytest",
    "npx",
    "brew",
    "sed",
];

pub(super) fn by_verb(clause: &str, found: &mut Vec<Forbidden>) {
    let mut words = clause.split_whitespace().skip_while(|it| {
        matches!(
            *it,
            "ever" | "be" | "directly" | "please" | "you" | "to" | "again"
        )
    });
    let Some(verb) = words.next() else {
        return;
    };
    let verb = verb
        .trim_matches(|c: char| !c.is_alphanumeric())
        .to_lowercase();
    let verb = match verb.as_str() {
        "touching" => "touch",
        "editing" => "edit",
        "changing" => "change",
        "modifying" => "modify",
        "using" => "use",
        "running" => "run",
        "adding" => "add",
        "pushing" => "push",
        "committing" => "commit",
        "calling" => "call",
        "force" => "force-push",
        verb => verb,
    };
    let rest: Vec<&str> = words.collect();
    let quoted = quoted(clause);
    if let Some((_, command)) = BY_VERB.iter().find(|(it, _)| *it == verb) {
        let mut command: Vec<String> = command.iter().map(|it| (*it).to_owned()).collect();
        let objects: Vec<&str> = rest
            .iter()
            .map(|it| it.trim_matches(|c: char| matches!(c, '`' | '"' | '\'' | '.')))
            .filter(|it| {
                !matches!(
                    *it,
                    "" | "push"
                        | "anything"
                        | "to"
                        | "the"
                        | "directly"
                        | "changes"
                        | "yourself"
                        | "this"
                        | "that"
                        | "it"
                        | "remote"
                        | "your"
                        | "my"
                        | "branch"
                        | "any"
                        | "work"
                        | "code"
                        | "on"
                        | "onto"
                        | "into"
                        | "in"
                        | "for"
                        | "me"
                        | "at"
                        | "all"
                        | "here"
                        | "on your own"
                        | "own"
                        | "ever"
                        | "again"
                        | "commits"
                        | "commit"
                )
            })
            .collect();
        command.extend(objects.into_iter().map(str::to_owned));
        found.push(Forbidden::Command(command));
    } else if CHANGING.contains(&verb) {
        found.extend(path_objects(clause).map(Forbidden::Path));
    } else if USING.contains(&verb) {
        for object in quoted {
            use_of(object, found);
        }
        if found.is_empty() && matches!(verb, "run" | "use" | "call" | "execute" | "invoke") {
            let plain: Vec<String> = rest.iter().take(2).map(|it| (*it).to_owned()).collect();
            plain_command(&plain, found);
        }
        if found.is_empty() {
            // "Don't use unwrap or expect": calls of functions of these names.
            let names = rest.iter().take_while(|it| {
                it.chars()
                    .all(|c| c.is_ascii_lowercase() || matches!(c, '_' | '(' | ')' | ','))
            });
            for name in names.take(3).map(|it| it.trim_end_matches([',', ')', '('])) {
                if name.len() >= 4 && !is_stop_word(name) {
                    found.push(Forbidden::Word(format!("{name}(")));
                }
            }
        }
        for run in runs(clause).filter(|it| is_code_like(it)) {
            let is_word = !found
                .iter()
                .any(|it| matches!(it, Forbidden::Word(word) if word.contains(run)));
            if is_word && !is_path(run) {
                found.push(Forbidden::Word(run.to_owned()));
            }
        }
    }
}

/// Something in code quotes that is not to be used: a command, or a word in a file.
pub(super) fn use_of(object: &str, found: &mut Vec<Forbidden>) {
    let words: Vec<String> = object.split_whitespace().map(str::to_owned).collect();
    let is_command = words.len() > 1
        || ALTERNATIVES
            .iter()
            .flat_map(|it| it.iter())
            .any(|it| *it == object)
        || object.chars().all(|c| c.is_ascii_lowercase() || c == '-') && !object.starts_with('-');
    if is_command {
        found.push(Forbidden::Command(words));
    }
    if object.len() >= 4 && !is_command {
        found.push(Forbidden::Word(object.trim_end_matches("()").to_owned()));
    }
}

pub(super) fn plain_command(words: &[String], found: &mut Vec<Forbidden>) {
    let bare: Vec<String> = words
        .iter()
        .map(|it| {
            it.trim_matches(|c: char| matches!(c, '`' | '"' | '\'' | '.' | ','))
                .to_owned()
        })
        .collect();
    let Some(program) = bare.first().filter(|it| PROGRAMS.contains(&it.as_str())) else {
        return;
    };
    // "cargo" alone is in every command of a project; "cargo test" and "npm" say which.
    let second = bare.get(1).filter(|it| {
        it.chars().all(|c| c.is_ascii_lowercase() || c == '-')
            && !matches!(
                it.as_str(),
                "in" | "on"
                    | "for"
                    | "here"
                    | "at"
                    | "to"
                    | "or"
                    | "and"
                    | "anywhere"
                    | "commands"
                    | "directly"
            )
    });
    let is_broad = matches!(program.as_str(), "cargo" | "git" | "make" | "docker");
    match second {
        Some(second) => found.push(Forbidden::Command(vec![program.clone(), second.clone()])),
        None if !is_broad => found.push(Forbidden::Command(vec![program.clone()])),
        None => {}
    }
}
