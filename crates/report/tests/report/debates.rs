//! The hand-written debate, in the ways in which it may end.

use agon_record::event::{CauseCode, Event, Outcome};
use agon_record::finding::Severity;
use agon_record::id::Seat;
use agon_record::moves::{Moves, Side};
use agon_report::screen::Line;

use agon_samples::job_store::{Debate, finding, scripted, seating, turn};

pub(crate) const FOLDER: &str = "debates/job-store";

/// The whole debate, with a reply sent back and a finding that stayed.
pub(crate) fn with_findings() -> Debate {
    let mut debate = Debate::open();
    debate.speak_until("r1.pro");
    let broken = finding("duel-grounds", Severity::Error, "objections[1]");
    debate.send_back(turn("r1.cha"), vec![broken.clone()]);
    debate.speak(turn("r1.cha"), scripted(turn("r1.cha")));
    if let Some(Event::Admitted { findings, .. }) = debate.events.last_mut() {
        findings.push(broken);
    }
    for at in ["r2.pro", "r2.cha", "verdict.judge", "verdict.swap"] {
        debate.speak(turn(at), scripted(turn(at)));
    }
    debate.close(Outcome::Judged);
    debate
}

pub(crate) fn partial() -> Debate {
    let mut debate = Debate::open();
    debate.speak_until("r2.pro");
    debate.lose(turn("r2.cha"), CauseCode::Timeout);
    debate.speak(turn("verdict.judge"), scripted(turn("verdict.judge")));
    debate.lose(turn("verdict.swap"), CauseCode::Timeout);
    debate.close(Outcome::Judged);
    debate
}

/// The whole debate, whose judge rules for the challenger with the sides swapped.
pub(crate) fn flipped() -> Debate {
    let mut debate = Debate::open();
    debate.speak_until("verdict.judge");
    debate.speak(turn("verdict.swap"), for_the_challenger());
    debate.close(Outcome::Judged);
    debate
}

/// A panel of three, of which two rule for the proposer.
pub(crate) fn panel() -> Debate {
    let mut debate = Debate::open();
    for (number, tool) in [(2, "copilot"), (3, "opencode")] {
        let judge = seating(tool, "", None);
        debate.spec.seats.insert(Seat::Judge(number), judge);
    }
    debate.speak_until("verdict.judge");
    debate.speak(turn("verdict.judge-2"), for_the_challenger());
    let same = scripted(turn("verdict.judge"));
    debate.speak(turn("verdict.judge-3"), same.clone());
    debate.speak(turn("verdict.swap"), same);
    debate.close(Outcome::Judged);
    debate
}

/// The whole debate, whose judge rules for the same side with another answer once the sides are
/// swapped.
pub(crate) fn answered_otherwise() -> Debate {
    let mut debate = Debate::open();
    debate.speak_until("verdict.judge");
    let Moves::Verdict(mut ruling) = scripted(turn("verdict.judge")) else {
        panic!("a verdict")
    };
    ruling.answer = "Use SQLite, but only for the index".to_owned();
    debate.speak(turn("verdict.swap"), Moves::Verdict(ruling));
    debate.close(Outcome::Judged);
    debate
}

fn for_the_challenger() -> Moves {
    let Moves::Verdict(mut ruling) = scripted(turn("verdict.judge")) else {
        panic!("a verdict")
    };
    ruling.winner = Side::Challenger;
    Moves::Verdict(ruling)
}

pub(crate) fn uncontested() -> Debate {
    let mut debate = Debate::open();
    debate.speak_until("r1.pro");
    debate.lose(turn("r1.cha"), CauseCode::Timeout);
    debate.close(Outcome::Uncontested);
    debate
}

pub(crate) fn agreed() -> Debate {
    let mut debate = Debate::open();
    debate.speak(turn("r0.pro"), scripted(turn("r0.pro")));
    debate.speak(turn("r0.cha"), scripted(turn("r0.pro")));
    debate.events.push(Event::Agreement { stop: true });
    debate.close(Outcome::Agreed);
    debate
}

pub(crate) fn shown(lines: &[Line]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}
