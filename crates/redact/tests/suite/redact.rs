//! What is redacted, what stays, and properties that hold for any text.

#![expect(clippy::unwrap_used, reason = "tests")]

use std::fmt::Write as _;
use std::time::Duration;

use agon_redact::{Hit, Redactor};
use proptest::prelude::*;

fn redacted(text: &str) -> String {
    Redactor::new().redact(text).text.into_owned()
}

/// Checks that `secret` is redacted in every context of a reply.
fn assert_caught(secret: &str, rule: &'static str) {
    let json = |text: &str| format!("{{\"content\": \"first\\n{text}\\nlast\"}}");
    let surroundings: [&dyn Fn(&str) -> String; 7] = [
        &|text| text.to_owned(),
        &|text| format!("use {text}, then"),
        &|text| format!("`{text}`"),
        &|text| format!("é{text}é"),
        &|text| format!("key={text}&x=1"),
        &|text| format!("first\n{text}\nlast"),
        &json,
    ];
    for around in surroundings {
        let text = around(secret);
        let start = text.find(secret).unwrap();
        let result = Redactor::new().redact(&text);
        assert_eq!(
            result.text,
            around(&format!("[redacted:{rule}]")),
            "in {text}"
        );
        let span = start..start + secret.len();
        assert_eq!(result.hits, [Hit { rule, span }], "in {text}");
    }
}

fn assert_kept(text: &str) {
    let result = Redactor::new().redact(text);
    assert_eq!((result.text.as_ref(), result.hits), (text, vec![]));
}

const DIGITS_AND_LETTERS: &str = "aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5zA7bC9dE1fG3";

#[test]
fn vendor_tokens_are_taken_out() {
    let long = DIGITS_AND_LETTERS;
    let forms = [
        (format!("sk-{long}"), "sk-key"),
        ("sk-abcdefghijklmnopqrstuvwx".to_owned(), "sk-key"),
        (format!("sk-or-v1-{long}"), "sk-key"),
        (format!("sk-proj-{long}_-{long}"), "openai-key"),
        (format!("sk-svcacct-{long}"), "openai-key"),
        (format!("sk-ant-api03-{long}-{long}AA"), "anthropic-key"),
        (format!("AIza{}", &long[..35]), "google-key"),
        (format!("ghp_{}", &long[..36]), "github-token"),
        (format!("gho_{}", &long[..36]), "github-token"),
        (format!("ghs_{}", &long[..36]), "github-token"),
        (format!("github_pat_{}_{long}", &long[..22]), "github-token"),
        ("AKIAIOSFODNN7R2K9Q4Z".to_owned(), "aws-access-key"),
        ("ASIAIOSFODNN7R2K9Q4Z".to_owned(), "aws-access-key"),
    ];
    for (secret, rule) in forms {
        assert_caught(&secret, rule);
    }
}

#[test]
fn tokens_of_many_vendors_are_taken_out() {
    let (lower, hex) = (
        "q7r2k9z4m1x8w3v6p5t0n2b7c4d9f1g8h3j6",
        "3f1c9ae27b6f0d0c4b1a9e8d7c6b5a4f3e2d1c0b9a8f7e6d5c4b3a2f1e0d9c8b",
    );
    let long = DIGITS_AND_LETTERS;
    let forms: [(&str, String, &str); 15] = [
        (
            "xoxb",
            format!("-1234567890123-1234567890123-{}", &long[..24]),
            "slack-bot-token",
        ),
        (
            "xapp",
            format!("-1-A0123456789-1234567890123-{lower}"),
            "slack-app-token",
        ),
        (
            "sk_li",
            format!("ve_{}", &long[..24]),
            "stripe-access-token",
        ),
        (
            "S",
            format!("G.{}.{}", &long[..22], &long[5..48]),
            "sendgrid-api-token",
        ),
        ("np", format!("m_{lower}"), "npm-access-token"),
        ("glp", format!("at-{}", &long[..20]), "gitlab-pat"),
        (
            "hf",
            format!("_{}", "QwErTyUiOpAsDfGhJkLzXcVbNmPoIuYtRe"),
            "huggingface-access-token",
        ),
        ("dop_", format!("v1_{hex}"), "digitalocean-pat"),
        (
            "pypi-",
            format!("AgEIcHlwaS5vcmc{long}{long}"),
            "pypi-upload-token",
        ),
        ("shp", format!("at_{}", &hex[..32]), "shopify-access-token"),
        ("gs", format!("k_{long}aB3d"), "groq-api-key"),
        (
            "dckr_",
            format!("pat_{}", &long[..27]),
            "dockerhub-personal-access-token",
        ),
        (
            "eyJ",
            format!(
                "hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.{}",
                &long[..43]
            ),
            "jwt",
        ),
        ("GOC", format!("SPX-{}", &long[..28]), "google-oauth"),
        ("ya", format!("29.a0{long}"), "google-oauth"),
    ];
    for (first, last, rule) in forms {
        let secret = [first, &last].concat();
        let json = format!("{{\"content\": \"first\\n{secret}\\nlast\"}}");
        for text in [
            secret.clone(),
            format!("use {secret}, then"),
            format!("it is {secret}."),
            format!("`{secret}` ({secret})"),
            format!("first\n{secret}\nlast"),
            json,
        ] {
            let expected = text.replace(&secret, &format!("[redacted:{rule}]"));
            assert_eq!(redacted(&text), expected, "in {text}");
        }
    }
}

