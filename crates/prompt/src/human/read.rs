//! Parses a filled-in form.

use agon_record::text::sanitise_line;

use super::SCISSORS;
use super::form::{Form, Section};
use super::problem::Problem;
use super::render::is_on_label_line;

/// Where the next lines belong.
#[derive(Clone, Copy)]
enum LineTarget {
    /// Nowhere yet: there was no heading.
    Above,
    /// Nowhere: the problem was reported.
    Lost,
    /// To this question of this section.
    In { section: usize, question: usize },
}

/// Parses a filled-in copy of the form `blank` and reports problems.
///
/// Takes time linear in the text. Sections missing from the text stay unchanged.
pub(super) fn read_form(blank: &Form, text: &str) -> (Form, Vec<Problem>) {
    let mut reader = Reader {
        form: blank.clone(),
        place: LineTarget::Above,
        problems: Vec::new(),
    };
    for section in &mut reader.form.sections {
        section.line = 0;
    }
    let mut comment: Option<u32> = None;
    for (number, line) in (1..).zip(text.lines()) {
        let trimmed = line.trim();
        if comment.is_some() {
            if let Some((_, rest)) = trimmed.split_once("-->") {
                comment = None;
                reader.read_words_after_comment(number, rest);
            }
        } else if trimmed == SCISSORS {
            break;
        } else if let Some(rest) = trimmed.strip_prefix("<!--") {
            match rest.split_once("-->") {
                Some((_, rest)) => reader.read_words_after_comment(number, rest),
                None => comment = Some(number),
            }
        } else {
            reader.read_line(number, line);
        }
    }
    if let Some(number) = comment {
        reader.problems.push(Problem::in_line(
            number,
            "this comment is never closed",
            "close it with `-->`, or delete its beginning",
        ));
    }
    for answer in reader
        .form
        .sections
        .iter_mut()
        .flat_map(|it| &mut it.answers)
    {
        answer.text = answer.text.trim().to_owned();
    }
    (reader.form, reader.problems)
}

/// Returns whether `text` contains a heading of `form`.
pub(super) fn has_heading(form: &Form, text: &str) -> bool {
    let mut headings = text.lines().filter_map(|line| split_heading(line.trim()));
    headings.any(|(level, words)| level == 1 && form.blank_section_for_heading(words).is_some())
}

struct Reader {
    form: Form,
    place: LineTarget,
    problems: Vec<Problem>,
}

impl Reader {
    fn read_words_after_comment(&mut self, number: u32, rest: &str) {
        if !rest.trim().is_empty() {
            self.read_line(number, rest);
        }
    }

    fn read_line(&mut self, number: u32, line: &str) {
        match split_heading(line.trim()) {
            Some((1, words)) => self.open_section(number, words),
            Some((_, words)) => self.open_question(number, words),
            None => self.read_words(number, line.trim_end()),
        }
    }

    fn open_section(&mut self, number: u32, words: &str) {
        let known = self.form.sections.iter();
        let known = known
            .clone()
            .position(|section| section.heading().eq_ignore_ascii_case(words));
        let at = known.or_else(|| self.add_section(words));
        let Some(at) = at else {
            let headings = self.form.sections.iter().map(Section::heading);
            let headings: Vec<_> = headings.collect();
            self.report_lost_line(
                number,
                &format!("`# {}` is not a heading of this form", short(words)),
                &format!(
                    "its headings are: {}; start your own lines that begin with # with \\#",
                    headings.join(", ")
                ),
            );
            return;
        };
        let Some(section) = self.form.sections.get_mut(at) else {
            return;
        };
        if section.line > 0 {
            let message = format!("the heading `{}` appears twice", section.heading());
            self.report_lost_line(number, &message, "write everything under one heading");
            return;
        }
        section.line = number;
        for answer in &mut section.answers {
            *answer = super::form::Answer {
                text: String::new(),
                line: number,
            };
        }
        self.place = LineTarget::In {
            section: at,
            question: section.main_question(),
        };
    }

    /// Adds a section that a person added, after similar ones.
    fn add_section(&mut self, words: &str) -> Option<usize> {
        let mut section = self.form.blank_section_for_heading(words)?;
        section.is_added = true;
        let alike = self.form.sections.iter();
        let after = alike
            .clone()
            .rposition(|other| std::ptr::eq(other.group, section.group));
        let at = after.map_or(self.form.sections.len(), |at| at + 1);
        self.form.sections.insert(at, section);
        Some(at)
    }

