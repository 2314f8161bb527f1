//! `arguments/ID.md`: one point of the debate.

use agon_record::moves::{Agreement, Argument, Assessment, Objection, Response};
use agon_record::point::{Node, Point};
use serde_json::{Value, json};

use super::markdown::{grounds, section};
use super::pretty;

pub(crate) fn render(node: &Node<'_>) -> String {
    let mut front = json!({
        "id": node.id,
        "side": node.seat().short(),
        "round": node.id.round,
    });
    let (more, body) = match node.point {
        Point::Argument(argument) => toulmin("argument", argument),
        Point::Alternative(argument) => toulmin("alternative", argument),
        Point::Objection(objection) => objecting(objection),
        Point::Response(response) => responding(response),
        Point::Assessment(assessment) => assessing(assessment),
        Point::Agreement(agreement) => agreeing(agreement),
        Point::Contention(contention) => toulmin("argument", &contention.argument),
    };
    if let (Value::Object(front), Value::Object(more)) = (&mut front, more) {
        front.extend(more);
    }
    format!("{}\n{body}", pretty(&front))
}

fn toulmin(kind: &str, argument: &Argument) -> (Value, String) {
    let front = json!({ "kind": kind, "title": argument.title, "claim": argument.claim });
    let mut body = String::new();
    section(&mut body, "Claim", &argument.claim);
    grounds(&mut body, &argument.grounds);
    section(&mut body, "Warrant", &argument.warrant);
    section(&mut body, "Backing", text(argument.backing.as_ref()));
    section(&mut body, "Qualifier", text(argument.qualifier.as_ref()));
    (front, body)
}

fn objecting(objection: &Objection) -> (Value, String) {
    let front = json!({
        "kind": "objection",
        "target": objection.target,
        "against": objection.kind,
        "category": objection.category,
        "severity": objection.severity,
    });
    let mut body = String::new();
    section(&mut body, "Objection", &objection.content);
    grounds(&mut body, &objection.grounds);
    (front, body)
}

fn responding(response: &Response) -> (Value, String) {
    let front = json!({
        "kind": "response",
        "target": response.objection,
        "reply": response.reply,
    });
    let mut body = String::new();
    section(&mut body, "Response", &response.content);
    let stands = text(response.still_favours_because.as_ref());
    section(&mut body, "Still favours", stands);
    grounds(&mut body, &response.grounds);
    (front, body)
}

fn assessing(assessment: &Assessment) -> (Value, String) {
    let front = json!({
        "kind": "assessment",
        "target": assessment.response,
        "ruling": assessment.ruling,
    });
    let mut body = String::new();
    section(&mut body, "Assessment", &assessment.content);
    grounds(&mut body, &assessment.grounds);
    (front, body)
}

fn agreeing(agreement: &Agreement) -> (Value, String) {
    let front = json!({ "kind": "agreement", "target": agreement.target });
    let mut body = String::new();
    grounds(&mut body, &agreement.grounds);
    section(&mut body, "Remaining risk", &agreement.remaining_risk);
    (front, body)
}

fn text(text: Option<&String>) -> &str {
    text.map_or("", String::as_str)
}
