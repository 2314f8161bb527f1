//! A tool's activity during a run, from the events that it prints.
//!
//! Every tool has its own events, but only little is needed: that there are events, which calls were
//! made with which arguments, and which of them have not returned. Therefore all events are read by the
//! same few keys, and unknown events only count as activity.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use serde_json::Value;

/// Signs of a tool's activity so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HostSigns {
    /// Whether one of the tool's calls is running.
    pub has_open_tool: bool,
    /// The number of times that the last call was repeated in a row.
    pub repeats: u32,
    /// The number of latest calls in a row that had been made before.
    pub idle_turns: u32,
    /// The total number of calls.
    pub calls: u32,
    /// The tokens used, without those read from a cache: 0 until reported. Claude Code and OpenCode
    /// report them after each answer of their model, the others at the end.
    pub tokens: u64,
}

/// Collects [`HostSigns`] from a tool's output while it arrives.
#[derive(Debug, Default)]
pub struct HostActivity {
    read: usize,
    open: BTreeSet<String>,
    last: Option<u64>,
    seen: VecDeque<u64>,
    /// The tokens of each answer, by ID: an answer can be reported more than once.
    answers: BTreeMap<String, u64>,
    signs: HostSigns,
}

/// The maximum number of past calls that are compared.
const MAX_SEEN: usize = 256;

impl HostActivity {
    /// Reads the lines that are new since the last call; `None` if there is nothing new. `printed`
    /// is the whole output so far.
    pub fn read(&mut self, printed: &[u8]) -> Option<HostSigns> {
        let fresh = printed.get(self.read..).filter(|it| !it.is_empty())?;
        let whole = fresh
            .iter()
            .rposition(|&byte| byte == b'\n')
            .map(|at| at + 1);
        if let Some(whole) = whole {
            let lines = fresh.get(..whole).unwrap_or_default();
            for line in lines.split(|&byte| byte == b'\n') {
                if let Ok(event) = serde_json::from_slice::<Value>(line) {
                    self.record_event(&event, 0);
                }
            }
            self.read += whole;
        }
        self.signs.has_open_tool = !self.open.is_empty();
        Some(self.signs)
    }

    /// Searches an event for calls and results, some levels deep.
    fn record_event(&mut self, event: &Value, depth: usize) {
        const MAX_DEPTH: usize = 5;
        let Value::Object(entries) = event else {
            if let (Value::Array(items), true) = (event, depth < MAX_DEPTH) {
                for item in items {
                    self.record_event(item, depth + 1);
                }
            }
            return;
        };
        let text = |key: &str| entries.get(key).and_then(Value::as_str).unwrap_or_default();
        match text("type") {
            // Claude Code reports its calls inside the answer.
            "assistant" if depth == 0 => {
                if let Some(message) = entries.get("message") {
                    self.add_tokens(message["id"].as_str(), &message["usage"]);
                    self.record_event(message, depth + 1);
                }
            }
            // OpenCode reports tokens when a step ends.
            "step_finish" => {
                let part = entries.get("part").unwrap_or(&Value::Null);
                self.add_tokens(part["id"].as_str(), &part["tokens"]);
            }
            // Claude Code starts a call.
            "tool_use" if entries.contains_key("name") => {
                self.begin_call(text("id"), text("name"), entries.get("input"));
            }
            "tool_result" => self.end_call(text("tool_use_id")),
            // Codex starts or ends a call.
            "item.started" => self.item(entries.get("item"), true),
            "item.completed" => self.item(entries.get("item"), false),
            // Copilot starts a call.
            "tool.execution_start" => {
                let data = entries.get("data").unwrap_or(&Value::Null);
                let id = data["toolCallId"].as_str().unwrap_or_default();
                let name = data["toolName"].as_str().unwrap_or_default();
                self.begin_call(id, name, data.get("arguments"));
            }
            "tool.execution_complete" => {
                let id = entries.get("data").and_then(|it| it["toolCallId"].as_str());
                self.end_call(id.unwrap_or_default());
            }
            // OpenCode reports a call only after it has ended, so record both at once.
            "tool" if entries.contains_key("tool") => {
                let id = text("callID");
                let input = entries.get("state").and_then(|it| it.get("input"));
                self.begin_call(id, text("tool"), input);
                self.end_call(id);
            }
            _ => {
                for value in entries.values() {
                    if depth < MAX_DEPTH {
                        self.record_event(value, depth + 1);
                    }
                }
            }
        }
    }

    /// Adds the tokens of an answer, without those read from a cache.
    fn add_tokens(&mut self, id: Option<&str>, tokens: &Value) {
        let fresh = [
            "/input_tokens",
            "/cache_creation_input_tokens",
            "/output_tokens",
            "/input",
            "/output",
            "/reasoning",
            "/cache/write",
        ];
        let of = |path: &&str| tokens.pointer(path).and_then(Value::as_u64);
        let taken = fresh.iter().filter_map(of).fold(0, u64::saturating_add);
        if taken == 0 {
            return;
        }
        let id = match id {
            Some(id) => id.to_owned(),
            None => format!("answer {}", self.answers.len()),
        };
        let last = self.answers.entry(id).or_default();
        // A repeated report of an answer may have a higher count, so add only the difference.
        let more = taken.saturating_sub(*last);
        *last = taken.max(*last);
        self.signs.tokens = self.signs.tokens.saturating_add(more);
    }

