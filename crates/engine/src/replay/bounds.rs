//! Decisions that depend on the limits of a debate and on the order of judges.

use agon_record::event::Event;
use agon_record::finding::Finding;
use agon_record::id::TurnId;

/// A parsed reply.
struct ReadReply<'a> {
    turn: TurnId,
    findings: &'a [Finding],
    admitted: bool,
}

/// Returns whether a difference between the recorded decision `then` and the decisions `now` can
/// result from limits and the order of judges only.
///
/// The moves, points and findings of a reply do not depend on them. Whether a reply with findings
/// is sent back or accepted does.
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

/// Returns whether both name the same rules at the same places; the wording depends on the version.
fn have_same_rules(one: &[Finding], other: &[Finding]) -> bool {
    let rule = |finding: &Finding| (finding.code.clone(), finding.at.clone());
    one.iter().map(rule).eq(other.iter().map(rule))
}

/// Returns whether this event ends a debate or a turn.
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
