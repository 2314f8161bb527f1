//! `agon ask`: a question about a debate, answered from its record.

use std::io::Read;
use std::time::Duration;

use agon_prompt::inquiry::{
    ANSWER_SCHEMA, AnswerDoc, AnswerUsage, Checked, MAX_TOKENS, check, shown,
};
use agon_prompt::question;
use agon_prompt::summary::tokens;
use agon_record::id::Seat;
use agon_record::spec::{Effort, ToolName};
use agon_record::state::State;
use agon_record::text::clean;
use agon_report::text::{clock, counted, plain, rounded};
use agon_report::{transcript_md, verdict_md};
use agon_verdict::verdict::verdict;

use crate::args::{AskArgs, Global};
use crate::command::debate::refuse_depth;
use crate::command::which;
use crate::edge::Edge;
use crate::error::{Exit, Failure};
use crate::output::{ODD, Out};
use crate::speaker::{Said, Speaker};

/// How often a tool is asked.
const TRIES: u32 = 2;
/// The longest question, in characters.
const LONGEST: usize = 4_000;

/// Whom to ask, and how.
struct Whom {
    tool: ToolName,
    model: Option<String>,
    effort: Effort,
}

/// Asks, and prints the answer with what it rests on.
pub(crate) async fn run(
    edge: &Edge,
    global: &Global,
    args: &AskArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    refuse_depth(edge)?;
    let asked = asked(args)?;
    let path = which::find(edge, global, Some(&args.debate))?;
    let view = which::read(&path)?;
    let state = &view.state;
    which::note_problems(&view, &state.spec.slug, out);
    if state.nodes().is_empty() {
        let message = "nothing was said in this debate yet";
        return Err(Failure::new(Exit::Usage, "nothing_said", message)
            .parameter("debate")
            .hint(format!("agon resume {} goes on with it", state.spec.slug)));
    }
    let whom = whom(state, args)?;
    let timeout = Duration::from_secs(args.timeout);
    let how = (whom.model.clone(), whom.effort, timeout);
    let speaker = Speaker::seat(edge, global, &whom.tool, how).await?;
    let came_to = verdict(state).map(|verdict| verdict_md(state, &verdict));
    let about = (asked.as_str(), came_to.as_deref().unwrap_or_default());
    let record = shown(state, transcript_md(state), MAX_TOKENS);
    let mut prompt = question(state, about, &record, None);
    out.note(&format!(
        "asking {} once, about {} tokens{}",
        whom.tool,
        rounded(tokens(&prompt) as u64),
        if record.whole {
            ""
        } else {
            "; the record is shown in brief"
        },
    ));
    let mut usage = AnswerUsage::default();
    let (answer, checked) = loop {
        let said = speaker.ask(&prompt, "tool").await?;
        spend(&mut usage, &said);
        let checked = check(state, &said.text);
        if checked.unknown.is_empty() || usage.calls >= TRIES {
            break (said.text, checked);
        }
        out.note(&format!(
            "  sent back: it names {}, which nobody said",
            checked.unknown.join(", ")
        ));
        prompt = question(state, about, &record, Some((&said.text, &checked)));
    };
    let answer = clean(&answer).trim().to_owned();
    if answer.is_empty() {
        let message = format!("{} gave an empty answer", whom.tool);
        return Err(Failure::new(Exit::NoVerdict, "empty", message).parameter("tool"));
    }
    if global.json {
        out.json(&AnswerDoc {
            schema: ANSWER_SCHEMA.to_owned(),
            id: state.spec.ulid.to_string(),
            debate: state.spec.slug.clone(),
            question: asked,
            answer,
            cited: checked.cited,
            unknown: checked.unknown,
            whole_record: record.whole,
            tool: whom.tool.to_string(),
            model: whom.model,
            usage,
        })?;
    } else {
        print(&answer, &checked, out)?;
        out.note(&format!(
            "\n{} · {} · {} · {} tokens",
            whom.tool,
            counted(usage.calls, "call"),
            clock(usage.took_ms),
            rounded(usage.tokens),
        ));
    }
    Ok(Exit::Done)
}

fn asked(args: &AskArgs) -> Result<String, Failure> {
    let bad = |message: &str| {
        Failure::new(Exit::Usage, "invalid_parameter", message).parameter("question")
    };
    let text = if args.question == ["-"] {
        let mut text = String::new();
        let stdin = std::io::stdin().take(LONGEST as u64 * 4 + 1);
        let read = { stdin }.read_to_string(&mut text);
        read.map_err(|cause| bad(&format!("cannot read the question from stdin: {cause}")))?;
        text
    } else {
        args.question.join(" ")
    };
    let text = clean(&text).trim().to_owned();
    match text.chars().count() {
        0 => Err(
            Failure::new(Exit::Usage, "missing_parameter", "there is no question")
                .parameter("question"),
        ),
        long if long > LONGEST => Err(bad(&format!(
            "the question has {long} characters; at most {LONGEST} are asked"
        ))),
        _ => Ok(text),
    }
}

/// The tool that was named, else that of the seat, else of the judge.
fn whom(state: &State, args: &AskArgs) -> Result<Whom, Failure> {
    if let Some(tool) = &args.tool {
        return Ok(Whom {
            tool: tool.clone(),
            model: args.model.clone(),
            effort: args.effort.unwrap_or_default(),
        });
    }
    let seat = args.seat.unwrap_or(Seat::JUDGE);
    let Some(seating) = state.seats.get(&seat) else {
        let message = format!("nobody sits as {seat} in this debate");
        let seats: Vec<_> = state.seats.keys().map(ToString::to_string).collect();
        let hint = match seats.as_slice() {
            [] => "name a tool with --tool".to_owned(),
            seats => format!(
                "its seats: {}; or name a tool with --tool",
                seats.join(", ")
            ),
        };
        return Err(Failure::new(Exit::Usage, "empty_seat", message)
            .parameter("seat")
            .hint(hint));
    };
    Ok(Whom {
        tool: seating.tool.clone(),
        model: args.model.clone().or_else(|| seating.model.clone()),
        effort: args.effort.unwrap_or(seating.effort),
    })
}

fn spend(usage: &mut AnswerUsage, said: &Said) {
    usage.calls += 1;
    usage.tokens = usage.tokens.saturating_add(said.usage.tokens());
    let took = u64::try_from(said.took.as_millis()).unwrap_or(u64::MAX);
    usage.took_ms = usage.took_ms.saturating_add(took);
}

/// The answer, and the points it names.
fn print(answer: &str, checked: &Checked, out: &mut Out) -> Result<(), Failure> {
    out.line(answer)?;
    if !checked.cited.is_empty() {
        out.line("")?;
    }
    for cited in &checked.cited {
        out.line(&format!(
            "  {:<10} {:<12} {}",
            cited.id.to_string(),
            cited.seat.to_string(),
            plain(&cited.title)
        ))?;
    }
    if !checked.unknown.is_empty() {
        out.note(&format!(
            "{ODD}warning{ODD:#}: it names {}, which nobody said",
            checked.unknown.join(", ")
        ));
    }
    Ok(())
}
