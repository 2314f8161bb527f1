//! What is asked: the question, and what it is about.

use std::io::{IsTerminal, Read};

use ::agon_prompt;
use agon_record::text::clean;
use agon_redact::Redactor;

use crate::args::ConsultArgs;
use crate::context;
use crate::edge::{self, Edge};
use crate::error::{Exit, Failure};

/// Bytes of the longest question.
const LONGEST: usize = 2 * 1024 * 1024;

/// The question: from the arguments, a file or stdin.
///
/// # Errors
///
/// If there is none, it is no text or too long, or it seems to hold a secret.
pub(super) fn read(edge: &Edge, args: &ConsultArgs) -> Result<String, Failure> {
    let bad = |message: String| {
        Failure::new(Exit::Usage, "invalid_parameter", message).parameter("question")
    };
    let words = args.question.as_slice();
    let bytes = if let Some(path) = &args.file {
        let file = std::fs::File::open(edge.cwd.join(path));
        file.and_then(within).map_err(|cause| {
            bad(format!("cannot read {}: {cause}", path.display())).parameter("file")
        })?
    } else if words == ["-"] || words.is_empty() && !std::io::stdin().is_terminal() {
        within(std::io::stdin()).map_err(|cause| bad(format!("cannot read stdin: {cause}")))?
    } else {
        words.join(" ").into_bytes()
    };
    if bytes.len() > LONGEST {
        return Err(bad(format!("a question has at most {LONGEST} bytes")));
    }
    let text = String::from_utf8(bytes).map_err(|_| bad("the question is not text".to_owned()))?;
    let text = clean(&text).trim().to_owned();
    if text.is_empty() {
        let message = "there is no question";
        return Err(Failure::new(Exit::Usage, "missing_parameter", message)
            .parameter("question")
            .hint("agon consult \"your question\", or pipe it in"));
    }
    let secrets = Redactor::new().redact(&text).hits;
    match secrets.first() {
        Some(first) if !args.allow_secrets => Err(Failure::new(
            Exit::Usage,
            "question_refused",
            format!(
                "the question seems to hold {} secret(s), the first on line {} ({})",
                secrets.len(),
                text[..first.span.start].matches('\n').count() + 1,
                first.rule
            ),
        )
        .parameter("question")
        .hint("take it out, or send it all the same with --allow-secrets")),
        Some(_) | None => Ok(text),
    }
}

/// What `source` holds, and a byte more than is allowed at the most.
fn within(source: impl Read) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source.take(LONGEST as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The question with its context, which is marked as data.
///
/// # Errors
///
/// If the context cannot be read or is refused.
pub(super) async fn prompt(
    edge: &Edge,
    args: &ConsultArgs,
    question: &str,
) -> Result<String, Failure> {
    if args.context == "repo" {
        let message = "nobody is given a whole project outside a debate";
        return Err(Failure::new(Exit::Usage, "context_refused", message)
            .parameter("context")
            .hint("use --context none, diff or file=PATH"));
    }
    let redactor = Redactor::new();
    let context = context::read(edge, &args.context, &redactor, args.allow_secrets).await?;
    Ok(agon_prompt::consult(&edge::new_salt()?, question, &context))
}
