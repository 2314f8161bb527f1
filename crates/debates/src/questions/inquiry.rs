//! Answers a question about a debate from its record.

use std::time::Duration;

use agon_agents::profile::Transport;
use agon_caller::{CallFront, Caller, Code, Failure, Hint, depth, find, system};
use agon_prompt::inquiry::{MAX_TOKENS, excerpt_record};
use agon_prompt::question_prompt;
use agon_record::id::Seat;
use agon_record::spec::{Effort, HUMAN, LOCAL, Seating, ToolName};
use agon_record::state::State;
use agon_record::text::strip_control_characters;
use agon_report::text::abbreviate_count;
use agon_report::{transcript_md, verdict_md};
use agon_seats::single_tool::{AllowedTools, Speaker, SpeakerTransports, ToolReply};
use agon_seats::tools::naming;
use agon_tokens::count_tokens;
pub use agon_verdict::answer::AnswerDoc;
use agon_verdict::answer::{ANSWER_SCHEMA, AnswerUsage, check_cited_points};
use agon_verdict::verdict::verdict;

use crate::limits::grants::Grant;
use crate::limits::{grants, spending};
use crate::request::InquiryRequest;
use crate::seat::consent::{self, Material};

// An answer that names an unknown point is sent back once, like a reply in a debate.
/// Maximum number of calls for one question.
const MAX_CALLS: u32 = 2;
// About 1,000 tokens, little beside the 48,000 of the record (`MAX_TOKENS` in
// `prompt/src/inquiry.rs`).
/// Maximum length of a question, in characters.
pub const MAX_QUESTION_CHARS: usize = 4_000;

/// The tool that answers, and how to call it.
struct Respondent {
    tool: ToolName,
    model: Option<String>,
    effort: Effort,
    ways: SpeakerTransports,
}

/// Asks the question and returns the answer with the points that support it.
///
/// # Errors
///
/// If the question or the debate is invalid, no tool can be asked, or there is no answer.
pub async fn ask(
    caller: &Caller,
    request: &InquiryRequest,
    front: &mut dyn CallFront,
) -> Result<AnswerDoc, Failure> {
    depth::refuse_nested(caller)?;
    let asked = clean_question(&request.question)?;
    let path = find::find_debate_folder(caller, &request.debate)?;
    let view = find::read_for(caller, &path)?;
    let state = &view.state;
    find::note_problems(caller, &path, &view, front);
    if state.nodes().is_empty() {
        let message = "this debate has no turns yet";
        return Err(Failure::new(Code::NothingSaid, message)
            .parameter("debate")
            .hint(format!(
                "run `agon resume {}` to continue it",
                state.command_name()
            )));
    }
    if request.tool.is_none() && state.spec.is_demo() {
        return Err(demo_tools_failure(state));
    }
    let respondent = respondent(state, request)?;
    let timeout = Duration::from_secs(request.timeout);
    let Respondent {
        tool,
        model,
        effort,
        ways,
    } = &respondent;
    let grant = grants::find_grant(caller, &path, state.spec.ulid);
    let allowed = AllowedTools {
        named: request.tool.as_slice(),
        granted: Grant::granted_tools(grant.as_ref()),
    };
    naming::refuse_invalid_model_names([model.as_deref()])?;
    let model = model.clone();
    let mut speaker =
        Speaker::detect(caller, tool, *ways, model, *effort, timeout, allowed).await?;
    let material = Material::new("your question and the record of this debate");
    consent::ask_for_speaker(caller, &mut speaker, &material, front).await?;
    let came_to = verdict(state).map(|verdict| verdict_md(state, &verdict));
    let came_to = came_to.as_deref().unwrap_or_default();
    let record = excerpt_record(state, transcript_md(state), MAX_TOKENS);
    let mut prompt = question_prompt(state, &asked, came_to, &record, None);
    front.note(&format!(
        "asking {} once, about {} tokens{}",
        respondent.tool,
        abbreviate_count(count_tokens(&prompt) as u64),
        if record.whole {
            ""
        } else {
            "; the record is shortened"
        },
    ));
    let mut usage = AnswerUsage::default();
    let start = system::new_ulid();
    let of_call = spending::tokens_for_answer(count_tokens(&prompt) as u64);
    let of_all = of_call.saturating_mul(MAX_CALLS.into());
    spending::reserve_for_answers(caller, start, of_all, front)?;
    let (answer, checked) = loop {
        let reply = speaker.ask(&prompt, "tool", &front.cancel_token()).await;
        if let Ok(reply) = &reply {
            spending::settle(
                caller,
                start,
                usage.tokens.saturating_add(reply.usage.total_tokens()),
            );
        } else {
            spending::settle(caller, start, usage.tokens);
        }
        let reply = reply?;
        add_usage(&mut usage, &reply);
        let checked = check_cited_points(state, &reply.text);
        if checked.unknown.is_empty() || usage.calls >= MAX_CALLS {
            break (reply.text, checked);
        }
        front.note(&format!(
            "  sent back: the answer names {}, which is not in the record",
            checked.unknown.join(", ")
        ));
        let last = Some((reply.text.as_str(), checked.unknown.as_slice()));
        prompt = question_prompt(state, &asked, came_to, &record, last);
    };
    let answer = strip_control_characters(&answer).trim().to_owned();
    if answer.is_empty() {
        let message = format!("{} gave an empty answer", respondent.tool);
        return Err(Failure::new(Code::Empty, message).parameter("tool"));
    }
    Ok(AnswerDoc {
        schema: ANSWER_SCHEMA.to_owned(),
        id: state.spec.ulid.to_string(),
        debate: state.spec.slug.clone(),
        question: asked,
        answer,
        cited: checked.cited,
        unknown: checked.unknown,
        whole_record: record.whole,
        tool: respondent.tool.to_string(),
        model: respondent.model,
        usage,
    })
}

