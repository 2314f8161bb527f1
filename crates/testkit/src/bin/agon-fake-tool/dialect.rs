//! The output formats of the tools.

use std::io::Write;
use std::process::ExitCode;

use serde_json::{Value, json};

use crate::conversation::{opencode_session_id, session};

/// A tool whose output format the fake imitates.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tool {
    Claude,
    Codex,
    Gemini,
    Opencode,
    Copilot,
}

/// The output and exit code of a call.
pub(crate) struct Output {
    pub(crate) stdout: Vec<u8>,
    stderr: Vec<u8>,
    code: u8,
}

impl Output {
    pub(crate) fn stdout(bytes: &[u8]) -> Self {
        Self {
            stdout: bytes.to_vec(),
            stderr: Vec::new(),
            code: 0,
        }
    }

    pub(crate) fn line(text: &str) -> Self {
        Self::stdout(format!("{text}\n").as_bytes())
    }

    pub(crate) fn failed(code: u8, stderr: &str) -> Self {
        Self {
            stdout: Vec::new(),
            stderr: format!("{stderr}\n").into_bytes(),
            code,
        }
    }

    pub(crate) fn with_code(self, code: u8) -> Self {
        Self { code, ..self }
    }

    /// Prints the output; ignores a broken pipe.
    pub(crate) fn print(self) -> ExitCode {
        let printed = std::io::stderr()
            .write_all(&self.stderr)
            .and_then(|()| std::io::stdout().write_all(&self.stdout))
            .and_then(|()| std::io::stdout().flush());
        if printed.is_ok() {
            ExitCode::from(self.code)
        } else {
            ExitCode::from(141)
        }
    }

    fn lines(events: &[Value], code: u8) -> Self {
        let text: String = events.iter().map(|event| format!("{event}\n")).collect();
        Self {
            stdout: text.into_bytes(),
            stderr: Vec::new(),
            code,
        }
    }
}

