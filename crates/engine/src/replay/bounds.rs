//! Which decisions follow from the bounds of a debate and from who is asked to judge.

use agon_record::event::Event;
use agon_record::finding::Finding;
use agon_record::id::TurnId;

/// A reply as it was read.
struct ReadReply<'a> {
    turn: TurnId,
    findings: &'a [Finding],
    admitted: bool,
}

/// Whether a difference between the recorded decision `then` and the decisions `now` can come from
/// bounds and the order of judging alone.
///
/// The moves and points of a reply, and what was found in it, do not follow from them; whether one
/// with findings is sent back or taken as it is does.
pub(super) fn can_differ_by_bounds(then: &Event, now: &[Event]) -> bool {
    if is_ending_event(then) {
        return true;
    }
    if let Event::TurnLost { turn, .. } = then {
        let mut now = now.iter().filter_map(read_reply);
        return !now.any(|now| now.turn == *turn && now.admitted);
    }
    let Some(then) = read_reply(then) else {
        return now.is_empty() || now.iter().all(is_ending_event);
    };
    let lost = |event: &Event| matches!(event, Event::TurnLost { turn, .. } if *turn == then.turn);
    if now.iter().any(lost) {
        return !then.admitted;
    }
    let mut now = now.iter().filter_map(read_reply);
    now.find(|now| now.turn == then.turn).is_none_or(|now| {
        now.admitted != then.admitted && have_same_rules(now.findings, then.findings)
    })
}

/// Whether both name the same rules at the same places: the words are those of a version.
fn have_same_rules(one: &[Finding], other: &[Finding]) -> bool {
    let rule = |finding: &Finding| (finding.code.clone(), finding.at.clone());
    one.iter().map(rule).eq(other.iter().map(rule))
}

/// Whether this ends a debate, or a question in it.
fn is_ending_event(event: &Event) -> bool {
    matches!(
        event,
        Event::Capped { .. } | Event::Halted { .. } | Event::Reseated { .. } | Event::Closed { .. }
    )
}

fn read_reply(event: &Event) -> Option<ReadReply<'_>> {
    let (key, findings, admitted) = if let Event::Admitted { key, findings, .. } = event {
        (key, findings, true)
    } else if let Event::SentBack { key, findings } = event {
        (key, findings, false)
    } else {
        return None;
    };
    Some(ReadReply {
        turn: key.turn,
        findings,
        admitted,
    })
}
