//! A client of the protocol that writes and reads lines, so that each byte is seen.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::{Value, json};

/// Longer than any answer here takes.
const PATIENCE: Duration = Duration::from_secs(90);

/// A server that was started, and what it said.
pub(crate) struct Client {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    next: u64,
    /// Messages that were no answer to a request.
    pub(crate) notifications: Vec<Value>,
}

impl Client {
    /// Starts the server; nothing was said yet.
    pub(crate) fn start(mut command: Command) -> Self {
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.stderr(Stdio::inherit()).spawn().unwrap();
        let (send, lines) = channel();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        std::thread::spawn(move || {
            for line in stdout.lines() {
                if send.send(line.unwrap()).is_err() {
                    break;
                }
            }
        });
        Self {
            stdin: child.stdin.take(),
            child,
            lines,
            next: 1,
            notifications: Vec::new(),
        }
    }

    /// A server whose client speaks the version `version` with a handshake.
    pub(crate) fn initialized(command: Command, version: &str) -> (Self, Value) {
        Self::with_capabilities(command, version, json!({}))
    }

    /// As [`Client::initialized`], of a client that can do more. No request of the server is answered
    /// but by the test.
    pub(crate) fn with_capabilities(
        command: Command,
        version: &str,
        capabilities: Value,
    ) -> (Self, Value) {
        let mut client = Self::start(command);
        let answer = client.request(
            "initialize",
            json!({
                "protocolVersion": version,
                "capabilities": capabilities,
                "clientInfo": {"name": "test", "version": "0"},
            }),
        );
        client.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        (client, answer)
    }

    /// The server's process.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Writes a message.
    pub(crate) fn send(&mut self, message: &Value) {
        self.send_line(&message.to_string());
    }

    /// Writes a line.
    pub(crate) fn send_line(&mut self, line: &str) {
        self.send_bytes(line.as_bytes());
    }

    /// Writes a line of bytes that need not be text.
    pub(crate) fn send_bytes(&mut self, line: &[u8]) {
        let stdin = self.stdin.as_mut().unwrap();
        stdin.write_all(line).unwrap();
        stdin.write_all(b"\n").unwrap();
        stdin.flush().unwrap();
    }

    /// Writes a request, and gives its id.
    pub(crate) fn begin(&mut self, method: &str, params: Value) -> u64 {
        let id = self.next;
        self.next += 1;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        id
    }

    /// The answer to a request: result or error, whole.
    pub(crate) fn answer(&mut self, id: u64) -> Value {
        loop {
            let line = self.lines.recv_timeout(PATIENCE).unwrap();
            let message: Value = serde_json::from_str(&line)
                .unwrap_or_else(|_| panic!("a stray line on stdout: {line}"));
            assert_eq!(message["jsonrpc"], "2.0", "{message}");
            if message["id"] == json!(id) {
                return message;
            }
            self.notifications.push(message);
        }
    }

    /// The id of the next request of the server, which has this method.
    pub(crate) fn next_request(&mut self, method: &str) -> Value {
        let line = self.lines.recv_timeout(PATIENCE).unwrap();
        let message: Value = serde_json::from_str(&line).unwrap();
        assert_eq!(message["method"], method, "{message}");
        message["id"].clone()
    }

    /// Asks, and gives the whole answer.
    pub(crate) fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.begin(method, params);
        self.answer(id)
    }

    /// Calls a tool, and gives its result.
    pub(crate) fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let params = json!({"name": tool, "arguments": arguments});
        let answer = self.request("tools/call", params);
        let result = answer["result"].clone();
        assert!(result.is_object(), "{answer}");
        result
    }

    /// The document that a tool gave.
    pub(crate) fn document(&mut self, tool: &str, arguments: Value) -> Value {
        let result = self.call(tool, arguments);
        assert_eq!(result["isError"], json!(false), "{result}");
        let text = result["content"][0]["text"].as_str().unwrap();
        let document = result["structuredContent"].clone();
        assert_eq!(text, document.to_string(), "text and structure differ");
        document
    }

    /// The error that a tool gave.
    pub(crate) fn error(&mut self, tool: &str, arguments: Value) -> Value {
        let result = self.call(tool, arguments);
        assert_eq!(result["isError"], json!(true), "{result}");
        assert!(result.get("structuredContent").is_none(), "{result}");
        let text = result["content"][0]["text"].as_str().unwrap();
        let document: Value = serde_json::from_str(text).unwrap();
        assert_eq!(document["schema"], "agon.error/1");
        document["error"].clone()
    }

    /// Closes its stdin, and gives its exit code once it has ended.
    pub(crate) fn close(mut self) -> Option<i32> {
        drop(self.stdin.take());
        self.child.wait().unwrap().code()
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        drop(self.stdin.take());
        if self.child.try_wait().is_ok_and(|ended| ended.is_none()) {
            drop(self.child.kill());
        }
        drop(self.child.wait());
    }
}