impl Tool {
    pub(crate) fn named(name: &str) -> Option<Self> {
        [
            Self::Claude,
            Self::Codex,
            Self::Gemini,
            Self::Opencode,
            Self::Copilot,
        ]
        .into_iter()
        .find(|tool| tool.name() == name)
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Claude => "claude",
            Self::Codex => "codex",
            Self::Gemini => "gemini",
            Self::Opencode => "opencode",
            Self::Copilot => "copilot",
        }
    }

    /// The output of `--version`.
    pub(crate) fn version(self) -> &'static str {
        match self {
            Self::Claude => "2.1.197 (Claude Code)",
            Self::Codex => "codex-cli 0.169.0",
            Self::Gemini => "0.61.0",
            Self::Opencode => "1.18.33",
            Self::Copilot => {
                "GitHub Copilot CLI 1.0.102.\nRun 'copilot update' to check for updates."
            }
        }
    }

    /// The output of the login check.
    pub(crate) fn login(self, logged_in: bool) -> Output {
        let code = u8::from(!logged_in);
        match self {
            Self::Claude => {
                let method = if logged_in { "claude.ai" } else { "none" };
                let state = json!({"loggedIn": logged_in, "authMethod": method, "apiProvider": "firstParty"});
                Output::line(&format!("{state:#}")).with_code(code)
            }
            Self::Codex if logged_in => Output::failed(0, "Logged in using ChatGPT"),
            Self::Codex => Output::failed(1, "Not logged in"),
            Self::Opencode => {
                // OpenCode exits with 0 even if the user is not logged in: only the text differs.
                let entry = if logged_in {
                    "●  Anthropic oauth\n│\n"
                } else {
                    ""
                };
                let count = if logged_in {
                    "1 credentials"
                } else {
                    "0 credentials"
                };
                Output::line(&format!(
                    "┌  Credentials ~/.local/share/opencode/auth.json\n│\n{entry}└  {count}\n"
                ))
            }
            Self::Gemini | Self::Copilot if logged_in => Output::line("logged in"),
            Self::Gemini | Self::Copilot => Output::failed(1, "not logged in"),
        }
    }

    /// A reply in the tool's JSON format.
    pub(crate) fn reply_output(self, prompt: &str, reply: &str) -> Output {
        let (sent, said) = (prompt.len() / 4 + 1, reply.len() / 4);
        match self {
            Self::Claude => Output::line(&claude(&Claude {
                reply,
                status: None,
                sent,
                said,
            })),
            Self::Codex => Output::lines(
                &[
                    json!({"type": "thread.started", "thread_id": session()}),
                    json!({"type": "turn.started"}),
                    json!({"type": "item.completed", "item": {"id": "item_0", "type": "agent_message", "text": reply}}),
                    json!({"type": "turn.completed", "usage": {
                        "input_tokens": sent, "cached_input_tokens": 0, "cache_write_input_tokens": 0,
                        "output_tokens": said, "reasoning_output_tokens": 0}}),
                ],
                0,
            ),
            Self::Gemini => {
                let tokens = json!({"input": sent, "prompt": sent, "candidates": said,
                    "total": sent + said, "cached": 0, "thoughts": 0, "tool": 0});
                let model = json!({"api": {"totalRequests": 1, "totalErrors": 0, "totalLatencyMs": 5, "errorsByType": {}},
                    "tokens": tokens});
                let stats = json!({"models": {"gemini-3.1-pro-preview": model}});
                let all = json!({"session_id": session(), "response": reply, "stats": stats});
                let warning = "Warning: Basic terminal detected (TERM=dumb).\n";
                let output = Output::line(&format!("{all:#}"));
                Output {
                    stderr: warning.into(),
                    ..output
                }
            }
            Self::Opencode => {
                let event = |kind: &str, part: Value| json!({"type": kind, "timestamp": 1_795_300_920_464_u64, "sessionID": opencode_session_id(), "part": part});
                let mut events = vec![event("step_start", json!({"type": "step-start"}))];
                if !reply.is_empty() {
                    events.push(event("text", json!({"type": "text", "text": reply})));
                }
                events.push(event(
                    "step_finish",
                    json!({"type": "step-finish", "reason": "stop",
                    "tokens": {"total": sent + said, "input": sent, "output": said, "reasoning": 0,
                        "cache": {"write": 0, "read": 0}}, "cost": 0.0008}),
                ));
                Output::lines(&events, 0)
            }
            Self::Copilot => {
                let message = json!({"type": "assistant.message", "data": {"messageId": "m1",
                    "model": "mock-model", "content": reply, "toolRequests": [], "turnId": "0"}});
                copilot(prompt, message, 0)
            }
        }
    }

    /// The tool's error for an unknown session.
    pub(crate) fn unknown_session_error(self) -> Output {
        let id = session();
        match self {
            Self::Claude => {
                Output::failed(1, &format!("No conversation found with session ID: {id}"))
            }
            Self::Codex => Output::failed(
                1,
                &format!(
                    "Error: thread/resume: thread/resume failed: no rollout found for thread id {id} (code -32600)"
                ),
            ),
            Self::Gemini => Output::failed(
                42,
                &format!("Error resuming session: Invalid session identifier \"{id}\"."),
            ),
            Self::Opencode => {
                Output::failed(1, "\u{1b}[91m\u{1b}[1mError: \u{1b}[0mSession not found")
            }
            Self::Copilot => Output::failed(
                1,
                &format!("Error: No session, task, or name matched '{id}'."),
            ),
        }
    }

    /// The tool's error for a service failure with `status`.
    pub(crate) fn error(self, status: u16, message: &str) -> Output {
        match self {
            Self::Claude => {
                let reply = match status {
                    401 => format!("Failed to authenticate. API Error: 401 {message}"),
                    429 => format!("API Error: Request rejected (429) · {message}"),
                    _ => format!("API Error: {status} {message}"),
                };
                let failed = Claude {
                    reply: &reply,
                    status: Some(status),
                    sent: 0,
                    said: 0,
                };
                Output::line(&claude(&failed)).with_code(1)
            }
            Self::Codex => {
                let message = match status {
                    401 => format!(
                        "unexpected status 401 Unauthorized: {message}, url: https://api.example/v1/responses"
                    ),
                    429 => "exceeded retry limit, last status: 429 Too Many Requests".to_owned(),
                    _ => message.to_owned(),
                };
                Output::lines(
                    &[
                        json!({"type": "thread.started", "thread_id": session()}),
                        json!({"type": "turn.started"}),
                        json!({"type": "error", "message": message}),
                        json!({"type": "turn.failed", "error": {"message": message}}),
                    ],
                    1,
                )
            }
            Self::Gemini => {
                let error = json!({"session_id": session(),
                    "error": {"type": "Error", "message": message, "code": status}});
                let trace = format!(
                    "Warning: Basic terminal detected (TERM=dumb).\n\
                     Error when talking to Gemini API _ApiError: {message}\n    \
                     at async Turn.run (gemini.js:1:1) {{\n  status: {status}\n}}\n{error:#}"
                );
                // Gemini exits with the HTTP status, of which the system keeps the lowest byte.
                Output::failed(status.to_le_bytes()[0], &trace)
            }
            Self::Opencode => Output::lines(
                &[
                    json!({"type": "error", "timestamp": 1_795_300_939_263_u64, "sessionID": "ses_fake",
                    "error": {"name": "APIError", "data": {"message": message, "statusCode": status,
                        "isRetryable": status == 429}}}),
                ],
                1,
            ),
            Self::Copilot => {
                let kind = match status {
                    401 => "authentication",
                    429 => "rate_limit",
                    _ => "query",
                };
                let event = json!({"type": "session.error", "data": {"errorType": kind,
                    "message": message, "statusCode": status}});
                copilot("", event, 1)
            }
        }
    }
}

