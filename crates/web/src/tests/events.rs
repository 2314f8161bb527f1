//! The stream of a debate's events.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::sync::Arc;

use agon_folder::Folder;
use agon_samples::batches::{AT, batches, spec};
use agon_store::RealDisk;

use super::raw::Running;

/// An open stream of events.
struct Stream {
    stream: TcpStream,
    text: String,
}

impl Stream {
    fn open(server: &Running, query: &str, header: &str) -> Self {
        let mut stream = server.connect();
        let request = format!(
            "GET /debates/one/events{query} HTTP/1.1\r\nHost: {}\r\n{}\r\n{header}\r\n\r\n",
            server.host(),
            server.cookie()
        );
        // An empty line ends the head, so a missing header must not leave one.
        let request = request.replace("\r\n\r\n\r\n", "\r\n\r\n");
        stream.write_all(request.as_bytes()).unwrap();
        Self {
            stream,
            text: String::new(),
        }
    }

    /// Reads until the line `seq` has arrived, and returns all lines so far.
    fn lines_until(&mut self, seq: usize) -> Vec<usize> {
        loop {
            let ids = self.text.lines().filter_map(|it| it.strip_prefix("id: "));
            let ids: Vec<usize> = ids.filter_map(|id| id.parse().ok()).collect();
            if ids.contains(&seq) && self.text.ends_with("\r\n") {
                return ids;
            }
            let mut bytes = [0; 4_096];
            let read = self.stream.read(&mut bytes).unwrap();
            assert!(read > 0, "the stream ended: {}", self.text);
            self.text.push_str(&String::from_utf8_lossy(&bytes[..read]));
        }
    }
}

#[test]
fn a_reader_gets_each_line_once_also_after_it_reconnects() {
    let server = Running::start();
    let mut one = spec();
    one.slug = "one".to_owned();
    let dir = server.debates();
    let mut folder = Folder::create(Arc::new(RealDisk), &dir, "one", one, AT).unwrap();
    let (early, late) = batches().split_at(2);
    for batch in early {
        folder.append(AT + 1, batch).unwrap();
    }
    let mut first = Stream::open(&server, "", "");
    assert_eq!(first.lines_until(3), [1, 2, 3]);
    let mut second = Stream::open(&server, "?after=2", "");
    assert_eq!(second.lines_until(3), [3]);
    drop(second);
    // New lines arrive by themselves.
    folder.append(AT + 2, &late[0]).unwrap();
    assert_eq!(first.lines_until(4), [1, 2, 3, 4]);
    drop(first);
    for batch in &late[1..] {
        folder.append(AT + 3, batch).unwrap();
    }
    let last = 1 + batches().len();
    let mut again = Stream::open(&server, "?after=1", "Last-Event-ID: 4");
    let rest: Vec<usize> = (5..=last).collect();
    assert_eq!(again.lines_until(last), rest, "the header counts");
    assert!(again.text.contains("text/event-stream"));
    assert!(again.text.contains("event: state"));
}

#[test]
fn a_page_of_another_site_gets_no_events() {
    let server = Running::start();
    let mut one = spec();
    one.slug = "one".to_owned();
    server.debate(one, batches());
    let host = format!("Host: {}", server.host());
    let cookie = server.cookie();
    let first = "GET /debates/one/events HTTP/1.1";
    let foreign = [first, &host, &cookie, "Origin: http://evil.example"];
    assert_eq!(server.send(&foreign, "").status, 403);
    assert_eq!(server.send(&[first, &host], "").status, 401);
    assert_eq!(server.get("/debates/two/events").status, 404);
}

#[test]
fn a_turn_is_announced_once() {
    let server = Running::start();
    let mut one = spec();
    one.slug = "one".to_owned();
    server.debate(one, batches());
    let mut stream = Stream::open(&server, "", "");
    stream.lines_until(1 + batches().len());
    let said = stream.text.matches("has answered").count();
    let ended = batches().iter().flatten();
    let ended = ended.filter(|it| matches!(it, agon_record::event::Event::Admitted { .. }));
    assert_eq!(said, ended.count());
}
