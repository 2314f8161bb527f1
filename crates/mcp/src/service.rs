//! The protocol of the server: its description, its tools and its prompt.

use std::sync::Arc;

use agon_caller::{Caller, Code, Failure};
use rmcp::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, CustomRequest,
    CustomResult, ErrorCode, GetPromptRequestParams, GetPromptResponse, Implementation,
    ListPromptsResult, ListToolsResult, PaginatedRequestParams, ProtocolVersion,
    ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::{RequestContext, RoleServer};
use serde_json::{Map, Value};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::CancellationToken;

use crate::roots::Roots;
use crate::wording::CallWords;
use crate::{arguments, call, folder, prompt, tool};

// Short, because hosts add it to every prompt of their model (OpenCode, Gemini) or before the tools
// (Codex).
/// The purpose of the server, in under 400 characters.
pub(crate) const INSTRUCTIONS: &str = "Agon lets AI tools argue a decision: two sides, rules that \
code enforces, citations that code checks, a judge that is asked twice. Use it if a wrong \
decision is costly and both sides have arguments. Call debate_start, then debate_wait until state \
is not running (show its turns), then debate_result. It takes minutes and tokens; consult asks \
several tools once.";

// As many clients may wait for debates, each with a thread of its own.
/// Maximum number of calls of all clients of a web server that run at the same time; more wait.
const MAX_CALLS: usize = 32;

/// The service with Agon's tools and prompt, for one caller.
///
/// It remembers the open folders of its client between calls, so each connection uses its own
/// clone.
#[derive(Debug)]
pub struct McpService {
    caller: Arc<Caller>,
    /// Cancelled when the client disconnects, which ends its calls.
    pub(crate) closing: CancellationToken,
    scope: Scope,
}

/// The folders in which a client may work.
#[derive(Debug)]
enum Scope {
    /// The folders that the client has open, and those that the host started this server for.
    OfClient(Roots),
    /// The project of the caller only. The client can be on another computer, so the server
    /// neither trusts its folders nor acts as a member of a team for it.
    Project {
        /// The places for calls, shared by all clients.
        calls: Arc<Semaphore>,
        /// The place of this client, if it has a session.
        session: Option<OwnedSemaphorePermit>,
    },
}

impl Clone for McpService {
    /// Returns a copy for another connection, whose open folders are still unknown.
    fn clone(&self) -> Self {
        Self {
            caller: Arc::clone(&self.caller),
            closing: self.closing.clone(),
            scope: match &self.scope {
                Scope::OfClient(_) => Scope::OfClient(Roots::default()),
                Scope::Project { calls, .. } => Scope::Project {
                    calls: Arc::clone(calls),
                    session: None,
                },
            },
        }
    }
}

impl McpService {
    /// Returns a service for `caller`, in the folder of each client.
    pub fn new(caller: Caller) -> Self {
        Self {
            caller: Arc::new(Caller {
                is_relayed: true,
                ..caller
            }),
            closing: CancellationToken::new(),
            scope: Scope::OfClient(Roots::default()),
        }
    }

    /// Returns a service for `caller` whose clients work in the project of `caller` only, and get
    /// no tools of a team.
    pub(crate) fn in_one_project(caller: Caller) -> Self {
        Self {
            scope: Scope::Project {
                calls: Arc::new(Semaphore::new(MAX_CALLS)),
                session: None,
            },
            ..Self::new(caller)
        }
    }

    /// Returns a copy for another session, which keeps `place` until it ends.
    pub(crate) fn in_session(&self, place: OwnedSemaphorePermit) -> Self {
        let mut service = self.clone();
        if let Scope::Project { session, .. } = &mut service.scope {
            *session = Some(place);
        }
        service
    }

    /// Waits for a place for a call, if their number is limited.
    async fn place_for_call(&self) -> Option<OwnedSemaphorePermit> {
        match &self.scope {
            Scope::OfClient(_) => None,
            // An error means that the places were closed, which never happens.
            Scope::Project { calls, .. } => Arc::clone(calls).acquire_owned().await.ok(),
        }
    }

