//! Servers that do not stream as their protocol requires, or do not stream at all.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use agon_record::event::CauseCode;
use serde_json::{Value, json};

use super::common::{Ear, PATIENCE, PROMPT, agent, ask, asked};

/// A server that answers each request with the next of `answers` (content type and body) and
/// reports the requests.
fn serve(answers: Vec<(&'static str, String)>) -> (String, Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    let (tell, told) = channel();
    thread::spawn(move || {
        for (kind, body) in answers {
            // Requests that only detect a server are not counted.
            let (mut stream, asked) = loop {
                let (mut stream, _) = listener.accept().unwrap();
                if let Some(asked) = read_question(&mut stream) {
                    break (stream, asked);
                }
            };
            tell.send(asked).unwrap_or_default();
            let head =
                format!("HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\nconnection: close\r\n\r\n");
            stream.write_all(head.as_bytes()).unwrap();
            // In pieces, as over a slow connection.
            for piece in body.as_bytes().chunks(48) {
                stream.write_all(piece).unwrap();
                stream.flush().unwrap();
            }
        }
    });
    (url, told)
}

/// A server that answers the first request with an empty stream, and the second one with `answer`
/// without closing the connection.
fn serve_then_hang(answer: String) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    thread::spawn(move || {
        let empty =
            "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
        let mut open = Vec::new();
        let mut answers = [empty.to_owned(), answer].into_iter();
        while let Some(answer) = answers.next() {
            let mut stream = loop {
                let (mut stream, _) = listener.accept().unwrap();
                if read_question(&mut stream).is_some() {
                    break stream;
                }
            };
            stream.write_all(answer.as_bytes()).unwrap();
            if answers.len() == 0 {
                open.push(stream);
            }
        }
        thread::sleep(PATIENCE);
    });
    url
}

/// The body of a request; `None` if it has none.
fn read_question(stream: &mut TcpStream) -> Option<String> {
    let mut bytes = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        let read = stream.read(&mut buffer).ok()?;
        bytes.extend_from_slice(&buffer[..read]);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let head = head.to_lowercase();
            let length = head.split("content-length: ").nth(1)?;
            let length: usize = length.lines().next()?.parse().ok()?;
            if body.len() >= length {
                return Some(body.to_owned());
            }
        }
        if read == 0 {
            return None;
        }
    }
}

fn lines(adapter: &str, url: &str) -> String {
    format!("adapter = \"{adapter}\"\nurl = \"{url}\"\nmodel = \"m\"\n")
}

fn chunk(text: &str, finish: &str) -> String {
    format!(
        "data: {{\"choices\":[{{\"index\":0,\"delta\":{{\"content\":\"{text}\"}},\
         \"finish_reason\":{finish}}}]}}\n\n"
    )
}

/// The beginning of a text, as Anthropic's servers send it.
const BEGIN: &str = "event: content_block_start\n\
    data: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"\"}}\n\n";
const STREAM: &str = "text/event-stream";
const JSON: &str = "application/json";

#[tokio::test]
async fn a_stream_that_says_why_it_ends_is_whole_without_its_last_message() {
    let openai = chunk("Hello, ", "null") + &chunk("you.", "null") + &chunk("", "\"stop\"");
    let anthropic = BEGIN.to_owned()
        + "event: content_block_delta\n\
        data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"Hello, you.\"}}\n\n\
        event: message_delta\n\
        data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"},\"usage\":{\"output_tokens\":3}}\n\n";
    for (adapter, body) in [("openai", openai), ("anthropic", anthropic)] {
        let (url, _told) = serve(vec![(STREAM, body)]);
        let agent = agent(&lines(adapter, &url)).await;
        let answer = asked(agent.as_ref(), ask(PROMPT, PATIENCE)).await.unwrap();
        assert_eq!(answer.text, "Hello, you.", "{adapter}");
        assert_eq!(answer.stop_reason.as_deref(), Some("stop"), "{adapter}");
    }
}

