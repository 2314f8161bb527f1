//! A small file server that can disconnect, stall and send wrong answers.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// How the server responds to a request for a file.
#[derive(Clone, Default)]
pub(crate) struct File {
    pub(crate) path: String,
    pub(crate) body: Vec<u8>,
    /// Interrupts each response after this many bytes.
    pub(crate) cut: Option<usize>,
    /// Stalls after this many bytes.
    pub(crate) hold: Option<usize>,
    /// Waits before it answers.
    pub(crate) wait: Duration,
    /// Sends the whole file, whatever range is requested.
    pub(crate) whole_only: bool,
    /// Sends no length.
    pub(crate) unmeasured: bool,
    pub(crate) kind: &'static str,
}

/// A local server, and its requests: path and first byte.
pub(crate) struct Server {
    pub(crate) url: String,
    pub(crate) asked: Arc<Mutex<Vec<(String, u64)>>>,
    pub(crate) files: Arc<Mutex<Vec<File>>>,
}

impl Server {
    pub(crate) fn start(files: Vec<File>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let asked = Arc::<Mutex<Vec<_>>>::default();
        let files = Arc::new(Mutex::new(files));
        let (log, served) = (Arc::clone(&asked), Arc::clone(&files));
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (log, served) = (Arc::clone(&log), Arc::clone(&served));
                thread::spawn(move || answer(stream, &log, &served));
            }
        });
        Self { url, asked, files }
    }

    pub(crate) fn asked(&self) -> Vec<(String, u64)> {
        self.asked.lock().unwrap().clone()
    }
}

fn answer(mut stream: TcpStream, log: &Mutex<Vec<(String, u64)>>, files: &Mutex<Vec<File>>) {
    let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
    let Some(Ok(first)) = lines.next() else {
        return;
    };
    let path = first.split(' ').nth(1).unwrap_or_default().to_owned();
    let mut from = 0;
    for line in lines
        .map_while(Result::ok)
        .take_while(|line| !line.is_empty())
    {
        if let Some(range) = line.to_lowercase().strip_prefix("range: bytes=") {
            from = range.trim_end_matches('-').parse().unwrap();
        }
    }
    log.lock().unwrap().push((path.clone(), from));
    let found = files
        .lock()
        .unwrap()
        .iter()
        .find(|file| file.path == path)
        .cloned();
    let Some(file) = found else {
        drop(stream.write_all(
            b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n",
        ));
        return;
    };
    thread::sleep(file.wait);
    let all = file.body.len();
    let from = if file.whole_only {
        0
    } else {
        usize::try_from(from).unwrap()
    };
    let status = if from > 0 {
        "206 Partial Content"
    } else {
        "200 OK"
    };
    if from > 0 && from >= all {
        let head = format!(
            "HTTP/1.1 416 Range Not Satisfiable\r\ncontent-range: bytes */{all}\r\n\
             content-length: 0\r\nconnection: close\r\n\r\n"
        );
        drop(stream.write_all(head.as_bytes()));
        return;
    }
    let body = &file.body[from..];
    let mut head = format!(
        "HTTP/1.1 {status}\r\ncontent-type: {}\r\nconnection: close\r\n",
        file.kind
    );
    if !file.unmeasured {
        head.push_str(&format!("content-length: {}\r\n", body.len()));
    }
    if from > 0 {
        head.push_str(&format!(
            "content-range: bytes {from}-{}/{all}\r\n",
            all - 1
        ));
    }
    head.push_str("\r\n");
    let sent = file.cut.or(file.hold).unwrap_or(body.len()).min(body.len());
    drop(stream.write_all(head.as_bytes()));
    drop(stream.write_all(&body[..sent]));
    drop(stream.flush());
    if file.hold.is_some() {
        thread::sleep(Duration::from_secs(60));
    }
}
