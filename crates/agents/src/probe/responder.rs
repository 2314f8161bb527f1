//! A server on the loopback interface that answers every completion request with the same text.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::timeout;

use super::wire::{Response, auxiliary_response, completion_response};

// Twenty times the largest prompt that every tool accepted in measurements (400 kB), because a
// request also contains the tool's own instructions.
/// The size limit of a request, in bytes.
const MAX_REQUEST_BYTES: usize = 8 * 1024 * 1024;
// Twice the 100 header lines that hyper accepts by default: a real server would reject a longer head
// too.
/// The maximum number of header lines in a request.
const LINES: usize = 200;
// A tool sends at most one request besides the prompt: OpenCode 1.18 for a title, Gemini CLI 0.61
// to choose a model if none is set. The rest leaves room for retries.
/// The maximum number of requests that are stored.
const MAX_REQUESTS: usize = 16;
// A third of the default time limit of an answer, 90 s (`PROBES` in `home.rs`), so that one silent
// connection cannot use all of it.
/// The time limit for reading and answering one request.
const CONNECTION_TIMEOUT: Duration = Duration::from_secs(30);
// Four for each of `MAX_REQUESTS`, and far below Linux's default of 1,024 open files for a process.
// Further connections wait.
/// The maximum number of simultaneous connections.
const CONNECTIONS: usize = 64;

/// A test server on the loopback interface. It stops when dropped.
pub(super) struct Responder {
    address: SocketAddr,
    traffic: Arc<Traffic>,
    task: JoinHandle<()>,
}

#[derive(Debug)]
struct Traffic {
    reply: &'static str,
    prompt: &'static str,
    completions: AtomicUsize,
    prompt_seen: AtomicBool,
    unreadable: AtomicBool,
    requests: Mutex<Vec<Value>>,
}

impl Responder {
    /// Starts a server that answers `reply` and looks for `prompt` in the requests.
    pub(super) async fn start(reply: &'static str, prompt: &'static str) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        let traffic = Arc::new(Traffic {
            reply,
            prompt,
            completions: AtomicUsize::new(0),
            prompt_seen: AtomicBool::new(false),
            unreadable: AtomicBool::new(false),
            requests: Mutex::default(),
        });
        let task = tokio::spawn(serve(listener, Arc::clone(&traffic)));
        Ok(Self {
            address,
            traffic,
            task,
        })
    }

    /// Returns the server's address, without a path.
    pub(super) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Returns the number of completion requests that arrived.
    pub(super) fn completion_count(&self) -> usize {
        self.traffic.completions.load(Ordering::Relaxed)
    }

    /// Returns the bodies of the stored completion requests.
    pub(super) fn requests(&self) -> Vec<Value> {
        let requests = self.traffic.requests.lock();
        requests.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns why the stored requests are incomplete; `None` if they are complete.
    pub(super) fn incomplete_reason(&self) -> Option<&'static str> {
        if self.traffic.unreadable.load(Ordering::Relaxed) {
            Some("one of its requests is not valid JSON")
        } else if self.completion_count() > MAX_REQUESTS {
            Some("it sent more requests than are stored")
        } else if !self.has_seen_prompt() {
            Some("the prompt did not arrive unchanged")
        } else {
            None
        }
    }

    /// Returns whether a request contained the prompt.
    pub(super) fn has_seen_prompt(&self) -> bool {
        self.traffic.prompt_seen.load(Ordering::Relaxed)
    }
}

