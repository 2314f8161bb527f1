//! `agon skills explain`: explains why a skill is chosen for a request or not.

use agon_install::skills;
use agon_install::skills::{ScorePartDoc, SkillScoreDoc};
use agon_report::text::plain_line;

use super::describe_reason;
use crate::args::{ExplainArgs, Global};
use crate::error::{Exit, Failure};
use crate::output::{DIM, Out, STRONG, apply_style};
use crate::surroundings::Surroundings;

/// Explains the score; exits with 0 for every score.
pub(super) fn run(
    edge: &Surroundings,
    global: &Global,
    args: &ExplainArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let request = args.whom.request(&args.request);
    let document = skills::explain(edge, &args.skill, &request)?;
    if global.json {
        out.write_json(&document)?;
    } else {
        out.write_stdout(&format_score(&document))?;
    }
    Ok(Exit::Done)
}

fn format_score(document: &SkillScoreDoc) -> String {
    let name = apply_style(STRONG, &plain_line(&document.skill));
    let outcome = match document.outcome {
        "given" => "chosen".to_owned(),
        reason => format!("left out: {}", describe_reason(reason)),
    };
    let mut text = format!("{name}  {outcome}\n");
    for part in &document.parts {
        text.push_str(&format!("{:>8.2}  {}\n", part.value, describe_part(part)));
    }
    let total = format!("{:.2}", document.score.total);
    let threshold = document.threshold;
    text.push_str(&format!(
        "{total:>8}  in total; the threshold is {threshold:.2}\n"
    ));
    if !document.unknown.is_empty() {
        let words = plain_line(&document.unknown.join(", "));
        text.push_str(&format!(
            "{}\n",
            apply_style(
                DIM,
                &format!("words that the skill does not contain: {words}")
            )
        ));
    }
    if !document.given.is_empty() {
        text.push_str(&format!(
            "chosen skills: {}\n",
            plain_line(&document.given.join(", "))
        ));
    }
    text
}

fn describe_part(part: &ScorePartDoc) -> String {
    let text = plain_line(part.text.as_deref().unwrap_or_default());
    match part.sign {
        "word" => format!("\"{text}\" is in its {}", part.field.unwrap_or_default()),
        "coverage" => "parts of the request this skill does not cover".to_owned(),
        "phrase" => format!("\"{text}\" asks for this skill"),
        "name" => "the request names this skill".to_owned(),
        "examples" if part.value > 0.0 => "similar to its example requests".to_owned(),
        "examples" => "similar to requests that need no skill".to_owned(),
        "counter_phrase" => format!("\"{text}\" speaks against this skill"),
        _ => "begins with a verb of a simple task".to_owned(),
    }
}
