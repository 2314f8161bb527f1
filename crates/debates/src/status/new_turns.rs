//! Returns the turns of a debate since a caller's last request.

use std::path::Path;
use std::time::{Duration, Instant};

use agon_caller::{Failure, find};
use agon_record::event::Event;
use agon_record::id::{Seat, Stage, TurnId};
use agon_record::state::State;
use agon_record::text::strip_control_characters;
use agon_report::turn_markdown;
use agon_tokens::{count_tokens, truncate_to_tokens};
use agon_verdict::status::{Reason, RunState, SpentDoc};
use schemars::JsonSchema;
use serde::Serialize;

use crate::status::{inspect_debate, wait};

/// The schema id of the document.
pub const HEARD_SCHEMA: &str = "agon.heard/1";

// A turn of a real debate takes 400 to 1,300 tokens, so one fits whole without flooding the host.
// The rest of the document takes about 90, so that a document has at most 1,500.
/// Maximum number of o200k tokens of the turns in one document, as written there.
const MAX_TURN_TOKENS: usize = 1_380;

// People do not notice half a second.
/// The longest wait between two checks whether the caller still listens.
const LISTEN_INTERVAL: Duration = Duration::from_millis(500);

// The same as in `agon wait` (`wait.rs`), so a dead process is noticed within a second.
/// The longest wait between two checks of the record.
const LOOK_INTERVAL: Duration = Duration::from_secs(1);

/// The status of a debate and its turns since a cursor: `agon.heard/1`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct HeardDoc {
    /// Always `agon.heard/1`.
    #[schemars(extend("const" = HEARD_SCHEMA))]
    pub schema: &'static str,
    /// The debate's unique name.
    pub id: String,
    /// The debate's folder name.
    pub debate: String,
    /// Its run state.
    pub state: RunState,
    /// The current round or exchange.
    pub round: u16,
    /// The turns that were asked for and are not answered.
    #[schemars(with = "Vec<String>")]
    pub speaking: Vec<Seat>,
    /// The usage so far.
    pub spent: SpentDoc,
    /// The maximum number of calls.
    pub calls_max: u32,
    /// The turns that ended after the given cursor, the earliest first.
    pub turns: Vec<HeardTurn>,
    /// The cursor for the next request.
    pub cursor: u64,
    /// The number of further turns beyond the cursor; if not zero, ask again at once.
    pub waiting: u64,
    /// Why it ended without an answer; left out otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<Reason>,
}

/// A turn that ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct HeardTurn {
    /// The round or exchange; null for a turn outside of both.
    pub round: Option<u16>,
    /// Who spoke.
    #[schemars(with = "String")]
    pub seat: Seat,
    /// The tool in that seat.
    pub tool: Option<String>,
    /// The model, if known.
    pub model: Option<String>,
    /// The turn in Markdown; for a lost turn, the reason.
    pub text: String,
    /// Whether the end of the text was cut off; left out if it is complete.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub cut: bool,
}

/// The heading of the judge's second ruling, which could be mistaken for another verdict.
const SWAPPED: &str = "**The same judge again, with the sides swapped and the names hidden; its first ruling stands.**";

/// Waits until a turn beyond `cursor` has ended, no process runs the debate in `path`, `until` has
/// passed, or `watch` returns false.
///
/// # Errors
///
/// If nothing of the debate can be read.
pub fn wait_for_turns(
    path: &Path,
    cursor: u64,
    until: Instant,
    mut watch: impl FnMut(&HeardDoc) -> bool,
) -> Result<HeardDoc, Failure> {
    let mut heard = turns_since(path, cursor)?;
    let mut looked = Instant::now();
    loop {
        if !heard.turns.is_empty() || heard.state != RunState::Running || !watch(&heard) {
            return Ok(heard);
        }
        let now = Instant::now();
        if now >= until {
            return Ok(heard);
        }
        let changed = wait::wait_for_change(path, until.min(now + LISTEN_INTERVAL))?;
        // Look at least once a second, because a change just before the wait is missed.
        if changed || looked.elapsed() >= LOOK_INTERVAL {
            heard = turns_since(path, cursor)?;
            looked = Instant::now();
        }
    }
}

