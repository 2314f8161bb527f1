//! Malformed files, each with one fault, and what hosts make of it.

/// A malformed file.
pub(super) struct Case {
    pub(super) path: &'static str,
    pub(super) text: &'static str,
    /// The code of the one finding.
    pub(super) code: &'static str,
    /// What hosts make of the file, as it was seen with their programs.
    pub(super) host: &'static str,
}

const fn case(
    path: &'static str,
    text: &'static str,
    code: &'static str,
    host: &'static str,
) -> Case {
    Case {
        path,
        text,
        code,
        host,
    }
}

macro_rules! repeat {
    ($name:ident, $text:literal) => {
        /// The text, sixteen times so often.
        macro_rules! $name {
            () => {
                concat!(
                    $text, $text, $text, $text, $text, $text, $text, $text, $text, $text, $text,
                    $text, $text, $text, $text, $text
                )
            };
        }
    };
}

repeat!(
    hundreds,
    "A text of a hundred characters is what this is, so that sixteen of them are longer than 1,024, then."
);
repeat!(
    lines,
    "x\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\n"
);

/// Every one.
pub(super) const CASES: &[Case] = &[
    case(
        "skills/a/SKILL.md",
        "---\nname: \"b\"\ndescription: \"d\"\n---\n\nDo it.\n",
        "name",
        "Claude Code takes the name of the folder, the others that of the file",
    ),
    case(
        "skills/a/SKILL.md",
        "---\nname: \"a\"\n---\n\nDo it.\n",
        "missing-key",
        "OpenCode lists it, Copilot shows its body, Claude Code, Codex and Gemini CLI drop it",
    ),
    case(
        "skills/Upper_Case/SKILL.md",
        "---\nname: \"Upper_Case\"\ndescription: \"d\"\n---\n\nDo it.\n",
        "bad-value",
        "all take it, the specification does not",
    ),
    case(
        "skills/a/SKILL.md",
        concat!(
            "---\nname: \"a\"\ndescription: \"",
            hundreds!(),
            "\"\n---\n\nDo it.\n"
        ),
        "bad-value",
        "Codex cuts it, Copilot refuses it",
    ),
    case(
        "skills/a/SKILL.md",
        "---\nname: \"a\"\ndescription: \"d\"\nmetadata:\n  n: 3\n---\n\nDo it.\n",
        "bad-value",
        "all take it, the specification does not",
    ),
    case(
        "skills/a/SKILL.md",
        "---\nname: \"a\"\ndescription: \"d\"\nmetadata:\n  n: [\"x\"]\n---\n\nDo it.\n",
        "bad-value",
        "all take it, the specification does not",
    ),
    case(
        "skills/a/SKILL.md",
        "---\nname: \"a\"\ndescription: \"Use it when asked.\"\ntriggers: [\"x\"]\n---\n\nDo it.\n",
        "unknown-key",
        "all take it, the specification does not",
    ),
    case(
        "skills/b/a/SKILL.md",
        "---\nname: \"a\"\ndescription: \"Use it when asked.\"\n---\n\nDo it.\n",
        "nested",
        "Claude Code and Gemini CLI do not find it",
    ),
    case(
        "skills/a/SKILL.md",
        "Do it.\n",
        "front-matter",
        "none takes it; Copilot shows an error",
    ),
    case(
        "skills/a/SKILL.md",
        "---\nname: \"a\"\ndescription: \"Use it when asked.\"\n",
        "front-matter",
        "none takes it",
    ),
    case(
        "skills/a/SKILL.md",
        "\u{feff}---\nname: \"a\"\ndescription: \"Use it when asked.\"\n---\n\nDo it.\n",
        "byte-order-mark",
        "readers that look for three hyphens at the start find none",
    ),
    case(
        "skills/a/SKILL.md",
        "---\nname: \"a\"\ndescription: \"Use it when asked.\"\n---\n\n\n",
        "empty-body",
        "all take it, and it says nothing",
    ),
    case(
        "skills/a/SKILL.md",
        concat!("---\nname: \"a\"\ndescription: \"d\"\n---\n", lines!()),
        "long",
        "all take it, the specification advises against it",
    ),
    case(
        "skills/a/SKILL.md",
        "---\nname: \"a\"\ndescription: \"Use it when asked.\"\nmetadata:\n  \"agon-max-context-tokens\": \"1\"\n---\n\nDo it.\n",
        "budget",
        "none looks",
    ),
    case(
        "skills/a/SKILL.md",
        "---\nname: \"a\"\ndescription: \"d\"\nlicense: 3\n---\n\nDo it.\n",
        "bad-value",
        "all take it, the specification does not",
    ),
    case(
        "skills/-a/SKILL.md",
        "---\nname: \"-a\"\ndescription: \"d\"\n---\n\nDo it.\n",
        "bad-value",
        "all take it, the specification does not",
    ),
    case(
        "skills/a--b/SKILL.md",
        "---\nname: \"a--b\"\ndescription: \"d\"\n---\n\nDo it.\n",
        "bad-value",
        "all take it, the specification does not",
    ),
    case(
        ".opencode/agents/a.md",
        "---\ndescription: \"d\"\nmode: \"helper\"\n---\n\nDo it.\n",
        "bad-value",
        "OpenCode ends: Configuration is invalid",
    ),
    case(
        ".opencode/agents/a.md",
        "---\ndescription: \"d\"\nmode: \"subagent\"\ntemperature: \"hot\"\n---\n\nDo it.\n",
        "bad-value",
        "OpenCode ends: Configuration is invalid",
    ),
    case(
        ".opencode/agents/a.md",
        "---\ndescription: \"d\"\nmode: \"subagent\"\npermission:\n  \"edit\": \"maybe\"\n---\n\nDo it.\n",
        "bad-value",
        "OpenCode ends: Configuration is invalid",
    ),
    case(
        ".opencode/agents/a.md",
        "---\nmode: \"subagent\"\n---\n\nDo it.\n",
        "missing-key",
        "OpenCode takes it without a word",
    ),
    case(
        ".opencode/agents/a.md",
        "---\ndescription: \"d\"\nmode: \"subagent\"\npermission:\n  \"fly\": \"deny\"\n---\n\nDo it.\n",
        "bad-value",
        "OpenCode takes it as a rule that matches nothing",
    ),
    case(
        ".opencode/agents/a.md",
        "---\ndescription: \"d\"\nmode: \"subagent\"\nspeed: 3\n---\n\nDo it.\n",
        "unknown-key",
        "OpenCode makes it an option of the model",
    ),
    case(
        ".opencode/agents/a.md",
        "---\ndescription: \"d\"\nmode: \"subagent\"\nmodel: \"gpt\"\n---\n\nDo it.\n",
        "bad-value",
        "OpenCode takes it and finds no model later",
    ),
    case(
        ".opencode/agents/a.md",
        "You are an agent.\n",
        "front-matter",
        "OpenCode makes it an agent with every tool",
    ),
    case(
        ".opencode/agents/a.md",
        "---\ndescription: \"d\"\nmode: \"subagent\"\ncolor: \"reddish\"\n---\n\nDo it.\n",
        "bad-value",
        "OpenCode ends: Configuration is invalid",
    ),
    case(
        ".opencode/agents/a.md",
        "---\ndescription: \"d\"\n---\n\nDo it.\n",
        "missing-key",
        "OpenCode lets a person choose it as the main agent",
    ),
    case(
        ".opencode/commands/a.md",
        "---\ndescription: \"d\"\nsubtask: \"yes\"\n---\n\nDo it.\n",
        "bad-value",
        "OpenCode ends: Configuration is invalid",
    ),
    case(
        ".opencode/commands/a.md",
        "Do it.\n",
        "front-matter",
        "OpenCode takes it without a description",
    ),
    case(
        "opencode.json",
        "{\"mcp\": {\"a\": {\"type\": \"local\", \"command\": \"agon mcp\"}}}",
        "bad-value",
        "OpenCode ends: Configuration is invalid",
    ),
    case(
        "opencode.json",
        "{\"mcp\": {\"a\": {\"command\": [\"agon\", \"mcp\"]}}}",
        "missing-key",
        "OpenCode ends: Configuration is invalid",
    ),
    case(
        "opencode.json",
        "{\"mcpServers\": {}}",
        "unknown-key",
        "OpenCode takes it, and no server is there",
    ),
    case(
        "opencode.json",
        "{\"model\": \"a/b\"",
        "json",
        "OpenCode ends: Configuration is invalid",
    ),
    case(
        ".claude/agents/a.md",
        "---\ndescription: \"d\"\n---\n\nDo it.\n",
        "missing-key",
        "Claude Code drops it",
    ),
    case(
        ".claude/agents/a.md",
        "---\nname: 3\ndescription: \"d\"\n---\n\nDo it.\n",
        "bad-value",
        "Claude Code drops it",
    ),
    case(
        ".claude/agents/a.md",
        "---\nname: \"a\"\n---\n\nDo it.\n",
        "missing-key",
        "Claude Code drops it; its validator warns",
    ),
    case(
        ".claude/agents/a.md",
        "---\nname: \"a\"\ndescription: \"d\"\nspeed: 3\n---\n\nDo it.\n",
        "unknown-key",
        "Claude Code drops the key; its validator warns",
    ),
    case(
        ".claude/agents/a.md",
        "---\nname: \"a\"\ndescription: \"d\"\ntools: 3\n---\n\nDo it.\n",
        "bad-value",
        "Claude Code gives it every tool",
    ),
    case(
        ".claude/skills/a/SKILL.md",
        "---\nname: \"a\"\ndescription: \"x\" \"y\"\n---\n\nDo it.\n",
        "yaml",
        "Claude Code loads it without its front matter; its validator refuses it",
    ),
    case(
        ".mcp.json",
        "{\"mcpServers\": {\"a\": {\"command\": \"agon\"}}",
        "json",
        "the validator of Claude Code passes it",
    ),
    case(
        ".mcp.json",
        "{\"mcpServers\": {\"a\": {\"args\": [\"mcp\"]}}}",
        "server",
        "the validator of Claude Code passes it",
    ),
    case(
        ".claude/settings.json",
        "{\"hooks\": {\"AfterTool\": []}}",
        "event",
        "the validator of Claude Code refuses it",
    ),
    case(
        ".claude/settings.json",
        "{\"mcpServers\": {}}",
        "not-read",
        "Claude Code reads no servers there",
    ),
    case(
        "p/.claude-plugin/plugin.json",
        "{\"name\": \"a\", \"description\": \"d\", \"version\": \"1.0.0\", \"agents\": \"./agents\"}",
        "bad-value",
        "the validator of Claude Code refuses it",
    ),
    case(
        "p/.claude-plugin/plugin.json",
        "{\"name\": \"a b\", \"description\": \"d\", \"version\": \"1.0.0\"}",
        "bad-value",
        "the validator of Claude Code refuses it",
    ),
    case(
        "p/.claude-plugin/plugin.json",
        "{\"description\": \"d\", \"version\": \"1.0.0\"}",
        "missing-key",
        "the validator of Claude Code refuses it",
    ),
    case(
        "p/.claude-plugin/plugin.json",
        "{\"name\": \"a\", \"version\": \"1.0.0\"}",
        "missing-key",
        "the validator of Claude Code warns",
    ),
    case(
        "p/.claude-plugin/plugin.json",
        "{\"name\": \"a\", \"description\": \"d\", \"version\": \"1.0.0\", \"speed\": 3}",
        "unknown-key",
        "the validator of Claude Code warns",
    ),
    case(
        ".claude-plugin/marketplace.json",
        "{\"name\": \"a\", \"owner\": {\"name\": \"o\"}, \"plugins\": [{\"name\": \"p\", \"source\": \"../p\"}]}",
        "bad-value",
        "the validator of Claude Code refuses it",
    ),
    case(
        "x/gemini-extension.json",
        "{\"name\": \"a\"}",
        "missing-key",
        "the validator of Gemini CLI refuses it",
    ),
    case(
        "x/gemini-extension.json",
        "{\"name\": \"a\", \"version\": \"1\"}",
        "bad-value",
        "the validator of Gemini CLI warns",
    ),
    case(
        "x/gemini-extension.json",
        "{\"name\": \"a\", \"version\": \"1.0.0\", \"contextFileName\": \"NO.md\"}",
        "missing-file",
        "the validator of Gemini CLI refuses it",
    ),
    case(
        ".gemini/commands/duel-prompt.toml",
        "description = \"d\"\nprompt = \"p\"\n",
        "name",
        "Gemini CLI expands neither the command nor the prompt",
    ),
    case(
        ".gemini/commands/a.toml",
        "description = \"d\"\n",
        "missing-key",
        "Gemini CLI drops it",
    ),
    case(
        ".gemini/settings.json",
        "{\"mcpServers\": {\"a\": {\"command\": \"agon\"},}}",
        "json",
        "Gemini CLI ends",
    ),
    case(
        ".gemini/agents/a.md",
        "---\nname: \"a\"\ndescription: \"d\"\nspeed: 3\n---\n\nDo it.\n",
        "unknown-key",
        "Gemini CLI drops it",
    ),
    case(
        ".gemini/agents/a.md",
        "---\nname: \"a\"\ndescription: \"d\"\ntools: \"read_file\"\n---\n\nDo it.\n",
        "bad-value",
        "Gemini CLI drops it",
    ),
    case(
        ".codex/agents/a.toml",
        "name = \"a\"\ndescription = \"d\"\n",
        "missing-key",
        "Codex refuses it",
    ),
    case(
        ".codex/agents/a.toml",
        "name = \"a\"\ndescription = \n",
        "toml",
        "Codex refuses it",
    ),
    case(
        ".codex/config.toml",
        "[mcp_servers.a]\ncommand = [\"agon\", \"mcp\"]\n",
        "bad-value",
        "Codex ends",
    ),
    case(
        ".codex/commands/a.md",
        "---\ndescription: \"d\"\n---\n\nDo it.\n",
        "no-commands",
        "Codex has no commands of files",
    ),
    case(
        ".github/agents/a.agent.md",
        "---\nname: \"a\"\n---\n\nDo it.\n",
        "missing-key",
        "Copilot drops it",
    ),
    case(
        ".copilot/mcp-config.json",
        "{\"mcpServers\": {\"a\": {\"type\": \"local\", \"command\": \"agon\", \"tools\": \"*\"}}}",
        "bad-value",
        "Copilot ends",
    ),
    case(
        "skills/a/SKILL.md",
        "---\nname: \"a\"\ndescription: use when: x: y\n---\n\nDo it.\n",
        "unquoted",
        "Copilot refuses it, Claude Code loads it without its front matter",
    ),
    case(
        ".opencode/agents/a.md",
        "---\ndescription: a: b: c\nmode: \"subagent\"\n---\n\nDo it.\n",
        "unquoted",
        "OpenCode takes it",
    ),
    case(
        "skills/a/SKILL.md",
        "---\nname: a\ndescription: yes\n---\n\nDo it.\n",
        "unquoted",
        "readers of YAML 1.1 take it for true, those of 1.2 for a text",
    ),
    case(
        "skills/a/SKILL.md",
        "---\nname: a\ndescription: @all of it\n---\n\nDo it.\n",
        "unquoted",
        "none reads its front matter",
    ),
    case(
        "skills/a/SKILL.md",
        "---\nname: a\ndescription: Bake.\nversion: 1.2.0\n---\n\nDo it.\n",
        "unknown-key",
        "all take it, the specification does not",
    ),
    case(
        "skills/a/skill.md",
        "---\nname: a\ndescription: Bake.\n---\n\nDo it.\n",
        "file-name",
        "most hosts look for SKILL.md alone",
    ),
    case(
        ".claude/agents/a.md",
        "---\nname: a\ndescription: d\ntools: Raed, Grepp\n---\n\nDo it.\n",
        "bad-value",
        "Claude Code gives it no tool",
    ),
    case(
        ".claude/agents/a.md",
        "---\nname: a\ndescription: d\ndisallowedTools: [bash]\n---\n\nDo it.\n",
        "bad-value",
        "Claude Code has no such tool and forbids nothing",
    ),
    case(
        ".gemini/agents/a.md",
        "---\nname: a\ndescription: d\ntools: [read-file]\n---\n\nDo it.\n",
        "bad-value",
        "Gemini CLI has no such tool",
    ),
    case(
        ".github/agents/a.agent.md",
        "---\nname: a\ndescription: d\ntools: [\"serch\"]\n---\n\nDo it.\n",
        "bad-value",
        "Copilot has no such tool",
    ),
    case(
        ".opencode/agents/a.md",
        "---\ndescription: \"d\"\nmode: \"subagent\"\npermission:\n\t\"edit\": \"deny\"\n---\n\nDo it.\n",
        "tab",
        "OpenCode ends: Configuration is invalid",
    ),
];

