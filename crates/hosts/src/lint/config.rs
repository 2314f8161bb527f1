//! Configurations: the servers and hooks in them, by what each host reads.

use serde_json::{Map, Value};

use super::finding::Findings;
use super::keys::{self, Source};
use super::sort::Config;
use crate::json::Dialect;
use crate::shape::{ANY_LENGTH, FileKey, ValueShape, optional, required};

pub(super) fn lint(text: &str, config: Config, findings: &mut Findings) {
    let source = Source { text, before: 0 };
    match config {
        Config::Servers(dialect) => {
            if let Some(root) = read_json(text, dialect, findings) {
                check_servers(root.get("mcpServers"), SERVER_KEYS, source, findings);
            }
        }
        Config::CodexPlugin => {
            if let Some(root) = read_json(text, Dialect::Plain, findings) {
                check_servers(root.get("mcpServers"), CODEX_SERVER_KEYS, source, findings);
            }
        }
        Config::Gemini => {
            if let Some(root) = read_json(text, Dialect::Comments, findings) {
                check_servers(root.get("mcpServers"), GEMINI_SERVER_KEYS, source, findings);
                check_hooks(root.get("hooks"), GEMINI_EVENTS, source, findings);
            }
        }
        Config::ClaudeSettings => {
            if let Some(root) = read_json(text, Dialect::Plain, findings) {
                if root.contains_key("mcpServers") {
                    let message = "servers are not read from this file, but from .mcp.json and ~/.claude.json";
                    findings.add("not-read", source.line_of("mcpServers"), message);
                }
                check_hooks(root.get("hooks"), CLAUDE_EVENTS, source, findings);
            }
        }
        Config::OpenCode => {
            if let Some(root) = read_json(text, Dialect::CommentsAndCommas, findings) {
                keys::check(&root, OPENCODE_KEYS, source, findings);
                check_opencode_servers(root.get("mcp"), source, findings);
            }
        }
        Config::Codex => {
            if let Some(root) = read_toml(text, findings) {
                check_servers(root.get("mcp_servers"), CODEX_SERVER_KEYS, source, findings);
            }
        }
    }
}

// A server is a program or an address; which of the two is looked at apart.
const SERVER_KEYS: &[FileKey] = &[
    optional(
        "type",
        ValueShape::OneOf(&["stdio", "local", "http", "sse", "ws"]),
    ),
    optional("command", ValueShape::Text(ANY_LENGTH)),
    optional("args", ValueShape::Texts),
    optional("env", ValueShape::TextMap),
    optional("cwd", ValueShape::Text(ANY_LENGTH)),
    optional("url", ValueShape::Text(ANY_LENGTH)),
    optional("headers", ValueShape::TextMap),
    optional("headersHelper", ValueShape::Text(ANY_LENGTH)),
    optional("oauth", ValueShape::Any),
    optional("tools", ValueShape::Texts),
    optional("timeout", ValueShape::Count),
    optional("alwaysLoad", ValueShape::Bool),
];

const GEMINI_SERVER_KEYS: &[FileKey] = &[
    optional("command", ValueShape::Text(ANY_LENGTH)),
    optional("args", ValueShape::Texts),
    optional("env", ValueShape::TextMap),
    optional("cwd", ValueShape::Text(ANY_LENGTH)),
    optional("url", ValueShape::Text(ANY_LENGTH)),
    optional("httpUrl", ValueShape::Text(ANY_LENGTH)),
    optional("type", ValueShape::OneOf(&["stdio", "http", "sse"])),
    optional("tcp", ValueShape::Text(ANY_LENGTH)),
    optional("headers", ValueShape::TextMap),
    optional("timeout", ValueShape::Count),
    optional("trust", ValueShape::Bool),
    optional("description", ValueShape::Text(ANY_LENGTH)),
    optional("includeTools", ValueShape::Texts),
    optional("excludeTools", ValueShape::Texts),
    optional("extension", ValueShape::Any),
    optional("oauth", ValueShape::Any),
    optional("authProviderType", ValueShape::Text(ANY_LENGTH)),
    optional("targetAudience", ValueShape::Text(ANY_LENGTH)),
    optional("targetServiceAccount", ValueShape::Text(ANY_LENGTH)),
];

