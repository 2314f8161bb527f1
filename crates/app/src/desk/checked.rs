//! What a person wrote, held to the rules before it is handed in.

use agon_prompt::human::{self, Problem, Unread, WrittenAnswer};
use agon_record::finding::{Finding, Severity};
use agon_record::id::AskKey;
use agon_record::state::State;
use agon_record::text::strip_invisible_characters;
use agon_report::text::count_with_noun;
use agon_rules::plan::check_reply;
use agon_verdict::render::render_findings;

use crate::failure::{Failure, FailureKind};
use crate::notes::Notes;

/// What a person wrote, and what is wrong with it.
#[derive(Debug)]
pub struct CheckedAnswer {
    /// The reply that it comes to; empty where it cannot be understood.
    pub reply: String,
    /// What is wrong, each with its line.
    pub findings: Vec<Finding>,
    /// The line that says that it is not done, if any.
    pub unfinished: Option<u32>,
    /// The text, for the lines.
    text: String,
}

/// How wrong an answer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnswerFault {
    /// It cannot be understood, and not be handed in.
    Unreadable,
    /// It breaks rules, and can be handed in as it is.
    Broken,
}

impl CheckedAnswer {
    /// Reads and checks what stands in the file `name`, as if it were done; none where nothing is
    /// written.
    pub(crate) fn read_and_check(
        state: &State,
        key: AskKey,
        name: &str,
        bytes: &[u8],
    ) -> Option<Self> {
        let Ok(text) = std::str::from_utf8(bytes) else {
            return Some(Self::not_utf8(key, name));
        };
        // Lines are counted in what is read.
        let mut text = strip_invisible_characters(text);
        let mut read = human::parse_answer(state, key, &text);
        let mut unfinished = None;
        if let Err(Unread::Unfinished { line }) = read {
            unfinished = Some(line);
            text = human::mark_finished(&text);
            read = human::parse_answer(state, key, &text);
        }
        match read {
            Err(Unread::Blank | Unread::Unfinished { .. }) => None,
            Err(Unread::Problems(problems)) => Some(Self {
                reply: String::new(),
                findings: human::findings_from_problems(key, name, &problems),
                unfinished,
                text,
            }),
            Ok(answer) => {
                let mut findings = check_reply(state, key, &answer.reply);
                findings
                    .iter_mut()
                    .for_each(|finding| set_file_location(finding, &answer, name, &text));
                Some(Self {
                    reply: answer.reply,
                    findings,
                    unfinished,
                    text,
                })
            }
        }
    }

    fn not_utf8(key: AskKey, name: &str) -> Self {
        let problem = Problem::at(1, "this is no text: it is not UTF-8", "save it as UTF-8");
        let mut findings = human::findings_from_problems(key, name, &[problem]);
        findings.iter_mut().for_each(|finding| finding.span = None);
        Self {
            reply: String::new(),
            findings,
            unfinished: None,
            text: String::new(),
        }
    }

    fn worst_severity(&self) -> Option<Severity> {
        self.findings.iter().map(|finding| finding.severity).max()
    }

    /// The worst of what is wrong.
    pub fn worst_fault(&self) -> Option<AnswerFault> {
        // A warning is told, and does not ask for a second try.
        self.worst_severity().and_then(|severity| match severity {
            Severity::Fatal => Some(AnswerFault::Unreadable),
            Severity::Error => Some(AnswerFault::Broken),
            Severity::Warning => None,
        })
    }

    /// Shows what is wrong.
    pub fn note_findings(&self, notes: &mut dyn Notes) {
        let file = |_: &str| Some(self.text.clone());
        let told = render_findings(&self.findings, &file, &|_| Vec::new(), true);
        if !told.is_empty() {
            notes.note(told.trim_end());
        }
    }

    /// Shows what is wrong, and refuses what breaks a rule unless it is to go `as_is`.
    ///
    /// # Errors
    ///
    /// If it is refused.
    pub(crate) fn require_acceptable(
        &self,
        as_is: bool,
        notes: &mut dyn Notes,
    ) -> Result<(), Failure> {
        self.note_findings(notes);
        let worst = self.worst_severity();
        if worst < Some(Severity::Error) || (as_is && worst == Some(Severity::Error)) {
            return Ok(());
        }
        let bad = self
            .findings
            .iter()
            .filter(|finding| finding.severity >= Severity::Error);
        let first = self.findings.iter().max_by_key(|finding| finding.severity);
        let first = first
            .map(|finding| format!(": {}", finding.message))
            .unwrap_or_default();
        let message = format!(
            "the answer has {}{first}",
            count_with_noun(bad.count() as u64, "error")
        );
        let hint = match worst {
            Some(Severity::Fatal) => "mend it and hand it in again; nothing was recorded",
            _ => {
                "mend it, or hand it in with --as-is: it is sent back once, then taken with its errors"
            }
        };
        Err(Failure::new(FailureKind::Usage, "answer_refused", message)
            .parameter("answer")
            .hint(hint))
    }
}

/// Puts a finding where its part stands in the file.
fn set_file_location(finding: &mut Finding, answer: &WrittenAnswer, file_name: &str, text: &str) {
    let Some(line) = answer.line_of_part(&finding.at) else {
        return;
    };
    let whole = usize::try_from(line)
        .ok()
        .and_then(|line| text.lines().nth(line.checked_sub(1)?));
    let whole = whole.unwrap_or_default();
    let before = whole.chars().take_while(|c| c.is_whitespace()).count();
    let length = whole.trim().chars().count().max(1);
    let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    finding.path = Some(file_name.to_owned());
    finding.span = Some([line, number(before + 1), number(length)]);
}
