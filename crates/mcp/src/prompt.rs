//! The one prompt of the server: a person types it in a host that shows prompts as commands.

use rmcp::ErrorData;
use rmcp::model::{
    GetPromptRequestParams, GetPromptResponse, GetPromptResult, Prompt, PromptArgument,
    PromptMessage, Role,
};

// A host that has a command and a prompt of one name expands neither: no command of ours is called
// this.
/// Its name.
pub(crate) const NAME: &str = "duel-prompt";

/// The prompt as a client lists it.
pub(crate) fn declaration() -> Prompt {
    let topic = PromptArgument::new("topic")
        .with_description("the decision, such as: SQLite or plain files for the job store?")
        .with_required(true);
    let description = "Let two AI tools argue a decision, and read the verdict";
    Prompt::new(NAME, Some(description), Some(vec![topic]))
}

/// What the model is told for a topic.
pub(crate) fn render(request: &GetPromptRequestParams) -> Result<GetPromptResponse, ErrorData> {
    if request.name != NAME {
        let message = format!("there is no prompt `{}`", request.name);
        return Err(ErrorData::invalid_params(message, None));
    }
    let arguments = request.arguments.as_ref();
    let topic = arguments.and_then(|arguments| arguments.get("topic")?.as_str());
    let topic = topic.map(str::trim).filter(|topic| !topic.is_empty());
    let Some(topic) = topic else {
        return Err(ErrorData::invalid_params("`topic` is missing", None));
    };
    let text = format!(
        "Hold a debate with Agon on this topic: {topic}\n\n\
         Call debate_start with it. Call debate_wait with the cursor it gave last until its state \
         is not running, and show me each turn in a few lines as it comes: who spoke, what was \
         claimed, what was found wrong. Then call debate_result and tell me the answer, why, what \
         it hangs on, under which condition it changes, and how far it can be trusted: authority, \
         stability, citations that were wrong. Do not soften an authority that is not full."
    );
    let message = PromptMessage::new_text(Role::User, text);
    Ok(GetPromptResponse::from(GetPromptResult::new(vec![message])))
}
