//! The pages of sessions, from records as the tools write them.

use serde_json::{Value, json};

use super::raw::Running;

/// Writes a session of Claude Code in the project of `server`, with a call for each of `fills`.
fn session(server: &Running, id: &str, prompt: &str, fills: &[u64]) {
    let project = server.debates().parent().unwrap().canonicalize().unwrap();
    let name = project
        .to_string_lossy()
        .replace(|c: char| !c.is_ascii_alphanumeric(), "-");
    let folder = project
        .with_file_name(".claude")
        .join("projects")
        .join(name);
    std::fs::create_dir_all(&folder).unwrap();
    let mut lines = vec![
        json!({"type": "user", "uuid": format!("{id}-u"), "sessionId": id, "cwd": project,
        "timestamp": "2026-11-23T04:07:25Z", "version": "2.1.197", "message": {"content": prompt}}),
    ];
    lines.extend(fills.iter().enumerate().map(|(at, fill)| {
        json!({"type": "assistant", "uuid": format!("{id}-{at}"), "sessionId": id,
        "timestamp": "2026-11-23T04:07:26Z",
        "message": {"id": format!("m{at}"), "model": "claude-opus-4-5",
            "content": [{"type": "text", "text": "So."}],
            "usage": {"input_tokens": fill - 8, "output_tokens": 8}}})
    }));
    let lines: Vec<String> = lines.iter().map(|it| format!("{it}\n")).collect();
    std::fs::write(folder.join(format!("{id}.jsonl")), lines.concat()).unwrap();
}

#[test]
fn sessions_are_listed_and_each_has_a_page() {
    let server = Running::start();
    assert!(server.get("/sessions").body.contains("No sessions yet"));
    assert_eq!(server.get("/sessions.json").status, 404);
    session(
        &server,
        "aaaa-1",
        "<script>x</script>\u{202e}",
        &[50_000, 112_408],
    );
    let list = server.get("/sessions").body;
    assert!(list.contains("href=\"/sessions/claude/aaaa-1\""), "{list}");
    assert!(
        list.contains("getting worse") && list.contains("class=\"meter\""),
        "{list}"
    );
    let page = server.get("/sessions/claude/aaaa-1");
    assert_eq!(page.status, 200, "{}", page.body);
    assert!(page.body.contains("class=\"curve\"") && page.body.contains("claude-opus-4-5"));
    for body in [&list, &page.body] {
        assert!(!body.contains("<script>x") && !body.contains('\u{202e}'));
    }
    let document = server.get("/sessions/claude/aaaa-1.json").body;
    let document: Value = serde_json::from_str(&document).unwrap();
    assert_eq!(document["sessions"][0]["fill"], 112_408);
    assert!(
        server
            .get("/sessions.md")
            .body
            .contains("claude `aaaa-1`: getting worse")
    );
    assert!(
        server
            .get("/sessions/claude/aaaa-1.md")
            .body
            .contains("## Reasons")
    );
}

#[test]
fn no_address_of_a_session_leads_to_a_file() {
    let server = Running::start();
    session(&server, "aaaa-1", "Begin.", &[1_000]);
    for path in [
        "/sessions/claude/aaaa",
        "/sessions/claude/..%2faaaa-1",
        "/sessions/claude/%2fetc%2fpasswd",
        "/sessions/claude/aaaa-1.jsonl",
        "/sessions/codex/aaaa-1",
        "/sessions/..%2f/aaaa-1",
    ] {
        let answer = server.get(path);
        assert!(
            answer.status == 404 || answer.status == 400,
            "{path}: {}",
            answer.status
        );
        assert!(!answer.body.contains("root:"), "{path}");
    }
}
