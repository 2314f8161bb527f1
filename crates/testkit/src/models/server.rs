//! The server and its handle.

use std::collections::BTreeMap;
use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::State;
use axum::http::{HeaderValue, Method, Response, StatusCode, header};
use futures_util::stream;
use serde_json::{Value, json};
use tokio::sync::oneshot;

use super::answer::Answer;
use super::capacity::{Accepted, Capacity, CapacityUse};
use super::counts::Counts;
use super::request::{Api, Request, key};
use super::wire::{ModelOutput, Wire, refusal_body, wire};
use crate::script::{Cue, Script};

/// A model server on its own port, which answers from a [`Script`] and stops when dropped.
///
/// It supports Anthropic Messages, OpenAI Responses, OpenAI Chat Completions and Gemini
/// `generateContent`, with and without streaming, and runs on its own thread.
///
/// ```
/// # use agon_testkit::{FakeModels, Script};
/// let models = FakeModels::start(Script::job_store());
/// assert!(models.url().starts_with("http://127.0.0.1:"));
/// assert_eq!(models.requests(), []);
/// ```
#[derive(Debug)]
pub struct FakeModels {
    address: SocketAddr,
    shared: Arc<Shared>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Debug)]
struct Shared {
    responder: Mutex<Responder>,
    script: Mutex<Script>,
    plans: Mutex<BTreeMap<String, Plan>>,
    /// Token counts of the next answer, and the increase of input tokens for each later one.
    counts: Mutex<(Counts, u64)>,
    /// Token counts of the first answer to a turn.
    counts_of: Mutex<BTreeMap<String, Counts>>,
    requests: Mutex<Vec<Request>>,
    unknown: Mutex<Vec<String>>,
    capacity: Arc<Mutex<Capacity>>,
    in_flight: AtomicUsize,
    peak: AtomicUsize,
    flooded: AtomicUsize,
}

/// A function that can answer a request instead of the script.
type Respond = dyn Fn(&Request) -> Option<(Answer, String)> + Send;

#[derive(Default)]
struct Responder(Option<Box<Respond>>);

impl std::fmt::Debug for Responder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Responder({})", self.0.is_some())
    }
}

/// An answer, and the number of remaining requests it applies to.
#[derive(Debug)]
struct Plan {
    answer: Answer,
    left: usize,
}

