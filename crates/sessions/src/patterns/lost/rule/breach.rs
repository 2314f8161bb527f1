//! Whether a call does what is forbidden.

use super::Forbidden;
use crate::patterns::act::{command, file_name, paths, simple_commands, written};
use crate::{ToolCall, ToolKind};

/// Programs that change the files that they are given.
const MUTATING: &[&str] = &[
    "rm", "mv", "cp", "sed", "tee", "truncate", "touch", "chmod", "rmdir", "dd", "git",
];

impl Forbidden {
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
