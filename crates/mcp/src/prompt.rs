//! The server's prompt, for hosts that show prompts as commands.

use rmcp::ErrorData;
use rmcp::model::{
    GetPromptRequestParams, GetPromptResponse, GetPromptResult, Prompt, PromptArgument,
    PromptMessage, Role,
};

// Must differ from every command of Agon: if a prompt and a command share a name, some hosts expand
// neither.
/// The name of the prompt.
pub(crate) const NAME: &str = "duel-prompt";

/// Returns the declaration of the prompt for clients.
pub(crate) fn declaration() -> Prompt {
    let topic = PromptArgument::new("topic")
        .with_description("the decision, such as: SQLite or plain files for the job store?")
        .with_required(true);
    let description = "Let two AI tools argue a decision, and read the verdict";
    Prompt::new(NAME, Some(description), Some(vec![topic]))
}

/// Returns the instructions to the model for a topic.
pub(crate) fn render(request: &GetPromptRequestParams) -> Result<GetPromptResponse, ErrorData> {
    if request.name != NAME {
        let message = format!("unknown prompt `{}`", request.name);
        return Err(ErrorData::invalid_params(message, None));
    }
    let arguments = request.arguments.as_ref();
    let topic = arguments.and_then(|arguments| arguments.get("topic")?.as_str());
    let topic = topic.map(str::trim).filter(|topic| !topic.is_empty());
    let Some(topic) = topic else {
        return Err(ErrorData::invalid_params("missing `topic`", None));
    };
    let text = format!(
        "Hold a debate with Agon on this topic: {topic}\n\n\
         Call debate_start with it. Then call debate_wait with the last cursor until its state is \
         not running, and show me each turn in a few lines as it arrives: who spoke, what was \
         claimed, what turned out wrong. Then call debate_result and tell me the answer, why, what \
         it depends on, under which condition it changes, and how far I can trust it: authority, \
         stability, wrong citations. Do not play down an authority that is not full."
    );
    let message = PromptMessage::new_text(Role::User, text);
    Ok(GetPromptResponse::from(GetPromptResult::new(vec![message])))
}
