//! Checks whether a value fits a schema of replies, without compiling the schema.

use serde_json::{Map, Number, Value};

use crate::schema::NODE_PATTERN;

// Larger whole numbers are not exact as floating-point numbers.
/// The largest magnitude of a number whose limits are compared here.
const MAX_EXACT: f64 = 9e15;

/// Returns whether `value` certainly fits `schema`, a part of the schema `root`.
///
/// False if it does not fit, or if only a full validator can tell. Compiling one costs about 1 ms
/// for each schema, and nearly all replies fit. O(size of the value).
pub(super) fn certainly_fits(root: &Value, schema: &Value, value: &Value) -> bool {
    let Value::Object(schema) = schema else {
        return false;
    };
    schema
        .iter()
        .all(|(keyword, wanted)| match keyword.as_str() {
            "$schema" | "$id" | "$defs" | "title" | "description" | "default" | "format" => true,
            "$ref" => {
                let pointer = wanted.as_str().and_then(|name| name.strip_prefix('#'));
                let target = pointer.and_then(|pointer| root.pointer(pointer));
                // A schema that only refers to itself would never end.
                target.is_some_and(|target| {
                    target.get("$ref").is_none() && certainly_fits(root, target, value)
                })
            }
            "type" => wanted.as_str().is_some_and(|name| has_type(value, name)),
            "enum" => wanted.as_array().is_some_and(|all| all.contains(value)),
            "pattern" => wanted == NODE_PATTERN && value.as_str().is_none_or(matches_node_pattern),
            "minLength" => value
                .as_str()
                .is_none_or(|text| is_at_least(text.chars().count(), wanted)),
            "maxLength" => value.as_str().is_none_or(|text| {
                is_at_most(text.len(), wanted) || is_at_most(text.chars().count(), wanted)
            }),
            "minItems" => value
                .as_array()
                .is_none_or(|items| is_at_least(items.len(), wanted)),
            "maxItems" => value
                .as_array()
                .is_none_or(|items| is_at_most(items.len(), wanted)),
            "items" => value.as_array().is_none_or(|items| {
                let mut items = items.iter();
                items.all(|item| certainly_fits(root, wanted, item))
            }),
            "minimum" => value
                .as_number()
                .is_none_or(|number| compare(number, wanted, |number, limit| number >= limit)),
            "maximum" => value
                .as_number()
                .is_none_or(|number| compare(number, wanted, |number, limit| number <= limit)),
            "required" => value
                .as_object()
                .is_none_or(|object| has_all_keys(object, wanted)),
            "properties" => value.as_object().is_none_or(|object| {
                wanted.as_object().is_some_and(|known| {
                    let mut members = object.iter();
                    members.all(|(key, value)| {
                        known
                            .get(key)
                            .is_none_or(|schema| certainly_fits(root, schema, value))
                    })
                })
            }),
            _ => false,
        })
}

fn has_type(value: &Value, name: &str) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "number" => value.is_number(),
        "integer" => value.is_i64() || value.is_u64(),
        _ => false,
    }
}

/// Returns whether `text` matches [`NODE_PATTERN`].
fn matches_node_pattern(text: &str) -> bool {
    let Some((seat, place)) = text.split_once('_') else {
        return false;
    };
    let Some((digits, letters)) = place.as_bytes().split_at_checked(3) else {
        return false;
    };
    matches!(seat, "pro" | "cha" | "prop" | "opp")
        && digits.iter().all(u8::is_ascii_digit)
        && letters.len() <= 2
        && letters.iter().all(u8::is_ascii_lowercase)
}

fn is_at_least(count: usize, limit: &Value) -> bool {
    limit.as_u64().is_some_and(|limit| count as u64 >= limit)
}

fn is_at_most(count: usize, limit: &Value) -> bool {
    limit.as_u64().is_some_and(|limit| count as u64 <= limit)
}

fn compare(number: &Number, limit: &Value, holds: fn(f64, f64) -> bool) -> bool {
    let (Some(number), Some(limit)) = (number.as_f64(), limit.as_f64()) else {
        return false;
    };
    number.abs() <= MAX_EXACT && holds(number, limit)
}

