//! Asks a person one question after the other.

use agon_debates::front::desk::{AnswerKind, Desk, Form, Question};
use tokio_util::sync::CancellationToken;

use super::input::{Typed, print_prompt, print_wrapped, read_line};
use crate::error::{Code, Failure};
use crate::output::Out;

/// The keys that work in place of an answer.
const KEYS: &str = "Enter skips a question, or keeps the current answer · ? explains it · < goes back · \
                    = shows the point that you answer · == shows the whole debate · . saves and stops";

/// How the interview ended.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    /// All questions were asked.
    Asked,
    /// The person left.
    Left,
    /// The person pressed Ctrl-C.
    Interrupted,
}

/// The step after a question.
enum Next {
    /// The next question.
    Question,
    /// The first question after this section, which is left empty.
    Section,
    /// The previous question.
    Back,
    /// The same question.
    Same,
    End(Ending),
}

/// The questions of one turn.
pub(super) struct Interview<'a> {
    pub(super) desk: &'a Desk<'a>,
    pub(super) cancel: &'a CancellationToken,
    form: Form,
    /// Whether the latest changes could not be saved.
    is_unsaved: bool,
}

impl<'a> Interview<'a> {
    /// Starts the interview with the answers written so far.
    ///
    /// # Errors
    ///
    /// Returns an error if these answers cannot be read or saved.
    pub(super) fn begin(
        desk: &'a Desk<'a>,
        cancel: &'a CancellationToken,
        out: &mut Out,
    ) -> Result<Self, Failure> {
        Ok(Self {
            desk,
            cancel,
            form: desk.read_form(out)?,
            is_unsaved: false,
        })
    }

    /// Asks the questions, from the first one or from where the person stopped, and saves every
    /// line.
    ///
    /// # Errors
    ///
    /// Returns an error if the answers cannot be saved.
    pub(super) async fn ask(
        &mut self,
        from_the_start: bool,
        out: &mut Out,
    ) -> Result<Ending, Failure> {
        let places = self.question_indices();
        let is_about_points = self.form.sections().iter().any(|it| !it.about().is_empty());
        if !is_about_points {
            print_wrapped(&self.desk.debate_so_far(), "", out);
            out.eprint_line("");
        }
        print_wrapped(KEYS, "", out);
        let mut at = match from_the_start {
            true => 0,
            false => self.first_open_question(&places),
        };
        let mut shown: Option<usize> = None;
        let ending = loop {
            let Some(&(section, question)) = places.get(at) else {
                break Ending::Asked;
            };
            if shown != Some(section) {
                self.show_section(section, out);
                shown = Some(section);
            }
            match self.ask_question(section, question, out).await {
                Next::Question => at += 1,
                Next::Section => at = self.first_question_after(&places, section),
                Next::Back => at = at.saturating_sub(1),
                Next::Same => {}
                Next::End(ending) => break ending,
            }
        };
        self.save(out);
        if self.is_unsaved {
            let shown = self.answers_as_text();
            print_wrapped(&shown, "", out);
            let message = "your answers could not be saved; they are printed above";
            return Err(Failure::new(Code::Store, message));
        }
        Ok(ending)
    }

    /// Returns the indices of every section and question, in order.
    fn question_indices(&self) -> Vec<(usize, usize)> {
        let sections = self.form.sections().iter().enumerate();
        sections
            .flat_map(|(at, section)| {
                (0..section.questions().count()).map(move |question| (at, question))
            })
            .collect()
    }

    /// Returns the question after the last answered one; defaults of the form do not count as
    /// answers.
    fn first_open_question(&self, places: &[(usize, usize)]) -> usize {
        let before = self.desk.first_form();
        let is_typed = |&(section, question): &(usize, usize)| {
            let known = before.sections().get(section);
            let known = known.and_then(|section| section.questions().nth(question));
            let known = known.map_or("", |question| question.answer);
            let asked = self.question(section, question);
            asked.is_some_and(|asked| {
                let is_default = asked.answer.is_empty() || asked.answer == asked.default;
                !is_default && asked.answer != known
            })
        };
        places.iter().rposition(is_typed).map_or(0, |last| last + 1)
    }