#[tokio::test]
async fn a_stream_that_ends_without_a_word_broke_off() {
    // In text from a model, the quotes are escaped.
    let body = chunk("it says \\\"finish_reason\\\":\\\"stop\\\"", "null");
    let (url, _told) = serve(vec![(STREAM, body)]);
    let agent = agent(&lines("openai", &url)).await;
    let error = asked(agent.as_ref(), ask(PROMPT, PATIENCE))
        .await
        .unwrap_err();
    assert!(error.cause().detail.contains("is incomplete"), "{error:?}");
    // An empty reason, which some servers send in every message, is not a reason.
    for empty in ["\"\"", "\" \""] {
        let body = chunk("Hello", empty) + &chunk(", y", empty);
        let (url, _told) = serve(vec![(STREAM, body)]);
        let agent = super::common::agent(&lines("openai", &url)).await;
        let error = asked(agent.as_ref(), ask(PROMPT, PATIENCE))
            .await
            .unwrap_err();
        assert!(error.cause().detail.contains("is incomplete"), "{error:?}");
    }
    // It does not replace the earlier one either.
    let body = chunk("Hello", "\"\"") + &chunk("", "\"stop\"") + &chunk("", "\"\"");
    let (url, _told) = serve(vec![(STREAM, body)]);
    let agent = super::common::agent(&lines("openai", &url)).await;
    let answer = asked(agent.as_ref(), ask(PROMPT, PATIENCE)).await.unwrap();
    assert_eq!(answer.stop_reason.as_deref(), Some("stop"));
    // An answer that is cut off at its length limit is an error.
    let body = chunk("Hello", "null") + &chunk("", "\"length\"");
    let (url, _told) = serve(vec![(STREAM, body)]);
    let agent = super::common::agent(&lines("openai", &url)).await;
    let error = asked(agent.as_ref(), ask(PROMPT, PATIENCE))
        .await
        .unwrap_err();
    assert_eq!(error.cause().code, CauseCode::TooLarge, "{error:?}");
}

#[tokio::test]
async fn a_server_that_does_not_stream_is_asked_for_whole_answers() {
    let whole = r#"{"choices":[{"message":{"role":"assistant","content":"Hello \ud83d."},
        "finish_reason":"stop"}],"usage":{"prompt_tokens":7,"completion_tokens":3}}"#;
    let (url, told) = serve(vec![(JSON, whole.to_owned()); 3]);
    let agent = agent(&lines("openai", &url)).await;
    for requests in [2, 1] {
        let answer = asked(agent.as_ref(), ask(PROMPT, PATIENCE)).await.unwrap();
        assert_eq!(answer.text, "Hello \u{fffd}.");
        assert_eq!((answer.usage.input, answer.usage.output), (7, 3));
        let last = told.iter().nth(requests - 1).unwrap();
        assert!(!last.contains("\"stream\":true"), "{last}");
    }
    assert!(
        told.try_recv().is_err(),
        "the second question is asked once"
    );
}

#[tokio::test]
async fn a_question_for_a_whole_answer_has_what_a_streamed_one_has() {
    let whole = r#"{"choices":[{"message":{"content":"Hello."},"finish_reason":"stop"}]}"#;
    let schema = json!({"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string"}},
        "required": ["a"]});
    for (model, strict) in [("m-high", true), ("gpt-5", false)] {
        let (url, told) = serve(vec![(JSON, whole.to_owned()); 2]);
        let lines = lines("openai", &url).replace("\"m\"", &format!("\"{model}\""));
        let lines = format!("{lines}strict = {strict}\neffort = true\nmax_tokens = 900\n");
        let agent = agent(&lines).await;
        let mut question = ask(PROMPT, PATIENCE);
        question.schema = Some(&schema);
        asked(agent.as_ref(), question).await.unwrap();
        let mut bodies = (0..2).map(|_| {
            let body: Value = serde_json::from_str(&told.recv().unwrap()).unwrap();
            body
        });
        let (mut streamed, whole) = (bodies.next().unwrap(), bodies.next().unwrap());
        assert_eq!(whole["reasoning_effort"], "low");
        let required = &whole["response_format"]["json_schema"]["schema"]["required"];
        let all = if strict {
            json!(["a", "b"])
        } else {
            json!(["a"])
        };
        assert_eq!(*required, all);
        let fields = streamed.as_object_mut().unwrap();
        assert_eq!(fields.remove("stream"), Some(json!(true)));
        assert!(fields.remove("stream_options").is_some());
        assert_eq!(whole, streamed, "{model}");
    }
}

#[tokio::test]
async fn one_empty_stream_is_not_taken_for_a_server_that_never_streams() {
    let stream = chunk("Hello.", "\"stop\"") + "data: [DONE]\n\n";
    let (url, told) = serve(vec![
        (STREAM, String::new()),
        (JSON, "busy".to_owned()),
        (STREAM, stream),
    ]);
    let agent = agent(&lines("openai", &url)).await;
    asked(agent.as_ref(), ask(PROMPT, PATIENCE))
        .await
        .unwrap_err();
    let answer = asked(agent.as_ref(), ask(PROMPT, PATIENCE)).await.unwrap();
    assert_eq!(answer.text, "Hello.");
    let streamed = |it: String| it.contains("\"stream\":true");
    let streamed: Vec<_> = told.iter().take(3).map(streamed).collect();
    assert_eq!(streamed, [true, false, true]);
}

#[tokio::test]
async fn a_whole_answer_has_to_begin_and_continue_in_time() {
    let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n";
    for (sent, limits) in [
        ("", "first_byte_ms = 700\nbetween_bytes_ms = 30000\n"),
        (head, "first_byte_ms = 700\nbetween_bytes_ms = 30000\n"),
        (
            &*format!("{head}{{\"choices\""),
            "first_byte_ms = 30000\nbetween_bytes_ms = 700\n",
        ),
    ] {
        let url = serve_then_hang(sent.to_owned());
        let agent = agent(&format!("{}{limits}", lines("openai", &url))).await;
        let error = asked(agent.as_ref(), ask(PROMPT, Duration::from_secs(20)))
            .await
            .unwrap_err();
        let cause = error.cause();
        assert!(cause.detail.contains("within 0.7s"), "{sent}: {cause:?}");
    }
}

