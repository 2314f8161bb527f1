//! The tools are asked, all at once.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use agon_agents::{
    Agent, AgentError, Answer, Ask, ConversationId, Failure as NoAnswer, Kept, Session,
};
use agon_proc::Unwatched;
use agon_record::event::Usage;
use agon_record::spec::{Effort, ToolName};
use agon_record::text::clean;
use agon_redact::{Redactor, unescaped};
use agon_report::text::{clock, rounded};
use agon_store::Conversation;
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::restored::Restored;
use super::whom::Table;
use crate::edge::{self, Edge};
use crate::error::{Exit, Failure};
use crate::guard::guarded;
use crate::output::Out;
use crate::speaker;

/// Where the tools run, so that they find again what they keep.
#[derive(Clone, Debug)]
pub(super) struct Place {
    /// An empty folder.
    pub(super) folder: PathBuf,
}

/// What came of asking one tool.
pub(super) struct Came {
    pub(super) tool: ToolName,
    pub(super) model: Option<String>,
    pub(super) effort: Effort,
    pub(super) transport: Option<String>,
    pub(super) took: Duration,
    pub(super) usage: Option<Usage>,
    /// Its answer, redacted and fit to be shown; or why there is none.
    pub(super) answer: Result<String, Failure>,
    /// What it keeps.
    conversation: Option<Kept>,
}

impl Came {
    /// What is to be kept, to go on with it.
    pub(super) fn kept(&self) -> Option<Conversation> {
        let kept = self.conversation.as_ref()?;
        Some(Conversation {
            tool: self.tool.clone(),
            model: self.model.clone(),
            effort: self.effort,
            transport: self.transport.clone()?,
            session: kept.id.to_string(),
            spent: kept.spent,
        })
    }
}

/// Asks all of them, and gives what came in their order.
pub(super) async fn all(
    edge: &Edge,
    tables: Vec<Table>,
    (prompt, timeout): (Arc<str>, Duration),
    (place, cancel): (Option<&Place>, &CancellationToken),
    out: &mut Out,
) -> Vec<Came> {
    let progress = edge.terminal.then(Progress::on_stderr);
    let mut running = JoinSet::new();
    for (at, table) in tables.into_iter().enumerate() {
        let bar = progress
            .as_ref()
            .map(|progress| progress.asking(&table.tool));
        let (prompt, cancel) = (Arc::clone(&prompt), cancel.clone());
        let kept = place.map(|place| kept(&table, place));
        running.spawn_local(async move {
            let (came, note) = one(table, kept, (&prompt, timeout), &cancel).await;
            (at, came, note, bar)
        });
    }
    let mut all = Vec::new();
    while let Some(done) = running.join_next().await {
        // A call that panicked is lost; it is a bug that the hook has told of.
        let Ok((at, came, note, bar)) = done else {
            continue;
        };
        if let Some(bar) = bar {
            bar.finish_and_clear();
        }
        let said = told(&came);
        let tell = |out: &mut Out| {
            note.iter().for_each(|note| out.note(note));
            out.note(&said);
        };
        match &progress {
            Some(progress) => progress.0.suspend(|| tell(out)),
            None => tell(out),
        }
        all.push((at, came));
    }
    all.sort_by_key(|(at, _)| *at);
    all.into_iter().map(|(_, came)| came).collect()
}

/// The conversation that a tool goes on with or begins, and what stands in the way of going on.
fn kept(table: &Table, place: &Place) -> (Option<Kept>, Option<String>) {
    let before = table.before.as_ref();
    let before = before.map(|before| Restored::kept(before, table.by, place.folder.clone()));
    match before {
        Some(Ok(kept)) => (Some(kept), None),
        Some(Err(why)) => (fresh(place), Some(why)),
        None => (fresh(place), None),
    }
}

fn fresh(place: &Place) -> Option<Kept> {
    Some(Kept {
        id: ConversationId::random(edge::new_bits().ok()?),
        begun: false,
        folder: place.folder.clone(),
        spent: Usage::default(),
    })
}

