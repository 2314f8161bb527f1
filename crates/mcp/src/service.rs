//! The server as the protocol sees it: who it is, its tools, its prompt.

use std::sync::Arc;

use agon_app::Caller;
use rmcp::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, GetPromptRequestParams,
    GetPromptResponse, Implementation, ListPromptsResult, ListToolsResult, PaginatedRequestParams,
    ProtocolVersion, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::{RequestContext, RoleServer};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use crate::fit::fit;
use crate::wording::CallWords;
use crate::{call, folder, prompt, tool};

// A host puts it into its model's prompt (OpenCode, Gemini) or before the tools (Codex), each time.
/// What the server is for, in under 400 characters.
pub(crate) const INSTRUCTIONS: &str = "Agon lets AI tools argue a decision: two sides, rules that \
code enforces, citations that code looks up, a judge that is asked twice. Use it where a wrong \
decision is costly and arguments exist on both sides. debate_start, then debate_wait until state \
is not running (show its turns), then debate_result. It takes minutes and tokens; consult asks \
several tools once.";

/// Agon's tools and prompt, for one caller.
///
/// It keeps nothing between two calls, so one value can serve any number of connections.
#[derive(Clone, Debug)]
pub struct McpService {
    caller: Arc<Caller>,
    /// Cancelled once the client has gone: its calls end.
    pub(crate) closing: CancellationToken,
}

impl McpService {
    /// A service that asks as `caller` does, in the folder that each client works in.
    pub fn new(caller: Caller) -> Self {
        Self {
            caller: Arc::new(caller),
            closing: CancellationToken::new(),
        }
    }

    /// Whether a member of a team works where this client does.
    async fn is_joined(&self, context: &RequestContext<RoleServer>) -> bool {
        let project = folder::project_of_call(&self.caller, &Value::Null, context).await;
        project.is_ok_and(|caller| agon_app::team::is_joined(&caller))
    }

    /// Inside a debate nothing is offered: a debater cannot open another.
    fn is_nested(&self) -> bool {
        self.caller.nesting_depth() > 0
    }
}

impl ServerHandler for McpService {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder();
        let capabilities = capabilities.enable_tools().enable_prompts().build();
        let version = env!("CARGO_PKG_VERSION");
        let config = ServerConfig::new(capabilities)
            .with_server_info(Implementation::new("agon", version).with_title("Agon"));
        match self.is_nested() {
            true => config,
            false => config.with_instructions(INSTRUCTIONS),
        }
    }

    fn supported_protocol_versions(&self) -> std::borrow::Cow<'static, [ProtocolVersion]> {
        // Before 2025-03-26 a result has no annotations, and no host in use speaks it.
        let from = ProtocolVersion::V_2025_03_26;
        let known = ProtocolVersion::KNOWN_VERSIONS.iter();
        let spoken = known.filter(|version| version.as_str() >= from.as_str());
        spoken.cloned().collect::<Vec<_>>().into()
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, rmcp::ErrorData> {
        let offered = if self.is_nested() { &[] } else { tool::TOOLS };
        let of_team = match !self.is_nested() && self.is_joined(&context).await {
            true => tool::TEAM_TOOLS,
            false => &[],
        };
        let all = offered.iter().chain(of_team);
        let tools = all.map(tool::ToolSpec::declaration).collect();
        Ok(ListToolsResult::with_all_items(tools))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        tool::find_tool(name).map(tool::ToolSpec::declaration)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, rmcp::ErrorData> {
        let Some(spec) = tool::find_tool(&request.name) else {
            let message = format!("there is no tool `{}`", request.name);
            return Err(rmcp::ErrorData::invalid_params(message, None));
        };
        let arguments = Value::Object(request.arguments.unwrap_or_default());
        let project = folder::project_of_call(&self.caller, &arguments, &context).await;
        let outcome = match project {
            Ok(caller) => call::run_tool(spec, caller, arguments, context, &self.closing).await,
            Err(failure) => Err(failure),
        };
        let words = CallWords::of_tool(spec);
        Ok(CallToolResponse::Complete(match outcome {
            Ok(document) => {
                let document = words.document(document);
                CallToolResult::structured(fit(document, spec.max_tokens))
            }
            Err(failure) => {
                let document = words.failure(failure).document();
                let text = serde_json::to_string(&document).unwrap_or_default();
                CallToolResult::error(vec![ContentBlock::text(text)])
            }
        }))
    }

    async fn list_prompts(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, rmcp::ErrorData> {
        let offered = match self.is_nested() {
            true => Vec::new(),
            false => vec![prompt::declaration()],
        };
        Ok(ListPromptsResult::with_all_items(offered))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, rmcp::ErrorData> {
        prompt::render(&request)
    }
}
