use super::*;

#[test]
fn every_text_and_list_has_an_end_and_what_is_fixed_stays() {
    let schema = json!({
        "type": "object", "required": ["stance", "grounds", "side", "maxLength"],
        "properties": {
            "stance": { "type": "string", "minLength": 1 },
            "grounds": { "type": "array", "minItems": 1, "items": {
                "type": "object", "required": ["source"],
                "properties": { "source": { "type": "string", "maxLength": 8_000 } },
            } },
            "side": { "enum": ["a", "b"], "type": "string" },
            "due": { "type": "array", "minItems": 4, "maxItems": 4,
                "prefixItems": [{ "const": 1 }, { "const": 2 }, { "const": 3 }, { "const": 4 }] },
            "maxLength": { "anyOf": [{ "type": "string" }, { "type": "array", "maxItems": 0 }] },
        },
    });
    let mut expected = schema.clone();
    expected["additionalProperties"] = json!(false);
    let parts = &mut expected["properties"];
    parts["stance"]["maxLength"] = json!(240);
    parts["grounds"]["maxItems"] = json!(3);
    parts["grounds"]["items"]["additionalProperties"] = json!(false);
    parts["grounds"]["items"]["properties"]["source"]["maxLength"] = json!(240);
    parts["maxLength"]["anyOf"][0]["maxLength"] = json!(240);
    assert_eq!(fit_schema(&schema), expected);
    assert_eq!(fit_schema(&expected), expected);
}

#[test]
fn long_patterns_become_lengths_and_short_ones_stay() {
    let text = |pattern: &str| fit_schema(&json!({ "type": "string", "pattern": pattern }));
    for endless in ["^.{20,160}$", "^[a-z]+$", "^pro_[0-9]{3}", "a{3,}$"] {
        assert_eq!(text(endless)["maxLength"], json!(240), "{endless}");
        assert_eq!(text(endless)["pattern"], json!(null), "{endless}");
    }
    let short = "^pro_[0-9]{3}[a-z]{0,2}$";
    assert_eq!(text(short)["pattern"], json!(short));
}

#[test]
fn a_shorter_one_has_half_the_text_and_what_is_required_of_lists() {
    let schema = json!({ "type": "object", "required": ["a", "b"], "properties": {
        "a": { "type": "string" },
        "b": { "type": "array", "minItems": 1, "items": { "enum": ["maxLength"] } },
        "c": { "type": "array", "minItems": 1, "maxItems": 1, "prefixItems": [{ "const": 1 }] },
    } });
    let short = shorten_schema(&fit_schema(&schema));
    assert_eq!(short["properties"]["a"]["maxLength"], json!(120));
    assert_eq!(short["properties"]["b"]["maxItems"], json!(1));
    assert_eq!(
        short["properties"]["b"]["items"],
        json!({ "enum": ["maxLength"] })
    );
    assert_eq!(short["properties"]["c"], schema["properties"]["c"]);
}