#[test]
fn words_that_begin_like_a_token_stay() {
    for text in [
        "sk-learn-pipeline-and-transformers",
        "sk-dummy and sk-SK and sk-",
        "risk-assessment-of-the-2024-migration-plan",
        "task-3f1c9ae27b6f0d0c4b1a9e8d7c6b5a4f",
        "AIza is how Google keys begin",
        "ghp_ and gho_ and github_pat_ are prefixes",
        "ghp_short1",
        "AKIA1234",
        "AKIAIOSFODNN7R2K9Q4ZX",
        "XAKIAIOSFODNN7R2K9Q4Z",
    ] {
        assert_kept(text);
    }
}

#[test]
fn settings_lose_their_value_and_keep_their_name() {
    for name in [
        "ANTHROPIC_API_KEY",
        "OPENAI_API_KEY",
        "GOOGLE_API_KEY",
        "GEMINI_API_KEY",
        "AWS_SECRET_ACCESS_KEY",
    ] {
        for [before, after] in [
            ["=", ""],
            ["=\"", "\""],
            ["='", "' tool"],
            [" = \"", "\""],
            ["\": \"", "\""],
            ["\":\"", "\"}"],
            ["\\\": \\\"", "\\\"}"],
            ["'] = '", "'"],
            [": ", ""],
            [" := `", "`"],
            [" => \"", "\""],
        ] {
            let text = |value: &str| format!("set {name}{before}{value}{after}");
            assert_eq!(
                redacted(&text("p4ss.word-x/y")),
                text("[redacted:key-setting]")
            );
        }
        let text = format!("{name}=word");
        assert_eq!(redacted(&text), format!("{name}=[redacted:key-setting]"));
        assert_kept(&format!(
            "{name} must be set, or {name}=$KEY or {name}=<your key>"
        ));
        assert_kept(&format!("{name}: required for the judge"));
        assert_kept(&format!("env[\"{name}\"] = environment.lookup(\"X\")"));
    }
}

#[test]
fn bearer_tokens_are_taken_out() {
    for [before, token, after] in [
        ["Authorization: Bearer ", "abcdef123456", ""],
        ["authorization: bearer ", "abcdef123456", "\n"],
        [
            "{\"Authorization\": \"Bearer ",
            "eyJhbGciOi.J9-x_y~z+/A==",
            "\"}",
        ],
        [
            "{\\\"Authorization\\\": \\\"BEARER ",
            "eyJhbGciOi.J9",
            "\\\"}",
        ],
        ["{\"bearer\": \"", "abcdef123456", "\"}"],
        ["bearer='", "abcdef123456", "'"],
        ["Bearer ", "abcdefghijklmnopqrstuvwxyz", ""],
        ["line\\nBearer ", "abcdef123456", "\\nnext"],
    ] {
        let expected = format!("{before}[redacted:bearer-token]{after}");
        assert_eq!(redacted(&format!("{before}{token}{after}")), expected);
    }
    assert_kept("the bearer of authentication; a bearer token-based-authentication scheme");
    assert_kept("forbearer abcdef123456");
    assert_kept("Bearer $TOKEN, Bearer <token>, bearer: the one who bears");
}

const KEY_LINES: &str = "MIIEpAIBAAKCAQEAx7bq0Zq3yQ4mJ1o8p5v9s2t6w3r7u1i4o8a5d2f6g3h7j1k4\n\
                         l8z5x2c6v3b7n1m4Q8W5E2R6T3Y7U1I4O8P5A2S6D3F7G1H4J8K5L2Z6X3C7V1B4\n\
                         N8M5a+b/c1==";

