use serde_json::json;

use super::*;
use crate::tool::{TEAM_TOOLS, TOOLS, find_tool};

fn read(tool: &str, arguments: Value) -> Result<Value, Failure> {
    let schema = (find_tool(tool).unwrap().input)();
    let Value::Object(arguments) = arguments else {
        panic!("no object: {arguments}");
    };
    convert_arguments(arguments, &schema).map(Value::Object)
}

#[test]
fn what_has_one_meaning_is_taken() {
    for (tool, given, meant) in [
        ("debate_wait", json!({"cursor": "1"}), json!({"cursor": 1})),
        (
            "debate_wait",
            json!({"cursor": " 1.0 "}),
            json!({"cursor": 1}),
        ),
        ("debate_wait", json!({"cursor": 2.0}), json!({"cursor": 2})),
        (
            "debate_wait",
            json!({"cursor": 3e2}),
            json!({"cursor": 300}),
        ),
        (
            "debate_wait",
            json!({"cursor": "0", "timeout": "-0.0"}),
            json!({"cursor": 0, "timeout": 0}),
        ),
        (
            "debate_wait",
            json!({"cursor": u64::MAX}),
            json!({"cursor": u64::MAX}),
        ),
        (
            "debate_wait",
            json!({"cursor": null, "debate": null, "project": null}),
            json!({}),
        ),
        (
            "debate_wait",
            json!({"cursor": "", "timeout": " ", "debate": "", "project": ""}),
            json!({}),
        ),
        (
            "debate_wait",
            json!({"cursor": "null", "timeout": "None"}),
            json!({}),
        ),
        (
            "debate_wait",
            json!({"debate": "null"}),
            json!({"debate": "null"}),
        ),
        (
            "debate_start",
            json!({"topic": "a", "again": "true"}),
            json!({"topic": "a", "again": true}),
        ),
        (
            "debate_start",
            json!({"topic": "a", "again": "False"}),
            json!({"topic": "a", "again": false}),
        ),
        (
            "debate_start",
            json!({"topic": "a", "again": 1}),
            json!({"topic": "a", "again": true}),
        ),
        (
            "debate_start",
            json!({"topic": "a", "depth": "Quick"}),
            json!({"topic": "a", "depth": "quick"}),
        ),
        (
            "debate_start",
            json!({"topic": "a", "max_tokens": "20000.0", "rounds": "2"}),
            json!({"topic": "a", "max_tokens": 20_000, "rounds": 2}),
        ),
        ("debate_start", json!({"topic": ""}), json!({"topic": ""})),
        (
            "consult",
            json!({"question": "a", "tools": "[\"claude\", \"codex\"]"}),
            json!({"question": "a", "tools": ["claude", "codex"]}),
        ),
        (
            "consult",
            json!({"question": "a", "tools": "claude, codex,"}),
            json!({"question": "a", "tools": ["claude", "codex"]}),
        ),
        (
            "consult",
            json!({"question": "a", "tools": "claude"}),
            json!({"question": "a", "tools": ["claude"]}),
        ),
        (
            "consult",
            json!({"question": "a", "tools": ""}),
            json!({"question": "a"}),
        ),
        (
            "consult",
            json!({"question": "a", "tools": "[]"}),
            json!({"question": "a", "tools": []}),
        ),
        (
            "lock",
            json!({"op": "TAKE", "globs": "app/[id]/page.tsx", "shared": "no", "epoch": "3"}),
            json!({"op": "take", "globs": ["app/[id]/page.tsx"], "shared": false, "epoch": 3}),
        ),
        (
            "lock",
            json!({"op": "take", "globs": "[\"a,b\", \"{c,d}/**\"]", "reason": "to edit"}),
            json!({"op": "take", "globs": ["a,b", "{c,d}/**"], "reason": "to edit"}),
        ),
        (
            "task",
            json!({"op": "add", "review": "yes", "needs": "t1,t2"}),
            json!({"op": "add", "review": true, "needs": ["t1", "t2"]}),
        ),
        (
            "recall",
            json!({"topic": "a", "task_progress": "- [x] look", "wait_for_previous": true}),
            json!({"topic": "a"}),
        ),
        (
            "debate_wait",
            json!({"reason": "to see", "speed": 9}),
            json!({"speed": 9}),
        ),
    ] {
        assert_eq!(read(tool, given.clone()), Ok(meant), "{tool}: {given}");
    }
}

