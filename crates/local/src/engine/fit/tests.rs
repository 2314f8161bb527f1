use super::*;

#[test]
fn only_what_is_required_is_left_and_all_of_it_has_an_end() {
    let schema = json!({
        "$defs": { "Ground": { "type": "object", "required": ["source"], "properties": {
            "source": { "type": "string", "maxLength": 8000 },
            "citation": { "anyOf": [{ "type": "null" }, { "type": "string" }] },
        } } },
        "type": "object", "required": ["stance", "grounds", "side"],
        "properties": {
            "stance": { "type": ["string", "null"], "minLength": 1 },
            "grounds": { "type": "array", "minItems": 1, "items": { "$ref": "#/$defs/Ground" } },
            "side": { "enum": ["a", "b"], "type": "string" },
            "aside": { "type": "string" },
        },
    });
    assert_eq!(
        fitted(&schema),
        json!({
            "type": "object", "required": ["stance", "grounds", "side"], "additionalProperties": false,
            "properties": {
                "stance": { "type": "string", "minLength": 1, "maxLength": 240 },
                "grounds": { "type": "array", "minItems": 1, "maxItems": 3, "items": {
                    "type": "object", "required": ["source"], "additionalProperties": false,
                    "properties": { "source": { "type": "string", "maxLength": 240 } },
                } },
                "side": { "enum": ["a", "b"] },
            },
        })
    );
}

#[test]
fn what_a_list_must_contain_stands_first_in_it() {
    let named = |id: &str| json!({ "contains": { "properties": { "on": { "const": id } }, "required": ["on"] } });
    let schema = json!({ "type": "array", "minItems": 2, "allOf": [named("a"), named("b")],
        "items": { "type": "object", "required": ["on"], "properties": { "on": { "type": "string" } } } });
    let list = fitted(&schema);
    assert_eq!(
        list["prefixItems"][0]["properties"]["on"],
        json!({ "const": "a" })
    );
    assert_eq!(
        list["prefixItems"][1]["properties"]["on"],
        json!({ "const": "b" })
    );
    assert_eq!(
        (&list["minItems"], &list["maxItems"]),
        (&json!(2), &json!(3))
    );
}

#[test]
fn conditions_on_an_object_become_members_that_are_required() {
    let there = |kind: &str| {
        json!({ "contains": {
        "properties": { "kind": { "const": kind } }, "required": ["kind"] } })
    };
    let either = |kind: &str| {
        json!({ "anyOf": [
        { "properties": { "found": there(kind) }, "required": ["found"] },
        { "properties": { "none": there(kind) }, "required": ["none"] },
    ] })
    };
    let list = json!({ "type": "array", "maxItems": 3, "items": {
        "type": "object", "properties": { "kind": { "type": "string" } } } });
    let schema = json!({ "type": "object", "allOf": [either("x"), either("y"), either("z")],
        "properties": { "found": list, "none": list } });
    let fitted = fitted(&schema);
    assert_eq!(fitted["required"], json!(["found", "none"]));
    let kinds = |list: &str| -> Vec<Value> {
        let first = fitted["properties"][list]["prefixItems"]
            .as_array()
            .unwrap();
        first
            .iter()
            .map(|item| item["properties"]["kind"]["const"].clone())
            .collect()
    };
    assert_eq!(kinds("found"), [json!("x")]);
    assert_eq!(kinds("none"), [json!("y"), json!("z")]);
}

#[test]
fn ways_that_a_grammar_can_state_stay_open() {
    let schema = json!({ "type": "object",
        "properties": { "a": { "type": "array" }, "b": { "type": "array" }, "c": { "type": "array" } },
        "anyOf": [
            { "properties": { "a": { "minItems": 1 } }, "required": ["a"] },
            { "properties": { "b": { "minItems": 1 } }, "required": ["b"] },
            { "properties": { "c": { "contains": { "const": 1 } } }, "required": ["c"] },
        ] });
    let ways = fitted(&schema);
    let ways = ways["anyOf"].as_array().unwrap();
    assert_eq!(ways.len(), 2);
    assert_eq!(ways[1]["required"], json!(["b"]));
    assert_eq!(ways[1]["properties"]["b"]["minItems"], json!(1));
}

#[test]
fn long_patterns_become_lengths_and_short_ones_stay() {
    let text = |pattern: &str| fitted(&json!({ "type": "string", "pattern": pattern }));
    assert_eq!(text("^.{20,160}$")["maxLength"], json!(240));
    assert_eq!(text("^[a-z]+$")["maxLength"], json!(240));
    assert_eq!(
        text("^pro_[0-9]{3}[a-z]{0,2}$")["pattern"],
        json!("^pro_[0-9]{3}[a-z]{0,2}$")
    );
}

#[test]
fn a_schema_that_refers_to_itself_ends() {
    let schema = json!({ "$defs": { "A": { "type": "object", "required": ["a"],
        "properties": { "a": { "$ref": "#/$defs/A" } } } }, "$ref": "#/$defs/A" });
    assert_eq!(fitted(&schema)["type"], json!("object"));
    let schema = json!({ "$defs": { "A": { "$ref": "#/$defs/A" } }, "$ref": "#/$defs/A" });
    assert_eq!(fitted(&schema), json!({}));
}

#[test]
fn a_shorter_one_has_half_the_text_and_what_is_required_of_lists() {
    let schema = json!({ "type": "object", "required": ["a", "b"], "properties": {
        "a": { "type": "string" },
        "b": { "type": "array", "minItems": 1, "items": { "enum": ["maxLength"] } },
    } });
    let short = shorter(&fitted(&schema));
    assert_eq!(short["properties"]["a"]["maxLength"], json!(120));
    assert_eq!(short["properties"]["b"]["maxItems"], json!(1));
    assert_eq!(
        short["properties"]["b"]["items"],
        json!({ "enum": ["maxLength"] })
    );
}
