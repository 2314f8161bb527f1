//! What failed and is spoken of as if it had worked.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::LazyLock;

use regex::Regex;

use super::{Mention, Poison};
use crate::patterns::Window;
use crate::patterns::act::{command, file_name, names_path, paths};
use crate::patterns::outcome::{CommandTask, tasks};
use crate::prose::{Sentence, parts, phrases, runs, sentences, stem};
use crate::{ToolCall, ToolKind};

/// Something that failed and did not work since.
struct Failing<'a> {
    cause: Mention<'a>,
    claims: Vec<Mention<'a>>,
    of: Subject,
}

enum Subject {
    /// A command.
    Task(CommandTask),
    /// A file that could not be read or changed.
    File { path: String, is_edit: bool },
}

/// What failed and was spoken of as if it had worked, before it did.
pub(super) fn find<'a>(window: &Window<'a>) -> Vec<Poison<'a>> {
    let mut failing: BTreeMap<String, Failing<'a>> = BTreeMap::new();
    let mut found = Vec::new();
    for (at, item) in window.items.iter().enumerate() {
        if let Some(result) = item.result() {
            let Some(call) = window.call_of(result) else {
                continue;
            };
            if result.failure.is_some() {
                note_failure(at, call, &mut failing, &mut found);
            } else {
                note_success(call, result.text.as_str(), &mut failing, &mut found);
            }
        } else if let Some(text) = item.model_text() {
            note_claims(at, text.as_str(), &mut failing);
        } else if let Some(prompt) = item.prompt() {
            // A person who says that it works now has seen it.
            let works = sentences(prompt.as_str()).iter().any(|it| {
                phrases().success.is_match(it.text) && !phrases().negation.is_match(it.text)
            });
            if works {
                clear(&mut failing, &mut found, |_, _| true);
            }
        }
    }
    clear(&mut failing, &mut found, |_, _| true);
    found
}

fn note_failure<'a>(
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
            if let Some(task) = tasks(call).pop() {
                subjects.push((format!("task {}", task.name), Subject::Task(task)));
            }
        }
        ToolKind::Read | ToolKind::Edit => {
            let is_edit = call.kind == ToolKind::Edit;
            subjects.extend(paths(call).into_iter().map(|path| {
                let name = file_name(&path).to_owned();
                (format!("file {name}"), Subject::File { path, is_edit })
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
            },
        );
    }
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
    clear(failing, found, |_, it| match &it.of {
        Subject::Task(task) => {
            went_well
                || worked
                    .iter()
                    .any(|other| other.name == task.name || other.is_spoken_of_as(task))
        }
        Subject::File { path, is_edit } => {
            let same = |other: &String| file_name(other) == file_name(path);
            // A read that works does not make a change that failed.
            let is_enough = !is_edit || call.kind != ToolKind::Read;
            is_enough && (touched.iter().any(same) || line.contains(file_name(path)))
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

/// Words that take a failure in, where no phrase before them says that there is none.
static ADMITS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(?:fail(?:s|ed|ing|ures?)?|errors?|broken?|red|crash(?:ed|es)?|does(?:n['’]t| not) (?:compile|build|work|exist)|could(?:n['’]t| not)|cannot|can['’]t|unable|not found|missing|unfortunately)\b").ok()
});
static DENIES: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(?:no|zero|0|without(?: any)?|any) (?:\w+ )?(?:fail(?:ed|ures?|ing)|errors?)\b|\berror handling\b|\berrors? (?:type|enum|message|variant|code)s?\b").ok()
});

fn admits_failure(text: &str) -> bool {
    let (Some(admits), Some(denies)) = (ADMITS.as_ref(), DENIES.as_ref()) else {
        return true;
    };
    admits.is_match(&denies.replace_all(text, ""))
}

fn note_claims<'a>(at: usize, text: &'a str, failing: &mut BTreeMap<String, Failing<'a>>) {
    if failing.is_empty() || admits_failure(text) {
        return;
    }
    for sentence in sentences(text) {
        if sentence.is_question() {
            continue;
        }
        let is_denied = phrases().negation.is_match(sentence.text);
        for it in failing.values_mut() {
            // What a file is said to say may well be a "not".
            let is_read = matches!(it.of, Subject::File { is_edit: false, .. });
            if is_denied && !is_read {
                continue;
            }
            if claims(&sentence, &it.of) {
                it.claims.push(Mention {
                    item: at,
                    words: Cow::Borrowed(sentence.text),
                });
            }
        }
    }
}

fn claims(sentence: &Sentence<'_>, of: &Subject) -> bool {
    match of {
        Subject::Task(task) => phrases().success.find_iter(sentence.text).any(|success| {
            let before = &sentence.text[..success.start()];
            let clause = clause(sentence.text, success.start());
            !hedges(before)
                && runs(clause)
                    .flat_map(parts)
                    .any(|word| task.subjects.contains(&stem(word)))
        }),
        Subject::File { path, is_edit } => {
            let verbs = if *is_edit { &*CHANGED } else { &*HOLDS };
            names_path(sentence.text, path)
                && verbs.as_ref().is_some_and(|verbs| {
                    verbs.find(sentence.text).is_some_and(|verb| {
                        !hedges(&sentence.text[..verb.start()])
                            // What a file shall hold is not what it holds.
                            && !phrases().correction.is_match(sentence.text)
                    })
                })
        }
    }
}

static HOLDS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(?:defines?|contains?|shows?|says?|states?|implements?|exports?|lists?|declares?|describes?|documents?|confirms?|according to|as seen in|sets|reads|handles|asks|allows?|requires?|demands?|wants|forbids|answers?|explains?|has it|tells|calls for|recommends?|permits?)\b").ok()
});
static CHANGED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(?:edited|modified|added|adds|removed|fixed|in place|now (?:has|uses|contains|returns|handles|calls|reads|checks)|is done|applied|done|written|saved|patched|wired|extended)\b").ok()
});

fn hedges(before: &str) -> bool {
    phrases().hedge.is_match(before)
}

/// The part of a sentence around a byte of it, between commas and the like.
fn clause(sentence: &str, at: usize) -> &str {
    let ends = [", ", "; ", ": ", " - ", " – ", " — "];
    let start = ends
        .iter()
        .filter_map(|end| sentence[..at].rfind(end).map(|it| it + end.len()))
        .max()
        .unwrap_or(0);
    let stop = ends
        .iter()
        .filter_map(|end| sentence[at..].find(end).map(|it| at + it))
        .min()
        .unwrap_or(sentence.len());
    &sentence[start..stop]
}
