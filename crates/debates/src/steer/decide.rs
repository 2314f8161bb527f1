//! Records what became of a verdict.

use agon_caller::host_ancestry::is_started_by_host;
use agon_caller::host_sign::{is_in_host, signs_of};
use agon_caller::{Caller, Failure, Notes, depth, find, system};
use agon_record::decision::{Decision, DecisionDoc, DecisionKind};
use agon_record::user::UserRequest;
use agon_rules::steer::check_decision;
use schemars::JsonSchema;
use serde::Serialize;

use super::{clean_note, request_refusal, submit};
use crate::status::choose;
use crate::status::choose::LikelyDebate;

/// A recorded decision about a verdict: `agon.decided/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct DecideDoc {
    schema: &'static str,
    /// The debate's name.
    pub debate: String,
    /// The answer that was decided on; null if neither side leads.
    pub answer: Option<String>,
    /// The decision.
    pub decided: DecisionDoc,
    /// The number of decisions before it; the record keeps them.
    pub earlier: usize,
    /// Secrets that were removed from the reason.
    pub redacted: u32,
}

/// Who decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decider {
    /// The user, in a form of the page, even if an AI tool started the server.
    User,
    /// The caller of Agon: an AI tool if it runs Agon, otherwise the user.
    Caller,
}

/// The name recorded for an AI tool that does not say which one it is.
const UNNAMED_TOOL: &str = "tool";

/// Records whether the answer of `debate` was taken, and why. `None` means the latest debate.
///
/// A later decision replaces an earlier one; the record keeps both. An AI tool that records it is
/// named.
///
/// # Errors
///
/// If there is no verdict, the reason is empty or too long, or the record cannot be written.
pub async fn decide(
    caller: &Caller,
    debate: Option<&str>,
    taken: DecisionKind,
    why: &str,
    decider: Decider,
    notes: &mut dyn Notes,
) -> Result<DecideDoc, Failure> {
    depth::refuse_nested(caller)?;
    let path = choose::find_or_choose(caller, debate, LikelyDebate::Latest, notes)?;
    find::refuse_damaged(caller, &path)?;
    let (why, redacted) = clean_note(why);
    // Check before the request is submitted, because that imports a folder of another tool.
    check_decision(&find::read(&path)?.state, &why).map_err(request_refusal)?;
    let decision = Decision {
        taken,
        why,
        by: match decider {
            Decider::User => None,
            Decider::Caller => calling_tool(caller),
        },
        at: system::format_time(system::now_ms()),
        redacted,
    };
    let decided = DecisionDoc::from(&decision);
    let submitted = submit(&path, UserRequest::Decide(decision), notes).await?;
    let state = submitted.state;
    Ok(DecideDoc {
        schema: "agon.decided/1",
        answer: agon_verdict::verdict::verdict_without_graph(&state)
            .and_then(|verdict| verdict.answer),
        decided,
        earlier: state.earlier_decisions().count(),
        redacted,
        debate: state.spec.slug,
    })
}

/// Returns the AI tool that makes the request; `None` if there is no sign of one. A terminal
/// does not show that a person types, because a tool can run its shell in one.
fn calling_tool(caller: &Caller) -> Option<String> {
    let named = signs_of(caller)
        .next()
        .map(|(host, _)| host.name.to_owned());
    let is_tool = || caller.is_relayed || is_in_host(caller) || is_started_by_host();
    named.or_else(|| is_tool().then(|| UNNAMED_TOOL.to_owned()))
}