    fn open_question(&mut self, number: u32, words: &str) {
        let section = match self.place {
            LineTarget::In { section, .. } => section,
            LineTarget::Lost => return,
            LineTarget::Above => {
                let message = format!("`## {}` is above the first heading", short(words));
                self.report_lost_line(number, &message, "move it below its heading");
                return;
            }
        };
        let Some(found) = self.form.sections.get_mut(section) else {
            return;
        };
        let asks = found.group.asks.iter();
        let is = |label: &str| !label.is_empty() && label.eq_ignore_ascii_case(words);
        if let Some(question) = asks.clone().position(|ask| is(ask.label)) {
            if let Some(answer) = found.answers.get_mut(question) {
                answer.line = number;
            }
            self.place = LineTarget::In { section, question };
            return;
        }
        let labels: Vec<_> = asks
            .map(|ask| ask.label)
            .filter(|it| !it.is_empty())
            .collect();
        let message = format!(
            "`## {}` is not a question of {}",
            short(words),
            found.name()
        );
        let hint = match labels.is_empty() {
            true => "start your own lines that begin with # with \\#".to_owned(),
            false => format!(
                "its questions are: {}; start your own lines that begin with # with \\#",
                labels.join(", ")
            ),
        };
        self.report_lost_line(number, &message, &hint);
    }

    fn read_words(&mut self, number: u32, line: &str) {
        let literal = line.trim_start().strip_prefix('\\');
        let words = literal.unwrap_or(line);
        let (section, question) = match self.place {
            LineTarget::In { section, question } => (section, question),
            LineTarget::Lost => return,
            LineTarget::Above if words.trim().is_empty() => return,
            LineTarget::Above => {
                self.report_lost_line(
                    number,
                    "these words are above the first heading",
                    "move them below their heading",
                );
                return;
            }
        };
        let Some(section) = self.form.sections.get_mut(section) else {
            return;
        };
        if literal.is_none() && section.take_labelled_line(number, words, question) {
            return;
        }
        let Some(answer) = section.answers.get_mut(question) else {
            return;
        };
        if answer.text.trim().is_empty() {
            answer.text.clear();
            answer.line = match words.trim().is_empty() {
                true => answer.line,
                false => number,
            };
        }
        answer.text.push_str(words);
        answer.text.push('\n');
    }

    fn report_lost_line(&mut self, number: u32, message: &str, hint: &str) {
        self.problems.push(Problem::in_line(number, message, hint));
        self.place = LineTarget::Lost;
    }
}

impl Section {
    /// Returns the question that is answered right below the heading.
    fn main_question(&self) -> usize {
        let mut asks = self.group.asks.iter();
        asks.position(|ask| ask.label.is_empty()).unwrap_or(0)
    }

    /// Accepts `Label: word` if nothing else is below the heading yet.
    fn take_labelled_line(&mut self, number: u32, line: &str, question: usize) -> bool {
        let is_first = question == self.main_question()
            && self
                .answers
                .get(question)
                .is_some_and(|answer| answer.text.trim().is_empty());
        let Some((label, word)) = line.split_once(':').filter(|_| is_first) else {
            return false;
        };
        let mut asks = self.group.asks.iter();
        let is = |label: &str, known: &str| known.eq_ignore_ascii_case(label.trim());
        let at = asks.position(|ask| is_on_label_line(ask) && is(label, ask.label));
        let Some(answer) = at.and_then(|at| self.answers.get_mut(at)) else {
            return false;
        };
        word.trim().clone_into(&mut answer.text);
        answer.line = number;
        true
    }
}

/// Splits a heading into its level (one or two marks) and its words.
fn split_heading(line: &str) -> Option<(usize, &str)> {
    let rest = line.strip_prefix('#')?;
    let (level, rest) = match rest.strip_prefix('#') {
        Some(rest) => (2, rest),
        None => (1, rest),
    };
    let words = rest.strip_prefix([' ', '\t'])?;
    Some((level, words.trim()))
}

fn short(text: &str) -> String {
    sanitise_line(text, 40)
}
