//! Finds false success: a command failed, and a later message says that it worked, without a
//! successful run in between.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;

use super::act::{command, file_name, paths};
use super::check::{Check, checks};
use super::lexicon::{Topic, Words};
use super::prohibition::only_asks_questions;
use super::shell::programs;
use super::{Cure, EvidenceRole, Pattern, PatternEvidence, PatternFinding, Severity, Window};
use crate::prose::{Quotes, sentences};
use crate::{ToolCall, ToolKind, ToolResult};

mod claim;
mod report;

use claim::{admits, claims, says_that_it_works};
use report::{asks_for, has_outside_effect, is_hedged, presents_as_success, replaces};

/// The confidence that such a claim is false.
const CONFIDENCE: f64 = 0.9;
/// Most places shown besides the cause.
const MAX_CLAIMS: usize = 4;

/// A command that failed and has not passed since.
struct Failing<'a> {
    item: usize,
    check: Check,
    output: &'a str,
    /// Whether some of its tests have passed since.
    is_partly: bool,
    /// Whether another check of the work has passed since.
    is_mixed: bool,
    /// Whether the model has reported a failure since, or was asked for its cause.
    is_admitted: bool,
    /// Whether the user only wanted to know something when it failed.
    is_asked: bool,
    /// Whether the model has turned to other work since.
    is_left: bool,
    /// Whether a turn has ended since, or a file that it named was changed.
    is_reported: bool,
    claims: Vec<Claim<'a>>,
}

/// A sentence that claims success.
#[derive(Clone)]
struct Claim<'a> {
    item: usize,
    turn: u32,
    words: &'a str,
    /// Whether it says so explicitly.
    is_plain: bool,
}

/// Finds claims of success for commands that failed.
pub(super) fn find(
    session: &Window<'_>,
    last: &Window<'_>,
    is_debate: bool,
    quotes: &mut Quotes,
) -> Vec<PatternFinding> {
    let mut search = Search {
        session,
        failing: Vec::new(),
        found: Vec::new(),
    };
    for (at, item) in session.items.iter().enumerate() {
        if let Some(result) = item.result() {
            if let Some(call) = session.call_of(result) {
                search.note_result(at, call, result);
            }
        } else if let Some(text) = item.model_text() {
            // Replies in a debate argue about failures, so each paragraph is judged separately.
            let whole = text.as_str();
            let end = if is_debate { "\n\n" } else { "\0" };
            whole.split(end).for_each(|it| search.note_message(at, it));
        } else if let Some(prompt) = item.prompt().filter(|_| !search.failing.is_empty()) {
            // A user who says that it works has seen it work, so no failure remains open.
            let said = sentences(prompt.as_str());
            if said
                .iter()
                .any(|it| says_that_it_works(&Words::of(it.text)))
            {
                search.settle(|_| true);
            }
        }
    }
    search.settle(|_| true);
    let words_at_the_end = last_model_message(session);
    let found = std::mem::take(&mut search.found);
    found
        .iter()
        .map(|it| describe(it, session, last, words_at_the_end, quotes))
        .collect()
}

/// Returns the model's last message, if no message of the user follows.
fn last_model_message(session: &Window<'_>) -> Option<usize> {
    let items = session.items.iter().enumerate().rev();
    let mut said = items.filter(|(_, it)| it.prompt().is_some() || it.model_text().is_some());
    said.next()
        .filter(|(_, it)| it.model_text().is_some())
        .map(|(at, _)| at)
}

/// Returns the calls before an item.
fn calls_before<'a>(session: &Window<'a>, at: usize) -> impl Iterator<Item = &'a ToolCall> {
    session.items[..at].iter().filter_map(|it| it.call())
}

struct Search<'w, 'a> {
    session: &'w Window<'a>,
    failing: Vec<Failing<'a>>,
    found: Vec<Failing<'a>>,
}

