//! `agon ask`: asks a tool about a debate, which it answers from the record.

use std::io::Read;

use agon_caller::find;
use agon_debates::questions::inquiry;
use agon_debates::questions::inquiry::{AnswerDoc, MAX_QUESTION_CHARS};
use agon_debates::request::InquiryRequest;
use agon_debates::status::choose;
use agon_debates::status::choose::LikelyDebate;
use agon_report::text::{abbreviate_count, count_with_noun, format_duration, plain_line};

use crate::args::{AskArgs, Global};
use crate::error::{Code, Exit, Failure};
use crate::output::Out;
use crate::surroundings::Surroundings;

/// Asks the question, and prints the answer with the points it cites.
pub(crate) async fn run(
    edge: &Surroundings,
    global: &Global,
    args: &AskArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let (named, words) = split_debate_and_question(edge, args)?;
    let question = read_question(&words)?;
    let folder = choose::find_or_choose(edge, named, LikelyDebate::LatestOwn, out)?;
    let request = InquiryRequest {
        debate: folder.to_string_lossy().into_owned(),
        question,
        seat: args.seat,
        tool: args.tool.clone(),
        model: args.model.clone(),
        effort: args.effort,
        timeout: args.timeout,
        transport: args.transport,
    };
    let answer = inquiry::ask(edge, &request, out).await?;
    match global.json {
        true => out.write_json(&answer)?,
        false => print_answer(&answer, out)?,
    }
    Ok(Exit::Done)
}

/// Splits the arguments into debate and question; a single argument is the question.
fn split_debate_and_question<'a>(
    edge: &Surroundings,
    args: &'a AskArgs,
) -> Result<(Option<&'a str>, String), Failure> {
    let first = args.debate.as_str();
    if !args.question.is_empty() {
        return Ok((Some(first), args.question.join(" ")));
    }
    match find::find_debate_folder(edge, first) {
        Ok(_) => {
            let message = format!("missing question about {first}");
            let failure = Failure::new(Code::MissingParameter, message);
            let hint = format!("agon ask {first} \"Why is it so?\"");
            Err(failure.parameter("question").hint(hint))
        }
        Err(_) => Ok((None, first.to_owned())),
    }
}

/// Returns the question from the arguments, or from stdin for `-`.
fn read_question(words: &str) -> Result<String, Failure> {
    if words != "-" {
        return Ok(words.to_owned());
    }
    let mut text = String::new();
    let stdin = std::io::stdin().take(MAX_QUESTION_CHARS as u64 * 4 + 1);
    match { stdin }.read_to_string(&mut text) {
        Ok(_) => Ok(text),
        Err(cause) => {
            let message = format!("cannot read the question from stdin: {cause}");
            let failure = Failure::new(Code::InvalidParameter, message);
            Err(failure.parameter("question"))
        }
    }
}

/// Prints the answer, the points it cites, and the usage.
fn print_answer(answer: &AnswerDoc, out: &mut Out) -> Result<(), Failure> {
    out.write_line(&answer.answer)?;
    if !answer.cited.is_empty() {
        out.write_line("")?;
    }
    for cited in &answer.cited {
        out.write_line(&format!(
            "  {:<10} {:<12} {}",
            cited.id.to_string(),
            cited.seat.to_string(),
            plain_line(&cited.title)
        ))?;
    }
    if !answer.unknown.is_empty() {
        out.eprint_warning(&format!(
            "the answer cites {}, which is not a point of this debate",
            answer.unknown.join(", ")
        ));
    }
    let usage = &answer.usage;
    out.eprint_line(&format!(
        "\n{} · {} · {} · {} tokens",
        answer.tool,
        count_with_noun(usage.calls, "call"),
        format_duration(usage.took_ms),
        abbreviate_count(usage.tokens),
    ));
    Ok(())
}