impl Drop for Responder {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn serve(listener: TcpListener, traffic: Arc<Traffic>) {
    // When the server is dropped, so is this set, which ends all connections.
    let mut connections = JoinSet::new();
    loop {
        while connections.len() >= CONNECTIONS {
            connections.join_next().await;
        }
        let Ok((stream, _)) = listener.accept().await else {
            return;
        };
        let traffic = Arc::clone(&traffic);
        connections.spawn(async move {
            // Ignore errors: a client that disconnects has its answer or no longer wants one.
            timeout(CONNECTION_TIMEOUT, answer_connection(stream, &traffic))
                .await
                .ok();
        });
    }
}

/// Answers the one request of a connection.
async fn answer_connection(stream: TcpStream, traffic: &Traffic) -> io::Result<()> {
    let mut stream = BufReader::new(stream);
    let Some(request) = Request::read(&mut stream).await? else {
        return write_response(&mut stream, "400 Bad Request", None).await;
    };
    let path = request.target.split('?').next().unwrap_or_default();
    if request.method != "POST" {
        let body = (request.method == "GET").then(|| auxiliary_response(path));
        return write_response(&mut stream, "200 OK", body).await;
    }
    let read = serde_json::from_slice::<Value>(&request.body);
    let is_readable = read.is_ok();
    let body = read.unwrap_or_default();
    let response = match completion_response(path, &body, traffic.reply) {
        Some(response) => {
            traffic.completions.fetch_add(1, Ordering::Relaxed);
            if !is_readable {
                traffic.unreadable.store(true, Ordering::Relaxed);
            }
            if String::from_utf8_lossy(&request.body).contains(traffic.prompt) {
                traffic.prompt_seen.store(true, Ordering::Relaxed);
            }
            let requests = traffic.requests.lock();
            let mut requests = requests.unwrap_or_else(PoisonError::into_inner);
            if requests.len() < MAX_REQUESTS {
                requests.push(body);
            }
            response
        }
        None => auxiliary_response(path),
    };
    write_response(&mut stream, "200 OK", Some(response)).await
}

async fn write_response(
    stream: &mut BufReader<TcpStream>,
    status: &str,
    response: Option<Response>,
) -> io::Result<()> {
    let (kind, body) = response.map_or(("text/plain", String::new()), |it| (it.kind, it.body));
    let head = format!(
        "HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).await?;
    stream.write_all(body.as_bytes()).await?;
    stream.shutdown().await
}

struct Request {
    method: String,
    target: String,
    body: Vec<u8>,
}

impl Request {
    /// Reads a request; `None` if it is not HTTP or is too large.
    async fn read(stream: &mut BufReader<TcpStream>) -> io::Result<Option<Self>> {
        let first = read_head_line(stream).await?;
        let mut words = first.split(' ');
        let (Some(method), Some(target)) = (words.next(), words.next()) else {
            return Ok(None);
        };
        let (mut length, mut chunked, mut waits) = (0, false, false);
        let mut ended = false;
        for _ in 0..LINES {
            let header = read_head_line(stream).await?.to_ascii_lowercase();
            if header.is_empty() {
                ended = true;
                break;
            }
            let (name, value) = header.split_once(':').unwrap_or((&header, ""));
            match name {
                "content-length" => length = value.trim().parse().unwrap_or(usize::MAX),
                "transfer-encoding" => chunked = value.contains("chunked"),
                "expect" => waits = true,
                _ => {}
            }
        }
        if !ended || length > MAX_REQUEST_BYTES {
            return Ok(None);
        }
        if waits {
            stream.write_all(b"HTTP/1.1 100 Continue\r\n\r\n").await?;
        }
        let body = if chunked {
            match read_chunked_body(stream).await? {
                Some(body) => body,
                None => return Ok(None),
            }
        } else {
            let mut body = vec![0; length];
            stream.read_exact(&mut body).await?;
            body
        };
        Ok(Some(Self {
            method: method.to_owned(),
            target: target.to_owned(),
            body,
        }))
    }
}

/// Reads one header line, without the line break.
async fn read_head_line(stream: &mut BufReader<TcpStream>) -> io::Result<String> {
    let mut bytes = Vec::new();
    stream.take(16 * 1024).read_until(b'\n', &mut bytes).await?;
    Ok(String::from_utf8_lossy(&bytes).trim_end().to_owned())
}

/// Reads a chunked body; `None` if it is too large or invalid.
async fn read_chunked_body(stream: &mut BufReader<TcpStream>) -> io::Result<Option<Vec<u8>>> {
    let mut body = Vec::new();
    loop {
        let size = read_head_line(stream).await?;
        let size = size.split(';').next().unwrap_or_default();
        let Ok(size) = usize::from_str_radix(size.trim(), 16) else {
            return Ok(None);
        };
        if size == 0 {
            read_head_line(stream).await?;
            return Ok(Some(body));
        }
        let start = body.len();
        if size > MAX_REQUEST_BYTES || start + size > MAX_REQUEST_BYTES {
            return Ok(None);
        }
        body.resize(start + size, 0);
        stream.read_exact(&mut body[start..]).await?;
        read_head_line(stream).await?;
    }
}
