//! `agon check`: whether a debate's folder is whole and keeps the rules.

use std::path::Path;

use agon_app::check::{self, CheckRequest, CheckedDebate, FolderProblem};
use agon_report::screen::{Line, Style, findings_text};
use agon_report::text::{count_with_noun, plain_line};

use crate::args::{CheckArgs, Global};

use crate::edge::Surroundings;
use crate::error::{Exit, Failure};
use crate::output::{BAD, ODD, Out, STRONG, apply_style, line_to_ansi};

/// Checks a debate; exit 8 when there are errors.
pub(crate) fn run(
    edge: &Surroundings,
    global: &Global,
    args: &CheckArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let only = args
        .rule
        .as_deref()
        .map(agon_app::rules::find)
        .transpose()?;
    let request = CheckRequest {
        debate: args.debate.clone(),
        rule: only.map(|rule| rule.code.to_owned()),
        evidence: args.evidence,
    };
    let checked = check::check(edge, &request, out)?;
    match global.json {
        true => out.write_json(&checked.document)?,
        false => print_checked_debate(edge, &checked, out)?,
    }
    Ok(match checked.document.errors {
        0 => Exit::Done,
        _ => Exit::Findings,
    })
}

/// Findings and what is wrong with the folder, for people.
fn print_checked_debate(
    edge: &Surroundings,
    checked: &CheckedDebate,
    out: &mut Out,
) -> Result<(), Failure> {
    let texts = checked.document_texts();
    let text = |name: &str| texts.get(name).cloned();
    let mut found = findings_text(&checked.state, &checked.findings, &text, edge.width);
    for wrong in &checked.document.folder {
        if !found.is_empty() {
            found.push('\n');
        }
        found.push_str(&format_folder_fault(&checked.path, wrong));
    }
    if !found.is_empty() {
        found.push('\n');
    }
    out.write_stdout(&found)?;
    let summary = Line::default().with(Style::Plain, checked.summary.clone());
    for line in summary.wrap_to_width(2, edge.width) {
        out.write_line(&line_to_ansi(&line))?;
    }
    match checked.document.places {
        None => Ok(()),
        Some(places) => out.write_line(&format!(
            "{} looked up again in what is kept of the source",
            count_with_noun(places as u64, "place")
        )),
    }
}

/// What is wrong with the folder in `path` itself.
fn format_folder_fault(path: &Path, wrong: &FolderProblem) -> String {
    let style = if wrong.is_error() { BAD } else { ODD };
    let head = apply_style(style, &format!("{}[{}]", wrong.severity, wrong.code));
    let message = apply_style(STRONG, &plain_line(&wrong.message));
    let at = plain_line(&path.join(&wrong.path).display().to_string());
    format!("{head}: {message}\n  --> {at}\n   = help: {}\n", wrong.hint)
}