const CODEX_SERVER_KEYS: &[FileKey] = &[
    optional("command", ValueShape::Text(ANY_LENGTH)),
    optional("args", ValueShape::Texts),
    optional("env", ValueShape::TextMap),
    optional("env_vars", ValueShape::Any),
    optional("cwd", ValueShape::Text(ANY_LENGTH)),
    optional("url", ValueShape::Text(ANY_LENGTH)),
    optional("bearer_token_env_var", ValueShape::Text(ANY_LENGTH)),
    optional("http_headers", ValueShape::TextMap),
    optional("env_http_headers", ValueShape::TextMap),
    optional("startup_timeout_sec", ValueShape::Number(0.0, 86_400.0)),
    optional("startup_timeout_ms", ValueShape::Count),
    optional("tool_timeout_sec", ValueShape::Number(0.0, 86_400.0)),
    optional("enabled", ValueShape::Bool),
    optional("required", ValueShape::Bool),
    optional("supports_parallel_tool_calls", ValueShape::Bool),
    optional(
        "default_tools_approval_mode",
        ValueShape::OneOf(&["auto", "prompt", "approve"]),
    ),
    optional("enabled_tools", ValueShape::Texts),
    optional("disabled_tools", ValueShape::Texts),
    optional("scopes", ValueShape::Texts),
    optional("oauth_resource", ValueShape::Text(ANY_LENGTH)),
    optional("tools", ValueShape::Map),
];

// Of version 1.18.33, which takes others without a word.
const OPENCODE_KEYS: &[FileKey] = &[
    optional("$schema", ValueShape::Text(ANY_LENGTH)),
    optional("shell", ValueShape::Text(ANY_LENGTH)),
    optional(
        "logLevel",
        ValueShape::OneOf(&["DEBUG", "INFO", "WARN", "ERROR"]),
    ),
    optional("server", ValueShape::Map),
    optional("command", ValueShape::Map),
    optional("skills", ValueShape::Map),
    optional("references", ValueShape::Any),
    optional("watcher", ValueShape::Map),
    optional("snapshot", ValueShape::Bool),
    optional("plugin", ValueShape::Any),
    optional("share", ValueShape::OneOf(&["manual", "auto", "disabled"])),
    optional("autoupdate", ValueShape::Any),
    optional("disabled_providers", ValueShape::Texts),
    optional("enabled_providers", ValueShape::Texts),
    optional("model", ValueShape::ProviderModel),
    optional("small_model", ValueShape::ProviderModel),
    optional("default_agent", ValueShape::Text(ANY_LENGTH)),
    optional("subagent_depth", ValueShape::Any),
    optional("username", ValueShape::Text(ANY_LENGTH)),
    optional("agent", ValueShape::Map),
    optional("provider", ValueShape::Map),
    optional("mcp", ValueShape::Map),
    optional("formatter", ValueShape::Any),
    optional("lsp", ValueShape::Any),
    optional("instructions", ValueShape::Texts),
    optional("permission", ValueShape::Any),
    optional("tools", ValueShape::Map),
    optional("attachment", ValueShape::Map),
    optional("enterprise", ValueShape::Map),
    optional("tool_output", ValueShape::Map),
    optional("compaction", ValueShape::Map),
    optional("experimental", ValueShape::Map),
];

const OPENCODE_LOCAL_KEYS: &[FileKey] = &[
    required("type", ValueShape::OneOf(&["local"])),
    required("command", ValueShape::Texts),
    optional("environment", ValueShape::TextMap),
    optional("cwd", ValueShape::Text(ANY_LENGTH)),
    optional("enabled", ValueShape::Bool),
    optional("timeout", ValueShape::Any),
];

const OPENCODE_REMOTE_KEYS: &[FileKey] = &[
    required("type", ValueShape::OneOf(&["remote"])),
    required("url", ValueShape::Text(ANY_LENGTH)),
    optional("headers", ValueShape::TextMap),
    optional("oauth", ValueShape::Any),
    optional("enabled", ValueShape::Bool),
    optional("timeout", ValueShape::Any),
];

