//! Tests the fake model server over plain sockets.
#![expect(clippy::unwrap_used, reason = "tests")]

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use agon_testkit::models::Api;
use agon_testkit::{Answer, FakeModels, Script, refused_url};
use serde_json::{Value, json};

const PROMPT: &str = "You argue.\nTurn: r0.cha\nTurn: r1.cha";

/// Path, request and the text's position in the whole answer, for each protocol.
fn protocols() -> [(Api, &'static str, &'static str, Value, &'static str); 4] {
    let said = json!([{"role": "user", "content": PROMPT}]);
    [
        (
            Api::Anthropic,
            "/v1/messages?beta=true",
            "/v1/messages",
            json!({"model": "m", "messages": [{"role": "user", "content": [
                {"type": "text", "text": "A reminder."}, {"type": "text", "text": PROMPT}]}],
                "output_config": {"effort": "max"}}),
            "/content/0/text",
        ),
        (
            Api::Responses,
            "/v1/responses",
            "/v1/responses",
            json!({"model": "m", "input": said, "reasoning": {"effort": "max"}}),
            "/output/0/content/0/text",
        ),
        (
            Api::Chat,
            "/v1/chat/completions",
            "/v1/chat/completions",
            json!({"model": "m", "messages": said, "reasoning_effort": "max"}),
            "/choices/0/message/content",
        ),
        (
            Api::Gemini,
            "/v1beta/models/m:streamGenerateContent?alt=sse",
            "/v1beta/models/m:generateContent",
            json!({"contents": [{"role": "user", "parts": [{"text": PROMPT}]}],
                "generationConfig": {"thinkingConfig": {"thinkingLevel": "max"}}}),
            "/candidates/0/content/parts/0/text",
        ),
    ]
}

struct Reply {
    head: String,
    body: Vec<u8>,
    whole: bool,
}

impl Reply {
    fn status(&self) -> &str {
        self.head.split(' ').nth(1).unwrap()
    }

    fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    /// The concatenated text of a stream's events.
    fn streamed(&self) -> String {
        let body = std::str::from_utf8(&self.body).unwrap();
        let data = body.lines().filter_map(|line| line.strip_prefix("data: "));
        let events = data.filter_map(|data| serde_json::from_str::<Value>(data).ok());
        let places = [
            "/delta/text",
            "/delta",
            "/choices/0/delta/content",
            "/candidates/0/content/parts/0/text",
        ];
        let piece = |event: Value| {
            let found = places
                .iter()
                .find_map(|place| event.pointer(place)?.as_str());
            found.unwrap_or_default().to_owned()
        };
        events.map(piece).collect()
    }
}

/// Maximum time to wait for an expected answer.
const PATIENCE: Duration = Duration::from_secs(20);

fn post(models: &FakeModels, path: &str, body: &Value) -> Reply {
    read(&mut send(models, path, body), PATIENCE)
}

fn send(models: &FakeModels, path: &str, body: &Value) -> TcpStream {
    let mut socket = TcpStream::connect(models.url().trim_start_matches("http://")).unwrap();
    let body = body.to_string();
    let length = body.len();
    let head = format!(
        "POST {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json\r\n\
         content-length: {length}\r\n\r\n"
    );
    socket
        .write_all(format!("{head}{body}").as_bytes())
        .unwrap();
    socket
}

/// Reads an answer until its end, or until nothing arrives within `patience`.
fn read(socket: &mut TcpStream, patience: Duration) -> Reply {
    socket.set_read_timeout(Some(patience)).unwrap();
    let mut all = Vec::new();
    let ended = match socket.read_to_end(&mut all) {
        Ok(_) => true,
        Err(cause) if cause.kind() == ErrorKind::WouldBlock => false,
        Err(cause) => panic!("{cause}"),
    };
    let split = all
        .windows(4)
        .position(|four| four == b"\r\n\r\n")
        .unwrap_or(all.len());
    let head = String::from_utf8(all[..split].to_vec())
        .unwrap()
        .to_lowercase();
    let rest = all.get(split + 4..).unwrap_or_default();
    if !head.contains("transfer-encoding: chunked") {
        return Reply {
            head,
            body: rest.to_vec(),
            whole: ended,
        };
    }
    let (mut body, mut rest) = (Vec::new(), rest);
    while let Some(line) = rest.windows(2).position(|two| two == b"\r\n") {
        let size = std::str::from_utf8(&rest[..line]).unwrap();
        let size = usize::from_str_radix(size, 16).unwrap();
        if size == 0 {
            return Reply {
                head,
                body,
                whole: true,
            };
        }
        body.extend(&rest[line + 2..line + 2 + size]);
        rest = &rest[line + 4 + size..];
    }
    Reply {
        head,
        body,
        whole: false,
    }
}

fn streaming(body: &Value) -> Value {
    let mut body = body.clone();
    body["stream"] = json!(true);
    body
}

#[test]
fn every_protocol_gives_the_scripted_reply_whole_and_streamed() {
    let script = Script::job_store();
    let models = FakeModels::start(script.clone());
    let expected = script.turns["r1.cha"][0].as_str();
    for (api, stream, whole, body, place) in protocols() {
        let reply = post(&models, whole, &body).json();
        assert_eq!(reply.pointer(place).unwrap(), expected, "{api:?}");
        let reply = post(&models, stream, &streaming(&body));
        assert_eq!(
            (reply.streamed().as_str(), reply.whole),
            (expected, true),
            "{api:?}"
        );
        let [first, second] = models
            .requests()
            .split_off(models.requests().len() - 2)
            .try_into()
            .unwrap();
        for (request, streamed) in [(first, false), (second, true)] {
            assert_eq!(
                (request.api, request.model.as_str(), request.stream),
                (api, "m", streamed)
            );
            assert_eq!(
                (request.turn.as_deref(), request.again),
                (Some("r1.cha"), 0)
            );
            assert_eq!(request.effort.as_deref(), Some("max"));
            assert!(request.prompt.ends_with(PROMPT));
        }
    }
    assert_eq!(models.turns(), ["r1.cha"; 8]);
}

#[test]
fn answers_count_for_a_turn_or_any_and_so_many_times() {
    let models = FakeModels::start(Script::new("fine"));
    let (_, _, path, body, place) = protocols()[2].clone();
    let status = || post(&models, path, &body).status().to_owned();
    models.set("r1.cha", Answer::Status(404));
    models.set("*", Answer::Status(500));
    assert_eq!(status(), "404");
    models.set_first("r1.cha", 1, Answer::RateLimit(Some(7)));
    let limited = post(&models, path, &body);
    assert_eq!(limited.status(), "429");
    assert!(limited.head.contains("retry-after: 7"), "{}", limited.head);
    assert_eq!(limited.json()["error"]["code"], "rate_limit_exceeded");
    assert_eq!(status(), "500");
    models.set("*", Answer::Ok);
    assert_eq!(
        post(&models, path, &body).json().pointer(place).unwrap(),
        "fine"
    );
}

#[test]
fn hanging_cut_empty_and_garbled_answers_are_what_they_say() {
    std::thread::scope(|scope| {
        for (api, path, _, body, _) in protocols() {
            scope.spawn(move || answers_are_what_they_say(api, path, &streaming(&body)));
        }
    });
}

fn answers_are_what_they_say(api: Api, path: &str, body: &Value) {
    let script = Script::job_store();
    let expected = script.turns["r1.cha"][0].as_str();
    let models = FakeModels::start(script.clone());
    let ask = |answer, patience| {
        models.set("*", answer);
        read(&mut send(&models, path, body), patience)
    };
    let moment = Duration::from_secs(1);
    let hang = ask(Answer::Hang, moment);
    assert_eq!((hang.head.as_str(), hang.whole), ("", false), "{api:?}");
    for (half, patience) in [(Answer::HangMid, moment), (Answer::Cut, PATIENCE)] {
        let reply = ask(half.clone(), patience);
        let said = reply.streamed();
        assert!(!reply.whole && !said.is_empty(), "{api:?} {half:?}");
        assert!(
            expected.starts_with(&said) && said.len() < expected.len(),
            "{api:?} {half:?}"
        );
    }
    let empty = ask(Answer::Empty, PATIENCE);
    assert_eq!(
        (empty.streamed().as_str(), empty.whole),
        ("", true),
        "{api:?}"
    );
    let garbage = ask(Answer::Garbage, PATIENCE);
    assert_eq!(garbage.status(), "200");
    assert!(std::str::from_utf8(&garbage.body).is_err(), "{api:?}");
    let begin = Instant::now();
    let slow = ask(Answer::Slow(Duration::from_millis(500)), PATIENCE);
    assert!(
        slow.whole && begin.elapsed() >= Duration::from_millis(500),
        "{api:?}"
    );
    assert_eq!(slow.streamed(), expected, "{api:?}");
}

#[test]
fn a_tool_call_is_made_once_with_a_tool_on_offer_if_there_is_one() {
    let models = FakeModels::start(Script::new("done"));
    models.set("*", Answer::Shell("touch x".into()));
    let said = json!([{"role": "user", "content": PROMPT}]);
    let tools = json!([{"type": "function", "function": {"name": "bash", "parameters": {}}}]);
    let first = post(
        &models,
        "/v1/chat/completions",
        &json!({"messages": said, "tools": tools}),
    )
    .json();
    let call = &first["choices"][0]["message"]["tool_calls"][0]["function"];
    assert_eq!(call["name"], "bash");
    assert_eq!(
        call["arguments"],
        r#"{"command":"touch x","description":"d"}"#
    );
    let after = json!([said[0], {"role": "tool", "tool_call_id": "1", "content": "ok"}]);
    let second = post(
        &models,
        "/v1/chat/completions",
        &json!({"messages": after, "tools": tools}),
    )
    .json();
    assert_eq!(second["choices"][0]["message"]["content"], "done");
    let without = post(&models, "/v1/chat/completions", &json!({"messages": said})).json();
    let call = &without["choices"][0]["message"]["tool_calls"][0]["function"];
    assert_eq!(call["name"], "bash");
}

#[test]
fn a_router_call_is_decided_and_is_no_turn() {
    let models = FakeModels::start(Script::job_store());
    let body = json!({"contents": [{"role": "user", "parts": [{"text": PROMPT}]}],
        "systemInstruction": {"parts": [{"text": "You route."}]},
        "generationConfig": {"responseMimeType": "application/json"}});
    let reply = post(&models, "/v1beta/models/m:generateContent", &body).json();
    let text = reply["candidates"][0]["content"]["parts"][0]["text"]
        .as_str()
        .unwrap();
    assert_eq!(
        serde_json::from_str::<Value>(text).unwrap()["model_choice"],
        "flash"
    );
    assert_eq!(models.turns(), Vec::<String>::new());
    assert_eq!(models.requests().len(), 1);
}

#[test]
fn requests_at_once_are_counted_and_a_dropped_server_is_gone() {
    let models = FakeModels::start(Script::new("fine"));
    models.set("*", Answer::Hang);
    let (_, _, path, body, _) = protocols()[2].clone();
    let sockets: Vec<_> = (0..3).map(|_| send(&models, path, &body)).collect();
    let begin = Instant::now();
    while models.max_concurrent_requests() < 3 {
        assert!(
            begin.elapsed() < PATIENCE,
            "three at once, not {}",
            models.max_concurrent_requests()
        );
        std::thread::yield_now();
    }
    drop(sockets);
    let address = models.url().trim_start_matches("http://").to_owned();
    drop(models);
    assert!(TcpStream::connect(address).is_err());
    assert!(TcpStream::connect(refused_url().trim_start_matches("http://")).is_err());
}