    fn item(&mut self, item: Option<&Value>, begins: bool) {
        let item = item.unwrap_or(&Value::Null);
        let kind = item["type"].as_str().unwrap_or_default();
        let id = item["id"].as_str().unwrap_or_default();
        match kind {
            "command_execution" if begins => self.begin_call(id, kind, item.get("command")),
            "mcp_tool_call" if begins => {
                let name = format!("{} {}", item["server"], item["tool"]);
                self.begin_call(id, &name, item.get("arguments"));
            }
            "file_change" if begins => self.begin_call(id, kind, item.get("changes")),
            "command_execution" | "mcp_tool_call" | "file_change" => self.end_call(id),
            _ => {}
        }
    }

    fn begin_call(&mut self, id: &str, name: &str, arguments: Option<&Value>) {
        let mut hasher = DefaultHasher::new();
        name.hash(&mut hasher);
        arguments.map(Value::to_string).hash(&mut hasher);
        let call = hasher.finish();
        let is_last = self.last == Some(call);
        self.signs.repeats = if is_last {
            self.signs.repeats.saturating_add(1)
        } else {
            1
        };
        self.signs.idle_turns = if self.seen.contains(&call) {
            self.signs.idle_turns.saturating_add(1)
        } else {
            0
        };
        self.signs.calls = self.signs.calls.saturating_add(1);
        self.last = Some(call);
        if self.seen.len() >= MAX_SEEN {
            self.seen.pop_front();
        }
        self.seen.push_back(call);
        self.open.insert(id.to_owned());
    }

    fn end_call(&mut self, id: &str) {
        self.open.remove(id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(lines: &[&str]) -> HostSigns {
        let mut activity = HostActivity::default();
        let mut printed = Vec::new();
        let mut last = HostSigns::default();
        for line in lines {
            printed.extend_from_slice(line.as_bytes());
            printed.push(b'\n');
            last = activity.read(&printed).unwrap();
        }
        last
    }

    const BEGUN: [&str; 3] = [
        r#"{"type":"assistant","message":{"content":[{"type":"tool_use","id":"a","name":"Read","input":{"file_path":"x"}}]}}"#,
        r#"{"type":"item.started","item":{"id":"a","type":"command_execution","command":"ls"}}"#,
        r#"{"type":"tool.execution_start","data":{"toolCallId":"a","toolName":"view","arguments":{"path":"x"}}}"#,
    ];
    const ENDED: [&str; 3] = [
        r#"{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"a","content":"y"}]}}"#,
        r#"{"type":"item.completed","item":{"id":"a","type":"command_execution","command":"ls"}}"#,
        r#"{"type":"tool.execution_complete","data":{"toolCallId":"a"}}"#,
    ];

    #[test]
    fn a_call_is_open_until_its_result_comes() {
        for (begun, ended) in BEGUN.iter().zip(ENDED) {
            assert!(after(&[begun]).has_open_tool, "{begun}");
            assert!(!after(&[begun, ended]).has_open_tool, "{ended}");
        }
    }

    #[test]
    fn the_same_call_in_a_row_is_counted_and_another_begins_anew() {
        for begun in BEGUN {
            let other = begun.replace("\"x\"", "\"z\"").replace("\"ls\"", "\"pwd\"");
            assert_eq!(after(&[begun; 5]).repeats, 5, "{begun}");
            let mixed = after(&[begun, begun, &other, begun]);
            assert_eq!((mixed.repeats, mixed.idle_turns, mixed.calls), (1, 1, 4));
        }
        let done = r#"{"type":"tool_use","part":{"type":"tool","callID":"a","tool":"read","state":{"input":{"filePath":"x"}}}}"#;
        let signs = after(&[done; 3]);
        assert_eq!((signs.repeats, signs.has_open_tool), (3, false));
    }

    #[test]
    fn the_tokens_of_each_answer_are_counted_once_and_without_the_cache() {
        let claude = |id: &str, output: u64| {
            format!(
                r#"{{"type":"assistant","message":{{"id":"{id}","content":[],"usage":{{"input_tokens":3,"cache_creation_input_tokens":100,"cache_read_input_tokens":9000,"output_tokens":{output}}}}}}}"#
            )
        };
        let (first, grown, second) = (claude("a", 1), claude("a", 20), claude("b", 7));
        assert_eq!(after(&[&first]).tokens, 104);
        assert_eq!(after(&[&first, &grown, &grown, &second]).tokens, 123 + 110);
        let step = r#"{"type":"step_finish","part":{"reason":"stop","tokens":{"input":5,"output":2,"reasoning":1,"cache":{"read":900,"write":40}}}}"#;
        assert_eq!(after(&[step, step]).tokens, 96);
        assert_eq!(after(&[BEGUN[1], ENDED[1]]).tokens, 0);
    }

    #[test]
    fn what_is_no_event_and_half_a_line_are_a_sign_of_life() {
        let mut activity = HostActivity::default();
        assert_eq!(activity.read(b""), None);
        assert_eq!(activity.read(b"{\"type\":"), Some(HostSigns::default()));
        let whole = b"{\"type\":\"item.started\",\"item\":{\"id\":\"a\",\"type\":\"command_execution\"}}\nnoise\n";
        assert!(activity.read(whole).unwrap().has_open_tool);
        assert_eq!(activity.read(whole), None);
    }
}
