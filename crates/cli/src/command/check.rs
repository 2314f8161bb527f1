//! `agon check`: checks a debate's folder for damage and broken rules.

use std::path::Path;

use agon_debates::past::stale;
use agon_debates::past::stale::DecisionNow;
use agon_debates::read::check;
use agon_debates::read::check::{CheckRequest, CheckedDebate, FolderProblem};
use agon_report::screen::{Line, Style, findings_text};
use agon_report::text::{count_with_noun, plain_line};

use crate::args::{CheckArgs, Global};

use crate::error::{Exit, Failure};
use crate::output::{BAD, ODD, Out, STRONG, apply_style, line_to_ansi};
use crate::surroundings::Surroundings;

/// Checks a debate; exits with 8 if there are errors.
pub(crate) fn run(
    edge: &Surroundings,
    global: &Global,
    args: &CheckArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    if args.stale {
        return run_stale(edge, global, args, out);
    }
    let only = args
        .rule
        .as_deref()
        .map(agon_debates::read::rules::find)
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

/// Compares the places that decisions cite with the project; exits with 8 if one changed or is
/// gone.
fn run_stale(
    edge: &Surroundings,
    global: &Global,
    args: &CheckArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let found = stale::find_stale(edge, args.debate.as_deref(), out)?;
    if global.json {
        out.write_json(&found)?;
    } else {
        for decision in &found.decisions {
            print_decision(edge, decision, out)?;
        }
        let all = count_with_noun(found.decisions.len() as u64, "decision");
        out.write_line(&match found.stale {
            0 => format!("{all}; no cited place is known to have changed"),
            stale => format!("{all}, {stale} with cited places that changed or are gone"),
        })?;
    }
    Ok(match found.stale {
        0 => Exit::Done,
        _ => Exit::Findings,
    })
}

fn print_decision(
    edge: &Surroundings,
    decision: &DecisionNow,
    out: &mut Out,
) -> Result<(), Failure> {
    let style = match decision.source.is_stale() {
        true => Style::Warn,
        false => Style::Plain,
    };
    let head = Line::default()
        .with(Style::Name, plain_line(&decision.debate))
        .with(Style::Strong, format!("  {}", plain_line(&decision.answer)))
        .with(
            Style::Dim,
            format!("  {}", super::recall::format_age(decision.age_s)),
        );
    let source = super::recall::describe_source(&decision.source);
    let source = format!(
        "{source}; {}",
        describe_citations(decision.source.citations)
    );
    let source = Line::default().with(style, format!("  {}", plain_line(&source)));
    let lines = [
        head.wrap_to_width(2, edge.width),
        source.wrap_to_width(4, edge.width),
    ];
    let lines = lines.iter().flatten();
    lines
        .map(line_to_ansi)
        .try_for_each(|line| out.write_line(&line))
}

/// Says how many citations were found when a decision was made.
fn describe_citations([all, found]: [u32; 2]) -> String {
    match (all, found) {
        (0, _) => "it has no citations".to_owned(),
        (1, 1) => "its citation was found when it was decided".to_owned(),
        (1, _) => "its citation was not found when it was decided".to_owned(),
        (all, 0) => format!("none of its {all} citations was found when it was decided"),
        (all, found) if all == found => {
            format!("all {all} citations were found when it was decided")
        }
        (all, found) => format!("{found} of {all} citations were found when it was decided"),
    }
}

/// Prints the findings and the problems of the folder, for people.
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
            "{} checked again in the stored source",
            count_with_noun(places as u64, "citation")
        )),
    }
}

/// Formats a problem of the folder in `path`.
fn format_folder_fault(path: &Path, wrong: &FolderProblem) -> String {
    let style = if wrong.is_error() { BAD } else { ODD };
    let head = apply_style(style, &format!("{}[{}]", wrong.severity, wrong.code));
    let message = apply_style(STRONG, &plain_line(&wrong.message));
    let at = plain_line(&path.join(&wrong.path).display().to_string());
    format!("{head}: {message}\n  --> {at}\n   = help: {}\n", wrong.hint)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_decision_says_how_many_citations_were_found() {
        for (counts, said) in [
            ([0, 0], "it has no citations"),
            (
                [18, 0],
                "none of its 18 citations was found when it was decided",
            ),
            (
                [18, 16],
                "16 of 18 citations were found when it was decided",
            ),
            ([2, 2], "all 2 citations were found when it was decided"),
        ] {
            assert_eq!(describe_citations(counts), said);
        }
    }
}
