//! Each attack as the bytes that an attacker can make a browser send, or sends itself.

use std::io::{ErrorKind, Read as _, Write as _};
use std::time::Duration;

use agon_samples::batches::spec;

use super::raw::{Answer, Running, create_debate, unfinished};
use crate::WebOptions;

const OTHER: &str = "http://evil.example";

/// Returns the head of a request with the host of `server`, and these lines.
fn head(server: &Running, first: &str, more: &[&str]) -> Vec<String> {
    let host = format!("Host: {}", server.host());
    let mut lines = vec![first.to_owned(), host];
    lines.extend(more.iter().map(|line| (*line).to_owned()));
    lines
}

fn send(server: &Running, first: &str, more: &[&str], body: &str) -> Answer {
    let lines = head(server, first, more);
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    server.send(&lines, body)
}

#[test]
fn the_printed_address_gives_the_cookie_and_hides_the_key() {
    let server = Running::start();
    let first = format!("GET //evil.example/x?q=a&key={} HTTP/1.1", server.key);
    let answer = send(&server, &first, &[], "");
    assert_eq!(answer.status, 200);
    // The path is not an address of another server, and the key is gone.
    assert!(answer.body.contains("0; url=/evil.example/x?q=a\""));
    assert!(!answer.body.contains(&server.key));
    // The next request must not name this address.
    assert!(answer.head.contains("referrer-policy: no-referrer"));
    let cookie = answer.head.lines().find(|it| it.starts_with("set-cookie:"));
    let cookie = cookie.unwrap();
    for attribute in ["httponly", "samesite=strict", "path=/"] {
        assert!(cookie.contains(attribute), "{cookie}");
    }
    assert_eq!(server.get("/").status, 200);
}

#[test]
fn a_request_without_the_key_is_not_answered() {
    let server = Running::start();
    for path in ["/", "/debates/x", "/?key=", "/?key=0", "/nowhere"] {
        let answer = send(&server, &format!("GET {path} HTTP/1.1"), &[], "");
        assert_eq!(answer.status, 401, "{path}");
        assert!(!answer.body.contains("Debates"), "{}", answer.body);
    }
    let wrong = server.cookie().replace(&server.key, &"0".repeat(64));
    assert_eq!(send(&server, "GET / HTTP/1.1", &[&wrong], "").status, 401);
    let bearer = format!("Authorization: Bearer {}", server.key);
    assert_eq!(send(&server, "GET / HTTP/1.1", &[&bearer], "").status, 200);
}

#[test]
fn a_name_that_was_bound_to_this_computer_again_reads_nothing() {
    let server = Running::start();
    let (cookie, port) = (server.cookie(), server.host().split_off(10));
    for host in [
        format!("evil.example:{port}"),
        "evil.example".to_owned(),
        "127.0.0.1".to_owned(),
        format!("127.0.0.1:{port}.evil.example"),
        format!("evil@127.0.0.1:{port}"),
        String::new(),
    ] {
        let lines = ["GET / HTTP/1.1", &format!("Host: {host}"), &cookie];
        assert_eq!(server.send(&lines, "").status, 421, "{host}");
    }
    let twice = ["Host: evil.example", &cookie];
    assert!(matches!(
        send(&server, "GET / HTTP/1.1", &twice, "").status,
        400 | 421
    ));
    // HTTP/1.0 needs no host, so a missing one is refused too.
    assert_eq!(server.send(&["GET / HTTP/1.0", &cookie], "").status, 421);
}

#[test]
fn a_page_of_another_site_can_neither_read_nor_write() {
    let server = Running::start();
    let cookie = server.cookie();
    let origin = format!("Origin: {OTHER}");
    for first in ["GET / HTTP/1.1", "POST / HTTP/1.1"] {
        let more = [cookie.as_str(), &origin, "X-Agon: 1"];
        assert_eq!(send(&server, first, &more, "").status, 403, "{first}");
        let more = [cookie.as_str(), "Origin: null", "X-Agon: 1"];
        assert_eq!(send(&server, first, &more, "").status, 403, "{first}");
    }
    // A form of another site has neither the header nor the proof, even where a browser sends the
    // cookie and no `Origin`.
    let kind = "Content-Type: application/x-www-form-urlencoded";
    for body in ["text=hi", "text=hi&proof=", "text=hi&proof=0"] {
        let answer = send(&server, "POST / HTTP/1.1", &[&cookie, kind], body);
        assert_eq!(answer.status, 403, "{body}");
        assert!(answer.body.contains("x-agon"));
    }
    let answer = server.get("/");
    assert!(!answer.head.contains("access-control-allow"));
    for method in ["OPTIONS", "PUT", "DELETE", "TRACE", "PATCH"] {
        let answer = send(&server, &format!("{method} / HTTP/1.1"), &[&cookie], "");
        assert_eq!(answer.status, 405, "{method}");
    }
}

