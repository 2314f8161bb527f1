//! `agon web`: a debate that starts from a page.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Stdio};

use agon_testkit::Behaviour;

use crate::scenarios::place::{Fakes, SEATED};
use crate::support::signal;

/// A running server.
struct Server {
    child: Child,
    host: String,
    key: String,
}

impl Server {
    fn start(fakes: &Fakes) -> Self {
        let words = ["web", "--no-open", "--port", "0"];
        let mut command = fakes.place.command(&words);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut printed = String::new();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        stdout.read_line(&mut printed).unwrap();
        let address = printed.trim().strip_prefix("http://").unwrap();
        let (host, key) = address.split_once("/?key=").unwrap();
        Self {
            child,
            host: host.to_owned(),
            key: key.to_owned(),
        }
    }

    /// Sends a request with the key, and returns the whole response.
    fn send(&self, first: &str, body: &str) -> String {
        let form = [
            "Content-Type: application/x-www-form-urlencoded",
            "Accept: text/html",
        ];
        self.send_with(first, &form, body)
    }

    fn send_with(&self, first: &str, headers: &[&str], body: &str) -> String {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        let (host, key, length) = (&self.host, &self.key, body.len());
        let request = format!(
            "{first} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {key}\r\n\
             {}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}",
            headers.join("\r\n")
        );
        stream.write_all(request.as_bytes()).unwrap();
        let mut reply = String::new();
        stream.read_to_string(&mut reply).unwrap();
        reply
    }

    /// Ends it as Ctrl-C does, and returns its exit code.
    fn interrupt(mut self) -> Option<i32> {
        signal("INT", self.child.id());
        self.child.wait().unwrap().code()
    }
}

#[test]
fn a_program_with_the_key_reaches_the_tools_of_the_protocol() {
    let fakes = Fakes::new();
    let server = Server::start(&fakes);
    let initialize = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}"#;
    let json = [
        "Content-Type: application/json",
        "Accept: application/json, text/event-stream",
    ];
    let reply = server.send_with("POST /mcp", &json, initialize);
    assert!(reply.starts_with("HTTP/1.1 200"), "{reply}");
    assert!(reply.contains("\"serverInfo\""), "{reply}");
    let session = reply
        .lines()
        .find(|line| line.to_lowercase().starts_with("mcp-session-id:"));
    let session = session.unwrap();
    let started = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
    let [kind, accept] = json;
    let known = [kind, accept, session, "Mcp-Protocol-Version: 2025-06-18"];
    server.send_with("POST /mcp", &known, started);
    let list = r#"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#;
    let tools = server.send_with("POST /mcp", &known, list);
    assert!(
        tools.contains("debate_start") && tools.contains("recall"),
        "{tools}"
    );
    let ended = server.send_with("DELETE /mcp", &known, "");
    assert!(ended.starts_with("HTTP/1.1 20"), "{ended}");
    // A page of another site, and a program without the key.
    let foreign = [kind, accept, "Origin: http://evil.example"];
    let refused = server.send_with("POST /mcp", &foreign, initialize);
    assert!(refused.starts_with("HTTP/1.1 403"), "{refused}");
    let keyless = Server {
        key: "0".repeat(64),
        ..server
    };
    let refused = keyless.send_with("POST /mcp", &json, initialize);
    assert!(refused.starts_with("HTTP/1.1 401"), "{refused}");
    assert_eq!(keyless.interrupt(), Some(0));
}

#[test]
fn a_debate_from_a_page_outlives_the_server() {
    let fakes = Fakes::new();
    let slow = Behaviour::Slow(1_500);
    fakes.tools.set_scenario(SEATED[0], "r1.pro", slow);
    let server = Server::start(&fakes);
    let [proposer, challenger, judge] = SEATED;
    let form = format!(
        "topic=SQLite+or+plain+files%3F&proposer={proposer}&challenger={challenger}&judge={judge}&context=none"
    );
    let planned = server.send("POST /new", &form);
    assert!(planned.contains("What it takes"), "{planned}");
    assert!(planned.contains("Start the debate"), "{planned}");
    let started = server.send("POST /new", &format!("{form}&start=yes"));
    let location = started.split("location: /debates/").nth(1);
    let name = location.unwrap_or_else(|| panic!("{started}"));
    let name = name.lines().next().unwrap().to_owned();
    let page = server.send(&format!("GET /debates/{name}"), "");
    assert!(page.contains("data-state=\"running\""), "{page}");
    assert_eq!(server.interrupt(), Some(0));
    let ended = fakes.place.run(&["wait", &name, "--json"]);
    assert_eq!(ended.json()["state"], "done", "{ended:#?}");
    // A server that is started again has the same key, so an open page reconnects.
    let again = Server::start(&fakes);
    let page = again.send(&format!("GET /debates/{name}"), "");
    assert!(page.contains("The answer"), "{page}");
    let text = again.send(&format!("GET /debates/{name}.md"), "");
    assert!(text.contains("# "), "{text}");
    assert_eq!(again.interrupt(), Some(0));
}