#[test]
fn private_keys_are_taken_out_with_their_body() {
    for kind in ["", "RSA ", "EC ", "OPENSSH ", "ENCRYPTED "] {
        let (first, last) = (
            format!("-----BEGIN {kind}PRIVATE KEY-----"),
            format!("-----END {kind}PRIVATE KEY-----"),
        );
        let key = format!("{first}\n{KEY_LINES}\n{last}");
        let tag = "[redacted:private-key]";
        assert_eq!(redacted(&format!("a {key} z")), format!("a {tag} z"));
        let escaped = key.replace('\n', "\\n");
        assert_eq!(
            redacted(&format!("\"a {escaped}\\nz\"")),
            format!("\"a {tag}\\nz\"")
        );
        let indented = key.replace('\n', "\r\n    ");
        assert_eq!(redacted(&indented), tag);
        let headed = key.replacen('\n', "\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES,AB12\n\n", 1);
        assert_eq!(redacted(&headed), tag);
        let cut = format!("{first}\n{}", &KEY_LINES[..100]);
        assert_eq!(redacted(&cut), tag);
        let after = format!("{first}\n{}\nand so on", &KEY_LINES[..129]);
        assert_eq!(redacted(&after), format!("{tag}\nand so on"));
    }
    let public = format!("-----BEGIN PUBLIC KEY-----\n{KEY_LINES}\n-----END PUBLIC KEY-----");
    assert_kept(&public);
    assert_kept("a file with -----BEGIN PRIVATE KEY----- in it must not be committed");
    assert_kept("-----BEGIN RSA PRIVATE KEY-----\nshort\n-----END RSA PRIVATE KEY-----");
    assert_kept("-----BEGIN RSA PRIVATE KEY-----\n...\n-----END RSA PRIVATE KEY-----");
}

#[test]
fn look_alikes_stay() {
    for text in [
        "123e4567-e89b-12d3-a456-426614174000",
        "the key of the Slack and Stripe tokens, SK and xoxb-, npm_ and dop_v1_",
        "commit 3f1c9ae27b6f0d0c4b1a9e8d7c6b5a4f3e2d1c0b",
        "key = 3f1c9ae27b6f0d0c4b1a9e8d7c6b5a4f3e2d1c0b",
        "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262",
        "token: 123e4567-e89b-12d3-a456-426614174000",
        "01ARZ3NDEKTSV4RRFFQ69G5FAV",
        "/usr/local/lib/node_modules/@openai/codex/bin/codex.js",
        "src/task-runner/sk_buff.rs:88-104",
        "https://example.org/a/b?c=d&e=f#3f1c9ae27b6f0d0c",
        "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk",
        "use std::collections::BTreeMap;",
        "sha512-z8xY7w6V5u4T3s2R1q0P9o8N7m6L5k4J3i2H1g0F9e8D7c6B5a4Z3y2X1w0V9u8T==",
    ] {
        assert_kept(text);
    }
}

#[test]
fn each_secret_of_a_text_is_a_hit_of_its_own() {
    let text = format!(
        "ANTHROPIC_API_KEY=sk-ant-{DIGITS_AND_LETTERS} ghp_{DIGITS_AND_LETTERS},AKIAIOSFODNN7R2K9Q4Z"
    );
    let result = Redactor::new().redact(&text);
    let expected = "ANTHROPIC_API_KEY=[redacted:key-setting] \
                    [redacted:github-token],[redacted:aws-access-key]";
    assert_eq!(result.text, expected);
    assert_eq!(result.hits.len(), 3);
}

/// Repetitions that make a scanner look far ahead or start over.
#[test]
#[expect(
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "measures time"
)]
fn hostile_text_takes_time_linear_in_its_length() {
    for piece in [
        "sk-",
        "sk-a",
        "\\nsk-ab_",
        "-----BEGIN PRIVATE KEY-----",
        "-----BEGIN PRIVATE KEY-----Comment: ",
        "-----BEGIN PRIVATE KEY-----\nAAAAAAAAAAAAAAAA",
        "-----BEGIN PRIVATE KEY-----\nAAAAAAAAAAAAAAAA-----END ",
        "bearer ",
        "Bearer a-",
        "OPENAI_API_KEY: ab-",
        "OPENAI_API_KEY",
        "ghp_aaaa",
        "AKIA",
        " ",
        "npm_q7r2k9z4m1x8w3v6p5t0n2b7c4d9f1g8h3j6",
        "npm_q7r2k9z4m1x8w3v6p5t0n2b7c4d9f1g8h3j6 ",
        "slack twilio heroku key = ",
        "SK3f1c9ae27b6f0d0c4b1a9e8d7c6b5a4f",
        "eyJ-",
        "Private-Lines: 200\n",
        "Private-Lines: 200\nAAAAAAAAAAAAAAAA\n",
        "ops:$6$aB",
        "a:b@tcp(",
        "KkKkKkKkKkKk",
        "recovery codes\n",
        "recovery codes\na1b2-c3d4\n",
        "password\tb\tc\n",
        "password,b,c\n",
        "password | b\n--|--\n",
        "copy t (password, b) from stdin;\n",
        "insert into t (token, b) values (1,",
        "expect(token)\nleft: \"a\"\n",
        "<password>\n",
        "$ token\n",
        "password\">",
        "  key:\n",
        "{\"value\":\"a\",\"name\":\"b_key\"},",
        "keys = [\"a\", \"b\"] ",
    ] {
        // The best of several tries, so that load on the machine does not matter.
        let time = |length: usize| {
            let text = piece.repeat(length / piece.len());
            let tries = (0..5).map(|_| {
                let begun = std::time::Instant::now();
                Redactor::new().redact(&text);
                begun.elapsed()
            });
            tries.min().unwrap()
        };
        let (short, long) = (time(2_000), time(20_000));
        let allowed = short * 10 * 8 + Duration::from_millis(400);
        assert!(
            long < allowed,
            "{piece:?}: {short:?}, ten times as long: {long:?}"
        );
    }
}

