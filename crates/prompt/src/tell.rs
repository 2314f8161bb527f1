//! Moves as Markdown with ids: what one seat reads of another.

use agon_record::id::NodeId;
use agon_record::moves::{Argument, Attack, Contention, Defend, Ground, Moves};
use agon_record::piece::{field, ground, word};
use agon_record::point::{Point, points};
use agon_record::state::Admitted;

/// The moves of a turn, point by point, under the ids they were given.
///
/// Nothing is left out and nothing is shortened.
pub(crate) fn moves(admitted: &Admitted) -> String {
    let mut out = head(&admitted.moves);
    for (id, point) in admitted.ids.iter().zip(points(&admitted.moves)) {
        out.push('\n');
        out.push_str(&tell(*id, point));
    }
    for none in admitted.moves.cleared_categories() {
        let looked: Vec<_> = none.looked_at.iter().map(|place| field(place)).collect();
        let category = word(&none.category);
        let looked = looked.join(", ");
        out.push_str(&format!(
            "\n### Nothing found: {category}\n- Looked at: {looked}\n"
        ));
    }
    out.trim().to_owned()
}

/// What stands before the points.
fn head(moves: &Moves) -> String {
    match moves {
        Moves::Blind(blind) => {
            let mut out = item("Answer", &blind.answer) + &item("Position", &blind.position);
            let because = blind.because.iter().map(|reason| item("Because", reason));
            out.extend(because);
            out
        }
        Moves::Opening(opening) => item("Stance", &opening.stance),
        Moves::Defense(defense) => item("Position now", &defense.position_now),
        Moves::Verdict(ruling) => {
            item("Winner", &word(&ruling.winner))
                + &item("Answer", &ruling.answer)
                + &item("Why", &ruling.why)
        }
        Moves::Challenge(_) | Moves::FollowUp(_) | Moves::Formal(_) => String::new(),
    }
}

fn tell(id: NodeId, point: Point<'_>) -> String {
    match point {
        Point::Argument(argument) => toulmin(id, "argument", argument),
        Point::Alternative(argument) => toulmin(id, "alternative", argument),
        Point::Objection(objection) => {
            let target = objection.target;
            let kind = word(&objection.kind);
            let severity = word(&objection.severity);
            let category = word(&objection.category);
            format!("### {id} objects to {target} ({kind}): {category}, {severity}\n")
                + &item("Objection", &objection.content)
                + &grounds(&objection.grounds)
        }
        Point::Response(response) => {
            let reply = word(&response.reply);
            let still = response.still_favours_because.as_deref();
            format!("### {id} answers {}: {reply}\n", response.objection)
                + &item("Answer", &response.content)
                + &optional("Still favours the position because", still)
                + &grounds(&response.grounds)
        }
        Point::Assessment(assessment) => {
            let ruling = word(&assessment.ruling);
            format!("### {id} rules on {}: {ruling}\n", assessment.response)
                + &item("Ruling", &assessment.content)
                + &grounds(&assessment.grounds)
        }
        Point::Agreement(agreement) => {
            format!("### {id} agrees with {}\n", agreement.target)
                + &grounds(&agreement.grounds)
                + &item("Remaining risk", &agreement.remaining_risk)
        }
        Point::Contention(contention) => tell_contention(id, contention),
    }
}

fn tell_contention(id: NodeId, contention: &Contention) -> String {
    let mut out = toulmin(id, "argument", &contention.argument);
    for attack in &contention.attacks {
        let Attack {
            target_id,
            attack_type,
            content,
        } = attack;
        let name = format!("Attacks {target_id} ({})", attack_type.name());
        out.push_str(&item(&name, content));
    }
    for defend in &contention.defends {
        let Defend {
            target_id,
            defense_type,
            content,
        } = defend;
        let name = format!("Defends {target_id} ({})", defense_type.name());
        out.push_str(&item(&name, content));
    }
    out
}

fn toulmin(id: NodeId, what: &str, argument: &Argument) -> String {
    format!("### {id} {what}: {}\n", field(&argument.title))
        + &item("Claim", &argument.claim)
        + &grounds(&argument.grounds)
        + &item("Warrant", &argument.warrant)
        + &optional("Backing", argument.backing.as_deref())
        + &optional("Qualifier", argument.qualifier.as_deref())
}

fn grounds(grounds: &[Ground]) -> String {
    grounds.iter().map(ground).collect()
}

fn item(name: &str, text: &str) -> String {
    format!("- {name}: {}\n", field(text))
}

fn optional(name: &str, text: Option<&str>) -> String {
    text.map(|text| item(name, text)).unwrap_or_default()
}
