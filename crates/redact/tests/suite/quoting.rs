//! Text that is readable before redaction is readable afterwards, however it is quoted.

#![expect(clippy::unwrap_used, reason = "tests")]

mod contexts;
mod kinds;

use crate::corpus::{Fill, SECRETS};
use agon_redact::Redactor;
use contexts::{QUOTINGS, Quoting};
use kinds::KINDS;
use proptest::prelude::*;
use serde_json::Value;

/// Texts with their secrets.
fn samples() -> Vec<(&'static str, String, String)> {
    let mut fill = Fill::new(7);
    let forms = SECRETS.iter().chain(KINDS);
    let made = forms.map(|(kind, form)| {
        let made = fill.form(form);
        let secret = match (made.find('⟦'), made.find('⟧')) {
            (Some(from), Some(to)) => made[from + '⟦'.len_utf8()..to].to_owned(),
            _ => made.clone(),
        };
        (*kind, made.replace(['⟦', '⟧'], ""), secret)
    });
    made.collect()
}

fn redacted(text: &str) -> String {
    Redactor::new().redact(text).text.into_owned()
}

/// The fault of `text` in this quoting after redaction, if any.
fn fault(quoting: &Quoting, text: &str, secret: &str) -> Option<String> {
    let written = (quoting.write)(text);
    assert_eq!(
        (quoting.read)(&written).as_deref(),
        Some(text),
        "{}",
        quoting.name
    );
    let clean = redacted(&written);
    let Some(read) = (quoting.read)(&clean) else {
        return Some(format!("cannot be read: {clean}"));
    };
    // The text around the secret is unchanged, except for other secrets.
    let (before, after) = text.split_once(secret).unwrap();
    let kept = |part: &str| part.contains("PRIVATE KEY") || read.contains(part.trim());
    let first = before.lines().next_back().unwrap_or_default();
    let last = after.lines().next().unwrap_or_default();
    if read.contains(secret) || !read.contains("[redacted:") {
        return Some(format!("the secret stays: {read}"));
    }
    let spoilt = !kept(first) || !kept(last) && !last.starts_with(char::is_alphanumeric);
    spoilt.then(|| format!("more than the secret is gone: {read}"))
}

#[test]
fn every_kind_of_secret_is_taken_out_of_every_quotation_and_the_quotation_stays() {
    let samples = samples();
    assert!(samples.len() >= 60 && QUOTINGS.len() >= 15);
    let mut faults = Vec::new();
    for (kind, text, secret) in &samples {
        for quoting in QUOTINGS {
            if let Some(fault) = fault(quoting, text, secret) {
                faults.push(format!("{kind} in {}: {fault}", quoting.name));
            }
        }
    }
    let count = faults.len();
    assert!(faults.is_empty(), "{count}:\n{}", faults.join("\n"));
}

#[test]
fn a_quotation_in_a_string_of_a_reply_stays_too() {
    let reply = |text: &str| serde_json::json!({"content": text, "on": ["a", 1]});
    let mut faults = Vec::new();
    for (kind, text, secret) in samples() {
        for quoting in QUOTINGS {
            let inner = (quoting.write)(&text);
            let clean = redacted(&format!("So:\n```json\n{}\n```\n", reply(&inner)));
            let body = clean
                .strip_prefix("So:\n```json\n")
                .and_then(|it| it.strip_suffix("\n```\n"));
            let value: Option<Value> = body.and_then(|body| serde_json::from_str(body).ok());
            let content = value.as_ref().and_then(|value| value["content"].as_str());
            let read = content.and_then(|content| (quoting.read)(content));
            let good =
                read.is_some_and(|read| !read.contains(&secret) && read.contains("[redacted:"));
            if !good || value.is_none_or(|value| value["on"] != reply("")["on"]) {
                faults.push(format!("{kind} in {}: {clean}", quoting.name));
            }
        }
    }
    let count = faults.len();
    assert!(faults.is_empty(), "{count}:\n{}", faults.join("\n"));
}

/// Pieces of secrets, names, quotes and escapes, in any order.
fn piece() -> impl Strategy<Value = String> {
    let texts: Vec<String> = samples()
        .into_iter()
        .flat_map(|(_, text, secret)| [text, secret])
        .collect();
    prop_oneof![
        3 => prop::sample::select(texts),
        3 => prop::sample::select(vec!["\"", "\\", "'", "\n", "\\n", "\\\"", "{", "}", "[", "]", ":", ",", "=", " ", "password", "token: ", "-----BEGIN PRIVATE KEY-----", "://", "@", "\u{1f600}", "é", "eyJ", "```json\n", "{\"a\": \"", "\"}"]).prop_map(str::to_owned),
        1 => any::<String>(),
    ]
}

fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(piece(), 0..8).prop_map(|pieces| pieces.concat())
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        6 => text().prop_map(Value::from),
        1 => any::<i64>().prop_map(Value::from),
        1 => any::<bool>().prop_map(Value::from),
        1 => Just(Value::Null),
        2 => text().prop_map(|text| Value::from(serde_json::json!({"password": text}).to_string())),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        let name = prop_oneof![3 => "[a-z_]{1,8}", 2 => prop::sample::select(vec!["password", "api_key", "token", "auth", "note"]).prop_map(str::to_owned), 1 => text()];
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((name, inner), 0..4).prop_map(|all| Value::Object(all.into_iter().collect())),
        ]
    })
}

/// Whether two values differ only in the text of strings.
fn alike(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::String(_), Value::String(_)) => true,
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| alike(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one
                    .values()
                    .zip(other.values())
                    .all(|(one, other)| alike(one, other))
        }
        _ => one == other,
    }
}

/// The number of cases; more with `AGON_FUZZ_CASES`.
#[expect(
    clippy::disallowed_methods,
    reason = "a longer run is asked for by hand"
)]
fn cases() -> u32 {
    let asked = std::env::var("AGON_FUZZ_CASES").ok();
    asked.and_then(|count| count.parse().ok()).unwrap_or(200)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn json_in_is_json_out(value in value(), pretty in any::<bool>(), before in text()) {
        let json = if pretty { format!("{value:#}") } else { value.to_string() };
        let clean = redacted(&json);
        let read: Value = serde_json::from_str(&clean).map_err(|error| TestCaseError::fail(format!("{error}: {clean}")))?;
        prop_assert!(alike(&value, &read), "{json}\n{clean}");
        // The same with text before it.
        let reply = format!("{}\n```json\n{json}\n```\n", before.replace(['{', '[', '"', '`'], ""));
        let clean = redacted(&reply);
        if let Some((_, body)) = clean.split_once("```json\n") {
            let body = body.strip_suffix("\n```\n");
            let read: Option<Value> = body.and_then(|body| serde_json::from_str(body).ok());
            prop_assert!(read.is_some_and(|read| alike(&value, &read)), "{reply}\n{clean}");
        }
    }
}

#[test]
fn a_token_in_quotes_in_a_reply_leaves_the_reply_readable() {
    let token = Fill::new(3).form("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.{n:43}");
    let text = format!("the header \"{token}\" is logged");
    let reply = serde_json::json!({"moves": [{"content": text}]}).to_string();
    let expected =
        serde_json::json!({"moves": [{"content": "the header \"[redacted:jwt]\" is logged"}]});
    assert_eq!(
        serde_json::from_str::<Value>(&redacted(&reply)).unwrap(),
        expected
    );
}
