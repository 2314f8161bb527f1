//! `agon ask`: a question about a debate, answered from its record.

use std::io::Read;

use agon_app::inquiry::{self, AnswerDoc, MAX_QUESTION_CHARS};
use agon_app::request::InquiryRequest;
use agon_report::text::{clock, counted, plain, rounded};

use crate::args::{AskArgs, Global};
use crate::edge::Surroundings;
use crate::error::{Exit, Failure, FailureKind};
use crate::output::Out;

/// Asks, and prints the answer with what it rests on.
pub(crate) async fn run(
    edge: &Surroundings,
    global: &Global,
    args: &AskArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let request = InquiryRequest {
        debate: args.debate.clone(),
        question: question(args)?,
        seat: args.seat,
        tool: args.tool.clone(),
        model: args.model.clone(),
        effort: args.effort,
        timeout: args.timeout,
    };
    let answer = inquiry::ask(edge, &request, out).await?;
    match global.json {
        true => out.json(&answer)?,
        false => print(&answer, out)?,
    }
    Ok(Exit::Done)
}

/// The question as it was typed, or stands on stdin.
fn question(args: &AskArgs) -> Result<String, Failure> {
    if args.question != ["-"] {
        return Ok(args.question.join(" "));
    }
    let mut text = String::new();
    let stdin = std::io::stdin().take(MAX_QUESTION_CHARS as u64 * 4 + 1);
    match { stdin }.read_to_string(&mut text) {
        Ok(_) => Ok(text),
        Err(cause) => {
            let message = format!("cannot read the question from stdin: {cause}");
            let failure = Failure::new(FailureKind::Usage, "invalid_parameter", message);
            Err(failure.parameter("question"))
        }
    }
}

/// The answer, the points it names, and what it took.
fn print(answer: &AnswerDoc, out: &mut Out) -> Result<(), Failure> {
    out.line(&answer.answer)?;
    if !answer.cited.is_empty() {
        out.line("")?;
    }
    for cited in &answer.cited {
        out.line(&format!(
            "  {:<10} {:<12} {}",
            cited.id.to_string(),
            cited.seat.to_string(),
            plain(&cited.title)
        ))?;
    }
    if !answer.unknown.is_empty() {
        out.warn(&format!(
            "it names {}, which nobody said",
            answer.unknown.join(", ")
        ));
    }
    let usage = &answer.usage;
    out.note(&format!(
        "\n{} · {} · {} · {} tokens",
        answer.tool,
        counted(usage.calls, "call"),
        clock(usage.took_ms),
        rounded(usage.tokens),
    ));
    Ok(())
}