    /// Returns the first question after `section`, and after empty numbered sections that follow
    /// it.
    fn first_question_after(&self, places: &[(usize, usize)], section: usize) -> usize {
        let is_numbered = |at: usize| {
            let section = self.form.sections().get(at);
            section.is_some_and(|section| section.is_numbered())
        };
        let mut next = section + 1;
        while is_numbered(section) && is_numbered(next) && self.is_empty(next) {
            next += 1;
        }
        let found = places.iter().position(|(at, _)| *at >= next);
        found.unwrap_or(places.len())
    }

    fn is_empty(&self, section: usize) -> bool {
        let section = self.form.sections().get(section);
        section.is_some_and(|section| !section.is_begun())
    }

    fn question(&self, section: usize, question: usize) -> Option<Question<'_>> {
        self.form.sections().get(section)?.questions().nth(question)
    }

    fn show_section(&self, section: usize, out: &mut Out) {
        let all = self.form.sections().len();
        let Some(found) = self.form.sections().get(section) else {
            return;
        };
        out.eprint_line("");
        print_wrapped(
            &format!("{} ({} of {all})", found.heading(), section + 1),
            "",
            out,
        );
        print_wrapped(found.about(), "  ", out);
    }

    async fn ask_question(&mut self, section: usize, question: usize, out: &mut Out) -> Next {
        let Some(asked) = self.question(section, question) else {
            return Next::Question;
        };
        let (kind, known) = (asked.kind, asked.answer.to_owned());
        let prompt = show_question(&asked, out);
        let first = match self.read_answer_line(&prompt).await {
            Ok(line) => line,
            Err(ending) => return Next::End(ending),
        };
        match first.trim() {
            "" => return self.skip(section, question, out),
            "?" => self.explain(section, question, out),
            "=" => self.show_answered_point(section, out),
            "==" => print_wrapped(&self.desk.debate_so_far(), "", out),
            "<" => return Next::Back,
            "." => return Next::End(Ending::Left),
            "-" if !known.is_empty() => self.set_answer(section, question, "", out),
            _ => {
                return self
                    .read_rest_of_answer((section, question), kind, first, out)
                    .await;
            }
        }
        Next::Same
    }

    /// Reads the rest of an answer that begins with the line `first`.
    async fn read_rest_of_answer(
        &mut self,
        (section, question): (usize, usize),
        kind: AnswerKind,
        first: String,
        out: &mut Out,
    ) -> Next {
        let asked = self.question(section, question);
        if let Some(fault) = asked.and_then(|asked| asked.fault(first.trim())) {
            print_wrapped(&fault, "  ", out);
            return Next::Same;
        }
        let mut text = first;
        self.set_answer(section, question, &text, out);
        if kind.is_one_line() {
            return Next::Question;
        }
        loop {
            match self.read_answer_line("> ").await {
                Ok(line) if line.trim().is_empty() => return Next::Question,
                Ok(line) => {
                    text.push('\n');
                    text.push_str(&line);
                    if text.len() >= agon_debates::front::desk::MAX_BYTES {
                        print_wrapped("this is too long to submit; please shorten it", "  ", out);
                        return Next::Same;
                    }
                    self.set_answer(section, question, &text, out);
                }
                // The first Ctrl-D ends this answer; a second one, at the next question, ends the
                // session.
                Err(Ending::Left) => return Next::Question,
                Err(ending) => return Next::End(ending),
            }
        }
    }

    async fn read_answer_line(&self, prompt: &str) -> Result<String, Ending> {
        print_prompt(prompt);
        match read_line(self.cancel).await {
            Typed::Line(line) => Ok(line),
            Typed::Ended => {
                print_prompt("\n");
                Err(Ending::Left)
            }
            Typed::Stopped => Err(Ending::Interrupted),
        }
    }

    /// Returns the step after a skipped question.
    fn skip(&mut self, section: usize, question: usize, out: &mut Out) -> Next {
        let Some(asked) = self.question(section, question) else {
            return Next::Question;
        };
        if !asked.answer.is_empty() || !asked.default.is_empty() || !asked.is_needed {
            return Next::Question;
        }
        let found = self.form.sections().get(section);
        if found.is_some_and(|section| !section.is_needed() && !section.is_begun()) {
            return Next::Section;
        }
        print_wrapped(
            "this question needs an answer; < goes back, . saves and stops",
            "  ",
            out,
        );
        Next::Same
    }

    fn explain(&self, section: usize, question: usize, out: &mut Out) {
        let (Some(found), Some(asked)) = (
            self.form.sections().get(section),
            self.question(section, question),
        ) else {
            return;
        };
        print_wrapped(&format!("{}: {}", found.heading(), found.help()), "  ", out);
        if asked.help != found.help() {
            print_wrapped(&format!("{}: {}", asked.label, asked.help), "  ", out);
        }
        let how = match asked.kind {
            AnswerKind::Text => "Write as many lines as you like, and end with an empty line.",
            AnswerKind::Lines | AnswerKind::Places => {
                "Write one per line, and end with an empty line."
            }
            AnswerKind::Choice(_) | AnswerKind::Score => "Write one word or number.",
        };
        print_wrapped(how, "  ", out);
        print_wrapped("A single - deletes the current answer.", "  ", out);
        print_wrapped(KEYS, "  ", out);
    }

    /// Shows the point that a section answers, or the whole debate if it does not answer a single
    /// point.
    fn show_answered_point(&self, section: usize, out: &mut Out) {
        let about = self.form.sections().get(section).map(|it| it.about());
        match about.filter(|about| !about.is_empty()) {
            Some(about) => print_wrapped(about, "  ", out),
            None => print_wrapped(&self.desk.debate_so_far(), "", out),
        }
    }

    fn set_answer(&mut self, section: usize, question: usize, text: &str, out: &mut Out) {
        self.form.set_answer(section, question, text);
        self.save(out);
    }

    /// Saves the form; on a failure, warns once and tries again with the next line.
    fn save(&mut self, out: &mut Out) {
        match self.desk.save_form(&self.form) {
            Ok(()) => self.is_unsaved = false,
            Err(failure) => {
                if !self.is_unsaved {
                    let warning =
                        format!("{}; Agon tries again with your next line", failure.message);
                    print_wrapped(&warning, "  ", out);
                }
                self.is_unsaved = true;
            }
        }
    }

    /// Returns the answers as text, to print them if they cannot be saved.
    fn answers_as_text(&self) -> String {
        let mut text = String::new();
        for section in self.form.sections().iter().filter(|it| it.is_begun()) {
            for asked in section.questions().filter(|it| !it.answer.is_empty()) {
                text.push_str(&format!(
                    "{} {}\n{}\n",
                    section.heading(),
                    asked.label,
                    asked.answer
                ));
            }
        }
        text
    }
}

/// Prints a question and the current answer; returns the prompt.
fn show_question(asked: &Question<'_>, out: &mut Out) -> String {
    let may_stay_empty = !asked.is_needed && asked.default.is_empty();
    let how = match (asked.kind.is_one_line(), may_stay_empty) {
        (true, false) => "",
        (true, true) => " (optional)",
        (false, false) => " (several lines; end with an empty one)",
        (false, true) => " (optional; several lines, end with an empty one)",
    };
    let label = match asked.label {
        "" => String::new(),
        label => format!("{label}: "),
    };
    print_wrapped(&format!("{label}{}{how}", asked.help), "", out);
    let known = match asked.answer {
        "" => asked.default,
        answer => answer,
    };
    match known {
        "" => "> ".to_owned(),
        known if asked.kind.is_one_line() => format!("[{known}] > "),
        known => {
            print_wrapped(known, "  | ", out);
            "[keep it] > ".to_owned()
        }
    }
}
