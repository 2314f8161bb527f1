//! The state file that tells a host program about the last debate.

use agon_record::evidence::stamps_of_turn;
use agon_record::id::{Seat, Stage, TurnId};
use agon_record::spec::Seating;
use agon_record::state::{State, Turn, TurnEnd};
use agon_verdict::status::{RunState, run_state};
use agon_verdict::verdict::verdict_without_graph;
use serde::Serialize;

use crate::document::turn_md;

#[derive(Serialize)]
struct LastDebate<'a> {
    id: String,
    topic: &'a str,
    proposer: Option<Debater<'a>>,
    challenger: Option<Debater<'a>>,
    effort: Option<&'static str>,
    rounds_completed: u16,
    max_rounds: u16,
    status: &'static str,
    exchanges: Vec<Exchange<'a>>,
    verdict: Option<Ruled>,
    timestamp: &'a str,
}

#[derive(Serialize)]
struct Debater<'a> {
    tool: &'a str,
    model: Option<&'a str>,
}

#[derive(Serialize)]
struct Exchange<'a> {
    round: u16,
    role: String,
    tool: &'a str,
    response: String,
    duration_ms: u64,
}

#[derive(Serialize)]
struct Ruled {
    winner: Option<String>,
    reasoning: String,
    agreements: Vec<String>,
    disagreements: Vec<String>,
    recommendation: String,
}

/// Returns the bytes of `last-debate.json`, which a host program reads.
///
/// `timestamp` is the time of writing in RFC 3339. The `id` uses the time of the opening, so it
/// never changes. A lost turn has no exchange; the response of every other turn is its moves in
/// prose. `status` is `completed` with a verdict, `failed` if the debate cannot continue,
/// `waiting_for_person` while a person must answer, and `stopped` otherwise: the file is written
/// only while no process runs the debate.
pub fn last_debate_json(state: &State, timestamp: &str) -> Vec<u8> {
    let seat = |seat| state.seats.get(&seat);
    let debater = |at| seat(at).map(|seating| debater(seating, state.model(at)));
    let status = match run_state(state, false) {
        RunState::Done => "completed",
        RunState::Failed => "failed",
        RunState::WaitingForPerson => "waiting_for_person",
        RunState::Stopped | RunState::Running => "stopped",
    };
    to_pretty_json(&LastDebate {
        id: host_id(state),
        topic: &state.spec.topic,
        proposer: debater(Seat::Proposer),
        challenger: debater(Seat::Challenger),
        effort: seat(Seat::Proposer).map(|seat| seat.effort.name()),
        rounds_completed: state.rounds_completed(),
        max_rounds: state.planned_rounds(),
        status,
        exchanges: state
            .turns
            .iter()
            .filter_map(|(&id, turn)| exchange(state, id, turn))
            .collect(),
        verdict: final_ruling(state),
        timestamp,
    })
}

/// Returns the host's id of the debate: the time of its opening and four digits.
fn host_id(state: &State) -> String {
    let ulid = state.spec.ulid;
    let opened = i64::try_from(ulid.timestamp_ms()).unwrap_or_default() / 1_000;
    let opened = jiff::Timestamp::from_second(opened).unwrap_or_default();
    format!("debate-{opened}-{:04x}", ulid.0 & 0xffff)
}

fn debater<'a>(seating: &'a Seating, model: Option<&'a str>) -> Debater<'a> {
    Debater {
        tool: seating.tool.as_str(),
        model,
    }
}

fn exchange<'a>(state: &'a State, id: TurnId, turn: &'a Turn) -> Option<Exchange<'a>> {
    let Stage::Round(round @ 1..) = id.stage else {
        return None;
    };
    let Some(TurnEnd::Admitted(admitted)) = &turn.end else {
        return None;
    };
    let given = turn
        .asks
        .get(usize::from(admitted.key.again))?
        .given
        .as_ref();
    Some(Exchange {
        round,
        role: id.seat.to_string(),
        tool: state.seats.get(&id.seat)?.tool.as_str(),
        response: turn_md(admitted, stamps_of_turn(state, id), true)
            .trim_end()
            .to_owned(),
        duration_ms: given.map_or(0, |given| given.took_ms),
    })
}

fn final_ruling(state: &State) -> Option<Ruled> {
    let verdict = verdict_without_graph(state)?;
    let next = verdict.do_next.map(|next| format!(" {next}"));
    let answer = verdict.answer.unwrap_or_default();
    let stop = if answer.ends_with(['.', '!', '?']) {
        ""
    } else {
        "."
    };
    Some(Ruled {
        winner: verdict.winner_tool.map(|tool| tool.to_string()),
        reasoning: verdict.why.unwrap_or_default(),
        agreements: verdict
            .agreements
            .into_iter()
            .map(|agreed| agreed.point)
            .collect(),
        disagreements: verdict
            .disagreements
            .into_iter()
            .map(|differ| differ.point)
            .collect(),
        recommendation: format!("{answer}{stop}{}", next.unwrap_or_default()),
    })
}

/// Returns a document as indented JSON with a line end.
pub(crate) fn to_pretty_json<T: Serialize>(document: &T) -> Vec<u8> {
    // Cannot fail, since all map keys are strings; a failure would show up as `null`.
    let mut bytes = serde_json::to_vec_pretty(document).unwrap_or_else(|_| b"null".to_vec());
    bytes.push(b'\n');
    bytes
}
