//! The schema of one turn: the ids it may name and the answers it must have.

use agon_record::grammar::{self, FIRST_ANSWERS, MovePart, NOTHING_FOUND};
use agon_record::id::{NodeId, TurnId};
use agon_record::moves::{Category, Choose, MovesKind};
use agon_record::point::{Node, Point};
use agon_record::state::State;
use serde_json::{Map, Value, json};

use crate::floor::HeardArguments;
use crate::format;
use crate::schema::{published_moves_schema, require_key};
use crate::topic::is_about_software;

mod formal_contract;

/// Returns the schema of the moves of `turn`, narrowed to what the rules allow.
///
/// It states the counts, the allowed ids and the required answers, so that a constrained model
/// cannot break those rules. Replies are checked against the schema of their kind, not this one;
/// the rules check the rest.
pub fn contract_schema(state: &State, turn: TurnId) -> Value {
    let kind = format::requested_moves_kind(state, turn);
    let mut contract = published_moves_schema(kind);
    add_item_counts(&mut contract, kind);
    if kind.is_formal() {
        formal_contract::narrow_contract(
            &mut contract,
            kind,
            &HeardArguments::for_turn(state, turn),
        );
        return contract;
    }
    let table = TurnIds::for_turn(state, turn);
    if let Some(defs) = contract.get_mut("$defs").and_then(Value::as_object_mut) {
        narrow_part_ids(defs, &table);
    }
    if kind == MovesKind::Challenge {
        narrow_challenge(&mut contract, state);
    } else if kind == MovesKind::Defense {
        narrow_defense(&mut contract, &table);
    } else if kind == MovesKind::FollowUp {
        narrow_follow_up(&mut contract, &table);
    } else if kind == MovesKind::Verdict {
        restrict_to_ids(&mut contract["properties"]["decisive"]["items"], &table.all);
    }
    contract
}

/// The ids that a turn may name.
pub(super) struct TurnIds {
    /// Points of the other side.
    pub(super) theirs: Vec<NodeId>,
    /// Objections of the other side.
    objections: Vec<NodeId>,
    /// The objections of its last turn, which must be answered.
    pub(super) due: Vec<NodeId>,
    /// The answers of the other side's last turn.
    pub(super) responses: Vec<NodeId>,
    /// Every point.
    pub(super) all: Vec<NodeId>,
}

impl TurnIds {
    pub(super) fn for_turn(state: &State, turn: TurnId) -> Self {
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
            due: ids(&|node| matches!(node.point, Point::Objection(_)) && Some(node.turn) == last),
            responses: ids(&|node| {
                matches!(node.point, Point::Response(_)) && Some(node.turn) == last
            }),
            all: before().map(|node| node.id).collect(),
        }
    }
}

/// Adds the item counts of each list, in the moves and in their parts.
fn add_item_counts(contract: &mut Value, kind: MovesKind) {
    let whole = grammar::root_part(kind);
    for part in grammar::root_and_nested_parts(kind) {
        match part.name == whole.name {
            true => add_part_item_counts(contract, part),
            false => add_part_item_counts(&mut contract["$defs"][part.name], part),
        }
    }
}

fn add_part_item_counts(schema: &mut Value, part: &MovePart) {
    let counted = part.fields.iter();
    for (field, items) in counted.filter_map(|field| Some((field, field.items?))) {
        let list = &mut schema["properties"][field.key];
        if items.least > 0 {
            list["minItems"] = json!(items.least);
        }
        if let Some(most) = items.most {
            list["maxItems"] = json!(most);
        }
        if items.least > 0 {
            require_key(schema, field.key);
        }
    }
}

