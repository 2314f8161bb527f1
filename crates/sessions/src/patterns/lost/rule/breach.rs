//! Whether a call does what is forbidden.

use std::sync::LazyLock;

use regex::Regex;

use super::Forbidden;
use crate::patterns::act::{command, file_name, names_path, paths, simple_commands, written};
use crate::patterns::outcome::tasks;
use crate::prose::{parts, runs, stem};
use crate::{ToolCall, ToolKind};

/// Programs that change the files that they are given.
const MUTATING: &[&str] = &[
    "rm", "mv", "cp", "sed", "tee", "truncate", "touch", "chmod", "rmdir", "dd", "git",
];

impl Forbidden {
    /// Whether a prompt asks for the very thing.
    pub(in crate::patterns) fn is_asked_for(&self, prompt: &str) -> bool {
        let has = |word: &str| {
            let word = stem(word);
            !word.is_empty() && runs(prompt).flat_map(parts).any(|it| stem(it) == word)
        };
        match self {
            Self::Command(words) => {
                words.iter().skip(1).any(|it| has(it)) || words.len() == 1 && has(&words[0])
            }
            Self::Word(word) | Self::Wording(word) | Self::Name(word) => {
                has(word.trim_end_matches(['(', ')', '!']))
            }
            Self::Path(path) => names_path(prompt, path),
            Self::Dependency => ["dependency", "crate", "package", "install"]
                .iter()
                .any(|it| has(it)),
            Self::CommitWithout(_) | Self::TestsWithout(_) | Self::PythonSyntax(_) => false,
        }
    }

    /// The words of a call that do it.
    pub(in crate::patterns) fn breach(&self, call: &ToolCall) -> Option<String> {
        match self {
            Self::Command(words) => command_breach(words, call),
            Self::Word(word) => {
                let text = written(call);
                if !text.contains(word.as_str()) {
                    return None;
                }
                let stem = word.trim_end_matches(['(', ')']);
                let line = text.lines().find(|line| {
                    line.match_indices(stem).any(|(at, _)| {
                        let side =
                            |c: Option<char>| c.is_none_or(|c| !(c.is_alphanumeric() || c == '_'));
                        side(line[..at].chars().next_back())
                            && side(line[at + stem.len()..].chars().next())
                    })
                })?;
                Some(line.trim().to_owned())
            }
            Self::Path(path) => path_breach(path, call),
            Self::CommitWithout(words) => {
                let line = command(call)?;
                let is_breach = simple_commands(&line).iter().any(|command| {
                    let is_commit = command.first().is_some_and(|it| it == "git")
                        && command.get(1).is_some_and(|it| it == "commit");
                    let message = command
                        .iter()
                        .position(|it| {
                            it.starts_with('-') && it.ends_with('m') || it == "--message"
                        })
                        .and_then(|at| command.get(at + 1));
                    is_commit && message.is_some_and(|it| !it.contains(words.as_str()))
                });
                is_breach.then_some(line)
            }
            Self::TestsWithout(flag) => {
                let line = command(call)?;
                let is_test = tasks(call).iter().any(|it| it.name == "test");
                let long = if flag == "-v" { "--verbose" } else { flag };
                let has = line.split_whitespace().any(|it| it == flag || it == long);
                (is_test && !has).then_some(line)
            }
            Self::Wording(word) => {
                let is_text = paths(call).iter().any(|it| is_prose(it));
                let text = written(call);
                let line = text.lines().filter(|_| is_text).find(|line| {
                    // What stands in code is a name.
                    line.split('`').step_by(2).any(|it| {
                        runs(it).any(|it| {
                            let it = it.to_lowercase();
                            it == *word || it.strip_suffix('s') == Some(word)
                        })
                    })
                })?;
                Some(line.trim().to_owned())
            }
            Self::Name(name) => {
                let text = written(call);
                let line = text.lines().find(|line| {
                    let mut words = line.split(|c: char| !(c.is_alphanumeric() || c == '_'));
                    let defines = words.any(|it| {
                        matches!(
                            it,
                            "fn" | "def"
                                | "function"
                                | "func"
                                | "class"
                                | "struct"
                                | "const"
                                | "let"
                                | "var"
                        )
                    });
                    defines && words.next() == Some(name)
                })?;
                Some(line.trim().to_owned())
            }
            Self::PythonSyntax(minor) => {
                let is_python = paths(call).iter().any(|it| it.ends_with(".py"));
                let text = written(call);
                let newer = if *minor < 8 { &*WALRUS } else { &*UNION };
                let line = text.lines().filter(|_| is_python).find(|line| {
                    newer.as_ref().is_some_and(|it| it.is_match(line))
                        || UNION.as_ref().is_some_and(|it| it.is_match(line))
                })?;
                Some(line.trim().to_owned())
            }
            Self::Dependency if call.kind == ToolKind::Edit => dependency_written(call),
            Self::Dependency => {
                let line = command(call)?;
                let is_adding = simple_commands(&line).iter().any(|words| {
                    let words: Vec<&str> = words.iter().map(String::as_str).collect();
                    matches!(
                        words.as_slice(),
                        [
                            "cargo" | "uv" | "poetry" | "yarn" | "pnpm" | "bun",
                            "add",
                            ..
                        ] | ["go", "get", _, ..]
                            | ["npm" | "pnpm", "install" | "i" | "add", _, ..]
                    ) && words[2..].iter().any(|it| !it.starts_with('-'))
                });
                is_adding.then_some(line)
            }
        }
    }
}