fn has_all_keys(object: &Map<String, Value>, wanted: &Value) -> bool {
    let names = wanted.as_array();
    names.is_some_and(|names| {
        let mut names = names.iter().map(Value::as_str);
        names.all(|name| name.is_some_and(|name| object.contains_key(name)))
    })
}

#[cfg(test)]
mod tests {
    use agon_record::moves::MovesKind;
    use agon_record::spec::FormatName;
    use proptest::prelude::*;
    use proptest::sample::Index;
    use serde_json::json;

    use super::*;
    use crate::format;
    use crate::rule::tests::{fixture, formal};
    use crate::schema;

    /// A valid reply of every kind.
    fn replies() -> Vec<(MovesKind, Value)> {
        let duel = fixture::TURNS
            .iter()
            .map(|turn| (turn, fixture::base(turn), FormatName::Duel));
        let formal = formal::TURNS
            .iter()
            .map(|turn| (turn, formal::base(turn), FormatName::Formal));
        duel.chain(formal)
            .map(|(turn, base, name)| {
                let kind = format::format_by_name(name).moves_kind(fixture::id(turn));
                match base {
                    Value::Array(_) => (kind, json!({ "arguments": base })),
                    _ => (kind, base),
                }
            })
            .collect()
    }

    #[test]
    fn no_schema_is_compiled_for_a_valid_reply_of_any_kind() {
        for (kind, reply) in replies() {
            for schema in [
                schema::reply_schema(kind),
                schema::person_reply_schema(kind),
            ] {
                assert!(certainly_fits(&schema, &schema, &reply), "{kind:?} {reply}");
            }
        }
        let kinds: Vec<_> = replies().into_iter().map(|(kind, _)| kind).collect();
        assert!(MovesKind::ALL.iter().all(|kind| kinds.contains(kind)));
    }

    /// Every part of a value, by its pointer.
    fn pointers(value: &Value, at: &str, all: &mut Vec<String>) {
        all.push(at.to_owned());
        match value {
            Value::Object(object) => object
                .iter()
                .for_each(|(key, value)| pointers(value, &format!("{at}/{key}"), all)),
            Value::Array(items) => items
                .iter()
                .enumerate()
                .for_each(|(place, value)| pointers(value, &format!("{at}/{place}"), all)),
            _ => {}
        }
    }

    fn odd_value() -> impl Strategy<Value = Value> {
        let long = "x".repeat(8_001);
        let exact = "é".repeat(8_000);
        prop::sample::select(vec![
            json!(null),
            json!(true),
            json!(0),
            json!(-1),
            json!(1.0),
            json!(1.5),
            json!(1e300),
            json!(u64::MAX),
            json!(""),
            json!("major"),
            json!("pro_001"),
            json!("pro_001abc"),
            json!("prop_01"),
            json!("opp_001\n"),
            json!("judge_001"),
            json!([]),
            json!({}),
            json!([1, 2]),
            json!([1, 2, 3]),
            json!(vec![0; 51]),
            json!(long),
            json!(exact),
        ])
    }

    proptest! {
        #[test]
        fn what_certainly_fits_is_valid(
            which in any::<Index>(),
            edits in prop::collection::vec((any::<Index>(), any::<bool>(), odd_value()), 1..4),
        ) {
            let replies = replies();
            let (kind, mut reply) = replies[which.index(replies.len())].clone();
            for (place, removed, odd) in edits {
                let mut all = Vec::new();
                pointers(&reply, "", &mut all);
                let at = &all[place.index(all.len())];
                match at.rsplit_once('/') {
                    Some((parent, key)) if removed => {
                        if let Some(Value::Object(object)) = reply.pointer_mut(parent) {
                            object.remove(key);
                        }
                    }
                    _ => *reply.pointer_mut(at).unwrap() = odd,
                }
            }
            let schema = schema::reply_schema(kind);
            let validator = jsonschema::draft202012::new(&schema).unwrap();
            if certainly_fits(&schema, &schema, &reply) {
                prop_assert!(validator.is_valid(&reply), "{reply}");
            }
        }
    }
}