/// Asks one tool; what it does not know any more is begun afresh, and said.
async fn one(
    table: Table,
    kept: Option<(Option<Kept>, Option<String>)>,
    (prompt, timeout): (&str, Duration),
    cancel: &CancellationToken,
) -> (Came, Option<String>) {
    let begun = Instant::now();
    let Table {
        tool,
        model,
        effort,
        agent,
        ..
    } = table;
    let mut came = Came {
        tool,
        model,
        effort,
        transport: None,
        took: Duration::ZERO,
        usage: None,
        answer: Err(Failure::new(Exit::Bug, "bug", "it was not asked")),
        conversation: None,
    };
    let agent = match agent {
        Ok(agent) => agent,
        Err(failure) => {
            came.answer = Err(failure);
            return (came, None);
        }
    };
    came.transport = Some(agent.transport().name().to_owned());
    let ask = Ask {
        prompt,
        model: came.model.as_deref(),
        effort: came.effort,
        timeout,
        reads: None,
        hears: None,
        schema: None,
    };
    let (kept, why) = kept.unwrap_or_default();
    let mut note = why.map(|why| format!("note: {} {why}; asked afresh", came.tool));
    let folder = kept.as_ref().map(|kept| kept.folder.clone());
    let mut session = open(agent.as_ref(), kept);
    let mut outcome = session.ask(ask, cancel).await;
    if let Err(AgentError {
        failure: NoAnswer::NoConversation,
        ..
    }) = &outcome
    {
        note = Some(format!(
            "note: {} does not have that conversation any more; asked afresh",
            came.tool
        ));
        let again = folder.and_then(|folder| fresh(&Place { folder }));
        session = open(agent.as_ref(), again);
        outcome = session.ask(ask, cancel).await;
    }
    came.conversation = session.kept().cloned();
    session.close().await;
    came.took = begun.elapsed();
    came.usage = match &outcome {
        Ok(answer) => Some(answer.usage),
        Err(error) => error.usage,
    };
    came.answer = outcome
        .map_err(|error| speaker::failure(&error))
        .and_then(|answer| shown(&answer));
    (came, note)
}

fn open(agent: &dyn Agent, kept: Option<Kept>) -> Box<dyn Session> {
    let watch = guarded(Arc::new(Unwatched));
    let kept = kept.and_then(|kept| agent.open_kept(kept, Arc::clone(&watch)));
    kept.unwrap_or_else(|| agent.open(watch))
}

/// An answer without secrets, and without what a reader would not see.
fn shown(answer: &Answer) -> Result<String, Failure> {
    let plain = clean(&answer.text);
    let redactor = Redactor::new();
    // Prose and code stay as they are, unless escapes hide a secret in them.
    let whole = clean(&unescaped(&plain));
    let hidden = redactor.redact(&whole).hits.len() > redactor.redact(&plain).hits.len();
    let text = redactor.redact(if hidden { &whole } else { &plain });
    let text = text.text.trim().to_owned();
    if text.is_empty() {
        let message = "it gave an empty answer";
        return Err(Failure::new(Exit::NoVerdict, "empty", message));
    }
    Ok(text)
}

/// One line on what came.
fn told(came: &Came) -> String {
    let took = clock(u64::try_from(came.took.as_millis()).unwrap_or(u64::MAX));
    let what = match (&came.answer, came.usage) {
        (Ok(_), Some(usage)) => format!("answered · {} tokens", rounded(usage.tokens())),
        (Ok(_), None) => "answered".to_owned(),
        (Err(failure), _) => failure.message.clone(),
    };
    format!("  {:<9} {took:>5}  {what}", came.tool.as_str())
}

/// A line for each tool that is asked, on a terminal.
struct Progress(MultiProgress);

impl Progress {
    fn on_stderr() -> Self {
        Self(MultiProgress::with_draw_target(ProgressDrawTarget::stderr()))
    }

    fn asking(&self, tool: &ToolName) -> ProgressBar {
        let bar = ProgressBar::new_spinner().with_message(format!("{tool} …"));
        let bar = self.0.add(bar);
        bar.enable_steady_tick(Duration::from_millis(250));
        bar
    }
}