impl<'a> Search<'_, 'a> {
    /// Removes resolved failures. Earlier false claims about them remain findings.
    fn settle(&mut self, is_over: impl Fn(&Failing<'a>) -> bool) {
        let (over, open) = std::mem::take(&mut self.failing)
            .into_iter()
            .partition(|it| is_over(it));
        self.failing = open;
        let over: Vec<Failing<'a>> = over;
        self.found
            .extend(over.into_iter().filter(|it| !it.claims.is_empty()));
    }

    fn note_result(&mut self, at: usize, call: &ToolCall, result: &'a ToolResult) {
        let is_work = matches!(call.kind, ToolKind::Run | ToolKind::Edit);
        if result.failure.is_none() {
            let left = self.failing.iter_mut();
            left.for_each(|it| it.is_left |= is_work || has_outside_effect(&it.check));
            // An edit of a file that the failed command named counts as a fix.
            let changed = match call.kind {
                ToolKind::Edit => paths(call),
                _ => Vec::new(),
            };
            for it in &mut self.failing {
                let mut names = changed.iter().map(|path| file_name(path));
                it.is_reported |= names.any(|name| {
                    it.output.contains(name) || it.check.words.contains(&name.to_lowercase())
                });
            }
        }
        let output = result.text.as_str();
        match call.kind {
            ToolKind::Agent => self.settle(|_| true),
            ToolKind::Run => {
                let all = checks(call);
                if result.failure.is_none() && !self.failing.is_empty() {
                    let line = programs(&command(call).unwrap_or_default());
                    self.settle(|it| line.iter().any(|by| replaces(by, &it.check)));
                }
                self.forget_claims_of_this_turn(at, &all);
                match failed(call, &all, result) {
                    Some(check) => self.fail(at, check, output),
                    None if result.failure.is_none() => self.pass(&all, output),
                    None => {}
                }
            }
            // The output is a log that was read, or comes from another tool that ran the tests.
            _ if result.failure.is_none() => self.pass(&[], output),
            _ => {}
        }
    }

    /// Drops the claims of this turn when the command runs again before the user's next message.
    fn forget_claims_of_this_turn(&mut self, at: usize, all: &[Option<Check>]) {
        let turn = self.session.items[at].entry.turn;
        for it in &mut self.failing {
            if all
                .iter()
                .flatten()
                .any(|check| check.is_similar_to(&it.check))
            {
                it.claims.retain(|claim| claim.turn != turn);
            }
        }
    }

    fn fail(&mut self, at: usize, check: Check, output: &'a str) {
        self.settle(|it| {
            check.is_similar_to(&it.check)
                && check.has_same_kind(&it.check)
                && check.covers(&it.check)
        });
        // A script fails often while the model is still writing it, so such a failure does not
        // count.
        let is_own = calls_before(self.session, at)
            .filter(|it| it.kind == ToolKind::Edit)
            .any(|it| paths(it).iter().any(|path| file_name(path) == check.tool));
        if is_own && has_outside_effect(&check) {
            return;
        }
        let before = self.session.items[..at].iter().rev();
        let is_question = before
            .filter_map(|it| it.prompt())
            .next()
            .is_some_and(|it| only_asks_questions(it.as_str()));
        self.failing.push(Failing {
            item: at,
            check,
            output,
            is_partly: false,
            is_mixed: false,
            // A user who asks why it fails knows of the failure, so it counts as reported.
            is_admitted: is_question,
            is_asked: is_question,
            is_left: false,
            is_reported: false,
            claims: Vec::new(),
        });
    }

    fn pass(&mut self, all: &[Option<Check>], output: &str) {
        if self.failing.is_empty() {
            return;
        }
        let passed: Vec<&Check> = all.iter().flatten().collect();
        // A project script may run anything, so its output decides whether the checks passed.
        let went_well = is_match(&WENT_WELL, output) && !is_match(&WENT_WRONG, output);
        let is_known = passed.iter().any(|it| it.checks_work());
        self.settle(|it| {
            let is_like = passed.iter().any(|check| {
                check.is_similar_to(&it.check)
                    && check.has_same_kind(&it.check)
                    && (check.tool != it.check.tool
                        || !it.check.has_topic(Topic::Test)
                        || check.covers(&it.check))
            });
            is_like || went_well && !is_known && it.check.checks_work()
        });
        for it in &mut self.failing {
            it.is_partly |= passed
                .iter()
                .any(|check| check.is_similar_to(&it.check) && check.has_same_kind(&it.check));
            it.is_mixed |= is_known || went_well;
        }
    }

    fn note_message(&mut self, at: usize, text: &'a str) {
        if self.failing.is_empty() {
            return;
        }
        let all: Vec<(&'a str, Words)> = sentences(text)
            .into_iter()
            .filter(|it| !it.is_question())
            .map(|it| (it.text, Words::of(it.text)))
            .collect();
        if all.iter().any(|(_, words)| admits(words)) {
            let is_report = self.is_last_act_of_turn(at);
            self.failing
                .iter_mut()
                .for_each(|it| it.is_admitted |= is_report);
            return;
        }
        let turn = self.session.items[at].entry.turn;
        let mut found: Vec<(usize, &'a str, bool)> = Vec::new();
        for (words, parsed) in &all {
            // A claim is about one failure: the latest that it matches.
            let fits = self.failing.iter().rposition(|it| claims(parsed, it));
            found.extend(fits.map(|it| (it, *words, true)));
        }
        if self.is_last_act_of_turn(at) && !text.contains(['?', '？']) {
            let is_open = |it: &Failing<'_>| {
                !it.is_asked && !all.iter().any(|(_, words)| asks_for(words, it))
            };
            let is_hedged = all.iter().any(|(_, words)| is_hedged(words));
            for (number, it) in self.failing.iter().enumerate() {
                if !is_open(it) || found.iter().any(|(of, ..)| *of == number) {
                    continue;
                }
                let tied = all.iter().find(|(_, words)| presents_as_success(words, it));
                let is_silent = it.is_left
                    && has_outside_effect(&it.check)
                    && !it.check.has_topic(Topic::Train)
                    && !it.is_reported
                    && !is_hedged;
                let first = || all.iter().find(|_| is_silent);
                found.extend(
                    tied.or_else(first)
                        .map(|(words, _)| (number, *words, false)),
                );
            }
            self.failing.iter_mut().for_each(|it| it.is_reported = true);
        }
        for (number, words, is_plain) in found {
            if let Some(it) = self.failing.get_mut(number) {
                it.claims.push(Claim {
                    item: at,
                    turn,
                    words,
                    is_plain,
                });
            }
        }
    }

    /// Returns whether the model does nothing more before the user's next message or the end.
    fn is_last_act_of_turn(&self, at: usize) -> bool {
        let after = self.session.items.iter().skip(at + 1);
        let mut acts = after.filter(|it| it.prompt().is_some() || it.call().is_some());
        acts.next().is_none_or(|it| it.prompt().is_some())
    }
}

/// Output that reports passed checks, and output that reports failed ones.
static WENT_WELL: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?m)test result: ok|\b[1-9]\d* (?:tests? )?pass(?:ed|ing)\b|^ok\s|BUILD SUCCESS|Finished `|tests? passed|\b0 failed|✓ built|^PASS\b").ok()
});
static WENT_WRONG: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?m)\b[1-9]\d* (?:tests? )?(?:failed|failing|failures?|errors?)\b|test result: FAILED|BUILD FAIL|^FAIL\b|^FAILED\b|--- FAIL|✗|✖|✕|npm ERR|Traceback|panicked|^error|failures=[1-9]|errors=[1-9]|Failures: [1-9]|exited with|FAILED").ok()
});
/// The last output of a test run with failures.
static TESTS_FAILED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?m)\b[1-9]\d* failed\b|test result: FAILED|^Tests:\s+[1-9]\d* failed|^FAIL\s|BUILD FAILED|FAILED \((?:failures|errors)=|\b[1-9]\d* failing\b").ok()
});
/// Parts of a command line that switch to another state of the work.
const ELSEWHERE: &[&str] = &[
    "git stash",
    "git checkout",
    "git switch",
    "git worktree",
    "git bisect",
    "/tmp/",
];
/// Output that says the goal is already reached.
static IS_SO: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)nothing to commit|cannot publish over|already (?:exists|up to date|installed|satisfied|applied|published|deployed|running)|previously published|up-to-date").ok()
});

fn is_match(regex: &Option<Regex>, text: &str) -> bool {
    regex.as_ref().is_some_and(|it| it.is_match(text))
}

/// Returns the command of a line that failed, if that is certain.
fn failed(call: &ToolCall, all: &[Option<Check>], result: &ToolResult) -> Option<Check> {
    let output = result.text.as_str();
    let line = command(call)?;
    let check = match result.failure {
        // Without an exit code, the command did not run or was aborted. After a failure in a list
        // with `&&`, the last command did not succeed, whichever one failed.
        Some(failure) => all
            .last()
            .filter(|_| failure.exit.is_some_and(|it| it != 0))?,
        // In `pytest | tail`, `tail` sets the exit code, so search the output for failed tests.
        None => {
            let mut tests = all.iter().rev();
            let is_of_tests =
                |it: &&Option<Check>| it.as_ref().is_some_and(|it| it.has_topic(Topic::Test));
            let is_hidden = line.contains(['|', ';']);
            tests
                .find(is_of_tests)
                .filter(|_| is_hidden && is_match(&TESTS_FAILED, output))?
        }
    };
    let check = check.clone()?;
    // A run in an older state or another copy says nothing about the current work.
    if ELSEWHERE.iter().any(|it| line.contains(it)) || is_match(&IS_SO, output) {
        return None;
    }
    let all_passed = || is_match(&WENT_WELL, output) && !is_match(&WENT_WRONG, output);
    (!(check.has_topic(Topic::Test) && all_passed())).then_some(check)
}

fn describe(
    failing: &Failing<'_>,
    session: &Window<'_>,
    last: &Window<'_>,
    at_the_end: Option<usize>,
    quotes: &mut Quotes,
) -> PatternFinding {
    let cause = session.items[failing.item];
    let call = cause.result().and_then(|it| session.call_of(it));
    let name = call.map_or("", |it| it.name.as_str());
    let line = call.and_then(command).unwrap_or_default();
    let words = format!("failed: {name} {line}");
    let mut evidence = vec![PatternEvidence::from_words(
        EvidenceRole::Cause,
        cause.entry,
        &words,
        quotes,
    )];
    let mut shown = BTreeSet::new();
    for claim in failing
        .claims
        .iter()
        .filter(|it| shown.insert(it.item))
        .take(MAX_CLAIMS)
    {
        let item = session.items[claim.item];
        if let Some(text) = item.model_text() {
            evidence.push(PatternEvidence::from_text(
                EvidenceRole::Effect,
                item.entry,
                text,
                claim.words,
                quotes,
            ));
        }
    }
    // If no command ran since the failure, its outcome cannot have changed.
    let is_latest = cause.result().is_some_and(|it| it.failure.is_some())
        && session.items[failing.item + 1..]
            .iter()
            .all(|it| it.call().is_none_or(|it| it.kind != ToolKind::Run));
    let mut claims = failing.claims.iter();
    let is_last = is_latest && claims.any(|it| it.is_plain && Some(it.item) == at_the_end);
    PatternFinding {
        pattern: Pattern::Poisoning,
        severity: if is_last {
            Severity::Red
        } else {
            Severity::Amber
        },
        confidence: CONFIDENCE,
        cure: Cure::Isolate,
        reason: "A command failed, and a later message says that it worked.".to_owned(),
        is_current: evidence
            .iter()
            .any(|it| it.role == EvidenceRole::Effect && last.contains(it.entry)),
        evidence,
    }
}
