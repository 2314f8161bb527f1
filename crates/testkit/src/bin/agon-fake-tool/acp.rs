//! The fake tool as an agent: a minimal JSON-RPC implementation over lines.

use std::fs::{self, OpenOptions};
use std::io::{BufRead, Write};
use std::process::{Command, ExitCode};
use std::sync::mpsc::{Receiver, channel};
use std::thread::{self, sleep};
use std::time::Duration;

use agon_testkit::acp::{Act, FakeAgent, Note};
use agon_testkit::{Behaviour, Cue, Script};
use serde_json::{Value, json};

use crate::act;
use crate::dialect::Tool;
use crate::record::Folder;

const SESSION: &str = "ses-fake";

/// Longer than any test waits.
const HANG_TIME: Duration = Duration::from_secs(300);

/// A fake agent with its session.
pub(crate) struct Agent {
    pub(crate) folder: Folder,
    pub(crate) name: String,
    pub(crate) tool: Tool,
    pub(crate) args: Vec<String>,
}

/// Returns whether the arguments start the fake as an agent.
pub(crate) fn is_agent_call(name: &str, args: &[String]) -> bool {
    let by_name = name.ends_with("-acp") || name.ends_with("-agent");
    by_name || args.iter().any(|arg| arg == "--acp" || arg == "acp")
}

/// The state of a session.
struct Talk<'a> {
    agent: &'a Agent,
    plan: FakeAgent,
    script: Script,
    lines: Receiver<Value>,
    mode: String,
    told: Vec<String>,
    requests: u64,
}

/// How a turn ends.
enum End {
    /// With a reason.
    Stop(String),
    /// With an error.
    Error(i32, String, Value),
    /// With the process.
    Exit(i32),
    /// Never.
    Never,
}

impl Agent {
    /// Serves requests until the input ends.
    pub(crate) fn serve(self) -> ExitCode {
        let plan = self.plan();
        if plan.stubborn && std::env::var_os("AGON_FAKE_STUBBORN").is_none() {
            return self.run_stubborn();
        }
        self.record_note("start", &json!({"args": self.args}));
        let (send, lines) = channel();
        thread::spawn(move || {
            for line in std::io::stdin().lock().lines().map_while(Result::ok) {
                let Ok(message) = serde_json::from_str(&line) else {
                    continue;
                };
                if send.send(message).is_err() {
                    break;
                }
            }
        });
        let mut talk = Talk {
            mode: plan.modes.first().cloned().unwrap_or_default(),
            script: self.folder.script(),
            plan,
            agent: &self,
            lines,
            told: Vec::new(),
            requests: 0,
        };
        let code = talk.run();
        self.record_note("eof", &Value::Null);
        if talk.plan.stubborn {
            sleep(HANG_TIME);
        }
        ExitCode::from(u8::try_from(code).unwrap_or(1))
    }

    /// Runs the same behind a shell that ignores TERM, because an ignored signal stays ignored
    /// after exec.
    fn run_stubborn(&self) -> ExitCode {
        use std::os::unix::process::CommandExt;
        let mut shell = Command::new("/bin/sh");
        shell
            .arg("-c")
            .arg("trap '' TERM INT HUP; exec \"$0\" \"$@\"")
            .arg(self.folder.0.join(&self.name))
            .args(&self.args)
            .env("AGON_FAKE_STUBBORN", "1");
        let cause = shell.exec();
        ExitCode::from(u8::from(!cause.to_string().is_empty()))
    }

    fn plan(&self) -> FakeAgent {
        let path = self.folder.0.join(format!("{}.agent.json", self.name));
        fs::read(path).map_or_else(
            |_| FakeAgent::default(),
            |bytes| serde_json::from_slice(&bytes).unwrap(),
        )
    }

    fn record_note(&self, what: &str, with: &Value) {
        let note = Note {
            tool: self.name.clone(),
            pid: std::process::id(),
            what: what.into(),
            with: with.clone(),
        };
        let line = format!("{}\n", serde_json::to_string(&note).unwrap());
        let path = self.folder.0.join("notes.jsonl");
        let mut file = OpenOptions::new().create(true).append(true).open(path);
        file.as_mut().unwrap().write_all(line.as_bytes()).unwrap();
    }
}

/// Prints one message; ignores a broken pipe.
fn print(message: &Value) {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{message}").and_then(|()| out.flush()).ok();
}