#[tokio::test]
async fn an_error_with_the_status_of_success_is_told_with_its_cause() {
    let error = r#"{"error":{"code":429,"message":"rate limit exceeded, slow down"}}"#;
    let streamed = format!("data: {error}\n\n");
    for answers in [vec![(JSON, error.to_owned()); 2], vec![(STREAM, streamed)]] {
        let (url, _told) = serve(answers);
        let agent = agent(&lines("openai", &url)).await;
        let failed = asked(agent.as_ref(), ask(PROMPT, PATIENCE))
            .await
            .unwrap_err();
        assert_eq!(failed.cause().code, CauseCode::RateLimited, "{failed:?}");
    }
}

#[tokio::test]
async fn a_character_that_is_cut_in_two_is_put_together_again() {
    let openai = chunk("It works \\ud83d", "null")
        + &chunk("\\ude00, and \\ud83d", "null")
        + &chunk(" alone.", "\"stop\"")
        + "data: [DONE]\n\n";
    let piece = |text: &str| {
        format!(
            "event: content_block_delta\ndata: {{\"type\":\"content_block_delta\",\"index\":0,\
             \"delta\":{{\"type\":\"text_delta\",\"text\":\"{text}\"}}}}\n\n"
        )
    };
    let anthropic = BEGIN.to_owned()
        + &piece("It works \\ud83d")
        + &piece("\\ude00, and \\ud83d")
        + &piece(" alone.")
        + "event: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"}}\n\n\
           event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n";
    for (adapter, body) in [("openai", openai), ("anthropic", anthropic)] {
        let (url, _told) = serve(vec![(STREAM, body)]);
        let agent = agent(&lines(adapter, &url)).await;
        let ear = Ear::default();
        let mut question = ask(PROMPT, PATIENCE);
        question.hears = Some(&ear);
        let answer = asked(agent.as_ref(), question).await.unwrap();
        assert_eq!(
            answer.text, "It works \u{1f600}, and \u{fffd} alone.",
            "{adapter}"
        );
        assert!(!ear.0.lock().unwrap().is_empty());
    }
}

#[tokio::test]
async fn what_else_is_in_a_message_with_half_a_character_is_read() {
    let gemini = |parts: &str, rest: &str| {
        format!("data: {{\"candidates\":[{{\"content\":{{\"parts\":[{parts}]}}{rest}}}]}}\n\n")
    };
    let thought = "{\"text\":\"Hm \\ud83d\",\"thought\":true}";
    let parts = format!("{thought},{{\"text\":\"lo, \"}},{{\"text\":\"you \\ud83d.\"}}");
    let begin = gemini("{\"text\":\"Hel\"}", "");
    let whole = begin.clone() + &gemini(&parts, ",\"finishReason\":\"STOP\"");
    let openai = chunk("Hello, you \\ud83d.", "\"stop\"");
    for (adapter, body) in [
        ("gemini", whole),
        ("openai", openai.clone()),
        ("openai", openai + "data: [DONE]\n\n"),
    ] {
        let (url, _told) = serve(vec![(STREAM, body)]);
        let agent = agent(&lines(adapter, &url)).await;
        let answer = asked(agent.as_ref(), ask(PROMPT, PATIENCE)).await.unwrap();
        assert_eq!(answer.text, "Hello, you \u{fffd}.", "{adapter}");
        assert_eq!(answer.stop_reason.as_deref(), Some("stop"), "{adapter}");
    }
    // A truncated answer is an error, even if only such a message reports it.
    let cut = begin.clone() + &gemini(&parts, ",\"finishReason\":\"MAX_TOKENS\"");
    let openai = chunk("Hello, \\ud83d", "\"length\"") + "data: [DONE]\n\n";
    let error = "data: {\"error\":{\"code\":429,\"message\":\"rate limit \\ud83d exceeded\"}}\n\n";
    let broken = begin + &gemini(&parts, "");
    for (adapter, body, code) in [
        ("gemini", cut, CauseCode::TooLarge),
        ("openai", openai, CauseCode::TooLarge),
        ("openai", error.to_owned(), CauseCode::RateLimited),
        ("gemini", broken, CauseCode::Unavailable),
    ] {
        let (url, _told) = serve(vec![(STREAM, body)]);
        let agent = agent(&lines(adapter, &url)).await;
        let error = asked(agent.as_ref(), ask(PROMPT, PATIENCE))
            .await
            .unwrap_err();
        assert_eq!(error.cause().code, code, "{adapter}: {error:?}");
    }
}
