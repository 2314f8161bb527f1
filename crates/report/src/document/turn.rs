//! One turn as prose, rendered from its moves.

use agon_record::grammar::Filled;
use agon_record::ground::{Citations, GroundStamp};
use agon_record::id::NodeId;
use agon_record::moves::{
    Agreement, Assessment, Blind, Choose, Moves, NoneFound, Objection, Response, Ruling,
};
use agon_record::point::{Point, points};
use agon_record::state::Admitted;

use super::argument::{argument_md, grounds_and_texts_md};
use super::formal_turn;
use crate::markdown::{escape_as_sentence, escape_inline};

/// Returns the body of an admitted turn as Markdown paragraphs without headings. If `marks_faults`
/// is true, points with a wrong or missing citation are marked beside their names.
pub(crate) fn turn_md(admitted: &Admitted, stamps: &[GroundStamp], marks_faults: bool) -> String {
    let mut out = String::new();
    let first = match &admitted.moves {
        Moves::Blind(blind) => vec![blind_md(blind)],
        Moves::Opening(opening) => vec![labelled_paragraph_md("Stance", &opening.stance)],
        Moves::Defense(defense) => {
            vec![labelled_paragraph_md("Position now", &defense.position_now)]
        }
        Moves::Verdict(ruling) => vec![ruling_md(ruling)],
        Moves::Formal(formal) => formal_turn::theses_or_scores_md(formal),
        Moves::Challenge(_) | Moves::FollowUp(_) => Vec::new(),
    };
    let nodes = admitted.ids.iter().zip(points(&admitted.moves));
    let nodes = nodes.enumerate().map(|(nth, (&id, point))| {
        let of_it = stamps.iter().filter(|stamp| stamp.point == nth);
        let fault = Citations::from_ground_stamps(of_it.clone()).fault();
        let name = match fault.filter(|_| marks_faults) {
            Some(fault) => format!("{id} ({fault})"),
            None => id.to_string(),
        };
        point_md(&name, point) + &stamps_md(of_it)
    });
    let nothing = admitted
        .moves
        .cleared_categories()
        .iter()
        .map(cleared_category_md);
    for part in first.into_iter().chain(nodes).chain(nothing) {
        put!(out, "{}\n\n", part.trim_end());
    }
    out
}

fn labelled_paragraph_md(label: &str, text: &str) -> String {
    format!("**{label}:** {}", escape_inline(text))
}

fn blind_md(blind: &Blind) -> String {
    let mut out = labelled_paragraph_md("Answer", &blind.answer);
    put!(out, "\n\n{}\n", escape_inline(&blind.position));
    for reason in &blind.because {
        put!(out, "\n- {}", escape_inline(reason));
    }
    out
}

fn point_md(name: &str, point: Point<'_>) -> String {
    match point {
        Point::Argument(argument) => argument_md(name, argument),
        Point::Alternative(argument) => argument_md(&format!("{name}, an alternative"), argument),
        Point::Objection(objection) => objection_md(name, objection),
        Point::Response(response) => response_md(name, response),
        Point::Assessment(assessment) => assessment_md(name, assessment),
        Point::Agreement(agreement) => agreement_md(name, agreement),
        Point::Contention(contention) => formal_turn::contention_md(name, contention),
    }
}

fn objection_md(name: &str, objection: &Objection) -> String {
    let head = format!(
        "**{name} objects to {}** ({}, {}; {}): {}\n",
        objection.target,
        objection.category.label(),
        objection.severity.label(),
        objection.kind.label(),
        escape_as_sentence(&objection.content),
    );
    head + &grounds_and_texts_md(&Filled::from(objection))
}

fn response_md(name: &str, response: &Response) -> String {
    let head = format!(
        "**{name} answers {}, {}:** {}\n",
        response.objection,
        response.reply.label(),
        escape_as_sentence(&response.content),
    );
    head + &grounds_and_texts_md(&Filled::from(response))
}

fn assessment_md(name: &str, assessment: &Assessment) -> String {
    let head = format!(
        "**{name} rules on {}: {}.** {}\n",
        assessment.response,
        assessment.ruling.label(),
        escape_as_sentence(&assessment.content),
    );
    head + &grounds_and_texts_md(&Filled::from(assessment))
}

fn agreement_md(name: &str, agreement: &Agreement) -> String {
    let head = format!("**{name} accepts {}.**\n", agreement.target);
    head + &grounds_and_texts_md(&Filled::from(agreement))
}

/// Returns the results of a point's citation checks; empty if nothing was checked.
fn stamps_md<'a>(stamps: impl Iterator<Item = &'a GroundStamp>) -> String {
    let cited = stamps.filter(|stamp| stamp.stamped.stamp.names_a_place());
    let said = cited.map(|stamp| {
        let said = escape_inline(&stamp.stamped.stamp.to_string());
        format!("ground {}: {said}", stamp.ground + 1)
    });
    let said: Vec<_> = said.collect();
    match said.is_empty() {
        true => String::new(),
        false => format!("\nCitations: {}.\n", said.join("; ")),
    }
}

fn cleared_category_md(none: &NoneFound) -> String {
    let looked: Vec<_> = none
        .looked_at
        .iter()
        .map(|place| escape_inline(place))
        .collect();
    let mut out = format!(
        "Nothing found under {}; checked: {}.",
        none.category.label(),
        looked.join(", "),
    );
    if let Some(why) = &none.why {
        put!(out, " Why: {}", escape_as_sentence(why));
    }
    out
}

fn ruling_md(ruling: &Ruling) -> String {
    let decisive: Vec<_> = ruling.decisive.iter().map(NodeId::to_string).collect();
    let mut out = format!(
        "**For the {}.** {}",
        ruling.winner.seat(),
        escape_as_sentence(&ruling.answer),
    );
    let parts = [
        ("Why", &ruling.why),
        ("Do next", &ruling.do_next),
        ("Unless", &ruling.unless),
    ];
    for (label, text) in parts
        .into_iter()
        .filter(|(_, text)| !text.trim().is_empty())
    {
        put!(out, "\n\n{label}: {}", escape_as_sentence(text));
    }
    if !decisive.is_empty() {
        put!(out, "\n\nDecisive: {}.", decisive.join(", "));
    }
    out
}