impl Talk<'_> {
    fn run(&mut self) -> i32 {
        while let Ok(message) = self.lines.recv() {
            let id = message["id"].clone();
            let params = &message["params"];
            let answer = match message["method"].as_str() {
                Some("initialize") => Ok(json!({"protocolVersion": self.plan.version,
                    "agentCapabilities": {}, "agentInfo": {"name": "fake", "version": "1"}})),
                Some("session/new") => {
                    self.agent.record_note("session", params);
                    let acts = self.plan.opening.clone();
                    match self.act(&acts) {
                        Some(End::Exit(code)) => return code,
                        Some(End::Never) => continue,
                        Some(End::Error(code, message, data)) => {
                            Err(json!({"code": code, "message": message, "data": data}))
                        }
                        Some(End::Stop(_)) | None => Ok(self.conversation()),
                    }
                }
                Some("session/set_mode") => {
                    self.agent.record_note("mode", params);
                    if self.plan.keeps_mode {
                        Err(json!({"code": -32603, "message": "no"}))
                    } else {
                        self.mode = params["modeId"].as_str().unwrap_or_default().into();
                        Ok(json!({}))
                    }
                }
                Some("session/set_config_option") => {
                    self.agent.record_note("option", params);
                    Ok(json!({"configOptions": self.options()}))
                }
                Some("session/set_title") => Ok(json!({})),
                Some("session/prompt") => match self.prompt(&params.clone()) {
                    End::Stop(reason) => Ok(self.answer(&reason)),
                    End::Error(code, message, data) => {
                        Err(json!({"code": code, "message": message, "data": data}))
                    }
                    End::Exit(code) => return code,
                    End::Never => continue,
                },
                Some(_) | None => continue,
            };
            let key = if answer.is_ok() { "result" } else { "error" };
            let value = answer.unwrap_or_else(|error| error);
            print(&json!({"jsonrpc": "2.0", "id": id, key: value}));
            if self.told.last().is_some_and(|told| told == "\0end") {
                return 0;
            }
        }
        0
    }

    fn conversation(&self) -> Value {
        let mut new = json!({"sessionId": SESSION, "configOptions": self.options()});
        if !self.plan.modes.is_empty() {
            let modes = self.plan.modes.iter();
            let modes: Vec<_> = modes.map(|id| json!({"id": id, "name": id})).collect();
            new["modes"] = json!({"currentModeId": self.mode, "availableModes": modes});
        }
        new
    }

    fn options(&self) -> Value {
        let option = |id: &str, category: &str, values: &[String]| {
            let all: Vec<_> = values
                .iter()
                .map(|value| json!({"value": value, "name": value}))
                .collect();
            json!({"id": id, "name": id, "category": category, "type": "select",
                "currentValue": values.first(), "options": all})
        };
        let mut options = Vec::new();
        if !self.plan.models.is_empty() {
            options.push(option("model", "model", &self.plan.models));
        }
        if !self.plan.efforts.is_empty() {
            options.push(option("effort", "thought_level", &self.plan.efforts));
        }
        Value::Array(options)
    }

    fn prompt(&mut self, params: &Value) -> End {
        let blocks = params["prompt"].as_array().into_iter().flatten();
        let text: String = blocks.filter_map(|block| block["text"].as_str()).collect();
        self.agent
            .record_note("prompt", &json!({"bytes": text.len(), "mode": self.mode}));
        self.told
            .push(text.lines().next().unwrap_or_default().to_owned());
        let cue = Cue::of(&text);
        let turn = cue.turn.clone().unwrap_or_default();
        let behaviour = self
            .agent
            .folder
            .behaviour(self.agent.tool, &turn, &self.script);
        let earlier = self.agent.folder.count_calls(self.agent.tool, &cue);
        let (tool, args) = (self.agent.tool, &self.agent.args);
        self.agent
            .folder
            .record(tool, &cue, args, Some(text.as_bytes()));
        let number = self.told.len() - 1;
        if let Some(acts) = self.plan.prompts.get(number).cloned() {
            let spoke = acts
                .iter()
                .any(|act| matches!(act, Act::Say(_) | Act::Recall));
            if let Some(end) = self.act(&acts) {
                return end;
            }
            if spoke {
                return End::Stop("end_turn".into());
            }
        } else if let Some(end) = self.behave(behaviour, earlier) {
            return end;
        }
        let reply = act::fill_working_directory(&self.script.reply_to(&cue, &text));
        let reply = match behaviour {
            Behaviour::Half => act::first_half(&reply).to_owned(),
            Behaviour::WrongThenRight if cue.again == 0 => act::invalid_reply(&reply),
            Behaviour::WrongAlways => act::invalid_reply(&reply),
            Behaviour::Secret => act::with_secrets(&reply),
            Behaviour::Ansi => act::with_escapes(&reply),
            Behaviour::WrongThenRight
            | Behaviour::Good
            | Behaviour::Slow(_)
            | Behaviour::Hang
            | Behaviour::Garbage
            | Behaviour::Empty
            | Behaviour::ErrorText
            | Behaviour::Rc1
            | Behaviour::Auth
            | Behaviour::OwnModelOnly
            | Behaviour::RateLimit
            | Behaviour::Overloaded
            | Behaviour::Signal
            | Behaviour::Flood
            | Behaviour::Grandchild
            | Behaviour::IgnoreTerm
            | Behaviour::PartialThenHang
            | Behaviour::DoneThenHang
            | Behaviour::FailFirst(_)
            | Behaviour::Meddle
            | Behaviour::Forgets
            | Behaviour::LoggedOut => reply,
        };
        // Sends the reply in two chunks, as a streaming agent does.
        let mut cut = reply.len() / 2;
        while !reply.is_char_boundary(cut) {
            cut -= 1;
        }
        self.send_text(&reply[..cut]);
        self.send_text(&reply[cut..]);
        End::Stop("end_turn".into())
    }

    /// The actions of a behaviour before the reply, or instead of it.
    fn behave(&mut self, behaviour: Behaviour, earlier: usize) -> Option<End> {
        let auth = "Error: Authentication failed with provider (HTTP 401).";
        let acts = match behaviour {
            Behaviour::Slow(ms) => vec![Act::Wait(ms)],
            Behaviour::Hang => vec![Act::Hang],
            Behaviour::Garbage => vec![Act::Garbage],
            Behaviour::Empty => vec![Act::Empty],
            Behaviour::ErrorText => vec![
                Act::Say("Error: something went wrong (HTTP 500)".into()),
                Act::Stop("end_turn".into()),
            ],
            Behaviour::Rc1 => vec![Act::Die(1)],
            Behaviour::Auth if self.agent.tool == Tool::Copilot => {
                vec![Act::Say(auth.into()), Act::Stop("end_turn".into())]
            }
            Behaviour::Auth => vec![Act::Error(401, "invalid api key".into(), Value::Null)],
            Behaviour::RateLimit => vec![Act::Error(429, "rate limited".into(), Value::Null)],
            Behaviour::Overloaded => vec![Act::Error(529, "overloaded".into(), Value::Null)],
            Behaviour::Signal => vec![Act::Die(137)],
            Behaviour::Flood => vec![Act::Long(100 << 20)],
            Behaviour::IgnoreTerm => vec![Act::IgnoreCancel],
            Behaviour::PartialThenHang => vec![Act::Say("The beginning".into()), Act::Hang],
            Behaviour::FailFirst(times) if earlier < times as usize => vec![Act::Die(1)],
            Behaviour::Grandchild => {
                act::leave_child();
                vec![]
            }
            Behaviour::Meddle => {
                act::change_files();
                vec![]
            }
            Behaviour::Good
            | Behaviour::OwnModelOnly
            | Behaviour::DoneThenHang
            | Behaviour::Half
            | Behaviour::WrongThenRight
            | Behaviour::WrongAlways
            | Behaviour::Secret
            | Behaviour::Ansi
            | Behaviour::FailFirst(_)
            | Behaviour::Forgets
            | Behaviour::LoggedOut => vec![],
        };
        self.act(&acts)
    }

    fn act(&mut self, acts: &[Act]) -> Option<End> {
        for act in acts {
            match act {
                Act::Say(text) => self.send_text(text),
                Act::Recall => self.send_text(&self.told.join("\n")),
                Act::Think(text) => self
                    .send_update(json!({"sessionUpdate": "agent_thought_chunk",
                    "content": {"type": "text", "text": text}})),
                Act::Empty => return Some(End::Stop("end_turn".into())),
                Act::Stop(reason) => return Some(End::Stop(reason.clone())),
                Act::Ask { kind, at } => self.request_tool_permission(kind, at),
                Act::Request(method, params) => {
                    let answer = self.request(method, params);
                    self.agent.record_note("answer", &answer);
                }
                Act::Use(kind) => {
                    self.send_update(
                        json!({"sessionUpdate": "tool_call", "toolCallId": "call-fake",
                        "title": "Uses it", "kind": kind, "status": "in_progress"}),
                    );
                    self.send_update(json!({"sessionUpdate": "tool_call_update",
                        "toolCallId": "call-fake", "status": "completed"}));
                }
                Act::Enter(mode) => self
                    .send_update(json!({"sessionUpdate": "current_mode_update",
                    "currentModeId": mode})),
                Act::Hang => {
                    while let Ok(message) = self.lines.recv() {
                        if message["method"] == "session/cancel" {
                            self.agent.record_note("cancel", &message["params"]);
                            return Some(End::Stop("cancelled".into()));
                        }
                    }
                    return Some(End::Exit(0));
                }
                Act::IgnoreCancel => {
                    while self.lines.recv().is_ok() {}
                    sleep(HANG_TIME);
                    return Some(End::Never);
                }
                Act::Die(code) => return Some(End::Exit(*code)),
                Act::Garbage => {
                    let mut out = std::io::stdout().lock();
                    out.write_all(b"<html>not what you asked for \xff\xfe {{{\n")
                        .ok();
                    out.flush().ok();
                }
                Act::Raw(bytes) => {
                    let mut out = std::io::stdout().lock();
                    out.write_all(bytes)
                        .and_then(|()| out.write_all(b"\n"))
                        .ok();
                    out.flush().ok();
                }
                Act::Long(bytes) => {
                    let mut out = std::io::stdout().lock();
                    let block = [b'x'; 1 << 16];
                    for _ in 0..bytes / block.len() {
                        if out.write_all(&block).is_err() {
                            return Some(End::Exit(141));
                        }
                    }
                    out.write_all(b"\n").ok();
                }
                Act::Flood(pieces, bytes) => {
                    for _ in 0..*pieces {
                        self.send_text(&"y".repeat(*bytes));
                    }
                }
                Act::Error(code, message, data) => {
                    return Some(End::Error(*code, message.clone(), data.clone()));
                }
                Act::AnswerAndEnd => {
                    self.send_text("my last words");
                    self.told.push("\0end".into());
                    return Some(End::Stop("end_turn".into()));
                }
                Act::Wait(ms) => sleep(Duration::from_millis(*ms)),
            }
        }
        None
    }

    /// Requests a permission, with the options in an order in which choosing by index would be
    /// wrong.
    fn request_tool_permission(&mut self, kind: &str, at: &[String]) {
        let locations: Vec<_> = at.iter().map(|path| json!({"path": path})).collect();
        let call = json!({"toolCallId": "call-1", "title": "a tool", "kind": kind,
            "locations": locations});
        let option = |id, kind| json!({"optionId": id, "name": id, "kind": kind});
        let options = [
            option("1", "allow_always"),
            option("2", "allow_once"),
            option("3", "allow_for_a_while"),
            option("4", "reject_always"),
            option("5", "reject_once"),
        ];
        let answer = self.request(
            "session/request_permission",
            &json!({"sessionId": SESSION, "toolCall": call, "options": options}),
        );
        self.agent.record_note("answer", &answer);
        let id = answer["result"]["outcome"]["optionId"].as_str();
        if matches!(id, Some("1" | "2" | "3")) {
            fs::write(self.agent.folder.0.join("allowed"), kind).unwrap();
        }
    }

    /// Sends a request and returns the answer; ids begin at 0.
    fn request(&mut self, method: &str, params: &Value) -> Value {
        let id = self.requests;
        self.requests += 1;
        print(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        while let Ok(message) = self.lines.recv() {
            if message["id"] == id && message["method"].is_null() {
                return message;
            }
        }
        Value::Null
    }

    fn send_text(&self, text: &str) {
        self.send_update(json!({"sessionUpdate": "agent_message_chunk",
            "content": {"type": "text", "text": text}}));
    }

    fn send_update(&self, update: Value) {
        print(&json!({"jsonrpc": "2.0", "method": "session/update",
            "params": {"sessionId": SESSION, "update": update}}));
    }

    /// The answer to a prompt: 1000 tokens in, 300 of them from a cache, 50 out.
    fn answer(&self, reason: &str) -> Value {
        let times = if self.plan.cumulative {
            self.told.len()
        } else {
            1
        };
        json!({"stopReason": reason, "usage": {"inputTokens": 700 * times,
            "cachedReadTokens": 300 * times, "outputTokens": 50 * times, "totalTokens": 1050 * times}})
    }
}
