//! Helpers of this crate's tests.
#![expect(clippy::unwrap_used, reason = "tests")]

use serde_json::Value;

/// The reply in a tool's JSON output, at the measured position.
pub(crate) fn text(tool: &str, stdout: &[u8]) -> String {
    let stdout = std::str::from_utf8(stdout).unwrap();
    let lines = || {
        stdout
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap())
    };
    let whole = || serde_json::from_str::<Value>(stdout).unwrap();
    let string = |value: &Value| value.as_str().unwrap().to_owned();
    let last = |kind: &str, at: &str| {
        let found = lines().rfind(|line| line["type"] == kind);
        found.map_or_else(String::new, |line| string(line.pointer(at).unwrap()))
    };
    match tool {
        "claude" => string(&whole()["result"]),
        "codex" => last("item.completed", "/item/text"),
        "gemini" => string(&whole()["response"]),
        "opencode" => last("text", "/part/text"),
        "copilot" => last("assistant.message", "/data/content"),
        other => panic!("no text field for {other}"),
    }
}