pub(super) const CLAUDE_EVENTS: &[&str] = &[
    "ConfigChange",
    "CwdChanged",
    "Elicitation",
    "ElicitationResult",
    "FileChanged",
    "InstructionsLoaded",
    "Notification",
    "PermissionDenied",
    "PermissionRequest",
    "PostCompact",
    "PostToolUse",
    "PostToolUseFailure",
    "PreCompact",
    "PreToolUse",
    "SessionEnd",
    "SessionStart",
    "Setup",
    "Stop",
    "StopFailure",
    "SubagentStart",
    "SubagentStop",
    "TaskCompleted",
    "TaskCreated",
    "TeammateIdle",
    "UserPromptSubmit",
    "WorktreeCreate",
    "WorktreeRemove",
];

const GEMINI_EVENTS: &[&str] = &[
    "AfterAgent",
    "AfterModel",
    "AfterTool",
    "BeforeAgent",
    "BeforeModel",
    "BeforeTool",
    "BeforeToolSelection",
    "Notification",
    "PreCompress",
    "SessionEnd",
    "SessionStart",
];

/// The map in `text`.
pub(super) fn read_json(
    text: &str,
    dialect: Dialect,
    findings: &mut Findings,
) -> Option<Map<String, Value>> {
    match dialect.parse(text) {
        Ok(Some(Value::Object(root))) => Some(root),
        Ok(Some(_)) => {
            findings.add("json", 1, "it is no map");
            None
        }
        Ok(None) => {
            findings.add("json", 1, "nothing is in it");
            None
        }
        Err(error) => {
            findings.add("json", 1, format!("its host cannot read it: {error}"));
            None
        }
    }
}

/// The map in `text`.
pub(super) fn read_toml(text: &str, findings: &mut Findings) -> Option<Map<String, Value>> {
    match toml::from_str::<Map<String, Value>>(text) {
        Ok(root) => Some(root),
        Err(error) => {
            let upto = error.span().and_then(|span| text.get(..span.start));
            let line = upto.map_or(1, |upto| upto.matches('\n').count() + 1);
            findings.add("toml", line, format!("it is not TOML: {}", error.message()));
            None
        }
    }
}

fn check_servers(
    servers: Option<&Value>,
    keys: &[FileKey],
    source: Source<'_>,
    findings: &mut Findings,
) {
    let Some(servers) = servers else { return };
    let Some(servers) = servers.as_object() else {
        findings.add("bad-value", 1, "the servers are no map");
        return;
    };
    for (name, server) in servers {
        let line = source.line_of(name);
        let Some(server) = server.as_object() else {
            findings.add("bad-value", line, format!("the server `{name}` is no map"));
            continue;
        };
        keys::check(server, keys, source, findings);
        let ways = ["command", "url", "httpUrl", "tcp"];
        let count = ways.iter().filter(|way| server.contains_key(**way)).count();
        if count != 1 {
            let message =
                format!("the server `{name}` has {count} of `command` and `url` instead of one");
            findings.add("server", line, message);
        }
    }
}

fn check_opencode_servers(servers: Option<&Value>, source: Source<'_>, findings: &mut Findings) {
    for (name, server) in servers.and_then(Value::as_object).into_iter().flatten() {
        let line = source.line_of(name);
        let Some(server) = server.as_object() else {
            findings.add("bad-value", line, format!("the server `{name}` is no map"));
            continue;
        };
        let is_remote = server.get("type").is_some_and(|kind| kind == "remote");
        let is_switch = server.len() == 1 && server.contains_key("enabled");
        match (is_switch, is_remote) {
            (true, _) => {}
            (false, true) => keys::check(server, OPENCODE_REMOTE_KEYS, source, findings),
            (false, false) => keys::check(server, OPENCODE_LOCAL_KEYS, source, findings),
        }
    }
}

/// Holds the names of events to those that the host has.
pub(super) fn check_hooks(
    hooks: Option<&Value>,
    events: &[&str],
    source: Source<'_>,
    findings: &mut Findings,
) {
    let Some(hooks) = hooks else { return };
    let Some(hooks) = hooks.as_object() else {
        findings.add("bad-value", source.line_of("hooks"), "`hooks` is no map");
        return;
    };
    for event in hooks.keys() {
        if !events.contains(&event.as_str()) {
            let message = format!("there is no event `{event}`");
            findings.add("event", source.line_of(event), message);
        }
    }
}
