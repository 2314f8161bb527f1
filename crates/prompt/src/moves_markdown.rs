//! Renders moves as Markdown with ids, for the prompts of other seats.

use agon_record::grammar::{Filled, Value};
use agon_record::id::NodeId;
use agon_record::moves::{Argument, Attack, Choose, Contention, Defend, Moves};
use agon_record::piece::{clean_list_item, format_ground};
use agon_record::point::{Point, points};
use agon_record::state::Admitted;

/// Renders the moves of a turn, point by point, with their ids.
///
/// Nothing is left out or shortened.
pub(crate) fn render_moves(admitted: &Admitted) -> String {
    let mut out = render_top_fields(&admitted.moves);
    for (id, point) in admitted.ids.iter().zip(points(&admitted.moves)) {
        out.push('\n');
        out.push_str(&render_point(*id, point));
    }
    for none in admitted.moves.cleared_categories() {
        let looked: Vec<_> = none
            .looked_at
            .iter()
            .map(|place| clean_list_item(place))
            .collect();
        let category = none.category.word();
        let looked = looked.join(", ");
        out.push_str(&format!(
            "\n### Nothing found: {category}\n- Checked: {looked}\n"
        ));
        if let Some(why) = &none.why {
            out.push_str(&render_item("Why nothing was found", why));
        }
    }
    out.trim().to_owned()
}

/// Renders the fields before the points: those outside lists.
fn render_top_fields(moves: &Moves) -> String {
    // For a formal turn, other parts of the prompt contain these fields.
    if moves.formal().is_some() {
        return String::new();
    }
    let moves = Filled::from(moves);
    let fields = moves.fields_with_values().map(|(field, value)| {
        let Some(label) = field.caption(|captions| captions.prompt) else {
            return String::new();
        };
        let texts = value.texts().into_iter();
        texts.map(|text| render_item(&label, text)).collect()
    });
    fields.collect()
}

fn render_point(id: NodeId, point: Point<'_>) -> String {
    let title = match point {
        Point::Argument(argument) => title_with_kind("argument", argument),
        Point::Alternative(argument) => title_with_kind("alternative", argument),
        Point::Contention(contention) => title_with_kind("argument", &contention.argument),
        Point::Objection(objection) => {
            let target = objection.target;
            let kind = objection.kind.word();
            let severity = objection.severity.word();
            let category = objection.category.word();
            format!("objects to {target} ({kind}): {category}, {severity}")
        }
        Point::Response(response) => {
            format!("answers {}: {}", response.objection, response.reply.word())
        }
        Point::Assessment(assessment) => {
            let ruling = assessment.ruling.word();
            format!("rules on {}: {ruling}", assessment.response)
        }
        Point::Agreement(agreement) => format!("agrees with {}", agreement.target),
    };
    let aims = point.contention().map(render_attacks_and_defends);
    format!(
        "### {id} {title}\n{}{}",
        render_point_body(point),
        aims.unwrap_or_default()
    )
}

fn title_with_kind(what: &str, argument: &Argument) -> String {
    format!("{what}: {}", clean_list_item(&argument.title))
}

/// Renders the texts and grounds of a point.
fn render_point_body(point: Point<'_>) -> String {
    let point = Filled::from(point);
    let fields = point.fields_with_values().map(|(field, value)| {
        if let Value::Grounds(grounds) = value {
            return grounds.iter().map(format_ground).collect();
        }
        let Some(label) = field.caption(|captions| captions.prompt) else {
            return String::new();
        };
        let texts = value.texts().into_iter();
        texts.map(|text| render_item(&label, text)).collect()
    });
    fields.collect()
}

/// Renders the attacks and defenses of a formal argument.
fn render_attacks_and_defends(contention: &Contention) -> String {
    let mut out = String::new();
    for attack in &contention.attacks {
        let Attack {
            target_id,
            attack_type,
            content,
        } = attack;
        let name = format!("Attacks {target_id} ({})", attack_type.name());
        out.push_str(&render_item(&name, content));
    }
    for defend in &contention.defends {
        let Defend {
            target_id,
            defense_type,
            content,
        } = defend;
        let name = format!("Defends {target_id} ({})", defense_type.name());
        out.push_str(&render_item(&name, content));
    }
    out
}

fn render_item(name: &str, text: &str) -> String {
    format!("- {name}: {}\n", clean_list_item(text))
}
