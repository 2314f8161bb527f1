//! The small status documents for programs while a debate runs.

use std::fmt;

use agon_record::format::Judging;
use agon_record::id::{Seat, Stage};
use agon_record::spec::{Caps, Spec};
use agon_record::state::State;
use agon_record::text::sanitise_line;
use agon_rules::format::{Phase, debate_phase};
use agon_rules::format::{first_unjudged_exchange, has_reached_target};
use agon_rules::plan::{Plan, asks_awaiting_only_person, asks_awaiting_person, plan};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The schema name and version of the document about a started debate.
pub const STARTED_SCHEMA: &str = "agon.started/1";
/// The schema name and version of the status document.
pub const STATUS_SCHEMA: &str = "agon.status/1";

// The documented limit of about 100 tokens, since programs poll. Tested by
// `the_documents_of_a_debate_of_five_rounds_are_small_and_keep_their_schemas` in
// `cli/tests/suite/scenarios/sizes.rs`.
/// Maximum size of a status document on one line, in bytes.
pub const STATUS_BYTES: usize = 400;

/// The run state of a debate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "Standing")]
pub enum RunState {
    /// A process runs it.
    Running,
    /// A person must answer: at the terminal of the running process, or, if a person holds a seat,
    /// with a form, for which no process needs to run.
    WaitingForPerson,
    /// No process runs it, and `agon resume` can continue it.
    Stopped,
    /// It has an answer; a formal debate has completed the requested exchanges.
    Done,
    /// It was halted without an answer, for a recorded reason.
    Failed,
}

impl RunState {
    /// Returns whether the debate runs or waits for a person.
    pub fn is_live(self) -> bool {
        matches!(self, Self::Running | Self::WaitingForPerson)
    }
}

impl fmt::Display for RunState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Running => "running",
            Self::WaitingForPerson => "waiting_for_person",
            Self::Stopped => "stopped",
            Self::Done => "done",
            Self::Failed => "failed",
        })
    }
}

/// Returns the run state of a debate; `live` says whether a process runs it.
///
/// ```
/// # use agon_verdict::status::{RunState, run_state};
/// # fn shown(state: &agon_record::state::State) {
/// assert_eq!(run_state(state, true), RunState::Running);
/// assert_eq!(run_state(state, false), RunState::Stopped);
/// # }
/// ```
pub fn run_state(state: &State, live: bool) -> RunState {
    if live {
        return match plan(state) {
            Plan::Wait(_) => RunState::WaitingForPerson,
            Plan::Perform(_) | Plan::Resolve(_) | Plan::Decide(_) | Plan::Close => {
                RunState::Running
            }
        };
    }
    if state.closed.is_some() {
        return RunState::Done;
    }
    if state.halted.is_some() {
        return RunState::Failed;
    }
    if !asks_awaiting_only_person(state).is_empty() {
        return RunState::WaitingForPerson;
    }
    match state.last_judged_exchange().is_some() && has_reached_target(state) {
        true => RunState::Done,
        false => RunState::Stopped,
    }
}

/// The status of a debate.
///
/// At most [`STATUS_BYTES`] bytes on one line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StatusDoc {
    /// Always `agon.status/1`.
    #[schemars(extend("const" = STATUS_SCHEMA))]
    pub schema: String,
    /// The debate's unique name.
    pub id: String,
    /// The run state.
    pub state: RunState,
    /// The current round, from 1 (0 before the first); in a formal debate the exchange, from 0.
    pub round: u16,
    /// The seats with a pending call.
    #[schemars(with = "Vec<String>")]
    pub speaking: Vec<Seat>,
    /// The cost so far.
    pub spent: SpentDoc,
    /// When to poll again, in seconds; 0 if there is nothing to wait for.
    pub poll_after_s: u64,
    /// Why the debate failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<Reason>,
}

/// The cost of a debate so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SpentDoc {
    /// Calls.
    pub calls: u32,
    /// Input and output tokens.
    pub tokens: u64,
    /// Running time, in seconds.
    pub seconds: u64,
}

