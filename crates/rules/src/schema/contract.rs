//! The schema of one turn: which ids may be named, which answers must be there.

use agon_record::id::{NodeId, TurnId};
use agon_record::moves::{Category, Choose, MovesKind, ObjectionSeverity};
use agon_record::point::{Node, Point};
use agon_record::spec::FormatName;
use agon_record::state::State;
use serde_json::{Map, Value, json};

use crate::floor::Floor;
use crate::format;
use crate::schema::published;

mod formal;

/// The schema of the moves of `turn`, narrowed to what its rules allow.
///
/// It states the counts, the ids that may be named and the answers that must be
/// there, so that a constrained model cannot break those rules. A reply is held
/// to the schema of its kind, not to this one; the rules say the rest.
pub fn contract(state: &State, turn: TurnId) -> Value {
    let kind = format::of(state.spec.format).moves_kind(turn);
    let mut contract = published(kind);
    if state.spec.format == FormatName::Formal {
        formal::narrow(&mut contract, kind, &Floor::at(state, turn));
        return contract;
    }
    let table = Table::at(state, turn);
    if let Some(defs) = contract.get_mut("$defs").and_then(Value::as_object_mut) {
        narrow_parts(defs, &table);
    }
    match kind {
        MovesKind::Blind
        | MovesKind::Theses
        | MovesKind::Case
        | MovesKind::Rebuttal
        | MovesKind::Scores => {}
        MovesKind::Opening => count(&mut contract, "arguments", 1, 5),
        MovesKind::Challenge => challenge(&mut contract),
        MovesKind::Defense => defense(&mut contract, &table),
        MovesKind::FollowUp => follow_up(&mut contract, &table),
        MovesKind::Verdict => verdict(&mut contract, &table),
    }
    contract
}

/// The ids that a turn may name.
pub(super) struct Table {
    /// Points of the other side.
    pub(super) theirs: Vec<NodeId>,
    /// Objections of the other side.
    objections: Vec<NodeId>,
    /// Those of its last turn that must be answered.
    pub(super) due: Vec<NodeId>,
    /// The answers of its last turn.
    pub(super) responses: Vec<NodeId>,
    /// Every point.
    pub(super) all: Vec<NodeId>,
}

impl Table {
    pub(super) fn at(state: &State, turn: TurnId) -> Self {
        let nodes = state.nodes();
        let before = || nodes.iter().filter(|node| node.turn < turn);
        let theirs = || before().filter(|node| Some(node.seat()) == turn.seat.opponent());
        let last = theirs().map(|node| node.turn).max();
        let ids = |keep: &dyn Fn(&Node<'_>) -> bool| {
            theirs()
                .filter(|node| keep(node))
                .map(|node| node.id)
                .collect()
        };
        Self {
            theirs: ids(&|_| true),
            objections: ids(&|node| matches!(node.point, Point::Objection(_))),
            due: ids(&|node| {
                let due = matches!(node.point, Point::Objection(objection)
                    if objection.severity > ObjectionSeverity::Minor);
                due && Some(node.turn) == last
            }),
            responses: ids(&|node| {
                matches!(node.point, Point::Response(_)) && Some(node.turn) == last
            }),
            all: before().map(|node| node.id).collect(),
        }
    }
}

fn narrow_parts(defs: &mut Map<String, Value>, table: &Table) {
    for part in ["Argument", "Objection", "Agreement", "Response"] {
        if let Some(part) = defs.get_mut(part) {
            count(part, "grounds", 1, 3);
            require(part, "grounds");
        }
    }
    let ids: [(&str, &str, &[NodeId]); 4] = [
        ("Objection", "target", &table.theirs),
        ("Agreement", "target", &table.theirs),
        ("Response", "objection", &table.objections),
        ("Assessment", "response", &table.responses),
    ];
    for (part, key, ids) in ids {
        if let Some(part) = defs.get_mut(part) {
            one_of(&mut part["properties"][key], ids);
        }
    }
    if let Some(assessment) = defs.get_mut("Assessment") {
        assessment["properties"]["grounds"]["maxItems"] = json!(3);
    }
    if let Some(point) = defs.get_mut("AgreedPoint") {
        one_of(&mut point["properties"]["evidence"]["items"], &table.all);
        point["properties"]["evidence"]["minItems"] = json!(1);
        require(point, "evidence");
    }
    if let Some(none) = defs.get_mut("NoneFound") {
        none["properties"]["looked_at"]["minItems"] = json!(1);
    }
    if let Some(response) = defs.get_mut("Response") {
        response["if"] = json!({ "properties": { "reply": { "const": "tradeoff" } } });
        response["then"] = json!({ "required": ["still_favours_because"] });
    }
}

