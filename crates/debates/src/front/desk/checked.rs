//! Checks a person's answer against the rules before it is submitted.

use agon_caller::{Code, Failure, Hint, Notes};
use agon_prompt::human::{self, FormPlace, Problem, Unread};
use agon_record::finding::{Finding, Severity};
use agon_record::id::AskKey;
use agon_record::state::State;
use agon_record::text::strip_invisible_characters;
use agon_report::text::plain_line;
use agon_rules::plan::check_reply;

/// A person's answer and its problems.
#[derive(Debug)]
pub struct CheckedAnswer {
    /// The parsed reply; empty if the text cannot be parsed.
    pub reply: String,
    /// The problems, each with its line.
    pub findings: Vec<Finding>,
    /// The line that marks the answer as unfinished, if any.
    pub unfinished: Option<u32>,
}

/// Whether problems are shown with line numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lines {
    /// Shown: the person edits the file.
    Told,
    /// Hidden: the person answers questions and does not see the file.
    Hidden,
}

/// The severity of an answer's problems.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnswerFault {
    /// It cannot be parsed, so it cannot be submitted.
    Unreadable,
    /// It breaks rules, but can be submitted as it is.
    Broken,
}

impl CheckedAnswer {
    /// Checks the contents of the file `name` as if finished. Returns `None` if nothing was
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
        // Clean the text before parsing, because line numbers refer to the parsed text.
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
            }),
            Ok(answer) => {
                let findings = check_reply(state, key, &answer.reply);
                let findings = findings.iter().map(|finding| {
                    finding_in_file(finding, answer.place_of_part(&finding.at), name)
                });
                Some(Self {
                    findings: findings.collect(),
                    reply: answer.reply,
                    unfinished,
                })
            }
        }
    }

    fn not_utf8(key: AskKey, name: &str) -> Self {
        let problem = Problem::in_line(1, "the file is not UTF-8 text", "save it as UTF-8");
        Self {
            reply: String::new(),
            findings: human::findings_from_problems(key, name, &[problem]),
            unfinished: None,
        }
    }

    fn worst_severity(&self) -> Option<Severity> {
        self.findings.iter().map(|finding| finding.severity).max()
    }

    /// Returns the worst problem; warnings do not count.
    pub fn worst_fault(&self) -> Option<AnswerFault> {
        match self.worst_severity()? {
            Severity::Fatal => Some(AnswerFault::Unreadable),
            Severity::Error => Some(AnswerFault::Broken),
            Severity::Warning => None,
        }
    }

    /// Shows the problems, worded for the form.
    pub fn note_findings(&self, lines: Lines, notes: &mut dyn Notes) {
        for finding in &self.findings {
            let line = finding.span.filter(|_| lines == Lines::Told);
            let line = line.map(|[line, ..]| format!("line {line}: "));
            let kind = match finding.severity {
                Severity::Warning => "note: ",
                Severity::Error | Severity::Fatal => "",
            };
            notes.note(&plain_line(&format!(
                "{kind}{}{}; {}",
                line.unwrap_or_default(),
                finding.message,
                finding.hint
            )));
        }
    }

    /// Shows the problems and rejects the answer if it breaks a rule, unless `as_is`.
    ///
    /// # Errors
    ///
    /// If it is rejected.
    pub(crate) fn require_acceptable(
        &self,
        as_is: bool,
        notes: &mut dyn Notes,
    ) -> Result<(), Failure> {
        self.note_findings(Lines::Told, notes);
        let Some(fault) = self.worst_fault() else {
            return Ok(());
        };
        if as_is && fault == AnswerFault::Broken {
            return Ok(());
        }
        let first = self.findings.iter().max_by_key(|finding| finding.severity);
        let first = first.map(|finding| plain_line(&finding.message));
        let message = format!(
            "the answer was not submitted: {}",
            first.unwrap_or_default()
        );
        let hint = match fault {
            AnswerFault::Unreadable => "fix that and submit it again; nothing was recorded".into(),
            AnswerFault::Broken => Hint::new("fix that").or(Hint::new("submit it with ")
                .flag("as-is")
                .text(": it is sent back once, then accepted with its errors")),
        };
        Err(Failure::new(Code::AnswerRefused, message)
            .parameter("answer")
            .hint(hint))
    }
}

/// Words a finding for the form and adds the line of the part. For an answer without a form, names
/// the part.
fn finding_in_file(finding: &Finding, place: Option<&FormPlace>, file_name: &str) -> Finding {
    let mut worded = human::reword_finding_for_form(finding, place);
    match place {
        Some(place) => {
            worded.path = Some(file_name.to_owned());
            worded.span = Some([place.line.max(1), 1, 1]);
        }
        None if !finding.at.is_empty() => {
            worded.message = format!("{}: {}", finding.at, worded.message);
        }
        None => {}
    }
    worded
}