/// Why a debate failed, with a message cut to fit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Reason {
    /// The error code, such as `judge_lost`.
    pub code: String,
    /// What happened.
    pub message: String,
}

// The calls in the debate of `agon demo` took 149 to 323 s, so polling every 5 s delays a caller by
// at most a thirtieth of a call.
/// The polling interval for a running debate, in seconds.
const POLL_AFTER_S: u64 = 5;
// About twice the longest code (17 characters), which leaves room for a message in 400 bytes.
/// Maximum length of a reason's code, in characters.
const MAX_CODE_CHARS: usize = 40;

/// Returns the status of the debate with this run state, and why it failed if it did.
pub fn status_document(state: &State, standing: RunState, error: Option<Reason>) -> StatusDoc {
    let speaking = if standing.is_live() {
        awaited_seats(state)
    } else {
        Vec::new()
    };
    let mut doc = StatusDoc {
        schema: STATUS_SCHEMA.to_owned(),
        id: state.spec.ulid.to_string(),
        state: standing,
        round: current_round(state),
        speaking,
        spent: SpentDoc {
            calls: state.spent.calls,
            tokens: state.spent.total_tokens(),
            seconds: state.spent.clock_ms / 1_000,
        },
        poll_after_s: if standing.is_live() { POLL_AFTER_S } else { 0 },
        error: error.as_ref().map(|reason| Reason {
            code: sanitise_line(&reason.code, MAX_CODE_CHARS),
            message: String::new(),
        }),
    };
    let size = |doc: &StatusDoc| serde_json::to_string(doc).map_or(0, |text| text.len());
    // Only the message can be shortened, so it gets the remaining bytes.
    let room = STATUS_BYTES.saturating_sub(size(&doc));
    let message = error.map(|reason| cut_to_json_bytes(&reason.message, room));
    if let (Some(reason), Some(message)) = (&mut doc.error, message) {
        reason.message = message;
    }
    doc
}

/// Returns `text` on one line, cut to `room` bytes of JSON.
fn cut_to_json_bytes(text: &str, room: usize) -> String {
    let mut chars = room;
    loop {
        let short = sanitise_line(text, chars);
        // Without the two quotation marks, which the document's size already includes.
        let long = serde_json::to_string(&short).map_or(0, |json| json.len().saturating_sub(2));
        if long <= room || chars == 0 {
            return short;
        }
        chars = chars.saturating_sub(long.saturating_sub(room).div_ceil(4).max(1));
    }
}

/// Returns the seats, people included, that have not answered a call yet, each once.
fn awaited_seats(state: &State) -> Vec<Seat> {
    let open = state.turns.iter().filter(|(_, turn)| {
        turn.end.is_none() && turn.asks.last().is_some_and(|ask| ask.in_flight)
    });
    let people = asks_awaiting_person(state)
        .into_iter()
        .map(|key| key.turn.seat);
    let mut seats: Vec<Seat> = open.map(|(id, _)| id.seat).chain(people).collect();
    seats.sort_unstable();
    seats.dedup();
    seats
}

/// Returns the current round of a debate.
fn current_round(state: &State) -> u16 {
    let begun = state.turns.keys().filter_map(|turn| match turn.stage {
        Stage::Round(round) => Some(round),
        Stage::Theses | Stage::Verdict | Stage::Swap => None,
    });
    let begun = begun.max().unwrap_or(0);
    match debate_phase(state) {
        Phase::AwaitingBlind => 0,
        Phase::AwaitingProposer | Phase::AwaitingChallenger => begun.max(1),
        Phase::AwaitingArguments | Phase::AwaitingJudgment => first_unjudged_exchange(state),
        Phase::AwaitingVerdict | Phase::Closed => begun,
    }
}

