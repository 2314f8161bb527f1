//! Parses tool outputs that were recorded from the real tools.
#![expect(clippy::unwrap_used, reason = "tests")]

mod claude;
mod codex;
mod copilot;
mod gemini;
mod opencode;

use agon_agents::dialect::{self, DIALECTS, DialectError, RawOutput, Reply};
use agon_record::event::{CauseCode, Class, Usage};
use claude::CLAUDE;
use codex::CODEX;
use copilot::COPILOT;
use gemini::GEMINI;
use opencode::OPENCODE;
use proptest::prelude::*;

const PAUSE: Class = Class::Retry { after_ms: 2_000 };

fn read(tool: &str, stdout: &str, stderr: &str, code: i32) -> Result<Reply, DialectError> {
    let output = RawOutput {
        stdout: stdout.as_bytes(),
        stderr_tail: stderr.as_bytes(),
        code: Some(code),
    };
    dialect::find_dialect(tool).unwrap().read(&output)
}

fn fails(tool: &str, (stdout, stderr, code): (&str, &str, i32)) -> (CauseCode, Class) {
    let error = read(tool, stdout, stderr, code).unwrap_err();
    assert!(error.detail.chars().count() <= 280, "{error}");
    // If the class is specific enough, the service's message is not quoted.
    let is_quoted = matches!(error.code, CauseCode::Failed | CauseCode::NoSuchModel);
    assert!(is_quoted || !error.detail.contains("SECRET"), "{error}");
    (error.code, error.class)
}

/// Each tool's output on success.
const WHOLE: [(&str, &str); 5] = [
    ("claude", CLAUDE),
    ("codex", CODEX),
    ("gemini", GEMINI),
    ("opencode", OPENCODE),
    ("copilot", COPILOT),
];

#[test]
fn an_output_is_complete_with_its_last_line_and_no_earlier() {
    for (tool, whole) in WHOLE {
        let dialect = dialect::find_dialect(tool).unwrap();
        let whole = whole.trim_end();
        assert!(dialect.is_complete(whole.as_bytes()), "{tool}");
        let half = &whole.as_bytes()[..whole.len() - 2];
        assert!(!dialect.is_complete(half), "{tool}");
        assert!(!dialect.is_complete(b""), "{tool}");
    }
    let codex = dialect::find_dialect("codex").unwrap();
    let failed = br#"{"type":"turn.failed","error":{"message":"no"}}"#;
    assert!(codex.is_complete(failed));
    let opencode = dialect::find_dialect("opencode").unwrap();
    let next = format!("{OPENCODE}{{\"type\":\"step_start\",\"sessionID\":\"s\",\"part\":{{}}}}");
    assert!(!opencode.is_complete(next.as_bytes()), "another step began");
}

#[test]
fn bytes_that_are_no_utf8_are_replaced_and_the_rest_is_read() {
    for (tool, whole) in WHOLE {
        let said = if tool == "opencode" {
            "\"the\""
        } else {
            "the text"
        };
        let at = whole.find(said).unwrap() + 2;
        let mut bytes = whole.as_bytes().to_vec();
        bytes[at] = 0xff;
        let output = RawOutput {
            stdout: &bytes,
            stderr_tail: b"",
            code: Some(0),
        };
        let read = dialect::find_dialect(tool)
            .unwrap()
            .read(&output)
            .unwrap()
            .text;
        assert_eq!(read.matches('\u{fffd}').count(), 1, "{tool}: {read}");
    }
}

#[test]
fn a_signal_is_no_reply_for_any() {
    for dialect in DIALECTS {
        let output = RawOutput {
            stdout: b"",
            stderr_tail: b"",
            code: None,
        };
        let error = dialect.read(&output).unwrap_err();
        assert_eq!(
            (error.code, error.class),
            (CauseCode::Failed, PAUSE),
            "{dialect:?}"
        );
    }
}

/// A valid output with bytes removed, inserted and changed: more realistic than random bytes.
fn mangled() -> impl Strategy<Value = Vec<u8>> {
    let good = prop::sample::select(vec![CLAUDE, CODEX, GEMINI, OPENCODE, COPILOT]);
    let edits = prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..3_u8), 0..6);
    (good, edits).prop_map(|(good, edits)| {
        let mut bytes = good.as_bytes().to_vec();
        for (at, byte, what) in edits {
            let at = at.index(bytes.len());
            match what {
                0 => bytes[at] = byte,
                1 => bytes.insert(at, byte),
                _ => bytes.truncate(at.max(1)),
            }
        }
        bytes
    })
}

proptest! {
    #[test]
    fn any_bytes_are_read_and_a_reply_has_a_text(
        stdout in prop_oneof![mangled(), prop::collection::vec(any::<u8>(), 0..400)],
        stderr in prop_oneof![mangled(), prop::collection::vec(any::<u8>(), 0..400)],
        code in prop::option::of(-1..300_i32),
    ) {
        let output = RawOutput { stdout: &stdout, stderr_tail: &stderr, code };
        for dialect in DIALECTS {
            dialect.diagnose_timeout(&output);
            dialect.parse_usage_file(&stdout);
            match dialect.read(&output) {
                Ok(reply) => {
                    prop_assert!(!reply.text.trim().is_empty());
                    prop_assert_eq!(code, Some(0));
                }
                Err(error) => prop_assert!(error.detail.chars().count() <= 240 && !error.detail.contains('\n')),
            }
        }
    }

    #[test]
    fn every_text_comes_back_as_it_was_sent(text in "\\PC{1,200}|(.|\n){1,200}") {
        prop_assume!(!text.trim().is_empty());
        let quoted = serde_json::to_string(&text).unwrap();
        for (tool, good, place) in [
            ("claude", CLAUDE, "\"the text\""),
            ("codex", CODEX, "\"the text\""),
            ("gemini", GEMINI, "\"the text\""),
            ("copilot", COPILOT, "\"the text\""),
        ] {
            let reply = read(tool, &good.replace(place, &quoted), "", 0).unwrap();
            prop_assert_eq!(&reply.text, &text, "{}", tool);
        }
    }
}
