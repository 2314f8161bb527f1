//! Writes `arguments/ID.md`, a point of the debate.

use agon_record::grammar::{Filled, Value as Said};
use agon_record::moves::Argument;
use agon_record::point::{Node, Point};
use serde_json::{Value, json};

use super::markdown::{push_grounds, push_section};
use super::to_safe_pretty_json;

pub(crate) fn render_file(node: &Node<'_>) -> String {
    let mut front = json!({
        "id": node.id,
        "side": node.seat().short_name(),
        "round": node.id.round,
    });
    if let (Value::Object(front), Value::Object(more)) = (&mut front, kind_front_matter(node.point))
    {
        front.extend(more);
    }
    format!(
        "{}\n{}",
        to_safe_pretty_json(&front),
        render_body(node.point)
    )
}

/// Returns the front matter for the point's kind.
fn kind_front_matter(point: Point<'_>) -> Value {
    match point {
        Point::Argument(argument) => toulmin_front_matter("argument", argument),
        Point::Alternative(argument) => toulmin_front_matter("alternative", argument),
        Point::Contention(contention) => toulmin_front_matter("argument", &contention.argument),
        Point::Objection(objection) => json!({
            "kind": "objection",
            "target": objection.target,
            "against": objection.kind,
            "category": objection.category,
            "severity": objection.severity,
        }),
        Point::Response(response) => json!({
            "kind": "response",
            "target": response.objection,
            "reply": response.reply,
        }),
        Point::Assessment(assessment) => json!({
            "kind": "assessment",
            "target": assessment.response,
            "ruling": assessment.ruling,
        }),
        Point::Agreement(agreement) => {
            json!({ "kind": "agreement", "target": agreement.target })
        }
    }
}

fn toulmin_front_matter(kind: &str, argument: &Argument) -> Value {
    json!({ "kind": kind, "title": argument.title, "claim": argument.claim })
}

/// Returns the texts and grounds of a point, each under a heading.
fn render_body(point: Point<'_>) -> String {
    let filled = match point.toulmin_argument() {
        Some(argument) => Filled::from(argument),
        None => Filled::from(point),
    };
    let mut body = String::new();
    for (field, said) in filled.fields_with_values() {
        if let Said::Grounds(list) = said {
            push_grounds(&mut body, list);
        }
        if let Some(heading) = field.caption(|captions| captions.file) {
            for text in said.texts() {
                push_section(&mut body, &heading, text);
            }
        }
    }
    body
}