/// A debate that was started now or earlier.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StartedDoc {
    /// Always `agon.started/1`.
    #[schemars(extend("const" = STARTED_SCHEMA))]
    pub schema: String,
    /// The debate's unique name.
    pub id: String,
    /// The debate's folder name.
    pub debate: String,
    /// The debate's folder.
    pub folder: String,
    /// The call limit.
    pub calls_max: u32,
    /// The limit on input and output tokens.
    pub tokens_max: u64,
    /// The expected remaining time, in seconds.
    pub eta_s: u64,
    /// When to poll for the first time, in seconds.
    pub poll_after_s: u64,
    /// Whether this is an identical debate that was started earlier.
    pub reused: bool,
}

/// Returns the document about the debate in `folder` that was started now or earlier.
///
/// `live` says whether a process runs it; only then is there something to wait for.
pub fn started_document(state: &State, folder: &str, live: bool, reused: bool) -> StartedDoc {
    let Caps { calls, tokens, .. } = state.caps;
    StartedDoc {
        schema: STARTED_SCHEMA.to_owned(),
        id: state.spec.ulid.to_string(),
        debate: state.spec.slug.clone(),
        folder: folder.to_owned(),
        calls_max: calls,
        tokens_max: tokens,
        eta_s: if live {
            expected_seconds_left(state)
        } else {
            0
        },
        poll_after_s: if live { POLL_AFTER_S } else { 0 },
        reused,
    }
}

// Chosen, not measured: between real tools with a fake model (0.6 to 19 s) and a slow AI model (149
// to 323 s).
/// The estimated seconds per call, until earlier calls give a better value.
const CALL_S: u64 = 60;

/// Estimates the seconds until the debate ends from the number of consecutive calls.
fn expected_seconds_left(state: &State) -> u64 {
    let (steps, done) = match state.format_rules().judging {
        // Blind answers run in parallel, and so do all judges, so each group counts as one call.
        Judging::AtTheEnd => (
            2 * u64::from(state.planned_rounds()) + u64::from(state.spec.has_blind_round()) + 1,
            state.admitted_turns().count() as u64,
        ),
        Judging::EachRound => {
            let through = state.through.map_or(0, u64::from);
            let left = (through + 1).saturating_sub(u64::from(first_unjudged_exchange(state)));
            (2 * left + u64::from(state.theses().is_none()), 0)
        }
    };
    let left = steps.saturating_sub(done).max(1);
    let bound = state.caps.time_ms.saturating_sub(state.spent.clock_ms) / 1_000;
    (left * CALL_S.min(state.spec.ask_timeout_ms / 1_000)).min(bound)
}

/// Returns whether two specs start the same debate: the same topic, seats with models and effort,
/// rounds and context.
///
/// Limits, names and installed versions may differ.
pub fn is_same_start(one: &Spec, other: &Spec) -> bool {
    let seats = |spec: &Spec| -> Vec<_> {
        let seats = spec.seats.iter();
        seats
            .map(|(&seat, seating)| {
                let model = seating.model.clone();
                (seat, seating.tool.clone(), model, seating.effort)
            })
            .collect()
    };
    let source = |spec: &Spec| {
        let source = spec.source.as_ref();
        source.map(|pin| (pin.manifest.clone(), pin.pages))
    };
    // A finished debate becomes a precedent for its topic, so a repeated debate may list it. Ignore
    // that difference.
    let told = |spec: &Spec, but: &Spec| -> Vec<_> {
        let told = spec.precedents.iter().map(|one| one.id.clone());
        told.filter(|id| *id != Some(but.ulid.to_string()))
            .collect()
    };
    let rounds = |spec: &Spec| {
        (
            spec.planned_rounds(),
            spec.has_blind_round(),
            spec.has_swap(),
        )
    };
    one.format() == other.format()
        && one.topic == other.topic
        && rounds(one) == rounds(other)
        && one.context == other.context
        && source(one) == source(other)
        && told(one, other) == told(other, one)
        && one.precedents.is_empty() == other.precedents.is_empty()
        && seats(one) == seats(other)
}
