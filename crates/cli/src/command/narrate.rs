//! The account of a formal debate, written by a tool and checked.

use std::time::Duration;

use agon_prompt::narrative;
use agon_prompt::narrator;
use agon_record::spec::{Effort, FormatName, ToolName};
use agon_record::state::State;
use agon_report::{readme_md, transcript_md};

use crate::args::{Global, ReportArgs};
use crate::edge::Edge;
use crate::error::{Exit, Failure};
use crate::output::Out;
use crate::speaker::Speaker;

/// How often the narrator is asked.
const TRIES: usize = 2;
/// Time for one text.
const TIMEOUT: Duration = Duration::from_secs(240);

/// The account of the debate by `tool`.
///
/// # Errors
///
/// If the tool is not there, gives no answer, or its text is not usable.
pub(crate) async fn narrative(
    edge: &Edge,
    global: &Global,
    state: &State,
    (tool, args): (&ToolName, &ReportArgs),
    out: &mut Out,
) -> Result<String, Failure> {
    if state.spec.format != FormatName::Formal || state.judged.is_none() {
        let message = "only a formal debate that was judged has something to narrate";
        return Err(Failure::new(Exit::Usage, "not_formal", message).parameter("narrator"));
    }
    let how = (args.model.clone(), Effort::Medium, TIMEOUT);
    let speaker = Speaker::seat(edge, global, tool, how).await?;
    let (facts, record) = (readme_md(state, None), transcript_md(state));
    out.note(&format!("asking {tool} for an account of 500 to 600 words"));
    let mut last: Option<(String, Vec<String>)> = None;
    for _ in 0..TRIES {
        let again = last
            .as_ref()
            .map(|(text, wrong)| (text.as_str(), wrong.as_slice()));
        let prompt = narrator(state, &facts, &record, again);
        let said = speaker.ask(&prompt, "narrator").await?;
        let text = narrative::unwrapped(&said.text).to_owned();
        let wrong = narrative::check(state, &text);
        if wrong.is_empty() {
            return Ok(text);
        }
        out.note(&format!("  sent back: {}", wrong.join("; ")));
        last = Some((text, wrong));
    }
    let message = format!("{tool} wrote no usable account in {TRIES} tries");
    Err(Failure::new(Exit::NoVerdict, "no_narrative", message)
        .hint("without --narrator the computed report is written; another tool may do better"))
}