impl FakeModels {
    /// Starts a server.
    ///
    /// # Panics
    ///
    /// If no port can be opened on the loopback address.
    pub fn start(script: Script) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        listener.set_nonblocking(true).unwrap();
        let address = listener.local_addr().unwrap();
        let shared = Arc::new(Shared {
            responder: Mutex::default(),
            script: Mutex::new(script),
            plans: Mutex::default(),
            counts: Mutex::default(),
            counts_of: Mutex::default(),
            requests: Mutex::default(),
            unknown: Mutex::default(),
            capacity: Arc::default(),
            in_flight: AtomicUsize::new(0),
            peak: AtomicUsize::new(0),
            flooded: AtomicUsize::new(0),
        });
        let (stop, stopped) = oneshot::channel();
        let served = Arc::clone(&shared);
        let thread = std::thread::spawn(move || serve(listener, served, stopped));
        Self {
            address,
            shared,
            stop: Some(stop),
            thread: Some(thread),
        }
    }

    /// The base URL without a path, such as `http://127.0.0.1:40123`.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Every request for a completion so far, in the order of arrival.
    pub fn requests(&self) -> Vec<Request> {
        self.shared.requests.lock().unwrap().clone()
    }

    /// The turns requested so far, in the order of arrival.
    pub fn turns(&self) -> Vec<String> {
        self.requests()
            .into_iter()
            .filter_map(|request| request.turn)
            .collect()
    }

    /// Requests for anything but completions and the known auxiliary requests, as `METHOD PATH`.
    pub fn unknown(&self) -> Vec<String> {
        self.shared.unknown.lock().unwrap().clone()
    }

    /// The maximum number of concurrent requests.
    pub fn max_concurrent_requests(&self) -> usize {
        self.shared.peak.load(Ordering::SeqCst)
    }

    /// Refuses a request with 429 while `most` others with the same key are in flight. The others
    /// wait for [`FakeModels::answer`].
    pub fn set_capacity(&self, most: usize) {
        self.shared.capacity.lock().unwrap().set(most);
    }

    /// Answers up to `count` requests with this key that wait because of
    /// [`FakeModels::set_capacity`], the oldest first.
    pub fn answer(&self, key: &str, count: usize) {
        self.shared.capacity.lock().unwrap().answer(key, count);
    }

    /// What happened to the requests with each key. Requests without a key have an empty one.
    pub fn capacity_use(&self) -> BTreeMap<String, CapacityUse> {
        self.shared.capacity.lock().unwrap().counts()
    }

    /// Bytes of floods that the client has read.
    pub fn flood_bytes_read(&self) -> usize {
        self.shared.flooded.load(Ordering::SeqCst)
    }

    /// Sets the answer to a turn; `*` means any turn and the tools' own calls.
    pub fn set(&self, turn: &str, answer: Answer) {
        self.set_first(turn, usize::MAX, answer);
    }

    /// Like [`FakeModels::set`], for the next `times` requests only.
    pub fn set_first(&self, turn: &str, times: usize, answer: Answer) {
        self.shared.plans.lock().unwrap().insert(
            turn.into(),
            Plan {
                answer,
                left: times,
            },
        );
    }

    /// Sets a function that answers requests, with its reply instead of the script's. Requests for
    /// which it returns `None` are answered as usual.
    pub fn set_responder(
        &self,
        respond: impl Fn(&Request) -> Option<(Answer, String)> + Send + 'static,
    ) {
        self.shared.responder.lock().unwrap().0 = Some(Box::new(respond));
    }

    /// Sets the token counts of the next answer; each later one has `step` more input tokens.
    pub fn set_counts(&self, counts: Counts, step: u64) {
        *self.shared.counts.lock().unwrap() = (counts, step);
    }

    /// Sets the token counts of the first answer to a turn, once.
    pub fn set_counts_of(&self, turn: &str, counts: Counts) {
        self.shared
            .counts_of
            .lock()
            .unwrap()
            .insert(turn.into(), counts);
    }

    /// Replaces the script for later requests.
    pub fn set_script(&self, script: Script) {
        *self.shared.script.lock().unwrap() = script;
    }
}

impl Drop for FakeModels {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            drop(thread.join());
        }
    }
}

/// Serves until it is stopped; hanging answers end with the runtime.
fn serve(listener: TcpListener, shared: Arc<Shared>, stopped: oneshot::Receiver<()>) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::from_std(listener).unwrap();
        let router = Router::new().fallback(handle).with_state(shared);
        tokio::select! {
            served = axum::serve(listener, router) => served.unwrap(),
            _ = stopped => {}
        }
    });
    runtime.shutdown_background();
}

/// Counts as one request in flight until it is dropped, after the whole stream was sent.
struct InFlight(Arc<Shared>);

impl InFlight {
    fn new(shared: &Arc<Shared>) -> Self {
        let now = shared.in_flight.fetch_add(1, Ordering::SeqCst) + 1;
        shared.peak.fetch_max(now, Ordering::SeqCst);
        Self(Arc::clone(shared))
    }
}

impl Drop for InFlight {
    fn drop(&mut self) {
        self.0.in_flight.fetch_sub(1, Ordering::SeqCst);
    }
}

