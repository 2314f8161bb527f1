//! The account of a formal debate, written by a tool and checked.

use std::time::Duration;

use agon_caller::{Caller, Code, Failure, Hint, Notes, system};
use agon_prompt::narrator_prompt;
use agon_record::spec::{Effort, ToolName};
use agon_record::state::State;
use agon_report::{readme_md, transcript_md};
use agon_rules::narrative;
use agon_seats::single_tool::{AllowedTools, Speaker, SpeakerTransports};
use agon_tokens::count_tokens;
use tokio_util::sync::CancellationToken;

use super::ReportRequest;
use crate::limits::spending;

// An account that breaks a rule is sent back once, like a reply in a debate.
/// Maximum number of attempts.
const MAX_TRIES: usize = 2;
// The same as for a turn of a debate (`TIMEOUT_S` in `config/src/default.rs`).
/// Time for one account.
const TIMEOUT: Duration = Duration::from_secs(240);

/// A tool that can write an account.
pub(super) struct Narrator<'a> {
    tool: &'a ToolName,
    speaker: Speaker,
}

impl<'a> Narrator<'a> {
    /// Prepares `tool` as the narrator.
    ///
    /// # Errors
    ///
    /// If the debate has nothing to narrate, or the tool is not available.
    pub(super) async fn detect(
        caller: &Caller,
        state: &State,
        tool: &'a ToolName,
        request: &ReportRequest,
    ) -> Result<Self, Failure> {
        if state.last_judged_exchange().is_none() {
            let message = "only a judged formal debate can be narrated";
            return Err(Failure::new(Code::NotFormal, message).parameter("narrator"));
        }
        let model = request.model.clone();
        let speaker = Speaker::detect(
            caller,
            tool,
            SpeakerTransports::default(),
            model,
            Effort::Medium,
            TIMEOUT,
            AllowedTools {
                named: std::slice::from_ref(tool),
                granted: &[],
            },
        )
        .await?;
        Ok(Self { tool, speaker })
    }

    /// Returns its account of the debate.
    ///
    /// # Errors
    ///
    /// If the tool gives no usable narrative, or too few tokens are left today or this month.
    pub(super) async fn write_account(
        &self,
        caller: &Caller,
        state: &State,
        cancel: &CancellationToken,
        notes: &mut dyn Notes,
    ) -> Result<String, Failure> {
        let (facts, record) = (readme_md(state, None, None), transcript_md(state));
        notes.note(&format!(
            "asking {} for an account of 500 to 600 words",
            self.tool
        ));
        let mut last: Option<(String, Vec<String>)> = None;
        let (start, mut used) = (system::new_ulid(), 0);
        for nth in 0..MAX_TRIES {
            let again = last
                .as_ref()
                .map(|(text, wrong)| (text.as_str(), wrong.as_slice()));
            let prompt = narrator_prompt(state, &facts, &record, again);
            if nth == 0 {
                let each = spending::tokens_for_answer(count_tokens(&prompt) as u64);
                let all = each.saturating_mul(MAX_TRIES as u64);
                spending::reserve_for_answers(caller, start, all, notes)?;
            }
            let said = self.speaker.ask(&prompt, "narrator", cancel).await;
            used += said.as_ref().map_or(0, |said| said.usage.total_tokens());
            spending::settle(caller, start, used);
            let said = said?;
            let text = narrative::extract_narrative(&said.text).to_owned();
            let wrong = narrative::check_narrative(state, &text);
            if wrong.is_empty() {
                return Ok(text);
            }
            notes.note(&format!("  sent back: {}", wrong.join("; ")));
            last = Some((text, wrong));
        }
        let message = format!(
            "{} wrote no usable narrative in {MAX_TRIES} tries",
            self.tool
        );
        Err(Failure::new(Code::NoNarrative, message).hint(
            Hint::new("leave out ")
                .flag("narrator")
                .text(" for the computed report")
                .then("try another tool"),
        ))
    }
}