struct Claude<'a> {
    reply: &'a str,
    status: Option<u16>,
    sent: usize,
    said: usize,
}

/// Returns Claude's result as JSON; `subtype` is "success" even for errors, as in the real tool.
fn claude(turn: &Claude<'_>) -> String {
    let cost = if turn.status.is_some() { 0.0 } else { 0.0065 };
    let usage = json!({"input_tokens": turn.sent, "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": 0, "output_tokens": turn.said});
    let models = if turn.status.is_some() {
        json!({})
    } else {
        json!({"claude-opus-4-6": {"inputTokens": turn.sent, "outputTokens": turn.said,
            "cacheReadInputTokens": 0, "cacheCreationInputTokens": 0, "costUSD": cost}})
    };
    json!({"type": "result", "subtype": "success", "is_error": turn.status.is_some(),
        "api_error_status": turn.status, "duration_ms": 81, "duration_api_ms": 44, "num_turns": 1,
        "result": turn.reply, "stop_reason": "end_turn", "session_id": session(),
        "total_cost_usd": cost, "usage": usage, "modelUsage": models, "permission_denials": []})
    .to_string()
}

/// Returns Copilot's events, which repeat the prompt before the answer.
fn copilot(prompt: &str, answer: Value, code: u8) -> Output {
    Output::lines(
        &[
            json!({"type": "session.tools_updated", "data": {"model": "mock-model"}, "ephemeral": true}),
            json!({"type": "user.message", "data": {"content": prompt, "transformedContent": prompt}}),
            json!({"type": "assistant.turn_start", "data": {"turnId": "0"}}),
            answer,
            json!({"type": "assistant.turn_end", "data": {"turnId": "0"}}),
            json!({"type": "result", "sessionId": session(), "exitCode": code,
                "usage": {"premiumRequests": 0, "totalApiDurationMs": 42, "sessionDurationMs": 639}}),
        ],
        code,
    )
}
