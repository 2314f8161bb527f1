//! How each tool is started without a terminal, and how its model hands a task to a role.

use std::path::PathBuf;

use agon_hosts::content::agent::Power;
use serde_json::{Value, json};

/// A call of a tool: its name and its arguments.
pub(super) type ToolCall = (String, Value);

/// One of the tools that a person works in.
pub(super) struct Driver {
    pub(super) host: &'static str,
    /// What it is started with before the prompt.
    args: &'static [&'static str],
    /// What it is started with after it: whatever it could ask is allowed, so that nothing but the
    /// limits of a role keeps a role from anything.
    allowed: &'static [&'static str],
    /// How its model hands a task to the role, with this prompt.
    delegate: fn(role: &str, prompt: &str) -> ToolCall,
    /// How its model writes a file, runs a command, and reads an address.
    act: fn(&Act) -> ToolCall,
    /// How a role hands in its result, where that takes a tool.
    pub(super) hand_in: Option<fn() -> ToolCall>,
    /// Whether its roles run beside the session, which has to be held open for them.
    pub(super) runs_beside: bool,
}

/// What a role's model is made to try.
pub(super) enum Act {
    Write(PathBuf),
    Create(PathBuf),
    Fetch(String),
}

impl Driver {
    /// The arguments with which it is given `prompt`.
    pub(super) fn args_for<'a>(&self, prompt: &'a str) -> Vec<&'a str>
    where
        'static: 'a,
    {
        [self.args, &[prompt], self.allowed].concat()
    }

    pub(super) fn delegate(&self, role: &str, turn: &str) -> ToolCall {
        self.delegate_with(role, &format!("Do it.\nTurn: {turn}\n"))
    }

    /// As [`Driver::delegate`], with this prompt.
    pub(super) fn delegate_with(&self, role: &str, prompt: &str) -> ToolCall {
        (self.delegate)(role, prompt)
    }

    pub(super) fn act(&self, act: &Act) -> ToolCall {
        (self.act)(act)
    }

    /// Whether what a role may do on the network is seen to arrive at an address on this machine:
    /// the others ask a service of their own first, or refuse such an address.
    pub(super) fn reaches_this_machine(&self) -> bool {
        matches!(self.host, "codex" | "opencode")
    }
}

/// What `act` takes, where a role is held to its limits.
pub(super) fn power_of(act: &Act) -> Power {
    match act {
        Act::Write(_) => Power::Edit,
        Act::Create(_) => Power::Run,
        Act::Fetch(_) => Power::Network,
    }
}

fn call(name: &str, args: Value) -> ToolCall {
    (name.to_owned(), args)
}

pub(super) const CLAUDE: Driver = Driver {
    host: "claude",
    args: &["-p"],
    allowed: &[
        "--output-format",
        "stream-json",
        "--verbose",
        "--allowedTools",
        "Write,Edit,Bash,WebFetch,Agent,Task,mcp__agon",
    ],
    delegate: |role, prompt| {
        let args = json!({"description": "d", "prompt": prompt, "subagent_type": role});
        call("Agent", args)
    },
    act: |act| match act {
        Act::Write(path) => call("Write", json!({"file_path": path, "content": "x"})),
        Act::Create(path) => call("Bash", json!({"command": touch(path), "description": "d"})),
        Act::Fetch(url) => call("WebFetch", json!({"url": url, "prompt": "What is there?"})),
    },
    hand_in: None,
    runs_beside: false,
};

pub(super) const CODEX: Driver = Driver {
    host: "codex",
    args: &[
        "exec",
        "--skip-git-repo-check",
        "-m",
        "gpt-5.3-codex",
        "-s",
        "danger-full-access",
        "-c",
        "agents.max_threads=32",
    ],
    allowed: &[],
    delegate: |role, prompt| {
        let args = json!({"agent_type": role, "message": prompt});
        call("multi_agent_v1/spawn_agent", args)
    },
    act: |act| {
        let line = match act {
            Act::Write(path) => format!("echo x > '{}'", path.display()),
            Act::Create(path) => touch(path),
            Act::Fetch(url) => fetch_line(url),
        };
        call("exec_command", json!({"cmd": line}))
    },
    hand_in: None,
    runs_beside: true,
};

pub(super) const GEMINI: Driver = Driver {
    host: "gemini",
    args: &["-p"],
    allowed: &["--skip-trust", "--approval-mode", "yolo"],
    delegate: |role, prompt| {
        let args = json!({"agent_name": role, "prompt": prompt});
        call("invoke_agent", args)
    },
    act: |act| match act {
        Act::Write(path) => call("write_file", json!({"file_path": path, "content": "x"})),
        Act::Create(path) => {
            let args = json!({"command": touch(path), "description": "d"});
            call("run_shell_command", args)
        }
        Act::Fetch(url) => call("web_fetch", json!({"prompt": format!("Read {url}")})),
    },
    hand_in: Some(|| call("complete_task", json!({"result": "done"}))),
    runs_beside: false,
};

pub(super) const OPENCODE: Driver = Driver {
    host: "opencode",
    args: &["run"],
    allowed: &[],
    delegate: |role, prompt| {
        let args = json!({"description": "d", "prompt": prompt, "subagent_type": role});
        call("task", args)
    },
    act: |act| match act {
        Act::Write(path) => call("write", json!({"filePath": path, "content": "x"})),
        Act::Create(path) => call("bash", json!({"command": touch(path), "description": "d"})),
        Act::Fetch(url) => call("webfetch", json!({"url": url, "format": "text"})),
    },
    hand_in: None,
    runs_beside: false,
};

pub(super) const COPILOT: Driver = Driver {
    host: "copilot",
    args: &["-p"],
    allowed: &["--no-auto-update", "--allow-all-tools", "--allow-all-urls"],
    delegate: |role, prompt| {
        let args = json!({"description": "d", "name": "n", "prompt": prompt, "agent_type": role, "mode": "sync"});
        call("task", args)
    },
    act: |act| match act {
        Act::Write(path) => call("create", json!({"path": path, "file_text": "x"})),
        Act::Create(path) => call("bash", json!({"command": touch(path), "description": "d"})),
        Act::Fetch(url) => call("web_fetch", json!({"url": url})),
    },
    hand_in: None,
    runs_beside: false,
};

fn touch(path: &std::path::Path) -> String {
    format!("touch '{}'", path.display())
}

/// A line for bash that asks for `url`, with nothing but bash.
fn fetch_line(url: &str) -> String {
    let rest = url.strip_prefix("http://").unwrap();
    let (address, path) = rest.split_once('/').unwrap();
    let (name, port) = address.split_once(':').unwrap();
    let request = format!("GET /{path} HTTP/1.0\\r\\n\\r\\n");
    format!("exec 3<>/dev/tcp/{name}/{port}; printf '{request}' >&3; cat <&3")
}