/// Syntax of Python 3.10 and of 3.8.
static UNION: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?:->|:)\s*[A-Za-z_][A-Za-z0-9_.\[\]]*(?: \| [A-Za-z_][A-Za-z0-9_.\[\]]*)+\s*(?:[,)=:]|$)|^\s*match [^=]+:$").ok()
});
static WALRUS: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"\(\w+ := ").ok());

fn is_prose(path: &str) -> bool {
    [".md", ".txt", ".rst", ".adoc"]
        .iter()
        .any(|it| path.ends_with(it))
}

static PACKAGE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r#"["']?(?P<name>[A-Za-z@][A-Za-z0-9_@/-]*)["']?\s*[:=]\s*(?:["'][\^~><=v]*\d[^"']*["']|\{ ?version)|^\s*["']?(?P<pin>[A-Za-z][A-Za-z0-9_-]*)\s*[=~><]=\s*\d"#).ok()
});

/// A package that an edit adds to the file that lists them.
fn dependency_written(call: &ToolCall) -> Option<String> {
    let is_list = paths(call).iter().any(|it| {
        matches!(
            file_name(it),
            "Cargo.toml"
                | "package.json"
                | "pyproject.toml"
                | "requirements.txt"
                | "go.mod"
                | "Gemfile"
        )
    });
    let text = written(call);
    let line = text.lines().filter(|_| is_list).find(|line| {
        let captures = PACKAGE.as_ref().and_then(|it| it.captures(line));
        captures.is_some_and(|it| {
            let name = it
                .name("name")
                .or_else(|| it.name("pin"))
                .map_or("", |it| it.as_str());
            let is_own = matches!(
                name,
                "version" | "edition" | "rust-version" | "requires-python" | "node" | "engines"
            );
            // What stands there already is not added.
            let before = ["old_string", "oldString", "old_str"]
                .iter()
                .filter_map(|it| call.arguments.get(it)?.as_str())
                .any(|it| it.contains(line.trim()));
            !is_own && !before
        })
    })?;
    Some(line.trim().to_owned())
}

fn command_breach(words: &[String], call: &ToolCall) -> Option<String> {
    let line = command(call)?;
    let is_breach = simple_commands(&line).iter().any(|command| {
        let Some((program, rest)) = words.split_first() else {
            return false;
        };
        let is_program = command.first().is_some_and(|it| file_name(it) == program);
        is_program
            && rest.iter().all(|word| {
                command.iter().skip(1).any(|it| {
                    it == word
                        || word == "--force" && (it == "-f" || it.starts_with("--force"))
                        || it.ends_with(&format!("/{word}"))
                        || it.ends_with(&format!(":{word}"))
                })
            })
    });
    is_breach.then_some(line)
}

fn path_breach(path: &str, call: &ToolCall) -> Option<String> {
    let within = |other: &str| {
        let other = format!("/{}/", other.trim_start_matches("./").trim_matches('/'));
        other.contains(&format!(
            "/{}/",
            path.trim_start_matches("./").trim_matches('/')
        ))
    };
    match call.kind {
        ToolKind::Edit => paths(call).into_iter().find(|it| within(it)),
        ToolKind::Run => {
            let line = command(call)?;
            let is_breach = simple_commands(&line).iter().any(|words| {
                let program = words.first().map(|it| file_name(it)).unwrap_or_default();
                let changes = MUTATING.contains(&program)
                    && (program != "sed" || words.iter().any(|it| it.starts_with("-i")))
                    && (program != "git" || words.get(1).is_some_and(|it| it == "rm" || it == "mv"))
                    // What is copied from is not changed.
                    && (program != "cp" || words.last().is_some_and(|it| within(it)));
                let redirected = words
                    .iter()
                    .zip(words.iter().skip(1))
                    .any(|(to, file)| (to == ">" || to == ">>") && within(file));
                redirected || changes && words.iter().skip(1).any(|it| within(it))
            });
            is_breach.then_some(line)
        }
        _ => None,
    }
}