fn narrow_part_ids(defs: &mut Map<String, Value>, table: &TurnIds) {
    let ids: [(&str, &str, &[NodeId]); 4] = [
        ("Objection", "target", &table.theirs),
        ("Agreement", "target", &table.theirs),
        ("Response", "objection", &table.objections),
        ("Assessment", "response", &table.responses),
    ];
    for (part, key, ids) in ids {
        if let Some(part) = defs.get_mut(part) {
            restrict_to_ids(&mut part["properties"][key], ids);
        }
    }
    if let Some(point) = defs.get_mut("AgreedPoint") {
        restrict_to_ids(&mut point["properties"]["evidence"]["items"], &table.all);
    }
    if let Some(response) = defs.get_mut("Response") {
        response["if"] = json!({ "properties": { "reply": { "const": "tradeoff" } } });
        response["then"] = json!({ "required": ["still_favours_because"] });
    }
}

fn narrow_challenge(contract: &mut Value, state: &State) {
    if !state.has_both_first_answers()
        && let Some(fields) = contract["properties"].as_object_mut()
    {
        fields.remove(FIRST_ANSWERS.key);
    }
    let searched = NOTHING_FOUND.key;
    let covered = |category: &str| {
        let there = json!({ "contains": {
            "properties": { "category": { "const": category } }, "required": ["category"]
        } });
        json!({ "anyOf": [
            { "properties": { "objections": there }, "required": ["objections"] },
            { "properties": { searched: there }, "required": [searched] },
        ] })
    };
    let certified = json!({
        "minItems": 1, "items": { "properties": { "why": { "minLength": 1 } }, "required": ["why"] }
    });
    let flaw = json!({ "anyOf": [
        { "properties": { "objections": { "minItems": 1 } }, "required": ["objections"] },
        { "properties": { searched: certified }, "required": [searched] },
    ] });
    // A schema cannot require "any two categories", so `check_two_categories` does.
    let categories = match is_about_software(&state.spec) {
        true => Category::COVERED.as_slice(),
        false => &[],
    };
    let covered = categories.iter().map(|category| covered(category.word()));
    contract["allOf"] = covered.chain([flaw]).collect();
}

fn narrow_defense(contract: &mut Value, table: &TurnIds) {
    require_answers(contract, "responses", "objection", &table.due);
    if table.objections.is_empty() {
        contract["properties"]["responses"]["maxItems"] = json!(0);
    }
}

fn narrow_follow_up(contract: &mut Value, table: &TurnIds) {
    let searched = NOTHING_FOUND.key;
    require_answers(contract, "assessments", "response", &table.responses);
    contract["properties"]["assessments"]["maxItems"] = json!(table.responses.len());
    let certified = json!({
        "properties": { "ruling": { "const": "resolved" }, "grounds": { "minItems": 1 } },
        "required": ["ruling", "grounds"]
    });
    let unsettled = json!({
        "properties": { "ruling": { "not": { "const": "resolved" } } }, "required": ["ruling"]
    });
    contract["anyOf"] = json!([
        { "properties": { "objections": { "minItems": 1 } }, "required": ["objections"] },
        { "properties": { searched: { "minItems": 1 } }, "required": [searched] },
        { "properties": { "assessments": { "contains": certified } }, "required": ["assessments"] },
        { "properties": { "assessments": { "contains": unsettled } }, "required": ["assessments"] },
    ]);
}

/// Requires one item of `list` for each of `ids`, named in its `key`.
fn require_answers(contract: &mut Value, list: &str, key: &str, ids: &[NodeId]) {
    if ids.is_empty() {
        return;
    }
    require_key(contract, list);
    let answered = |id: &NodeId| json!({ "contains": { "properties": { key: { "const": id } }, "required": [key] } });
    let list = &mut contract["properties"][list];
    list["minItems"] = json!(ids.len());
    list["allOf"] = ids.iter().map(answered).collect();
}

fn restrict_to_ids(schema: &mut Value, ids: &[NodeId]) {
    let Some(object) = schema.as_object_mut().filter(|_| !ids.is_empty()) else {
        return;
    };
    object.remove("$ref");
    object.insert("type".to_owned(), json!("string"));
    object.insert("enum".to_owned(), json!(ids));
}

#[cfg(test)]
mod tests;
