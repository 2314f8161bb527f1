//! `agon skills match`: chooses the skills for a request, within a budget.

use agon_install::skills;
use agon_install::skills::{GivenSkillDoc, LeftOutSkillDoc, ScoreDoc, SkillsMatchDoc};
use agon_report::text::plain_line;

use super::{describe_reason, report_skipped};
use crate::args::{Global, MatchArgs};
use crate::error::{Exit, Failure};
use crate::output::{DIM, Out, STRONG, apply_style};
use crate::surroundings::Surroundings;

// Skills with a lower score barely match the request.
/// The maximum number of left-out skills shown with their scores.
const MAX_LEFT_OUT: usize = 4;

/// Chooses the skills; exits with 0 even if none matches.
pub(super) fn run(
    edge: &Surroundings,
    global: &Global,
    args: &MatchArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let document = skills::choose(edge, &args.whom.request(&args.request))?;
    if global.json {
        out.write_json(&document)?;
        return Ok(Exit::Done);
    }
    out.write_stdout(&format_match(&document))?;
    report_skipped(&document.findings, out);
    Ok(Exit::Done)
}

fn format_match(document: &SkillsMatchDoc) -> String {
    let mut text = String::new();
    for skill in &document.given {
        text.push_str(&format_chosen_skill(skill));
    }
    match document.given.is_empty() {
        true => text.push_str("no skill matches this request\n"),
        false => text.push_str(&format!(
            "{} of {} tokens\n",
            document.tokens, document.budget
        )),
    }
    // Most skills are below the threshold, so do not list them.
    let scored = document
        .left_out
        .iter()
        .filter(|skill| skill.score.is_some() && skill.reason != "below_threshold");
    let shown: Vec<&LeftOutSkillDoc> = scored.take(MAX_LEFT_OUT).collect();
    if !shown.is_empty() {
        text.push_str("\nleft out\n");
    }
    for skill in shown {
        let reason = describe_reason(skill.reason);
        let line = format!(
            "{}: {reason}, {}",
            plain_line(&skill.name),
            format_score(skill.score.as_ref())
        );
        text.push_str(&format!("  {}\n", apply_style(DIM, &line)));
    }
    text
}

fn format_chosen_skill(skill: &GivenSkillDoc) -> String {
    let name = apply_style(STRONG, &plain_line(&skill.name));
    let form = match &skill.section {
        Some(heading) => format!("section \"{}\"", plain_line(heading)),
        None => skill.form.to_owned(),
    };
    let because = match skill.because {
        "role" => "skill of the role".to_owned(),
        _ => format_score(skill.score.as_ref()),
    };
    format!("{name}  {form}, {} tokens, {because}\n", skill.tokens)
}

fn format_score(score: Option<&ScoreDoc>) -> String {
    format!("score {:.2}", score.map_or(0.0, |score| score.total))
}
