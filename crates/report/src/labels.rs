//! Descriptions of recorded kinds, shared by the transcript, the page and the screens.

use std::borrow::Cow;

use agon_record::event::{Cause, CauseCode, Halt};
use agon_record::id::{Seat, TurnId};
use agon_record::moves::Moves;
use agon_record::state::{Admitted, Ask, State};
use agon_record::user::UserInput;
use agon_verdict::verdict::{BlindAnswers, Panel, Trial, Verdict, swap_ruling_in_own_names};

use crate::text::plain_line;

/// Returns the first turn whose prompt contained the user's input at index `place`.
pub(crate) fn first_turn_with_user_input(state: &State, place: usize) -> Option<TurnId> {
    let first = state.turns.iter().find(|(_, turn)| {
        let mut asked = turn.asks.iter().filter_map(|ask| ask.asked.as_ref());
        asked.any(|asked| asked.user_inputs as usize > place)
    });
    first.map(|(turn, _)| *turn)
}

/// Returns the user's input in one line: a note's text, or a command and how it ended.
pub(crate) fn user_input_text(word: &UserInput) -> String {
    match word {
        UserInput::Note(note) => plain_line(&note.text),
        UserInput::Ran(ran) => {
            let run = &ran.run;
            format!(
                "{} ({})",
                plain_line(&run.command),
                plain_line(&run.ending())
            )
        }
    }
}

/// Returns the user's inputs as list entries, each with its id and a remark if the judge missed it.
pub fn user_input_lines(state: &State) -> Vec<String> {
    let is_ruled = state.closed.is_some();
    let line = |word: &UserInput| {
        let id = word.id();
        let unheard = is_ruled && !state.has_reached_judges(id);
        let unheard = if unheard {
            " (the judge had not seen it)"
        } else {
            ""
        };
        format!("{id}: {}{unheard}", user_input_text(word))
    };
    state.words.iter().map(line).collect()
}

/// Returns the tool in `seat`, or the seat's name if both sides are the same tool.
pub(crate) fn tool_or_seat_name(state: &State, seat: Seat) -> String {
    let tool = |seat| state.seats.get(&seat).map(|seating| &seating.tool);
    let twin = seat.opponent().and_then(tool);
    match tool(seat) {
        Some(tool) if Some(tool) != twin => tool.to_string(),
        Some(_) | None => seat.to_string(),
    }
}

/// Describes the result of the ruling with the sides swapped; `None` if no judge ruled. `say`
/// describes why the judge was not asked.
pub(crate) fn describe_swap_trial(
    verdict: &Verdict,
    say: impl Fn(&str) -> String,
) -> Option<String> {
    let stability = &verdict.stability;
    Some(match (stability.swap, stability.swap_reason.as_deref()) {
        (Trial::Same, _) => match describe_second_answer(verdict) {
            None => "same ruling with the sides swapped and the names hidden".to_owned(),
            Some(otherwise) => {
                format!("same winner with the sides swapped and the names hidden, but {otherwise}")
            }
        },
        (Trial::Flipped, _) => {
            let changed = "the judge changed sides when they were swapped";
            let otherwise = describe_second_answer(verdict);
            let otherwise = otherwise.map_or_else(String::new, |said| format!(" ({said})"));
            format!("{changed}{otherwise}; its first ruling counts")
        }
        (Trial::NotRun, None | Some("unjudged")) => return None,
        (Trial::NotRun, Some(reason)) => {
            format!("no second ruling with the sides swapped ({})", say(reason))
        }
    })
}

/// Returns the answer and next step of the ruling with the sides swapped, as far as they differ
/// from the verdict; `None` if neither does.
pub(crate) fn describe_second_answer(verdict: &Verdict) -> Option<String> {
    let swap = verdict.readings.swap.as_ref()?;
    let answer = swap.answer.as_deref();
    let answer = answer.map(|said| format!("then it answered \"{}\"", plain_line(said)));
    let next = swap.do_next.as_deref();
    let next = next.map(|said| format!("its next step was \"{}\"", plain_line(said)));
    let said: Vec<_> = answer.into_iter().chain(next).collect();
    (!said.is_empty()).then(|| said.join(", and "))
}