async fn handle(
    State(shared): State<Arc<Shared>>,
    request: axum::extract::Request,
) -> Response<Body> {
    let (head, sent) = request.into_parts();
    let path = head.uri.path().to_owned();
    if head.method != Method::POST {
        return answer_auxiliary_request(&shared, &head.method, &path);
    }
    let in_flight = InFlight::new(&shared);
    let Ok(bytes) = to_bytes(sent, usize::MAX).await else {
        return refuse(None, 400, "body cut");
    };
    if let Some(encoding) = head.headers.get(header::CONTENT_ENCODING) {
        return refuse(
            None,
            415,
            &format!("content-encoding {encoding:?} is not spoken"),
        );
    }
    let Ok(asked) = serde_json::from_slice::<Value>(&bytes) else {
        return refuse(None, 400, "body is not JSON");
    };
    if path.ends_with("/count_tokens") || path.ends_with(":countTokens") {
        return json_body(200, &json!({"input_tokens": 10, "totalTokens": 10}));
    }
    let Some(api) = Api::of(&path) else {
        shared.unknown.lock().unwrap().push(format!("POST {path}"));
        return json_body(200, &json!({}));
    };
    let counts = {
        let mut next = shared.counts.lock().unwrap();
        let counts = next.0;
        next.0.input += next.1;
        counts
    };
    let mut request = Request {
        key: key(&head.headers),
        counts,
        ..Request::read(api, &path, asked, bytes.len())
    };
    // Requests without tools, such as for a title, are the tool's own and keep the usual counts.
    if let Some(turn) = request.turn.as_ref().filter(|_| !request.tools.is_empty())
        && let Some(counts) = shared.counts_of.lock().unwrap().remove(turn)
    {
        request.counts = counts;
    }
    let key = request.key.as_deref().unwrap_or_default();
    let Some(mut accepted) = Accepted::accept(&shared.capacity, key) else {
        let limit = Answer::RateLimit(Some(0));
        return answer_with(limit, &request, (0, String::new()), in_flight).await;
    };
    accepted.wait().await;
    let responded = {
        let responder = shared.responder.lock().unwrap();
        responder.0.as_ref().and_then(|respond| respond(&request))
    };
    let (answer, own_reply) = match responded {
        Some((answer, reply)) => (answer, Some(reply)),
        None => (answer_for_turn(&shared, request.turn.as_deref()), None),
    };
    let id = {
        let mut requests = shared.requests.lock().unwrap();
        requests.push(request.clone());
        requests.len()
    };
    let cue = Cue {
        turn: request.turn.clone(),
        again: request.again,
    };
    let reply = own_reply.unwrap_or_else(|| {
        let script = shared.script.lock().unwrap();
        script.reply_to(&cue, &request.prompt).into_owned()
    });
    if let Answer::Flood(status, bytes) = answer {
        return body(status, "text/event-stream", flood(bytes, shared));
    }
    answer_with(answer, &request, (id, reply), in_flight).await
}

/// Answers requests that tools send before or beside completions.
fn answer_auxiliary_request(shared: &Shared, method: &Method, path: &str) -> Response<Body> {
    if method == Method::HEAD {
        return Response::new(Body::empty());
    }
    if path == "/api/tags" {
        let models = json!([
            {"name": "all-minilm:latest", "details": {"family": "bert"}},
            {"name": "mock-model:latest", "details": {"family": "llama"}},
        ]);
        return json_body(200, &json!({"models": models}));
    }
    if path == "/api/v0/models" {
        let model = json!({"id": "mock-model", "loaded_context_length": 6000, "max_context_length": 131_072});
        return json_body(200, &json!({"object": "list", "data": [model]}));
    }
    if path.ends_with("/models") {
        let embeds = json!({"id": "text-embedding-mock", "object": "model"});
        let model = json!({"id": "mock-model", "object": "model", "owned_by": "mock", "type": "model",
            "display_name": "Mock", "meta": {"n_ctx": 8192}});
        return json_body(
            200,
            &json!({"object": "list", "data": [embeds, model], "models": []}),
        );
    }
    shared
        .unknown
        .lock()
        .unwrap()
        .push(format!("{method} {path}"));
    refuse(None, 404, "not found")
}

/// The answer for a turn: its own, or else the one for any turn.
fn answer_for_turn(shared: &Shared, turn: Option<&str>) -> Answer {
    let mut plans = shared.plans.lock().unwrap();
    for key in turn.into_iter().chain(["*"]) {
        if let Some(plan) = plans.get_mut(key).filter(|plan| plan.left > 0) {
            plan.left -= 1;
            return plan.answer.clone();
        }
    }
    Answer::Ok
}