fn challenge(contract: &mut Value) {
    count(contract, "objections", 0, 3);
    count(contract, "alternatives", 1, 5);
    require(contract, "alternatives");
    let covered = |category: &str| {
        let there = json!({ "contains": {
            "properties": { "category": { "const": category } }, "required": ["category"]
        } });
        json!({ "anyOf": [
            { "properties": { "objections": there }, "required": ["objections"] },
            { "properties": { "none_found": there }, "required": ["none_found"] },
        ] })
    };
    contract["allOf"] = Category::COVERED
        .map(|category| covered(category.word()))
        .to_vec()
        .into();
}

fn defense(contract: &mut Value, table: &Table) {
    count(contract, "arguments", 0, 5);
    answers(contract, "responses", "objection", &table.due);
    if table.objections.is_empty() {
        contract["properties"]["responses"]["maxItems"] = json!(0);
    }
}

fn follow_up(contract: &mut Value, table: &Table) {
    count(contract, "objections", 0, 3);
    answers(contract, "assessments", "response", &table.responses);
    contract["properties"]["assessments"]["maxItems"] = json!(table.responses.len());
    let certified = json!({
        "properties": { "ruling": { "const": "resolved" }, "grounds": { "minItems": 1 } },
        "required": ["ruling", "grounds"]
    });
    contract["anyOf"] = json!([
        { "properties": { "objections": { "minItems": 1 } }, "required": ["objections"] },
        { "properties": { "none_found": { "minItems": 1 } }, "required": ["none_found"] },
        { "properties": { "assessments": { "contains": certified } }, "required": ["assessments"] },
    ]);
}

fn verdict(contract: &mut Value, table: &Table) {
    let decisive = &mut contract["properties"]["decisive"];
    one_of(&mut decisive["items"], &table.all);
    decisive["minItems"] = json!(1);
    require(contract, "decisive");
}

/// Requires one item of `list` for each of `ids`, named in its `key`.
fn answers(contract: &mut Value, list: &str, key: &str, ids: &[NodeId]) {
    if ids.is_empty() {
        return;
    }
    require(contract, list);
    let answered = |id: &NodeId| json!({ "contains": { "properties": { key: { "const": id } }, "required": [key] } });
    let list = &mut contract["properties"][list];
    list["minItems"] = json!(ids.len());
    list["allOf"] = ids.iter().map(answered).collect();
}

fn count(schema: &mut Value, list: &str, least: u64, most: u64) {
    let list = &mut schema["properties"][list];
    if least > 0 {
        list["minItems"] = json!(least);
    }
    list["maxItems"] = json!(most);
}

fn require(schema: &mut Value, key: &str) {
    if let Some(object) = schema.as_object_mut() {
        let required = object.entry("required").or_insert_with(|| json!([]));
        if let Some(required) = required.as_array_mut()
            && !required.iter().any(|name| name == key)
        {
            required.push(json!(key));
        }
    }
}

fn one_of(schema: &mut Value, ids: &[NodeId]) {
    let Some(object) = schema.as_object_mut().filter(|_| !ids.is_empty()) else {
        return;
    };
    object.remove("$ref");
    object.insert("type".to_owned(), json!("string"));
    object.insert("enum".to_owned(), json!(ids));
}

#[cfg(test)]
mod tests;
