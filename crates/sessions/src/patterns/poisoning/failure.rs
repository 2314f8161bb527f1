//! What failed and is spoken of as if it had worked.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::LazyLock;

use regex::Regex;

use super::{Mention, Poison};
use crate::patterns::Window;
use crate::patterns::act::{command, file_name, paths, strings, written};
use crate::patterns::outcome::{CommandTask, tasks};
use crate::prose::{content_stems, phrases, sentences};
use crate::{ToolCall, ToolKind};

mod claim;

use claim::{ABSENT, OF_WORK, admits_failure, claims};

/// Something that failed and did not work since.
struct Failing<'a> {
    cause: Mention<'a>,
    claims: Vec<Mention<'a>>,
    of: Subject,
    /// Whether another command of its kind worked since, so that only its own name speaks of it.
    is_by_name: bool,
}

enum Subject {
    /// A command.
    Task(CommandTask),
    /// A file that could not be read or changed.
    File {
        path: String,
        is_edit: bool,
        /// What the change was to define or change, by name.
        names: Vec<String>,
        /// Stems of words by which it was asked for.
        wanted: Vec<String>,
    },
}

/// What failed and was spoken of as if it had worked, before it did.
pub(super) fn find<'a>(window: &Window<'a>) -> Vec<Poison<'a>> {
    let mut failing: BTreeMap<String, Failing<'a>> = BTreeMap::new();
    let mut found = Vec::new();
    for (at, item) in window.items.iter().enumerate() {
        if let Some(call) = item.call().filter(|_| !failing.is_empty()) {
            let is_prose = paths(call).iter().any(|it| {
                [".md", ".txt", ".rst", ".adoc"]
                    .iter()
                    .any(|end| it.ends_with(end))
            });
            if is_prose {
                // What is written down is claimed too; it is not in the text of the item.
                note_claims(at, &written(call), &mut failing, &|it| {
                    Cow::Owned(it.to_owned())
                });
            }
        }
        if let Some(result) = item.result() {
            let Some(call) = window.call_of(result) else {
                continue;
            };
            if result.failure.is_some() {
                note_failure(window, at, call, &mut failing, &mut found);
            } else {
                note_success(call, result.text.as_str(), &mut failing, &mut found);
            }
        } else if let Some(text) = item.model_text() {
            note_claims(at, text.as_str(), &mut failing, &|it| Cow::Borrowed(it));
        } else if let Some(prompt) = item.prompt() {
            // A person who says that it works now has seen it.
            let works = sentences(prompt.as_str()).iter().any(|it| {
                phrases().success.is_match(it.text)
                    && !phrases().negation.is_match(it.text)
                    && OF_WORK.as_ref().is_some_and(|of| of.is_match(it.text))
                    && it.text.len() <= 120
            });
            if works {
                // That a file can be read now is not said by the way.
                clear(&mut failing, &mut found, |_, it| {
                    matches!(it.of, Subject::Task(_))
                });
            }
        }
    }
    clear(&mut failing, &mut found, |_, _| true);
    found
}

fn note_failure<'a>(
    window: &Window<'a>,
    at: usize,
    call: &ToolCall,
    failing: &mut BTreeMap<String, Failing<'a>>,
    found: &mut Vec<Poison<'a>>,
) {
    let words = describe(call);
    let cause = Mention {
        item: at,
        words: Cow::Owned(words),
    };
    let mut subjects: Vec<(String, Subject)> = Vec::new();
    match call.kind {
        ToolKind::Run | ToolKind::Other => {
            // Which command of a line failed is not recorded; the exit code rests on the last.
            let mut all = tasks(call);
            if let Some(mut task) = all.pop() {
                for other in all.into_iter().filter(|it| it.name == task.name) {
                    task.subjects.extend(other.subjects);
                }
                subjects.push((format!("task {}", task.name), Subject::Task(task)));
            }
        }
        ToolKind::Read | ToolKind::Edit => {
            let is_edit = call.kind == ToolKind::Edit;
            let names = if is_edit { defined(call) } else { Vec::new() };
            let prompt = window.items[..at].iter().rev().find_map(|it| it.prompt());
            let wanted = prompt.map_or_else(Vec::new, |it| content_stems(it.as_str()));
            subjects.extend(paths(call).into_iter().map(|path| {
                let key = format!("file {} {}", file_name(&path), names.join(" "));
                let (names, wanted) = (names.clone(), wanted.clone());
                (
                    key,
                    Subject::File {
                        path,
                        is_edit,
                        names,
                        wanted,
                    },
                )
            }));
        }
        _ => {}
    }
    for (key, of) in subjects {
        clear(failing, found, |it, _| *it == key);
        let cause = cause.clone();
        failing.insert(
            key,
            Failing {
                cause,
                claims: Vec::new(),
                of,
                is_by_name: false,
            },
        );
    }
}