/// Returns the failure for the debate of `agon demo`, whose tools do not exist.
fn demo_tools_failure(state: &State) -> Failure {
    let name = state.command_name();
    let message = format!("{name} is the recorded debate of `agon demo`, whose tools do not exist");
    let failure = Failure::new(Code::Recorded, message).parameter("tool");
    failure.hint(
        Hint::new("ask one of your own tools: ")
            .command(format!("ask {name} \"Why?\" --tool claude")),
    )
}

/// Returns the question as it is sent.
fn clean_question(question: &str) -> Result<String, Failure> {
    let refuse = |code, message: String| Failure::new(code, message).parameter("question");
    let text = strip_control_characters(question).trim().to_owned();
    match text.chars().count() {
        0 => Err(refuse(
            Code::MissingParameter,
            "the question is missing".to_owned(),
        )),
        length if length > MAX_QUESTION_CHARS => Err(refuse(
            Code::InvalidParameter,
            format!("the question has {length} characters; the limit is {MAX_QUESTION_CHARS}"),
        )),
        _ => Ok(text),
    }
}

/// Chooses the tool that was named; otherwise the tool of the named seat; otherwise the judge's
/// tool, or a side's tool if the judge cannot be asked. Each is called as it was in the debate.
fn respondent(state: &State, request: &InquiryRequest) -> Result<Respondent, Failure> {
    let ways = |tool: &ToolName| {
        let mut seated = state.seats.values();
        let before = seated.find(|seating| seating.tool == *tool);
        SpeakerTransports {
            asked: request.transport,
            usual: before.and_then(|before| Transport::from_name(&before.transport)),
        }
    };
    if let Some(tool) = &request.tool {
        let seated = state.seats.values().find(|it| it.tool == *tool);
        if let Some(refusal) = seated.and_then(why_cannot_answer) {
            return Err(refusal.parameter("tool"));
        }
        return Ok(Respondent {
            tool: tool.clone(),
            model: request.model.clone(),
            effort: request.effort.unwrap_or_default(),
            ways: ways(tool),
        });
    }
    let can_answer = |seat: &Seat| {
        let seating = state.seats.get(seat);
        seating.is_some_and(|seating| why_cannot_answer(seating).is_none())
    };
    let usual = [Seat::JUDGE, Seat::Proposer, Seat::Challenger];
    let usual = usual.into_iter().find(can_answer).unwrap_or(Seat::JUDGE);
    let seat = request.seat.unwrap_or(usual);
    let Some(seating) = state.seats.get(&seat) else {
        let message = format!("this debate has no {seat}");
        let seats: Vec<_> = state.seats.keys().map(ToString::to_string).collect();
        let other = Hint::new("choose a tool with ").flag("tool");
        let hint = match seats.as_slice() {
            [] => other,
            seats => Hint::new(format!("its seats: {}", seats.join(", "))).join("; or ", other),
        };
        return Err(Failure::new(Code::EmptySeat, message)
            .parameter("seat")
            .hint(hint));
    };
    if let Some(refusal) = why_cannot_answer(seating) {
        return Err(refusal.parameter("seat"));
    }
    Ok(Respondent {
        tool: seating.tool.clone(),
        model: request.model.clone().or_else(|| seating.model.clone()),
        effort: request.effort.unwrap_or(seating.effort),
        ways: ways(&seating.tool),
    })
}

/// Returns why a seat cannot answer questions about a record, or `None` if it can.
fn why_cannot_answer(seating: &Seating) -> Option<Failure> {
    let message = match seating.transport.as_str() {
        HUMAN => "a person took that seat and cannot be asked here",
        LOCAL => "the built-in model cannot answer questions about a record",
        _ => return None,
    };
    let failure = Failure::new(Code::CannotAnswer, message);
    Some(failure.hint("name an installed AI tool (run `agon tools` for a list)"))
}

fn add_usage(usage: &mut AnswerUsage, reply: &ToolReply) {
    usage.calls += 1;
    usage.tokens = usage.tokens.saturating_add(reply.usage.total_tokens());
    let took = u64::try_from(reply.took.as_millis()).unwrap_or(u64::MAX);
    usage.took_ms = usage.took_ms.saturating_add(took);
}