#[test]
fn what_has_no_clear_meaning_is_refused_by_name_with_what_is_wanted() {
    for (tool, parameter, given, wanted) in [
        ("debate_wait", "cursor", json!("first"), "a whole number"),
        ("debate_wait", "cursor", json!("1,000"), "a whole number"),
        ("debate_wait", "cursor", json!(1.5), "a whole number"),
        ("debate_wait", "cursor", json!(1e300), "a whole number"),
        ("debate_wait", "cursor", json!(true), "a whole number"),
        ("debate_wait", "timeout", json!([1]), "a whole number"),
        ("debate_wait", "debate", json!(7), "a string"),
        ("debate_start", "topic", json!(null), "a string"),
        ("debate_start", "again", json!("maybe"), "true or false"),
        ("debate_start", "again", json!(2), "true or false"),
        (
            "debate_start",
            "depth",
            json!("slow"),
            "one of quick, default, deep",
        ),
        (
            "consult",
            "tools",
            json!("[\"claude\", 3]"),
            "a list of strings",
        ),
        (
            "consult",
            "tools",
            json!("[\"claude\""),
            "a list of strings",
        ),
        (
            "consult",
            "tools",
            json!({"0": "claude"}),
            "a list of strings",
        ),
        ("consult", "tools", json!([1, 2]), "a list of strings"),
        ("consult", "tools", json!(" , "), "a list of strings"),
        ("lock", "globs", json!("a.rs, b.rs"), "a list of strings"),
        ("lock", "globs", json!("{a,b}.rs"), "a list of strings"),
        ("task", "op", json!(""), "one of list, show"),
    ] {
        let failure = read(tool, json!({parameter: given})).unwrap_err();
        let message = &failure.message;
        assert_eq!(failure.parameter.as_deref(), Some(parameter), "{message}");
        assert_eq!(failure.code, Code::InvalidParameter);
        assert!(message.contains(wanted), "{message}");
        let shown = quote(&given);
        assert!(
            message.contains(&format!("`{parameter}` is {shown}")),
            "{message}"
        );
    }
    let long = read("debate_wait", json!({"cursor": "9\u{202e}\n".repeat(500)})).unwrap_err();
    assert!(long.message.len() < 200 && !long.message.contains(['\n', '\u{202e}']));
}

#[test]
fn the_arguments_of_a_call_come_as_an_object_as_its_text_or_not_at_all() {
    let read = |arguments| arguments_object(arguments).map(Value::Object);
    for none in [json!(null), json!([]), json!(""), json!("{}")] {
        assert_eq!(read(none), Ok(json!({})));
    }
    assert_eq!(
        read(json!("{\"debate\": \"a\"}")),
        Ok(json!({"debate": "a"}))
    );
    for wrong in [
        json!("debate a"),
        json!([1]),
        json!("[]"),
        json!(3),
        json!(true),
    ] {
        let failure = arguments_object(wrong.clone()).unwrap_err();
        assert_eq!(failure.parameter.as_deref(), Some("arguments"), "{wrong}");
    }
}

#[test]
fn every_parameter_of_every_tool_is_of_a_kind_that_is_read() {
    for spec in TOOLS.iter().chain(TEAM_TOOLS) {
        let schema = (spec.input)();
        for (name, property) in schema["properties"].as_object().unwrap() {
            let kind = ParameterKind::of(name, property);
            assert!(
                !matches!(kind, ParameterKind::Other),
                "{}.{name}: {property}",
                spec.name
            );
            // Whatever is given, it is read or refused.
            for given in [
                json!(null),
                json!(""),
                json!(-1),
                json!(0.5),
                json!([[]]),
                json!({}),
            ] {
                kind.is_absent(&given);
                kind.read(&given);
            }
        }
    }
}