#[test]
fn a_server_that_only_reads_refuses_every_write() {
    let options = WebOptions {
        read_only: true,
        ..WebOptions::default()
    };
    let server = Running::with_options(options, Duration::from_secs(20));
    let more = [&server.cookie() as &str, "X-Agon: 1"];
    let answer = send(&server, "POST /debates HTTP/1.1", &more, "");
    assert_eq!(answer.status, 403);
    assert!(answer.body.contains("--read-only"));
}

#[test]
fn no_path_of_an_address_leads_to_a_file() {
    let server = Running::start();
    // A whole debate beside the folder of debates, which its path would show.
    let mut secret = spec();
    secret.slug = "secret".to_owned();
    secret.topic = "Where is the treasure?".to_owned();
    let project = server.debates().parent().unwrap().to_owned();
    let secret = create_debate(&project, secret, unfinished());
    assert!(agon_caller::find::is_debate_folder(&secret));
    for path in [
        "/debates/../secret",
        "/debates/..%2fsecret",
        "/debates/%2e%2e%2fsecret",
        "/debates/%2e%2e/secret",
        "/debates/..%2fsecret/parts",
        "/debates/..%2fsecret/events",
        "/api/debates/..%2fsecret",
        "/debates/..%5csecret",
        "/debates/%00",
        "/debates/.",
        "/debates/%2e",
        "/debates//etc/passwd",
        "/debates/%2fetc%2fpasswd",
        "/debates/x%0d%0aSet-Cookie:%20a=b",
        "/../../etc/passwd",
    ] {
        let answer = server.get(path);
        assert_eq!(answer.status, 404, "{path}: {}", answer.body);
        assert!(!answer.head.contains("set-cookie"), "{path}");
        assert!(!answer.body.contains("root:"), "{path}");
        assert!(!answer.body.contains("treasure"), "{path}");
    }
}

#[test]
fn large_requests_are_refused_before_they_cost_anything() {
    let server = Running::start();
    let cookie = server.cookie();
    let large = format!("X-Large: {}", "a".repeat(64 * 1024));
    let many: Vec<String> = (0..200).map(|nth| format!("X-{nth}: a")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    for more in [vec![large.as_str()], many] {
        let status = send(&server, "GET / HTTP/1.1", &more, "").status;
        assert!(matches!(status, 0 | 431), "{status}");
    }
    let body = "a".repeat(600 * 1024);
    let more = [cookie.as_str(), "X-Agon: 1"];
    let status = send(&server, "POST /debates HTTP/1.1", &more, &body).status;
    assert!(matches!(status, 0 | 413), "{status}");
    assert_eq!(server.get("/").status, 200, "the server still answers");
}

#[test]
fn a_client_that_sends_nothing_more_is_disconnected() {
    let options = WebOptions::default();
    let server = Running::with_options(options, Duration::from_millis(50));
    let mut slow = server.connect();
    slow.write_all(b"GET / HTTP/1.1\r\nHost: a").unwrap();
    let silent = server.connect();
    for mut stream in [slow, silent] {
        let mut reply = Vec::new();
        // This returns once the server has closed the connection, and fails if it never does.
        let closed = stream.read_to_end(&mut reply);
        let is_reset = |error: &std::io::Error| error.kind() == ErrorKind::ConnectionReset;
        assert!(closed.is_ok() || closed.is_err_and(|error| is_reset(&error)));
    }
}

#[test]
fn every_response_forbids_foreign_scripts_and_frames() {
    let server = Running::start();
    let without_key = send(&server, "GET / HTTP/1.1", &[], "");
    for answer in [server.get("/"), server.get("/nowhere"), without_key] {
        for line in [
            "default-src 'none'",
            "frame-ancestors 'none'",
            "form-action 'self'",
            "x-content-type-options: nosniff",
            "referrer-policy: same-origin",
            "cache-control: no-store",
        ] {
            assert!(answer.head.contains(line), "{line} in {}", answer.head);
        }
        assert!(!answer.head.contains("unsafe"));
    }
}
