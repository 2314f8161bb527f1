//! The verdict as a decision record in the form that a project already uses.

use agon_record::state::State;
use agon_verdict::verdict::Verdict;

use super::decision::{
    citations_or_none, debaters_and_judge, decision_record_md, details_md, has_decision,
    options_of, record_status,
};
use crate::markdown::escape_inline;
use crate::text::capitalize;

/// The form of a decision record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordForm {
    /// Agon's own form, for a project without one.
    Agon,
    /// Michael Nygard's form, which adr-tools writes: the number in the title, and a section for
    /// the status.
    Nygard,
    /// The form of MADR 3 and 4: the status in the front matter.
    Madr,
    /// The form of MADR 2, which log4brains writes: the status in a list.
    MadrList,
}

impl RecordForm {
    /// Returns the form of an existing decision record; `None` if it has none of the known forms.
    pub fn detect(text: &str) -> Option<Self> {
        let has_line = |wanted: &str| text.lines().any(|line| line.trim_end() == wanted);
        if has_line("## Context and Problem Statement") {
            return Some(match text.starts_with("---") {
                true => Self::Madr,
                false => Self::MadrList,
            });
        }
        if has_line("## Status") {
            return Some(Self::Nygard);
        }
        (has_line("## Context") && text.contains("\n- Status: ")).then_some(Self::Agon)
    }
}

/// Returns the verdict as a decision record in this form. `day` is the day of the verdict, and
/// `number` the number of the record, if it has one.
///
/// Its last line is [`record_mark`].
pub fn decision_record_in_form(
    state: &State,
    verdict: &Verdict,
    day: &str,
    form: RecordForm,
    number: Option<u32>,
) -> String {
    let mut out = match form {
        RecordForm::Agon => decision_record_md(state, verdict, day),
        RecordForm::Nygard => nygard_md(state, verdict, day, number),
        RecordForm::Madr | RecordForm::MadrList => madr_md(state, verdict, day, form),
    };
    put!(out, "\n{}\n", record_mark(state));
    out
}

/// Returns the comment by which the record of a debate is found again.
pub fn record_mark(state: &State) -> String {
    format!("<!-- agon debate {} -->", state.spec.ulid)
}

/// Returns the title of a decision record on one line: the answer.
pub fn record_title(verdict: &Verdict) -> &str {
    let title = verdict.answer.as_deref();
    title.unwrap_or("No answer: neither side leads")
}

fn nygard_md(state: &State, verdict: &Verdict, day: &str, number: Option<u32>) -> String {
    let title = escape_inline(record_title(verdict));
    let number = number.map(|number| format!("{number}. "));
    let mut out = format!("# {}{title}\n\nDate: {day}\n", number.unwrap_or_default());
    put!(
        out,
        "\n## Status\n\n{}\n",
        capitalize(record_status(verdict))
    );
    put!(out, "\n## Context\n\n{}\n", escape_inline(&verdict.topic));
    put!(out, "\nOptions:\n\n{}", options_of(state, "-"));
    let chosen = match has_decision(verdict) {
        true => title,
        false => format!("No decision. {title}"),
    };
    put!(out, "\n## Decision\n\n{chosen}\n");
    if let Some(why) = &verdict.why {
        put!(out, "\n{}\n", escape_inline(why));
    }
    put!(out, "\n## Consequences\n\n{}", consequences(verdict, "-"));
    let basis = basis(state, verdict);
    put!(out, "\n## Basis\n\n{basis}");
    out
}

fn madr_md(state: &State, verdict: &Verdict, day: &str, form: RecordForm) -> String {
    let title = escape_inline(record_title(verdict));
    let status = record_status(verdict);
    let mut out = match form {
        // Quote the status, because one of them contains a colon.
        RecordForm::Madr => format!("---\nstatus: \"{status}\"\ndate: {day}\n---\n\n# {title}\n"),
        RecordForm::Agon | RecordForm::Nygard | RecordForm::MadrList => {
            format!("# {title}\n\n- Status: {status}\n- Date: {day}\n")
        }
    };
    let topic = escape_inline(&verdict.topic);
    put!(out, "\n## Context and Problem Statement\n\n{topic}\n");
    put!(out, "\n## Considered Options\n\n{}", options_of(state, "*"));
    put!(out, "\n## Decision Outcome\n\n");
    let chosen = match has_decision(verdict) {
        true => "Chosen: ",
        false => "No decision. ",
    };
    match &verdict.why {
        Some(why) => {
            // An answer is often a whole sentence.
            let end = match title.ends_with(['.', '!', '?']) {
                true => "",
                false => ".",
            };
            put!(out, "{chosen}{title}{end} {}\n", escape_inline(why));
        }
        None => put!(out, "{chosen}{title}\n"),
    }
    put!(out, "\n### Consequences\n\n{}", consequences(verdict, "*"));
    let basis = basis(state, verdict);
    put!(out, "\n## More Information\n\n{basis}");
    out
}

/// Returns what follows from the answer, as a list.
fn consequences(verdict: &Verdict, bullet: &str) -> String {
    let mut out = String::new();
    if let Some(next) = &verdict.do_next {
        put!(out, "{bullet} To do: {}\n", escape_inline(next));
    }
    if let Some(unless) = &verdict.unless {
        put!(out, "{bullet} Revisit if: {}\n", escape_inline(unless));
    }
    if out.is_empty() {
        put!(out, "{bullet} None recorded\n");
    }
    out
}

/// Returns who debated, what became of the answer, and what it depends on, as a list.
fn basis(state: &State, verdict: &Verdict) -> String {
    let mut out = String::new();
    put!(
        out,
        "- {}\n",
        capitalize(&escape_inline(&debaters_and_judge(state)))
    );
    put!(out, "- Authority: {}\n", escape_inline(&verdict.headline));
    for decided in verdict.decided_before.iter().chain(&verdict.decided) {
        put!(out, "- Decided: {}\n", escape_inline(&decided.in_words()));
    }
    put!(
        out,
        "- Citations: {}\n",
        escape_inline(&citations_or_none(state))
    );
    out + &details_md(state, verdict)
}