static DEFINED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"\b(?:fn|def|class|struct|enum|trait|function|func|interface)\s+([A-Za-z_][A-Za-z0-9_]*)|^\s*(?:pub |async |static |export )*([a-z_][A-Za-z0-9_]*)\([^()]*\)\s*\{").ok()
});

/// Names of what an edit defines or stands at.
fn defined(call: &ToolCall) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for text in strings(&call.arguments) {
        for captures in DEFINED.iter().flat_map(|it| it.captures_iter(text)) {
            let name = captures.get(1).or_else(|| captures.get(2));
            // A name that is not there is often one that is there, written wrongly.
            let name = name.map_or("", |it| it.as_str().trim_matches('_'));
            if name.len() >= 3 && names.iter().all(|it| it != name) {
                names.push(name.to_owned());
            }
        }
    }
    names
}

fn describe(call: &ToolCall) -> String {
    let what = command(call).or_else(|| call.path().map(str::to_owned));
    format!("failed: {} {}", call.name, what.unwrap_or_default())
}

/// Words by which the output of any command says that tests or a build went well.
static WENT_WELL: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?m)test result: ok|\b[1-9]\d* passed\b|^ok\s|BUILD SUCCESS|Finished `|tests? passed|0 failed",
    )
    .ok()
});

fn note_success<'a>(
    call: &ToolCall,
    output: &str,
    failing: &mut BTreeMap<String, Failing<'a>>,
    found: &mut Vec<Poison<'a>>,
) {
    if call.kind == ToolKind::Agent {
        // What a sub-agent did may be anything.
        clear(failing, found, |_, _| true);
        return;
    }
    let worked = tasks(call);
    let touched = paths(call);
    let line = command(call).unwrap_or_default();
    let went_well =
        call.kind == ToolKind::Run && WENT_WELL.as_ref().is_some_and(|it| it.is_match(output));
    let is_same = |task: &CommandTask| worked.iter().any(|it| it.spoken == task.spoken);
    for it in failing.values_mut() {
        let Subject::Task(task) = &it.of else {
            continue;
        };
        let is_alike = || {
            worked
                .iter()
                .any(|other| other.name == task.name || other.is_spoken_of_as(task))
        };
        it.is_by_name |= went_well || is_alike();
    }
    clear(failing, found, |_, it| match &it.of {
        Subject::Task(task) => {
            is_same(task) || it.is_by_name && (!it.claims.is_empty() || !task.has_own_name())
        }
        Subject::File {
            path,
            is_edit,
            names,
            ..
        } => {
            let same = |other: &String| file_name(other) == file_name(path);
            // A read that works does not make a change that failed.
            let is_enough = !is_edit || call.kind != ToolKind::Read;
            // A change at another place of the file does not make the one that failed.
            let is_other = *is_edit && call.kind == ToolKind::Edit && !names.is_empty() && {
                let made = defined(call);
                !made.is_empty() && names.iter().all(|it| !made.contains(it))
            };
            is_enough && !is_other && (touched.iter().any(same) || line.contains(file_name(path)))
        }
    });
}

/// Takes out what worked since; what was claimed before it did is found all the same.
fn clear<'a>(
    failing: &mut BTreeMap<String, Failing<'a>>,
    found: &mut Vec<Poison<'a>>,
    mut is_over: impl FnMut(&String, &Failing<'a>) -> bool,
) {
    let over: Vec<String> = failing
        .iter()
        .filter(|(key, it)| is_over(key, it))
        .map(|(key, _)| key.clone())
        .collect();
    for key in over {
        if let Some(it) = failing.remove(&key)
            && !it.claims.is_empty()
        {
            found.push(Poison {
                reason: match it.of {
                    Subject::Task(_) => {
                        "A command failed and later turns speak of it as if it had worked."
                    }
                    Subject::File { is_edit: true, .. } => {
                        "A change failed and later turns speak of it as if it had been made."
                    }
                    Subject::File { is_edit: false, .. } => {
                        "A file could not be read and later turns say what is in it."
                    }
                },
                cause: it.cause,
                uses: it.claims,
            });
        }
    }
}

fn note_claims<'a, 't>(
    at: usize,
    text: &'t str,
    failing: &mut BTreeMap<String, Failing<'a>>,
    keep: &dyn Fn(&'t str) -> Cow<'a, str>,
) {
    if failing.is_empty() {
        return;
    }
    let admits = admits_failure(text);
    for sentence in sentences(text) {
        if sentence.is_question() {
            continue;
        }
        let is_denied = phrases().negation.is_match(sentence.text);
        for it in failing.values_mut() {
            // What a file is said to say may well be a "not".
            let is_read = matches!(it.of, Subject::File { is_edit: false, .. });
            let is_silent = if is_read {
                ABSENT.as_ref().is_none_or(|it| it.is_match(text))
            } else {
                is_denied || admits
            };
            if is_silent {
                continue;
            }
            if claims(&sentence, &it.of, it.is_by_name) {
                it.claims.push(Mention {
                    item: at,
                    words: keep(sentence.text),
                });
            }
        }
    }
}
