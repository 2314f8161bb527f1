//! What a person wrote, held to the rules before it is handed in.

use agon_caller::{Code, Failure, Hint, Notes};
use agon_prompt::human::{self, FormPlace, Problem, Unread};
use agon_record::finding::{Finding, Severity};
use agon_record::id::AskKey;
use agon_record::state::State;
use agon_record::text::strip_invisible_characters;
use agon_report::text::plain_line;
use agon_rules::plan::check_reply;

/// What a person wrote, and what is wrong with it.
#[derive(Debug)]
pub struct CheckedAnswer {
    /// The reply that it comes to; empty where it cannot be understood.
    pub reply: String,
    /// What is wrong, each with its line.
    pub findings: Vec<Finding>,
    /// The line that says that it is not done, if any.
    pub unfinished: Option<u32>,
}

/// Whether lines of the file are told where something is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lines {
    /// They are: it is fixed in the file.
    Told,
    /// They are not: the person sees questions, not the file.
    Hidden,
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
        let problem = Problem::at(1, "this is no text: it is not UTF-8", "save it as UTF-8");
        Self {
            reply: String::new(),
            findings: human::findings_from_problems(key, name, &[problem]),
            unfinished: None,
        }
    }

    fn worst_severity(&self) -> Option<Severity> {
        self.findings.iter().map(|finding| finding.severity).max()
    }

    /// The worst of what is wrong; a warning stops no person.
    pub fn worst_fault(&self) -> Option<AnswerFault> {
        match self.worst_severity()? {
            Severity::Fatal => Some(AnswerFault::Unreadable),
            Severity::Error => Some(AnswerFault::Broken),
            Severity::Warning => None,
        }
    }

    /// Shows what is wrong, in the words of the form.
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
            "the answer was not handed in: {}",
            first.unwrap_or_default()
        );
        let hint = match fault {
            AnswerFault::Unreadable => {
                "put that right and hand it in again; nothing was recorded".into()
            }
            AnswerFault::Broken => Hint::new("put that right").or(Hint::new("hand it in with ")
                .flag("as-is")
                .text(": it is sent back once, then taken with its errors")),
        };
        Err(Failure::new(Code::AnswerRefused, message)
            .parameter("answer")
            .hint(hint))
    }
}

/// A finding in the words of the form, with the line of its part in the file; of an answer that is
/// not a form, with the part that it is about.
fn finding_in_file(finding: &Finding, place: Option<&FormPlace>, file_name: &str) -> Finding {
    let mut told = human::finding_in_words_of_form(finding, place);
    match place {
        Some(place) => {
            told.path = Some(file_name.to_owned());
            told.span = Some([place.line.max(1), 1, 1]);
        }
        None if !finding.at.is_empty() => {
            told.message = format!("{}: {}", finding.at, told.message);
        }
        None => {}
    }
    told
}
