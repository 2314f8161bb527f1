//! The account of a formal debate, written by a tool and checked.

use std::sync::Arc;
use std::time::Duration;

use agon_agents::Ask;
use agon_debate::narrative;
use agon_debate::prompt::narrator;
use agon_debate::spec::{Effort, FormatName, ToolName};
use agon_debate::state::State;
use agon_proc::Unwatched;
use agon_redact::{Redactor, unescaped};
use agon_report::{readme_md, transcript_md};
use tokio_util::sync::CancellationToken;

use crate::args::{Global, ReportArgs};
use crate::edge::Edge;
use crate::error::{Exit, Failure};
use crate::output::Out;
use crate::settings;
use crate::stop;
use crate::tools::Tools;

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
    let settings = settings::resolve(edge, global, &agon_config::Settings::default())?.settings;
    let tools = Tools::detect_named(edge, &settings, std::slice::from_ref(tool)).await?;
    let agent = tools.agent(tool)?;
    let (facts, record) = (readme_md(state, None), transcript_md(state));
    let cancel = CancellationToken::new();
    let stopping = stop::on_signal(cancel.clone());
    out.note(&format!("asking {tool} for an account of 500 to 600 words"));
    let mut last: Option<(String, Vec<String>)> = None;
    for _ in 0..TRIES {
        let again = last
            .as_ref()
            .map(|(text, wrong)| (text.as_str(), wrong.as_slice()));
        let prompt = narrator(state, &facts, &record, again);
        let ask = Ask {
            prompt: &prompt,
            model: args.model.as_deref(),
            effort: Effort::Medium,
            timeout: TIMEOUT,
        };
        let answer = agent.open(Arc::new(Unwatched)).ask(ask, &cancel).await;
        let answer = answer.map_err(|error| {
            let exit = if cancel.is_cancelled() {
                Exit::Cancelled
            } else {
                Exit::Tool
            };
            Failure::from_error(exit, error.cause().code.name(), &error).parameter("narrator")
        })?;
        let clean = Redactor::new()
            .redact(&unescaped(&answer.text))
            .text
            .into_owned();
        let text = narrative::unwrapped(&clean).to_owned();
        let wrong = narrative::check(state, &text);
        if wrong.is_empty() {
            stopping.abort();
            return Ok(text);
        }
        out.note(&format!("  sent back: {}", wrong.join("; ")));
        last = Some((text, wrong));
    }
    stopping.abort();
    let message = format!("{tool} wrote no usable account in {TRIES} tries");
    Err(Failure::new(Exit::NoVerdict, "no_narrative", message)
        .hint("without --narrator the computed report is written; another tool may do better"))
}
