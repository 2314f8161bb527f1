//! The address for people who may only watch, and servers that other computers can reach.

use std::fs;
use std::io::{Read as _, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::time::Duration;

use agon_caller::{Caller, Code, find};
use agon_samples::batches::spec;

use super::raw::{Answer, Running, unfinished};
use super::team::{add, team, write};
use crate::site::MAX_WATCHING_STREAMS;
use crate::{PublicOrigin, Server, WebOptions};

fn shared() -> Running {
    let options = WebOptions {
        share: true,
        ..WebOptions::default()
    };
    let server = Running::with_options(options, Duration::from_secs(20));
    let mut one = spec();
    one.slug = "one".to_owned();
    server.debate(one, unfinished());
    server
}

/// Returns the cookie that the watching address gives a browser.
fn cookie(server: &Running) -> String {
    let first = format!("GET /?key={} HTTP/1.1", server.watching);
    let arrived = server.send(&[&first, &format!("Host: {}", server.host())], "");
    assert_eq!(arrived.status, 200);
    let cookie = arrived
        .head
        .lines()
        .find_map(|it| it.strip_prefix("set-cookie: "));
    let cookie = cookie.unwrap().split(';').next().unwrap();
    format!("Cookie: {cookie}")
}

fn send(server: &Running, first: &str, more: &[&str], body: &str) -> Answer {
    let host = format!("Host: {}", server.host());
    let lines: Vec<&str> = [first, &host]
        .into_iter()
        .chain(more.iter().copied())
        .collect();
    server.send(&lines, body)
}

#[test]
fn the_watching_address_shows_the_debates_without_any_form() {
    let server = shared();
    let cookie = cookie(&server);
    let html = "Accept: text/html";
    for path in [
        "/",
        "/debates/one",
        "/debates/one.json",
        "/usage",
        "/api/debates",
        "/team",
    ] {
        let answer = send(
            &server,
            &format!("GET {path} HTTP/1.1"),
            &[&cookie, html],
            "",
        );
        assert_eq!(answer.status, 200, "{path}: {}", answer.body);
        for secret in [
            &server.key as &str,
            "name=\"proof\"",
            "method=\"post\"",
            "href=\"/new\"",
        ] {
            assert!(!answer.body.contains(secret), "{path} has {secret}");
        }
    }
    // An error does not name the user's folders.
    std::fs::create_dir_all(server.debates().join("broken/.agon")).unwrap();
    std::fs::write(server.debates().join("broken/.agon/journal.jsonl"), "x").unwrap();
    let home = server.debates().parent().unwrap().display().to_string();
    for path in ["/debates/broken", "/debates/broken.json", "/team.json"] {
        let answer = send(
            &server,
            &format!("GET {path} HTTP/1.1"),
            &[&cookie, html],
            "",
        );
        assert!(answer.status >= 400, "{path}");
        assert!(!answer.body.contains(&home), "{path}: {}", answer.body);
    }
    assert!(server.get("/debates/broken").body.contains(&home));
    // What concerns the user more than the debates, or starts programs.
    for path in [
        "/new",
        "/tools",
        "/settings",
        "/sessions",
        "/sessions/claude/x",
        "/debates/one/answer/proposer",
        "/api/tools",
        "/mcp",
    ] {
        let answer = send(
            &server,
            &format!("GET {path} HTTP/1.1"),
            &[&cookie, html],
            "",
        );
        assert_eq!(answer.status, 404, "{path}: {}", answer.body);
    }
}

#[test]
fn a_watching_address_names_no_folder_and_no_process_of_the_user() {
    let server = shared();
    let lead = team(&server);
    add(&lead, "Greet by name");
    // A folder that cannot be read, and a message and a debate that name a path.
    let project = server.debates().parent().unwrap().to_owned();
    let home = project.parent().unwrap().display().to_string();
    fs::create_dir_all(server.debates().join("broken/.agon")).unwrap();
    fs::write(server.debates().join("broken/.agon/journal.jsonl"), "x").unwrap();
    write(&lead, &format!("see {}/notes.md", project.display()));
    let mut named = spec();
    named.slug = "named".to_owned();
    named.topic = format!("Is {home}/secret the right folder?");
    server.debate(named, unfinished());
    let cookie = cookie(&server);
    let mut found = Vec::new();
    for path in [
        "/",
        "/?q=folder",
        "/recall?topic=folder",
        "/usage",
        "/team",
        "/team.md",
        "/team.json",
        "/team/tasks/t1",
        "/team/tasks/t1.md",
        "/team/tasks/t1.json",
        "/team/mail/m1",
        "/team/mail/m1.json",
        "/debates/named",
        "/debates/named.md",
        "/debates/named.json",
        "/debates/named.html",
        "/debates/named/parts",
        "/debates/broken",
        "/debates/broken.json",
        "/api/debates",
        "/api/debates/named",
        "/api/debates/named/status",
        "/api/debates/broken",
        "/api/search?q=folder",
        "/api/recall?topic=folder",
        "/api/usage",
    ] {
        let first = format!("GET {path} HTTP/1.1");
        let answer = send(&server, &first, &[&cookie, "Accept: text/html"], "");
        assert!(answer.status > 0, "{path}");
        assert!(!answer.body.contains(&home), "{path}: {}", answer.body);
        found.push(answer.body);
    }
    let list = &found[0];
    assert!(list.contains("Folders that cannot be read") && list.contains("broken"));
    assert!(!list.contains("agon check"));
    assert!(server.get("/").body.contains("agon check"));
    // The team is there, without its work trees.
    assert!(found[6].contains("\"lea\"") && !found[6].contains("work_tree"));
    assert!(server.get("/debates/named").body.contains(&home));
    // The usage in other projects is the user's own business.
    assert!(!found[3].contains("in all projects") && !found[25].contains("unattended"));
    assert!(server.get("/usage").body.contains("in all projects"));
}

#[test]
fn streams_of_watchers_leave_room_for_the_user() {
    let server = shared();
    let open = |cookie: &str| {
        let mut stream = server.connect();
        let host = server.host();
        let head = format!("GET /debates/one/events HTTP/1.1\r\nHost: {host}\r\n{cookie}\r\n\r\n");
        stream.write_all(head.as_bytes()).unwrap();
        let mut status = [0; 12];
        stream.read_exact(&mut status).unwrap();
        (stream, String::from_utf8_lossy(&status).into_owned())
    };
    let watching = cookie(&server);
    let mut held = Vec::new();
    for _ in 0..MAX_WATCHING_STREAMS {
        let (stream, status) = open(&watching);
        assert_eq!(status, "HTTP/1.1 200");
        held.push(stream);
    }
    assert_eq!(open(&watching).1, "HTTP/1.1 503");
    assert_eq!(open(&server.cookie()).1, "HTTP/1.1 200");
}

#[test]
fn a_stolen_watching_address_can_write_nothing() {
    let server = shared();
    let path = server.debates().join("one");
    let before = find::read(&path).unwrap().lines;
    let proof = {
        let page = server.get("/debates/one").body;
        let (_, proof) = page.split_once("name=\"proof\" value=\"").unwrap();
        proof.split('"').next().unwrap().to_owned()
    };
    let cookie = cookie(&server);
    let bearer = format!("Authorization: Bearer {}", server.watching);
    // The key under the name of the cookie that may do everything.
    let port = server.host().split_off(10);
    let renamed = format!("Cookie: agon-{port}={}", server.watching);
    let form = "Content-Type: application/x-www-form-urlencoded";
    let body = format!("proof={proof}&text=hi&taken=taken&why=x&start=yes&topic=a+or+b");
    for path in [
        "/debates/one/note",
        "/debates/one/stop",
        "/debates/one/decide",
        "/debates/one/answer/proposer",
        "/new",
        "/api/debates",
        "/api/debates/one/note",
        "/mcp",
    ] {
        for who in [&cookie, &bearer, &renamed] {
            let first = format!("POST {path} HTTP/1.1");
            let answer = send(&server, &first, &[who, form, "X-Agon: 1"], &body);
            let status = if *who == renamed { 401 } else { 403 };
            assert_eq!(answer.status, status, "{path} {who}: {}", answer.body);
        }
    }
    let delete = send(&server, "DELETE /mcp HTTP/1.1", &[&cookie, "X-Agon: 1"], "");
    assert_eq!(delete.status, 403);
    assert_eq!(find::read(&path).unwrap().lines, before);
}

#[test]
fn a_watching_link_counts_only_with_its_cookie_and_only_if_it_is_shared() {
    let server = shared();
    assert_ne!(server.watching, server.key);
    assert_eq!(send(&server, "GET / HTTP/1.1", &[], "").status, 401);
    // The link in the referrer of another page, or in a field, is no key.
    let body = format!("key={}", server.watching);
    let first = "GET /debates/one HTTP/1.1";
    assert_eq!(send(&server, first, &["Cookie: agon=1"], &body).status, 401);
    // The user who tries the link can still steer.
    let both = format!(
        "{}; {}",
        server.cookie(),
        cookie(&server).trim_start_matches("Cookie: ")
    );
    let page = send(&server, first, &[&both, "Accept: text/html"], "");
    assert!(page.body.contains("method=\"post\""));
    // Another server of the same user does not know the link, unless it shares too.
    let alone = Running::start();
    assert!(alone.watching.is_empty());
}

#[test]
fn other_computers_reach_a_server_only_with_a_token_of_its_own() {
    let home = tempfile::tempdir().unwrap();
    let vars = [("HOME".into(), home.path().as_os_str().to_owned())];
    let caller = Caller::new(vars.into(), home.path());
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let bind = |options: WebOptions| {
        let options = WebOptions {
            port: Some(0),
            ..options
        };
        runtime.block_on(Server::bind(caller.clone(), options))
    };
    let origin = || Some(PublicOrigin::parse("https://agon.example.org").unwrap());
    let behind = |token_file| WebOptions {
        origin: origin(),
        token_file,
        ..WebOptions::default()
    };
    let refused = bind(behind(None)).err().unwrap();
    assert_eq!(refused.code, Code::MissingParameter);
    let everywhere = WebOptions {
        listen: Some([0, 0, 0, 0].into()),
        ..WebOptions::default()
    };
    assert_eq!(bind(everywhere).err().unwrap().code, Code::InvalidParameter);
    let file = home.path().join("token");
    for (text, mode) in [
        ("short", 0o600),
        (&"x y".repeat(20), 0o600),
        (&"a".repeat(64), 0o644),
    ] {
        fs::write(&file, text).unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(mode)).unwrap();
        assert_eq!(
            bind(behind(Some(file.clone()))).err().unwrap().code,
            Code::Store
        );
    }
    fs::write(&file, format!("{}\n", "a".repeat(64))).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
    let server = bind(behind(Some(file))).unwrap();
    assert!(!server.is_local());
    let address = format!("https://agon.example.org/?key={}", "a".repeat(64));
    assert_eq!(server.address(), address);
}