/// Carries out an answer to the `id`th request, with the script's reply.
async fn answer_with(
    answer: Answer,
    request: &Request,
    (id, reply): (usize, String),
    in_flight: InFlight,
) -> Response<Body> {
    let call = answer.tool_call(request.api, &request.tools, request.results().len());
    let kind = answer.clone();
    let (reply, pace) = match answer {
        Answer::Status(status) => return refuse(Some(request.api), status, "refused as told"),
        Answer::RateLimit(after) => {
            let mut response = refuse(Some(request.api), 429, "rate limited");
            if let Some(seconds) = after {
                response
                    .headers_mut()
                    .insert(header::RETRY_AFTER, seconds.into());
            }
            return response;
        }
        Answer::Spent => {
            let mut response = refuse(Some(request.api), 429, "insufficient_quota");
            let day = HeaderValue::from_static("86400");
            response.headers_mut().insert(header::RETRY_AFTER, day);
            return response;
        }
        Answer::Says(status, words) => return refuse(Some(request.api), status, words),
        Answer::Withheld if request.api == Api::Gemini => {
            let blocked = json!({"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}});
            let frame = format!("data: {blocked}\n\n");
            return body(200, "text/event-stream", Body::from(frame));
        }
        Answer::Hang => std::future::pending().await,
        Answer::Garbage => {
            let garbage: &[u8] = b"<html>this is not what you asked for \xff\xfe {{{";
            return body(200, "application/json", Body::from(garbage));
        }
        Answer::Page => {
            let page = "<!doctype html><title>Welcome</title><p>Please log in.</p>";
            return body(200, "text/html", Body::from(page));
        }
        Answer::Flood(..) => unreachable!("answered before"),
        Answer::Elsewhere(url) => {
            let mut response = body(307, "text/plain", Body::empty());
            let url = HeaderValue::from_str(&url).unwrap();
            response.headers_mut().insert(header::LOCATION, url);
            return response;
        }
        Answer::NoSchema if request.schema.is_some() => {
            let why = "response_format json_schema is not supported";
            return refuse(Some(request.api), 400, why);
        }
        Answer::NoEffort if request.effort.is_some() => {
            return refuse(
                Some(request.api),
                400,
                "this model does not support thinking",
            );
        }
        Answer::Empty => (String::new(), Pace::Whole),
        Answer::Long(bytes) => ("word ".repeat(bytes / 5), Pace::Whole),
        Answer::Stop => (reply, Pace::Stop),
        Answer::ErrorMid(status) => (reply, Pace::Error(error_frame(request.api, status))),
        Answer::HangMid => (reply, Pace::Hang),
        Answer::Cut => (reply, Pace::Cut),
        Answer::Slow(time) => (reply, Pace::Over(time)),
        Answer::Late(time) => (reply, Pace::Late(time)),
        Answer::Ok
        | Answer::Length
        | Answer::Ends(_)
        | Answer::Withheld
        | Answer::NoUsage
        | Answer::NoSchema
        | Answer::NoEffort
        | Answer::Write(_)
        | Answer::Shell(_)
        | Answer::Calls(_)
        | Answer::Read(_) => (reply, Pace::Whole),
    };
    let said = match call {
        _ if request.wants_json() => ModelOutput::Text(router_decision()),
        Some((name, args)) => ModelOutput::Call(name, args),
        None => ModelOutput::Text(reply),
    };
    let Wire { whole, mut frames } = wire(request, id, &said);
    for frame in &mut frames {
        *frame = alter_frame(frame, &kind);
    }
    let (frames, content_type) = if request.stream {
        (frames, "text/event-stream")
    } else {
        let whole = whole.to_string();
        let middle = (0..=whole.len() / 2)
            .rev()
            .find(|&at| whole.is_char_boundary(at))
            .unwrap();
        let (first, second) = whole.split_at(middle);
        (
            vec![first.to_owned(), second.to_owned()],
            "application/json",
        )
    };
    body(200, content_type, paced_body(frames, pace, in_flight))
}

/// A frame, modified for this answer.
fn alter_frame(frame: &str, answer: &Answer) -> String {
    if let Answer::Ends(why) = answer {
        with_finish_reason(frame, [why; 3])
    } else if *answer == Answer::Length {
        with_finish_reason(frame, ["length", "max_tokens", "MAX_TOKENS"])
    } else if *answer == Answer::Withheld {
        with_finish_reason(frame, ["content_filter", "refusal", "SAFETY"])
    } else if *answer == Answer::NoUsage {
        let frame = frame.replace(r#""usage":"#, r#""unused":"#);
        frame.replace(r#""usageMetadata":"#, r#""unused":"#)
    } else {
        frame.to_owned()
    }
}

/// A frame with another finish reason, in the formats of chats, Anthropic and Gemini.
fn with_finish_reason(frame: &str, [chat, anthropic, gemini]: [&str; 3]) -> String {
    let quoted = |why: &str| Value::from(why).to_string();
    let alter = |text: String, (key, usual, why): (&str, &str, &str)| {
        let (usual, why) = (quoted(usual), quoted(why));
        text.replace(&format!("\"{key}\":{usual}"), &format!("\"{key}\":{why}"))
    };
    let ends = [
        ("finish_reason", "stop", chat),
        ("stop_reason", "end_turn", anthropic),
        ("finishReason", "STOP", gemini),
    ];
    ends.into_iter().fold(frame.to_owned(), alter)
}

/// An error in the middle of a stream.
fn error_frame(api: Api, status: u16) -> String {
    let error = refusal_body(Some(api), status, "mock: overloaded in the middle");
    match api {
        Api::Anthropic => format!("event: error\ndata: {error}\n\n"),
        Api::Responses | Api::Chat | Api::Gemini => format!("data: {error}\n\n"),
    }
}

/// A body of this many bytes without a line end.
fn flood(bytes: usize, shared: Arc<Shared>) -> Body {
    const PIECE: usize = 64 * 1024;
    let pieces = (0..bytes.div_ceil(PIECE)).map(move |_| {
        shared.flooded.fetch_add(PIECE, Ordering::SeqCst);
        Ok::<_, io::Error>(vec![b'x'; PIECE])
    });
    Body::from_stream(stream::iter(pieces))
}

/// The decision that Gemini's own router and next-speaker calls request.
fn router_decision() -> String {
    json!({"reasoning": "short", "model_choice": "flash", "complexity_reasoning": "short",
        "complexity_score": 1, "next_speaker": "user"})
    .to_string()
}

/// The timing of an answer's frames.
enum Pace {
    Whole,
    Stop,
    Error(String),
    Over(Duration),
    Late(Duration),
    Cut,
    Hang,
}

fn paced_body(frames: Vec<String>, pace: Pace, in_flight: InFlight) -> Body {
    let count = frames.len();
    let frames = frames.into_iter().enumerate();
    Body::from_stream(stream::unfold(
        (frames, pace, in_flight),
        move |mut state| async move {
            let (at, frame) = state.0.next()?;
            match state.1 {
                Pace::Whole => {}
                Pace::Over(time) => {
                    tokio::time::sleep(time / u32::try_from(count).unwrap()).await;
                }
                Pace::Late(time) if at == 0 => tokio::time::sleep(time).await,
                Pace::Cut if at >= count / 2 => {
                    return Some((Err(io::Error::other("cut as told")), state));
                }
                Pace::Hang if at >= count / 2 => std::future::pending().await,
                Pace::Stop if at >= count / 2 => return None,
                Pace::Error(_) if at > count / 2 => return None,
                Pace::Error(ref mut error) if at == count / 2 => {
                    return Some((Ok(std::mem::take(error)), state));
                }
                Pace::Cut | Pace::Hang | Pace::Stop | Pace::Error(_) | Pace::Late(_) => {}
            }
            Some((Ok(frame), state))
        },
    ))
}

fn body(status: u16, kind: &str, body: Body) -> Response<Body> {
    let builder = Response::builder().status(StatusCode::from_u16(status).unwrap());
    builder
        .header(header::CONTENT_TYPE, kind)
        .body(body)
        .unwrap()
}

fn json_body(status: u16, value: &Value) -> Response<Body> {
    body(status, "application/json", Body::from(value.to_string()))
}

fn refuse(api: Option<Api>, status: u16, message: &str) -> Response<Body> {
    json_body(
        status,
        &refusal_body(api, status, &format!("mock: {message}")),
    )
}