#[test]
fn a_quoted_password_is_taken_out_with_its_first_blank() {
    for word in ["pw", "password"] {
        let text = format!("{word},\" ghp_{DIGITS_AND_LETTERS}\"");
        let expected = format!("{word},\"[redacted:github-token]\"");
        assert_eq!(redacted(&text), expected);
    }
}

/// Text that mostly consists of what the rules look for.
fn crafted() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        prop::sample::select(vec![
            "sk-",
            "sk-ant-",
            "sk-proj-",
            "AIza",
            "ghp_",
            "github_pat_",
            "AKIA",
            "ASIA",
            "Bearer ",
            "bearer\": \"",
            "ANTHROPIC_API_KEY",
            "OPENAI_API_KEY=",
            "GH_TOKEN: ",
            "=",
            ": ",
            "\"",
            "\\\"",
            "\\n",
            "\n",
            " ",
            "-",
            "_",
            ".",
            "[",
            "]",
            "é",
            "[redacted:sk-key]",
            "-----BEGIN RSA PRIVATE KEY-----",
            "-----END RSA PRIVATE KEY-----",
            "-----",
            "Comment: ",
            "IOSFODNN7EXAMPLE",
            "abcdefghijklmnopqrstuvwxyz",
            "npm_",
            "q7r2k9z4m1x8w3v6p5t0n2b7c4d9f1g8h3j6",
            "npm_q7r2k9z4m1x8w3v6p5t0n2b7c4d9f1g8h3j6",
            "xoxb-1234567890-",
            "glpat-",
            "SK3f1c9ae27b6f0d0c4b1a9e8d7c6b5a4f",
            "heroku_key = ",
            "twitter token: ",
            "3f1c9ae2-7b6f-0d0c-4b1a-9e8d7c6b5a4f",
            "aB3dE5fG7hI9jK1lM3nO5pQ7rS9t",
            "12345",
        ])
        .prop_map(str::to_owned),
        "[A-Za-z0-9+/=_-]{0,24}",
        any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(part, 0..24).prop_map(|parts| parts.concat())
}

/// A direct implementation of the definition: the text with each hit replaced by its tag.
fn rebuilt(text: &str, hits: &[Hit]) -> String {
    let mut out = String::new();
    let mut at = 0;
    for hit in hits {
        write!(out, "{}[redacted:{}]", &text[at..hit.span.start], hit.rule).unwrap();
        at = hit.span.end;
    }
    out + &text[at..]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn redacting_twice_changes_nothing(text in crafted()) {
        let once = redacted(&text);
        let twice = Redactor::new().redact(&once);
        prop_assert_eq!(twice.hits, vec![]);
        prop_assert_eq!(twice.text.as_ref(), once.as_str());
    }

    #[test]
    fn the_text_is_the_original_with_each_hit_replaced(text in prop_oneof![crafted(), any::<String>()]) {
        let result = Redactor::new().redact(&text);
        prop_assert_eq!(result.text.as_ref(), rebuilt(&text, &result.hits));
        prop_assert!(result.hits.is_sorted_by(|a, b| a.span.end <= b.span.start));
    }

    #[test]
    fn a_secret_between_any_words_is_taken_out(before in "[a-z .,\n\"]{0,20}", after in "[ .,\n\"][a-z ]{0,20}") {
        let secret = format!("ghp_{DIGITS_AND_LETTERS}");
        let text = format!("{before} {secret}{after}");
        let hits = Redactor::new().redact(&text).hits;
        let start = before.len() + 1;
        let covers = |hit: &&Hit| hit.span.start <= start && start + secret.len() <= hit.span.end;
        let taken = hits.iter().find(covers).expect("the secret is a hit");
        // After a word such as `pw`, a password extends to the next space; in quotes it includes
        // them and any spaces.
        let end = start + secret.len() + after.find([' ', '\n', '"']).unwrap_or(after.len());
        prop_assert!(taken.span.end <= end, "{text:?}: {taken:?}");
        let quote = before.rfind('"').map_or(start, |quote| quote + 1);
        prop_assert!(taken.span.start >= quote, "{text:?}: {taken:?}");
    }
}
