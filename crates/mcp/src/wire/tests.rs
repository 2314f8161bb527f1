use rmcp::model::NumberOrString;
use serde_json::json;
use tokio::io::AsyncReadExt;

use super::*;

/// Returns the methods of the lines that are passed on, and the immediate answers.
fn exchange(lines: &[u8]) -> (Vec<String>, Vec<Value>) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    runtime.block_on(async {
        let (ours, mut theirs) = tokio::io::duplex(4 * 1024 * 1024);
        let versions = ProtocolVersion::KNOWN_VERSIONS.to_vec();
        let mut wire = Wire::new(lines, ours, versions);
        let mut passed = Vec::new();
        while let Some(message) = wire.receive().await {
            let message = serde_json::to_value(&message).unwrap();
            passed.push(message["method"].as_str().unwrap_or("answer").to_owned());
        }
        wire.close().await.unwrap();
        drop(wire);
        let mut written = String::new();
        theirs.read_to_string(&mut written).await.unwrap();
        let answers = written
            .lines()
            .map(|line| serde_json::from_str(line).unwrap());
        (passed, answers.collect())
    })
}

const OPENING: &str = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"0"}}}"#;

#[test]
fn nothing_but_requests_is_passed_on_before_the_handshake() {
    let text = [
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}"#,
        r#"{"jsonrpc":"2.0","id":4,"result":{"roots":[]}}"#,
        r#"{"jsonrpc":"2.0","id":4,"error":{"code":-1,"message":"x"}}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}"#,
        OPENING,
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        r#"{"jsonrpc":"2.0","id":4,"result":{"roots":[]}}"#,
        "",
    ];
    let (passed, answers) = exchange(text.join("\n").as_bytes());
    let expected = [
        "ping",
        "tools/list",
        "initialize",
        "notifications/initialized",
        "answer",
    ];
    assert_eq!(
        (passed, answers),
        (expected.map(str::to_owned).to_vec(), Vec::new())
    );
}

/// A line, and the id and the code of its answer.
type Broken<'a> = (&'a [u8], Option<(Value, i64)>);

#[test]
fn a_request_that_cannot_be_read_is_answered_with_its_id() {
    let deep = format!(
        "{{\"id\":5,\"method\":\"ping\",\"params\":{}",
        "[".repeat(300)
    );
    let lines: [Broken<'_>; 15] = [
        (
            br#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":"\ud83d"}}"#,
            Some((json!(1), -32700)),
        ),
        (
            br#"{"jsonrpc":"2.0","id":"s","method":"ping","params":{"a":"\udc00\ud83d"}}"#,
            Some((json!("s"), -32700)),
        ),
        (
            b"{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\",\"params\":{\"a\":\"\xe9\"}}",
            Some((json!(2), -32700)),
        ),
        (
            b"{\"jsonrpc\":\"2.0\",\"method\":\"ping\",\"params\":{\"a\":\"\xc3\x28\"},\"id\":3}",
            Some((json!(3), -32700)),
        ),
        (
            br#"{"jsonrpc":"2.0","id":4,"method":"ping""#,
            Some((json!(4), -32700)),
        ),
        (deep.as_bytes(), Some((json!(5), -32700))),
        (
            br#"{"jsonrpc":"2.0","id":6,"params":{}}"#,
            Some((json!(6), -32600)),
        ),
        (
            br#"[{"jsonrpc":"2.0","id":7,"method":"ping"},{"method":"x"}]"#,
            Some((json!(7), -32600)),
        ),
        (br#"{"jsonrpc":"2.0","id":8,"result":{"a":"\ud83d"}}"#, None),
        (
            br#"{"jsonrpc":"2.0","method":"ping","params":{"a":"\ud83d"}}"#,
            None,
        ),
        (b"\xff\xfe\x00", None),
        (b"[]", None),
        (b"\"text\"", None),
        (b"{}", None),
        (b"not JSON", None),
    ];
    for (line, expected) in lines {
        let text = [
            OPENING.as_bytes(),
            line,
            br#"{"jsonrpc":"2.0","id":9,"method":"ping"}"#,
            b"",
        ];
        let (passed, answers) = exchange(&text.join(&b'\n'));
        let shown = String::from_utf8_lossy(line).into_owned();
        assert_eq!(passed, ["initialize", "ping"], "{shown}");
        let found = answers.first().map(|answer| {
            (
                answer["id"].clone(),
                answer["error"]["code"].as_i64().unwrap(),
            )
        });
        assert_eq!(
            (found, answers.len()),
            (expected.clone(), usize::from(expected.is_some())),
            "{shown}"
        );
    }
}

#[test]
fn a_request_is_read_although_it_leaves_out_what_goes_without_saying() {
    for line in [
        r#"{"id":1,"method":"tools/list"}"#,
        r#"{"jsonrpc":"1.0","id":1,"method":"tools/list"}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":null}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":[]}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":null}}"#,
        "\u{feff}  {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}\r",
    ] {
        let Read::Message(message) = read_line(line.as_bytes()) else {
            panic!("{line}");
        };
        let JsonRpcMessage::Request(request) = *message else {
            panic!("{line}");
        };
        assert_eq!(request.id, NumberOrString::Number(1));
        assert!(
            matches!(request.request, ClientRequest::ListToolsRequest(_)),
            "{line}"
        );
    }
}

#[test]
fn a_batch_is_answered_for_so_many_of_its_requests_alone() {
    let one = |id: usize| json!({"jsonrpc": "2.0", "id": id, "method": "ping"});
    let batch: Vec<_> = (0..500).map(one).collect();
    let text = [OPENING.to_owned(), json!(batch).to_string(), String::new()];
    let (passed, answers) = exchange(text.join("\n").as_bytes());
    assert_eq!((passed.len(), answers.len()), (1, MAX_BATCH));
}
