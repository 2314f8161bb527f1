//! A server in its own thread, and a client that sends exactly the given bytes.

use std::collections::BTreeMap;
use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use agon_caller::Caller;
use agon_folder::Folder;
use agon_record::event::Event;
use agon_record::spec::Spec;
use agon_samples::batches::AT;
use agon_store::RealDisk;
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

use crate::{Server, WebOptions};

/// The batches of a debate that was stopped before its end.
pub(crate) fn unfinished() -> &'static [Vec<Event>] {
    let is_end = |batch: &Vec<Event>| {
        batch
            .iter()
            .any(|event| matches!(event, Event::Closed { .. }))
    };
    let all = agon_samples::batches::batches();
    let end = all.iter().position(is_end);
    &all[..end.unwrap_or(all.len())]
}

/// A user's machine with one project, and a server for it.
pub(crate) struct Running {
    home: TempDir,
    port: u16,
    /// The key in the printed address.
    pub(crate) key: String,
    /// The key in the address for people who may only watch; empty if it is not shared.
    pub(crate) watching: String,
    stop: CancellationToken,
    thread: Option<JoinHandle<()>>,
}

impl Running {
    /// Starts a server for an empty project.
    pub(crate) fn start() -> Self {
        Self::with_options(WebOptions::default(), Duration::from_secs(20))
    }

    pub(crate) fn with_options(options: WebOptions, header_timeout: Duration) -> Self {
        let home = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(home.path().join("project/debates")).unwrap();
        let stop = CancellationToken::new();
        let (sender, receiver) = std::sync::mpsc::channel();
        let caller = caller(home.path());
        let stopped = stop.clone();
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .unwrap();
            runtime.block_on(async move {
                let options = WebOptions {
                    port: Some(0),
                    ..options
                };
                let server = Server::bind(caller, options).await.unwrap();
                let server = server.with_header_timeout(header_timeout);
                let watching = server.watching_address().unwrap_or_default();
                sender
                    .send((server.address(), watching, server.port()))
                    .unwrap();
                server.serve(stopped).await;
            });
        });
        let (address, watching, port) = receiver.recv().unwrap();
        let key = |address: &str| address.split_once("/?key=").map(|it| it.1.to_owned());
        Self {
            home,
            port,
            key: key(&address).unwrap(),
            watching: key(&watching).unwrap_or_default(),
            stop,
            thread: Some(thread),
        }
    }

    /// Returns the folder of debates.
    pub(crate) fn debates(&self) -> PathBuf {
        self.home.path().join("project/debates")
    }

    /// Creates the debate `spec` with these batches of events, and returns its folder.
    pub(crate) fn debate(&self, spec: Spec, batches: &[Vec<Event>]) -> PathBuf {
        create_debate(&self.debates(), spec, batches)
    }

    pub(crate) fn host(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// Returns the header of the cookie that the browser has.
    pub(crate) fn cookie(&self) -> String {
        format!("Cookie: agon-{}={}", self.port, self.key)
    }

    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)).unwrap();
        // Only so that a broken server fails a test instead of blocking it.
        stream
            .set_read_timeout(Some(Duration::from_secs(30)))
            .unwrap();
        stream
    }

    /// Sends a request with these lines as its head, and returns the whole response.
    pub(crate) fn send(&self, lines: &[&str], body: &str) -> Answer {
        let mut stream = self.connect();
        let mut head = lines.join("\r\n");
        if !body.is_empty() {
            head.push_str(&format!("\r\nContent-Length: {}", body.len()));
        }
        let request = format!("{head}\r\nConnection: close\r\n\r\n{body}");
        // The server may close before it has read all of a rejected request.
        stream.write_all(request.as_bytes()).ok();
        Answer::read(stream)
    }

    /// Requests `path` as the user's browser does.
    pub(crate) fn get(&self, path: &str) -> Answer {
        let lines = [
            &format!("GET {path} HTTP/1.1"),
            &format!("Host: {}", self.host()),
            &self.cookie(),
            "Accept: text/html",
        ];
        self.send(&lines.map(|line| line as &str), "")
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop.cancel();
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap();
        }
    }
}

/// Creates a debate in the folder `dir`, and returns its own folder.
pub(crate) fn create_debate(dir: &Path, spec: Spec, batches: &[Vec<Event>]) -> PathBuf {
    let slug = spec.slug.clone();
    let mut folder = Folder::create(Arc::new(RealDisk), dir, &slug, spec, AT).unwrap();
    for batch in batches {
        folder.append(AT + 1, batch).unwrap();
    }
    folder.path().to_owned()
}

fn caller(home: &Path) -> Caller {
    let vars = [("HOME", home.as_os_str().to_owned())];
    let vars: BTreeMap<_, _> = vars.map(|(name, value)| (name.into(), value)).into();
    Caller::new(vars, home.join("project"))
}

/// A response.
#[derive(Debug)]
pub(crate) struct Answer {
    /// The status; 0 if the connection was closed without a response.
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Answer {
    pub(crate) fn read(mut stream: TcpStream) -> Self {
        let mut bytes = Vec::new();
        // A reset after the response is not an error: what was read counts.
        stream.read_to_end(&mut bytes).ok();
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let status = head.split(' ').nth(1).and_then(|it| it.parse().ok());
        Self {
            status: status.unwrap_or(0),
            head: head.to_ascii_lowercase(),
            body: body.to_owned(),
        }
    }
}
