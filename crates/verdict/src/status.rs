//! What a calling program is told while a debate runs: where it stands, in a few bytes.

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

/// The name and version of the document about a debate that was started.
pub const STARTED_SCHEMA: &str = "agon.started/1";
/// The name and version of the document about how far a debate is.
pub const STATUS_SCHEMA: &str = "agon.status/1";

// What programs are promised, since they ask again and again: about 100 tokens. Held by
// `the_documents_of_a_debate_of_five_rounds_are_small_and_keep_their_schemas` in
// `cli/tests/suite/scenarios/sizes.rs`.
/// The most bytes of a status document in one line.
pub const STATUS_BYTES: usize = 400;

/// How a debate stands, seen from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "Standing")]
pub enum RunState {
    /// A process is at it.
    Running,
    /// A person must answer first: one at the terminal of the process that is at it, or where a
    /// person has a seat, that person, and then no process need be at it.
    WaitingForPerson,
    /// Nobody is at it, and nothing stands in the way: `agon resume` goes on.
    Stopped,
    /// It has its answer; a formal debate: it came as far as it was told to.
    Done,
    /// It ended without an answer, for a reason.
    Failed,
}

impl RunState {
    /// Whether it has neither ended nor been stopped.
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

/// How a debate stands whose record is `state`; `live` when a process is at it.
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

/// How far a debate is.
///
/// At most [`STATUS_BYTES`] bytes in one line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StatusDoc {
    /// Always `agon.status/1`.
    #[schemars(extend("const" = STATUS_SCHEMA))]
    pub schema: String,
    /// The debate's unique name.
    pub id: String,
    /// How it stands.
    pub state: RunState,
    /// The round it is in, from 1; 0 before it. In a formal debate the exchange, from 0.
    pub round: u16,
    /// The seats that are being asked.
    #[schemars(with = "Vec<String>")]
    pub speaking: Vec<Seat>,
    /// What it has cost so far.
    pub spent: SpentDoc,
    /// When to ask again, in seconds; 0 when there is nothing to wait for.
    pub poll_after_s: u64,
    /// Why it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<Reason>,
}

/// What a debate has cost so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SpentDoc {
    /// Calls.
    pub calls: u32,
    /// Tokens, in and out.
    pub tokens: u64,
    /// Running time, in seconds.
    pub seconds: u64,
}

/// Why a debate failed; the message is cut to fit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Reason {
    /// The kind of error, such as `judge_lost`.
    pub code: String,
    /// What happened.
    pub message: String,
}

// The calls in the debate of `agon demo` took 149 to 323 s: an end is known within a thirtieth of
// one.
/// Seconds after which a running debate is worth another look.
const POLL_AFTER_S: u64 = 5;
// About twice the longest codes of the program, of 17 characters; the 400 bytes must hold it and a
// message.
/// The longest code of a reason that is told, in characters.
const MAX_CODE_CHARS: usize = 40;

/// How far the debate is, which stands as `standing`, and why if it failed.
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
    // Nothing else in it has a length of its own.
    let room = STATUS_BYTES.saturating_sub(size(&doc));
    let message = error.map(|reason| cut_to_json_bytes(&reason.message, room));
    if let (Some(reason), Some(message)) = (&mut doc.error, message) {
        reason.message = message;
    }
    doc
}

/// `text` on one line, in as many bytes of JSON as there is room for.
fn cut_to_json_bytes(text: &str, room: usize) -> String {
    let mut chars = room;
    loop {
        let short = sanitise_line(text, chars);
        // Without the quotation marks, which are counted already.
        let long = serde_json::to_string(&short).map_or(0, |json| json.len().saturating_sub(2));
        if long <= room || chars == 0 {
            return short;
        }
        chars = chars.saturating_sub(long.saturating_sub(room).div_ceil(4).max(1));
    }
}

/// The seats that were asked and have not answered, people among them, each once.
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

/// The round that a debate is in.
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

/// A debate that was started, or found to have been.
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
    /// The most calls it makes.
    pub calls_max: u32,
    /// The most tokens it takes, in and out.
    pub tokens_max: u64,
    /// How long it may be expected to take from now, in seconds.
    pub eta_s: u64,
    /// When to look for the first time, in seconds.
    pub poll_after_s: u64,
    /// Whether it is one that was started before.
    pub reused: bool,
}

/// The debate in `folder` that was started just now, or before.
///
/// `live` is whether a process is at it: only then is there something to wait for.
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

// Chosen, not measured: real tools against a fake model take 0.6 to 19 s of their own, an AI model
// that thinks long took 149 to 323 s. Where calls were made before, they say better.
/// Seconds that one call takes, as long as nothing better is known.
const CALL_S: u64 = 60;

/// Seconds until the debate ends, as long as nothing better is known than how
/// many calls wait for one another.
fn expected_seconds_left(state: &State) -> u64 {
    let (steps, done) = match state.format_rules().judging {
        // Blind answers, and all judges, are asked for at once.
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

/// Whether `one` and `other` are starts of the same debate: topic, seats with
/// their models and effort, rounds and what the seats are given to read.
///
/// Bounds, names and what was installed in which version do not count.
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
    // A debate that has ended is near itself.
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
