//! Asks the client's user before Agon spends money that is not allowed yet.

use agent_client_protocol::v1::schema::{
    PermissionOption, PermissionOptionKind, RequestPermissionOutcome, RequestPermissionRequest,
    ToolCallStatus, ToolCallUpdate, ToolCallUpdateFields, ToolKind,
};
use tokio_util::sync::CancellationToken;

use crate::updates::Updates;

/// The id of the option that allows the costs.
const ALLOW: &str = "allow";
/// The id of the option that rejects the costs.
const REJECT: &str = "reject";

/// Asks the user `question` and returns whether the answer is yes. Returns no if the prompt ends
/// first or the client cannot ask.
pub(crate) async fn ask_permission(
    updates: &Updates,
    cancel: &CancellationToken,
    question: &str,
) -> bool {
    let fields = ToolCallUpdateFields::new()
        .title(question.to_owned())
        .kind(ToolKind::Other)
        .status(ToolCallStatus::Pending);
    let options = vec![
        PermissionOption::new(ALLOW, "Yes", PermissionOptionKind::AllowOnce),
        PermissionOption::new(REJECT, "No", PermissionOptionKind::RejectOnce),
    ];
    let call = ToolCallUpdate::new("debate", fields);
    let request = RequestPermissionRequest::new(updates.session.clone(), call, options);
    let answer = updates.client.send_request(request).block_task();
    let answer = tokio::select! {
        answer = answer => answer,
        () = cancel.cancelled() => return false,
    };
    match answer.map(|answer| answer.outcome) {
        Ok(RequestPermissionOutcome::Selected(selected)) => &*selected.option_id.0 == ALLOW,
        Ok(_) | Err(_) => false,
    }
}