    /// Runs `read` with the caller for a call that names the folder `named`. Runs on a separate
    /// thread, because it reads folders while the server answers other calls.
    async fn in_project<T: Send + 'static>(
        &self,
        named: Option<String>,
        context: &RequestContext<RoleServer>,
        read: impl FnOnce(Caller) -> T + Send + 'static,
    ) -> Result<T, Failure> {
        let roots = match &self.scope {
            Scope::OfClient(roots) => Some(roots.ask(context).await),
            Scope::Project { .. } => None,
        };
        let caller = Arc::clone(&self.caller);
        let choose = move || {
            let named = named.as_deref();
            match roots {
                Some(roots) => folder::choose_project(&caller, named, &roots),
                None => folder::choose_in_project(&caller, named),
            }
            .map(read)
        };
        let chosen = tokio::task::spawn_blocking(choose).await;
        chosen.unwrap_or_else(|error| Err(Failure::from_error(Code::Bug, &error)))
    }

    /// Returns whether a member of a team uses this client's folder.
    async fn is_joined(&self, context: &RequestContext<RoleServer>) -> bool {
        if !self.has_team_tools() {
            return false;
        }
        let is_joined = |caller: Caller| agon_teamwork::is_joined(&caller);
        self.in_project(None, context, is_joined).await == Ok(true)
    }

    /// Runs a tool with the arguments from the client.
    async fn run_tool(
        &self,
        spec: &'static tool::ToolSpec,
        arguments: Map<String, Value>,
        context: RequestContext<RoleServer>,
    ) -> Result<Value, Failure> {
        let arguments = arguments::convert_arguments(arguments, &(spec.input)())?;
        // Team tools have no parameter `project` and reject it themselves.
        let named = match spec.effect == tool::Effect::Team {
            true => None,
            false => arguments.get("project").and_then(Value::as_str),
        };
        let named = named.map(str::to_owned);
        let caller = self.in_project(named, &context, |caller| caller).await?;
        let arguments = Value::Object(arguments);
        let place = tokio::select! {
            place = self.place_for_call() => place,
            () = context.ct.cancelled() => return Err(call::cancelled()),
        };
        call::run_tool(spec, caller, arguments, context, &self.closing, place).await
    }

    /// Calls a tool whose arguments are not an object, such as a string that contains one.
    async fn call_with_malformed_arguments(
        &self,
        params: Option<Value>,
        context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, rmcp::ErrorData> {
        let mut params = match params {
            Some(Value::Object(params)) => params,
            _ => Map::new(),
        };
        let Some(Value::String(name)) = params.remove("name") else {
            let message = "missing `name` of the tool";
            return Err(rmcp::ErrorData::invalid_params(message, None));
        };
        let spec = self.known_tool(&name)?;
        let arguments = params.remove("arguments").unwrap_or_default();
        let outcome = match arguments::arguments_object(arguments) {
            Ok(arguments) => self.run_tool(spec, arguments, context).await,
            Err(failure) => Err(failure),
        };
        let result = match outcome {
            Ok(document) => CallToolResult::structured(document),
            Err(failure) => failed_call_result(spec, failure),
        };
        let result = serde_json::to_value(result);
        let failed =
            |error: serde_json::Error| rmcp::ErrorData::internal_error(error.to_string(), None);
        Ok(CustomResult::new(result.map_err(failed)?))
    }

    /// Returns the tool with this name.
    ///
    /// # Errors
    ///
    /// Returns an error if this client has no such tool.
    fn known_tool(&self, name: &str) -> Result<&'static tool::ToolSpec, rmcp::ErrorData> {
        self.find_tool(name).ok_or_else(|| {
            let name = agon_report::text::plain_line(name);
            rmcp::ErrorData::invalid_params(format!("unknown tool `{name}`"), None)
        })
    }

    /// Returns whether the server runs inside a debate. It then offers nothing, because debates
    /// cannot be nested.
    fn is_nested(&self) -> bool {
        self.caller.nesting_depth() > 0
    }

    /// Returns whether the client is the host of a member that Agon started. Such a model may not
    /// leave its work tree or use the network, so it gets only the team tools.
    fn is_member_host(&self) -> bool {
        agon_teamwork::is_started_member_host(&self.caller)
    }

    /// Returns whether a client can act as a member of a team.
    fn has_team_tools(&self) -> bool {
        matches!(self.scope, Scope::OfClient(_))
    }

    /// Returns the tool with this name, if this client may call it.
    fn find_tool(&self, name: &str) -> Option<&'static tool::ToolSpec> {
        let found = match self.is_member_host() {
            true => tool::TEAM_TOOLS.iter().find(|spec| spec.name == name),
            false => tool::find_tool(name),
        };
        found.filter(|spec| spec.effect != tool::Effect::Team || self.has_team_tools())
    }
}

/// Returns the result of a failed call.
fn failed_call_result(spec: &tool::ToolSpec, failure: Failure) -> CallToolResult {
    let document = CallWords::of_tool(spec).error_document(failure);
    let text = serde_json::to_string(&document).unwrap_or_default();
    CallToolResult::error(vec![ContentBlock::text(text)])
}

impl ServerHandler for McpService {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder();
        let capabilities = capabilities.enable_tools().enable_prompts().build();
        let version = env!("CARGO_PKG_VERSION");
        let config = ServerConfig::new(capabilities)
            .with_server_info(Implementation::new("agon", version).with_title("Agon"));
        match self.is_nested() || self.is_member_host() {
            true => config,
            false => config.with_instructions(INSTRUCTIONS),
        }
    }

    fn supported_protocol_versions(&self) -> std::borrow::Cow<'static, [ProtocolVersion]> {
        // Clients support annotations of results since 2025-03-26, and no current host is older.
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
        let offered = match self.is_nested() || self.is_member_host() {
            true => &[],
            false => tool::TOOLS,
        };
        let of_team = match !self.is_nested() && self.is_joined(&context).await {
            true => tool::TEAM_TOOLS,
            false => &[],
        };
        let all = offered.iter().chain(of_team);
        let tools = all.map(tool::ToolSpec::declaration).collect();
        Ok(ListToolsResult::with_all_items(tools))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.find_tool(name).map(tool::ToolSpec::declaration)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, rmcp::ErrorData> {
        let spec = self.known_tool(&request.name)?;
        let arguments = request.arguments.unwrap_or_default();
        let outcome = self.run_tool(spec, arguments, context).await;
        Ok(CallToolResponse::Complete(match outcome {
            Ok(document) => CallToolResult::structured(document),
            Err(failure) => failed_call_result(spec, failure),
        }))
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, rmcp::ErrorData> {
        // The library calls this for `tools/call` only if it cannot parse the parameters.
        if request.method == "tools/call" {
            return self
                .call_with_malformed_arguments(request.params, context)
                .await;
        }
        let method = agon_report::text::plain_line(&request.method);
        Err(rmcp::ErrorData::new(
            ErrorCode::METHOD_NOT_FOUND,
            method,
            None,
        ))
    }

    async fn list_prompts(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, rmcp::ErrorData> {
        let offered = match self.is_nested() || self.is_member_host() {
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
        if self.is_member_host() {
            return Err(rmcp::ErrorData::invalid_params(
                "this server has no prompts",
                None,
            ));
        }
        prompt::render(&request)
    }
}

#[cfg(test)]
mod tests;
