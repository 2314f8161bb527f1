//! Describes on one line the point that a section of a form answers.

use agon_record::id::Seat;
use agon_record::moves::{Argument, Choose};
use agon_record::piece;
use agon_record::point::{Node, Point};
use agon_record::state::State;
use agon_record::text::sanitise_line;

/// Describes `node` for the person who answers it: who says what, and the cited places. An answer
/// comes with its objection, which is among `nodes`.
pub(super) fn describe_point(node: &Node<'_>, nodes: &[Node<'_>]) -> String {
    let target = node.point.target();
    let target = target.and_then(|id| nodes.iter().find(|node| node.id == id));
    let before = match (&node.point, target) {
        (Point::Response(_), Some(objection)) => {
            format!("You objected: {} ", objection.point.main_text())
        }
        (Point::Objection(_), Some(point)) => {
            format!("You said in {}: {} ", point.id, point.point.main_text())
        }
        _ => String::new(),
    };
    let places: Vec<_> = node
        .point
        .grounds()
        .iter()
        .filter_map(|ground| piece::format_citation_place(ground.citation.as_ref()?))
        .collect();
    let places = match places.is_empty() {
        true => String::new(),
        false => format!(" [{}]", places.join("; ")),
    };
    let said = format!(
        "{before}The {} {}: {}{places}",
        node.seat(),
        verb_with_text(&node.point).0,
        verb_with_text(&node.point).1
    );
    sanitise_line(&said, usize::MAX)
}

/// Returns both first answers; `None` if one is missing.
pub(super) fn describe_first_answers(state: &State) -> Option<String> {
    let answer = |seat| {
        let blind = state.blind_answer(seat)?;
        Some(format!("The {seat} answered: {}", blind.answer))
    };
    let said = format!("{}. {}", answer(Seat::Proposer)?, answer(Seat::Challenger)?);
    Some(sanitise_line(&said, usize::MAX))
}

fn verb_with_text(point: &Point<'_>) -> (String, String) {
    let whole = |argument: &Argument| match argument.warrant.trim() {
        "" => argument.claim.clone(),
        warrant => format!("{} Because: {warrant}", argument.claim),
    };
    match point {
        Point::Argument(argument) => ("argues".to_owned(), whole(argument)),
        Point::Alternative(argument) => ("proposes this instead".to_owned(), whole(argument)),
        Point::Contention(contention) => ("argues".to_owned(), whole(&contention.argument)),
        Point::Objection(objection) => (
            format!("objects ({})", objection.severity.label()),
            objection.content.clone(),
        ),
        Point::Response(response) => {
            let but = response.still_favours_because.iter();
            let but: String = but.map(|but| format!(" Still: {but}")).collect();
            (
                format!("answers ({})", response.reply.label()),
                format!("{}{but}", response.content),
            )
        }
        Point::Assessment(assessment) => (
            format!("rules ({})", assessment.ruling.label()),
            assessment.content.clone(),
        ),
        Point::Agreement(agreement) => ("agrees".to_owned(), agreement.remaining_risk.clone()),
    }
}