#[test]
fn a_server_behind_a_proxy_knows_its_own_pages_by_their_origin() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("token");
    fs::write(&file, "a".repeat(64)).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
    let options = WebOptions {
        origin: Some(PublicOrigin::parse("https://agon.example.org").unwrap()),
        token_file: Some(file),
        ..WebOptions::default()
    };
    let server = Running::with_options(options, Duration::from_secs(20));
    let cookie = server.cookie();
    let ask = |host: &str, origin: &str| {
        let lines = [
            "POST /debates HTTP/1.1".to_owned(),
            format!("Host: {host}"),
            format!("Origin: {origin}"),
            "X-Agon: 1".to_owned(),
            cookie.clone(),
        ];
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        server.send(&lines, "").status
    };
    assert_eq!(ask("agon.example.org", "https://agon.example.org"), 404);
    // The same name without encryption, or another one, is another site.
    assert_eq!(ask("agon.example.org", "http://agon.example.org"), 403);
    assert_eq!(ask("agon.example.org", "https://evil.example"), 403);
    assert_eq!(ask("evil.example", "https://agon.example.org"), 421);
    let first = format!("GET /?key={} HTTP/1.1", server.key);
    let arrived = server.send(&[&first, "Host: agon.example.org"], "");
    assert!(arrived.head.contains("; secure"), "{}", arrived.head);
}