/// Returns whether the first answers agree, in words; `None` if that is unknown.
pub(crate) fn describe_first_answers(blind: &BlindAnswers) -> Option<&'static str> {
    Some(match blind.agree? {
        true => "they agree",
        false => "they differ, so a vote of the two would have been a tie",
    })
}

/// Returns whether the panel's majority survives leaving out any one judge; `None` if only one
/// ruled.
pub(crate) fn describe_leave_one_out(panel: &Panel) -> Option<&'static str> {
    match panel.leave_one_out {
        Trial::Same => Some("same result without any one of them"),
        Trial::Flipped => Some("different result without one of them"),
        Trial::NotRun => None,
    }
}

/// Returns an admitted turn with the debate's own names. The ruling with the sides swapped may
/// contain names that hid the sides.
pub(crate) fn with_own_names<'a>(
    state: &State,
    turn: TurnId,
    admitted: &'a Admitted,
) -> Cow<'a, Admitted> {
    let ruling = match turn == TurnId::SWAP {
        true => swap_ruling_in_own_names(state),
        false => None,
    };
    match ruling {
        None => Cow::Borrowed(admitted),
        Some(ruling) => Cow::Owned(Admitted {
            moves: Moves::Verdict(ruling),
            ..admitted.clone()
        }),
    }
}

/// Returns how many replies of a turn were sent back, and for which rules.
pub(crate) fn sent_back_replies(state: &State, turn: TurnId) -> Option<SentBack> {
    let asks = &state.turns.get(&turn)?.asks;
    let back: Vec<&Ask> = asks.iter().filter(|ask| ask.sent_back.is_some()).collect();
    let mut codes: Vec<String> = Vec::new();
    for finding in back
        .iter()
        .filter_map(|ask| ask.sent_back.as_ref())
        .flatten()
    {
        if !codes.contains(&finding.code) {
            codes.push(finding.code.clone());
        }
    }
    let took = back
        .iter()
        .filter_map(|ask| ask.given.as_ref())
        .map(|given| given.took_ms);
    (!back.is_empty()).then(|| SentBack {
        replies: back.len() as u64,
        codes,
        took_ms: took.sum(),
    })
}

pub(crate) struct SentBack {
    pub(crate) replies: u64,
    pub(crate) codes: Vec<String>,
    pub(crate) took_ms: u64,
}

/// Returns why a call or a turn was lost, with details if known.
pub(crate) fn describe_cause(cause: &Cause) -> String {
    let what = cause.code.describe();
    match plain_line(&cause.detail).as_str() {
        "" => what.to_owned(),
        detail => format!("{what} ({detail})"),
    }
}

/// Returns why a turn is missing from a verdict, in words, from its code in the document.
pub(crate) fn describe_why_missing(word: &str) -> String {
    if let Some(bound) = word.strip_prefix("cap:") {
        return format!("the limit on {} was reached", plain_line(bound));
    }
    match word {
        "off" => return "switched off".to_owned(),
        "not_asked" => return "not asked".to_owned(),
        "human_judge" => return "a person judged".to_owned(),
        "judge_lost" => return "no judge ruled".to_owned(),
        _ => {}
    }
    let code: Result<CauseCode, _> = serde_json::from_value(word.into());
    code.map_or_else(|_| plain_line(word), |code| code.describe().to_owned())
}

/// Returns why a debate is halted, as the end of a sentence.
pub(crate) fn describe_halt(halt: &Halt) -> String {
    match halt {
        Halt::User { turn, cause } => format!("{}: {}", turn.describe(), cause.code.describe()),
        Halt::ProposerLost { cause } => format!(
            "the proposer's first turn was lost: {}",
            cause.code.describe()
        ),
        Halt::TurnLost { turn, cause } => {
            format!("{} was lost: {}", turn.describe(), cause.code.describe())
        }
        Halt::JudgeLost { cause } => format!("no judge ruled: {}", cause.code.describe()),
        Halt::AllTimedOut => "every call timed out".to_owned(),
        Halt::NoTurns => "no turn was completed".to_owned(),
        Halt::Capped { cap } => format!("the limit on {} was reached", cap.name()),
    }
}
