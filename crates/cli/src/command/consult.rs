//! `agon consult`: asks several tools one question, without a debate.

mod progress;

use agon_caller::hint::CommandLine;
use std::io::{IsTerminal, Read};

use agon_debates::questions::consult;
use agon_debates::questions::consult::{
    ConsultAnswer, Consultation, MAX_QUESTION_BYTES, question_from_bytes,
};
use agon_debates::request::{CONTEXT_SEPARATOR, ConsultRequest};
use agon_report::screen::WIDEST;
use agon_report::text::format_duration;

use self::progress::Asking;
use crate::args::{ConsultArgs, Global};
use crate::error::{Code, Exit, Failure};
use crate::output::{DIM, Out, STRONG, apply_style};
use crate::surroundings::Surroundings;

/// Asks the question, and prints the answers in the order of the tools.
pub(crate) async fn run(
    edge: &Surroundings,
    global: &Global,
    args: &ConsultArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let request = ConsultRequest {
        question: read_question(edge, args)?,
        tools: args.tool.clone(),
        models: args.model.clone(),
        effort: args.effort,
        context: args.context.join(&CONTEXT_SEPARATOR.to_string()),
        allow_secrets: args.allow_secrets,
        continued: args.continued.clone(),
        forget: false,
        timeout: args.timeout,
        transport: args.transport,
    };
    let consultation = consult::ask(edge, &request, &mut Asking::new(edge, out)).await?;
    print_answers(edge, global, &consultation, out)
}

/// Reads the question from the arguments, a file or stdin.
fn read_question(edge: &Surroundings, args: &ConsultArgs) -> Result<String, Failure> {
    let bad = |message: String| Failure::new(Code::InvalidParameter, message).parameter("question");
    let words = args.question.as_slice();
    let bytes = if let Some(path) = &args.file {
        let file = std::fs::File::open(edge.cwd.join(path));
        file.and_then(read_question_bytes).map_err(|cause| {
            bad(format!("cannot read {}: {cause}", path.display())).parameter("file")
        })?
    } else if words == ["-"] || words.is_empty() && !std::io::stdin().is_terminal() {
        read_question_bytes(std::io::stdin())
            .map_err(|cause| bad(format!("cannot read stdin: {cause}")))?
    } else {
        words.join(" ").into_bytes()
    };
    question_from_bytes(bytes)
}

/// Reads `source`, at most one byte more than the limit, so that a longer question is noticed.
fn read_question_bytes(source: impl Read) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let most = MAX_QUESTION_BYTES as u64 + 1;
    source.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Prints the answers and returns the exit code.
fn print_answers(
    edge: &Surroundings,
    global: &Global,
    consultation: &Consultation,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let failed = consultation.failure_kind();
    let has_gap = consultation.answers.iter().any(|one| one.answer.is_err());
    let exit = match failed {
        Some(kind) => Exit::from(kind),
        None if has_gap => Exit::Lesser,
        None => Exit::Done,
    };
    if global.json {
        out.write_json(&consultation.document(&CommandLine))?;
        return Ok(exit);
    }
    if let [only] = consultation.answers.as_slice() {
        match &only.answer {
            Ok(text) => out.write_line(&format!("\n{text}"))?,
            Err(failure) => {
                let hint = failure.hint.clone();
                let kind = failed.unwrap_or(failure.kind);
                let failure = Failure::new(failure.code, failure.message.clone()).kind(kind);
                return Err(Failure { hint, ..failure }.parameter("tool"));
            }
        }
    } else {
        for answer in &consultation.answers {
            out.write_line(&format_answer_section(edge, answer))?;
        }
    }
    if consultation.is_continuable() {
        out.eprint_line(&apply_style(
            DIM,
            "\nto continue: agon consult --continue \"…\"",
        ));
    }
    Ok(exit)
}

fn format_answer_section(edge: &Surroundings, answer: &ConsultAnswer) -> String {
    let took = format_duration(answer.took_ms());
    let model = answer.model.iter().map(|model| format!("{model} · "));
    let head = format!("━━ {} ━━", answer.tool);
    let about = format!("{}{} · {took}", model.collect::<String>(), answer.effort);
    let taken = head.chars().count() + about.chars().count() + 2;
    let rule = "━".repeat(edge.width.min(WIDEST).saturating_sub(taken).max(2));
    let body = match &answer.answer {
        Ok(text) => text.clone(),
        Err(failure) => {
            let hint = failure
                .hint
                .iter()
                .map(|it| format!("\n  hint: {}", it.typed()));
            format!("no answer: {}{}", failure.message, hint.collect::<String>())
        }
    };
    format!("\n{}{rule} {about}\n{body}", apply_style(STRONG, &head))
}