/// Returns the status of the debate in `path` and complete turns beyond `cursor`: as many as fit in
/// one document, and at least one.
///
/// # Errors
///
/// If nothing of it can be read.
pub fn turns_since(path: &Path, cursor: u64) -> Result<HeardDoc, Failure> {
    // Read the status first: a turn that ends in between is then reported, not lost.
    let seen = inspect_debate(path)?;
    let view = find::read(path)?;
    let status = seen.document();
    let ended: Vec<TurnId> = view
        .events
        .iter()
        .filter_map(|recorded| ended_turn(&recorded.event))
        .collect();
    let first = usize::try_from(cursor).map_or(ended.len(), |cursor| cursor.min(ended.len()));
    let turns = turns_that_fit(&view.state, &ended[first..]);
    let next = first + turns.len();
    Ok(HeardDoc {
        schema: HEARD_SCHEMA,
        id: status.id,
        debate: view.state.spec.slug.clone(),
        state: status.state,
        round: status.round,
        speaking: status.speaking,
        spent: status.spent,
        calls_max: view.state.caps.calls,
        turns,
        cursor: next as u64,
        waiting: (ended.len() - next) as u64,
        error: status.error,
    })
}

fn ended_turn(event: &Event) -> Option<TurnId> {
    match event {
        Event::Admitted { key, .. } => Some(key.turn),
        Event::TurnLost { turn, .. } => Some(*turn),
        _ => None,
    }
}

fn turns_that_fit(state: &State, ended: &[TurnId]) -> Vec<HeardTurn> {
    let mut room = MAX_TURN_TOKENS;
    let mut turns = Vec::new();
    for &id in ended {
        let mut turn = describe_turn(state, id);
        let tokens = written_tokens(&turn);
        if tokens > room && !turns.is_empty() {
            break;
        }
        if tokens > room {
            cut_turn(&mut turn, room);
        }
        room = room.saturating_sub(tokens);
        turns.push(turn);
    }
    turns
}

/// Returns the tokens of a turn as written: more than its text, since quotes and line breaks are
/// escaped.
fn written_tokens(turn: &HeardTurn) -> usize {
    count_tokens(&serde_json::to_string(turn).unwrap_or_default())
}

/// Cuts the end of a turn's text so that the turn takes at most `room` tokens.
fn cut_turn(turn: &mut HeardTurn, room: usize) {
    turn.cut = true;
    let whole = std::mem::take(&mut turn.text);
    let mut share = room.saturating_sub(written_tokens(turn));
    loop {
        turn.text = truncate_to_tokens(&whole, share);
        if share == 0 || written_tokens(turn) <= room {
            return;
        }
        share = share * 19 / 20;
    }
}

fn describe_turn(state: &State, id: TurnId) -> HeardTurn {
    let asked = state.turns.get(&id).and_then(|turn| {
        let asks = turn.asks.iter().rev();
        asks.filter_map(|ask| ask.asked.as_ref()).next()
    });
    let text = turn_markdown(state, id);
    let text = match id == TurnId::SWAP {
        true => format!("{SWAPPED}\n\n{text}"),
        false => text,
    };
    HeardTurn {
        round: match id.stage {
            Stage::Round(round) => Some(round),
            Stage::Theses | Stage::Verdict | Stage::Swap => None,
        },
        seat: id.seat,
        tool: asked.map(|asked| asked.tool.to_string()),
        model: state.model(id.seat).map(str::to_owned),
        text: strip_control_characters(&text),
        cut: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ruling_with_the_sides_swapped_is_told_as_one() {
        let state = agon_samples::job_store::job_store().state();
        let marked = |turn| {
            let text = describe_turn(&state, turn).text;
            text.starts_with("**The same judge again, with the sides swapped")
        };
        assert!(marked(TurnId::SWAP));
        assert!(!marked(TurnId::verdict(Seat::JUDGE)));
    }
}
