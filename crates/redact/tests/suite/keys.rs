//! Redaction removes only values from JSON: the result is valid and has the same keys.

#![expect(clippy::unwrap_used, reason = "tests")]

mod document;
mod random;

use agon_redact::Redactor;
use document::Document;
use random::Maker;

fn redacted(text: &str) -> String {
    Redactor::new().redact(text).text.into_owned()
}

/// The number of random documents.
fn documents() -> u64 {
    if agon_testkit::is_full() {
        250_000
    } else {
        2_000
    }
}

/// The fault of `json` after redaction, if any.
fn fault(json: &str) -> Option<String> {
    let clean = redacted(json);
    if redacted(&clean) != clean {
        return Some(format!("another run changes it again: {clean}"));
    }
    let Ok(after) = serde_json::from_str::<Document>(&clean) else {
        return Some(format!("cannot be read: {clean}"));
    };
    let before: Document = serde_json::from_str(json).unwrap();
    before.difference(&after)
}

#[test]
fn random_documents_keep_their_keys_and_their_shape() {
    for seed in 0..documents() {
        let mut maker = Maker::new(seed);
        let written = maker.document();
        if let Some(fault) = fault(&written.text) {
            panic!("document {seed}: {fault}\n{}", written.text);
        }
    }
}

#[test]
fn random_documents_in_other_text_keep_their_keys() {
    for seed in 0..documents() / 2 {
        let mut maker = Maker::new(seed.wrapping_mul(7) + 1);
        let (text, keys) = maker.surrounded();
        for hit in Redactor::new().redact(&text).hits {
            let met = |key: &&std::ops::Range<usize>| {
                key.start < hit.span.end && hit.span.start < key.end
            };
            if let Some(key) = keys.iter().find(met) {
                panic!(
                    "text {seed}: {} takes the key {:?} in\n{text}",
                    &text[hit.span.clone()],
                    &text[key.clone()]
                );
            }
        }
        let clean = redacted(&text);
        assert_eq!(
            redacted(&clean),
            clean,
            "text {seed}: another run changes it again:\n{text}"
        );
    }
}

/// Names that mark the following text as a value.
const NAMES: &[&str] = &[
    "OPENAI_API_KEY",
    "ANTHROPIC_API_KEY",
    "GEMINI_API_KEY",
    "AWS_SECRET_ACCESS_KEY",
    "GITHUB_TOKEN",
    "MISTRAL_API_KEY",
    "DB_PASSWORD",
    "password",
    "client_secret",
    "--token",
];

#[test]
fn a_name_at_the_end_of_a_string_does_not_take_the_next_key() {
    for name in NAMES {
        let json = format!("{{\"text\": \"It reads {name}\", \"relevance9x2\": \"high4Kq81zT\"}}");
        assert_eq!(redacted(&json), json);
        // Truncated, with an extra comma, in a fence, escaped, and in a list of lines.
        let cut = &json[..json.len() - 4];
        assert_eq!(redacted(cut), cut);
        let loose = json.replace('}', ",}");
        assert_eq!(redacted(&loose), loose);
        let fenced = format!("My answer:\n\n```json\n{json}\n```\n{json}\n{json}\n");
        assert_eq!(redacted(&fenced), fenced);
        let nested = format!("{{\"body\": {json:?}, \"after7b\": 1}}");
        assert_eq!(redacted(&nested), nested);
        let escaped = json.replace(name, &name.replace('_', "\\u005f"));
        assert_eq!(redacted(&escaped), escaped);
        let list =
            format!("[\"It reads {name}\", \"relevance9x2k\", [\"{name}\"], \"high4Kq81zT\"]");
        assert_eq!(redacted(&list), list);
    }
}

#[test]
fn a_name_at_the_end_of_something_else_does_not_take_what_follows() {
    for name in NAMES {
        let name = name.trim_start_matches('-');
        for text in [
            format!("{{'text': 'It reads {name}', 'relevance9x2': 'high4Kq81zT'}}"),
            format!("text: It reads {name}\nrelevance9x2: high4Kq81zT\n"),
            format!("- text: It reads {name}\n  value9x2: high4Kq81zT\n"),
            format!("description: It reads {name}\nvalue: high4Kq81zT\n"),
            format!("text = \"It reads {name}\"\nrelevance9x2 = \"high4Kq81zT\"\n"),
            format!("needs = [\"{name}\"]\nrelevance9x2 = \"high4Kq81zT\"\n"),
            format!("{name}=\nRELEVANCE9X2=high4Kq81zT\n"),
            format!("X-Needs: {name}\r\nX-Relevance9x2: high4Kq81zT\r\n"),
            format!("docker run -e {name} registry4/image9x2k:v81\n"),
            format!("docker build --build-arg {name} ./images/high4Kq81zT\n"),
            format!("unset {name}; ./relevance9x2 high4Kq81zT\n"),
            format!("| It reads {name} | high4Kq81zT |\n"),
            format!("log(\"It reads {name}\", \"high4Kq81zT\")\n"),
            format!("<p>It reads {name}</p><p>high4Kq81zT</p>\n"),
            format!("\"It reads {name}\"; \"high4Kq81zT\"\n"),
        ] {
            assert_eq!(redacted(&text), text);
        }
    }
}

#[test]
fn a_token_that_names_a_member_stays_a_key_and_its_value_is_searched() {
    let token = format!("ghp{}", "_16C7e42F292c6912E7710c838347Ae178B4a");
    let json = format!("{{\"{token}\": \"{token}\", \"n\": {{\"{token}\": 1}}}}");
    let clean = json.replace(&format!(": \"{token}\""), ": \"[redacted:github-token]\"");
    assert_eq!(redacted(&json), clean);
    // A file with such a key is withheld as a whole.
    let file = format!("{{\"{token}\": 1}}");
    assert!(Redactor::new().has_secrets(file.as_bytes()));
    assert!(!Redactor::new().has_secrets(b"{\"OPENAI_API_KEY\": 1}"));
}

#[test]
fn values_of_keys_that_name_secrets_are_taken_out() {
    let value = "k3Vd9QmZ1xLw7RbT5yHc";
    for json in [
        format!("{{\"password\": \"{value}\", \"a\": 1}}"),
        format!("{{\"api_key\" :\n\t\"{value}\"}}"),
        format!("{{\"client_secret\": [\"{value}\", \"{value}\"]}}"),
        format!("{{\"name\": \"API_TOKEN\", \"value\": \"{value}\"}}"),
        format!("[\"server\", \"--api-key\", \"{value}\"]"),
        format!("{{\"log\": \"{{\\\"api\\u005fkey\\\": \\\"{value}\\\"}}\"}}"),
        format!("{{\"a\": \"b\", \"api_key\": \"{value}"),
        format!("{{\"a\": \"API_TOKEN={value}\", \"b\": \"It reads API_TOKEN\"}}"),
    ] {
        let clean = redacted(&json);
        assert!(!clean.contains(value), "{json}\n{clean}");
    }
}
