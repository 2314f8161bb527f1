//! Answers an agent's permission requests.

use std::path::{Component, Path, PathBuf};

use agent_client_protocol::v1::schema::{
    PermissionOption, PermissionOptionKind, RequestPermissionOutcome, RequestPermissionRequest,
    SelectedPermissionOutcome, ToolCallUpdateFields, ToolKind,
};
use serde_json::Value;

/// The permissions of an agent in one conversation.
#[derive(Clone, Debug, Default)]
pub(super) struct Consent {
    /// The folder that the agent may read; `None`: nothing is allowed.
    folder: Option<PathBuf>,
}

impl Consent {
    /// Allows only reading inside `folder`, each time the agent asks.
    pub(super) fn allow_reading_in(folder: &Path) -> Self {
        Self {
            folder: folder.canonicalize().ok(),
        }
    }

    /// Decides on a request. Returns whether it is granted, and the answer.
    ///
    /// The option is chosen by its kind, because IDs differ between agents. Everything is allowed only
    /// once.
    pub(super) fn answer_request(
        &self,
        request: &RequestPermissionRequest,
    ) -> (bool, RequestPermissionOutcome) {
        let of_kind = |kind| request.options.iter().find(|option| option.kind == kind);
        if self.is_call_allowed(&request.tool_call.fields)
            && let Some(option) = of_kind(PermissionOptionKind::AllowOnce)
        {
            return (true, select_option(option));
        }
        let no = of_kind(PermissionOptionKind::RejectOnce)
            .or_else(|| of_kind(PermissionOptionKind::RejectAlways));
        let outcome = no.map_or(RequestPermissionOutcome::Cancelled, select_option);
        (false, outcome)
    }

    fn is_call_allowed(&self, call: &ToolCallUpdateFields) -> bool {
        let Some(folder) = &self.folder else {
            return false;
        };
        let reads = matches!(call.kind, Some(ToolKind::Read | ToolKind::Search));
        let locations = call.locations.as_deref().unwrap_or_default();
        let input = call.raw_input.as_ref();
        reads
            && !locations.is_empty()
            && locations.iter().all(|at| is_inside(folder, &at.path))
            && input.is_none_or(|input| has_only_paths_inside(folder, input))
    }
}

fn select_option(option: &PermissionOption) -> RequestPermissionOutcome {
    let id = option.option_id.clone();
    RequestPermissionOutcome::Selected(SelectedPermissionOutcome::new(id))
}

/// Returns whether a path exists and, with links resolved, is inside the folder.
fn is_inside(folder: &Path, path: &Path) -> bool {
    path.is_absolute()
        && path
            .canonicalize()
            .is_ok_and(|path| path.starts_with(folder))
}

/// Returns whether the tool's input contains no path outside the folder.
fn has_only_paths_inside(folder: &Path, input: &Value) -> bool {
    match input {
        Value::String(text) => {
            let path = Path::new(text);
            let up = || path.components().any(|part| part == Component::ParentDir);
            if path.is_absolute() {
                is_inside(folder, path)
            } else {
                !text.starts_with('~') && !up()
            }
        }
        Value::Array(items) => items.iter().all(|item| has_only_paths_inside(folder, item)),
        Value::Object(fields) => fields
            .values()
            .all(|value| has_only_paths_inside(folder, value)),
        Value::Null | Value::Bool(_) | Value::Number(_) => true,
    }
}