/// Files of the same kinds without a fault.
pub(super) const WHOLE: &[(&str, &str)] = &[
    (
        "skills/tea/SKILL.md",
        "---\nname: tea\ndescription: Brews green tea in a pot, step by step.\nlicense: MIT\nallowed-tools: [Read, Bash(git log:*)]\n---\n\nBoil water.\n",
    ),
    (
        "skills/tea/SKILL.md",
        "---\nname: tea\ndescription: >-\n  Brews tea: green\n  or black.\nmetadata:\n  author: Ann\n---\n\nBoil water.\n",
    ),
    (
        ".claude/agents/a.md",
        "---\nname: a\ndescription: Reads files\ntools: Read Grep, mcp__x__y, Bash(git log:*)\ncolor: red\n---\n\nDo it.\n",
    ),
    (
        ".gemini/agents/a.md",
        "---\nname: a\ndescription: Reads files\ntools:\n  - read_file\n  - mcp_x_*\n---\n\nDo it.\n",
    ),
    (
        ".github/agents/a.agent.md",
        "---\nname: a\ndescription: Reads files\ntools: [\"Read\", \"x/*\"]\n---\n\nDo it.\n",
    ),
    (
        "skills/a/SKILL.md",
        "---\nname: \"a\"\ndescription: \"Use it when asked.\"\nmetadata:\n  \"agon-max-context-tokens\": \"500\"\n  v: '1'\n---\n\nDo it.\n",
    ),
    (
        "a/SKILL.md",
        "---\n# a note\nname: \"a\"\ndescription: \"Use it when asked.\"\n---\n\nDo it.\n",
    ),
    (
        ".opencode/agents/a.md",
        "---\ndescription: \"d\"\nmode: \"subagent\"\ntemperature: 0.2\ncolor: \"#aabbcc\"\nmodel: \"a/b\"\npermission:\n  \"*\": \"deny\"\n  \"agon_x\": \"allow\"\n  \"bash\":\n    \"git *\": \"ask\"\n---\n\nDo it.\n",
    ),
    (
        ".opencode/commands/a.md",
        "---\ndescription: \"d\"\nsubtask: true\n---\n\nDo it.\n",
    ),
    (
        "opencode.json",
        "{\n  // a\n  \"mcp\": {\"a\": {\"type\": \"local\", \"command\": [\"agon\", \"mcp\"]}, \"b\": {\"enabled\": false}},\n}",
    ),
    (
        ".claude/agents/a.md",
        "---\nname: \"a\"\ndescription: >\n  folded: text\n  of two lines\ntools: \"Read, Grep\"\n---\n\nDo it.\n",
    ),
    (
        ".mcp.json",
        "{\"mcpServers\": {\"a\": {\"command\": \"agon\", \"args\": [\"mcp\"]}}}",
    ),
    (
        ".claude/settings.json",
        "{\"hooks\": {\"PostToolUse\": []}}",
    ),
    (
        "p/.claude-plugin/plugin.json",
        "{\"name\": \"a\", \"description\": \"d\", \"version\": \"1.0.0\", \"agents\": [\"./agents/a.md\"]}",
    ),
    (
        ".claude-plugin/marketplace.json",
        "{\"name\": \"a\", \"owner\": {\"name\": \"o\"}, \"plugins\": [{\"name\": \"p\", \"source\": \"./p\"}]}",
    ),
    (
        "x/gemini-extension.json",
        "{\"name\": \"a\", \"version\": \"1.0.0\"}",
    ),
    (
        ".gemini/commands/a.toml",
        "description = \"d\"\nprompt = \"p\"\n",
    ),
    (
        ".gemini/settings.json",
        "{\"mcpServers\": {\"a\": {\"command\": \"agon\"}} /* c */}",
    ),
    (
        ".gemini/agents/a.md",
        "---\nname: \"a\"\ndescription: \"d\"\ntools:\n  - \"read_file\"\n---\n\nDo it.\n",
    ),
    (
        ".codex/agents/a.toml",
        "name = \"a\"\ndescription = \"d\"\ndeveloper_instructions = \"x\"\n",
    ),
    (
        ".codex/config.toml",
        "model = \"x\"\n[mcp_servers.a]\ncommand = \"agon\"\nargs = [\"mcp\"]\n",
    ),
    (
        ".github/agents/a.agent.md",
        "---\nname: \"a\"\ndescription: \"d\"\n---\n\nDo it.\n",
    ),
    (
        ".copilot/mcp-config.json",
        "{\"mcpServers\": {\"a\": {\"type\": \"local\", \"command\": \"agon\", \"tools\": [\"*\"]}}}",
    ),
];
