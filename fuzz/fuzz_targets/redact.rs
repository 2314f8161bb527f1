//! JSON stays JSON when its secrets are taken out, and what was redacted once stays as it is.

#![no_main]

use agon_redact::Redactor;
use libfuzzer_sys::fuzz_target;
use serde_json::Value;

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    let once = Redactor::new().redact(&text);
    assert_eq!(Redactor::new().redact(&once.text).hits, []);
    check(&text, &once.text);
    let reply = serde_json::json!({ "content": text, "inner": format!("{{\"password\": {:?}}}", text) });
    let reply = reply.to_string();
    check(&reply, &Redactor::new().redact(&reply).text);
});

fn check(text: &str, redacted: &str) {
    if let Ok(before) = serde_json::from_str::<Value>(text) {
        let after: Value = serde_json::from_str(redacted).expect("JSON in is JSON out");
        assert!(alike(&before, &after), "{before} {after}");
    }
}

/// Whether two values differ in strings alone.
fn alike(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::String(_), Value::String(_)) => true,
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| alike(one, other))
        }
        (Value::Object(one), Value::Object(other)) => one.len() == other.len(),
        _ => one == other,
    }
}
