//! What can be done in this folder now: the tools that are ready, and the latest debate.

use std::time::Duration;

use agon_caller::{Caller, Failure, IgnoreNotes, find, settings};
use agon_config::Fallback;
use agon_seats::tools::overview::ToolEntry;
use agon_seats::tools::{Tools, overview};
use agon_verdict::verdict::verdict_without_graph;

use crate::standing::choose;
use crate::standing::choose::Likely;
use crate::standing::{self, RunState};

// The whole answer is to come within half a second. A tool that takes longer to tell whether its
// user is logged in counts as one that cannot tell.
/// How long a tool may take to tell whether its user is logged in.
const PROBE_TIMEOUT: Duration = Duration::from_millis(300);

/// What can be done in this folder now.
#[derive(Clone, Debug)]
pub struct Here {
    /// The AI tools that are installed.
    pub tools: Vec<ToolEntry>,
    /// The debate in which something happened last.
    pub latest: Option<LatestDebate>,
    /// Whether the built-in model debates as long as no tool is installed.
    pub has_built_in_model: bool,
}

/// The debate in which something happened last.
#[derive(Clone, Debug)]
pub struct LatestDebate {
    /// Its name.
    pub slug: String,
    /// What its user types for it.
    pub typed: String,
    /// What is debated.
    pub topic: String,
    /// Its answer, once there is one.
    pub answer: Option<String>,
    /// How it stands.
    pub standing: RunState,
}

/// Looks for tools, and for the latest debate.
///
/// # Errors
///
/// If the configuration is not valid.
pub async fn look_around(caller: &Caller) -> Result<Here, Failure> {
    let hurried = Caller {
        probe_timeout: Some(PROBE_TIMEOUT),
        ..caller.clone()
    };
    let settings = settings::read_settings(caller)?;
    let tools = Tools::detect(&hurried, &settings, &[]).await?;
    let mut tools = overview::entries(&tools);
    tools.retain(|tool| tool.is_program && tool.installed);
    let falls_back = settings.fallback != Fallback::None;
    Ok(Here {
        has_built_in_model: cfg!(feature = "local-model") && falls_back && tools.is_empty(),
        tools,
        latest: find_latest(caller),
    })
}

/// The latest debate in this folder; a debate that cannot be read is left to `agon list`.
fn find_latest(caller: &Caller) -> Option<LatestDebate> {
    let path = choose::find_or_choose(caller, None, Likely::Latest, &mut IgnoreNotes).ok()?;
    let sight = standing::inspect_debate(&path).ok()?;
    let state = &sight.glance.state;
    Some(LatestDebate {
        typed: find::name_to_type(caller, &path),
        answer: verdict_without_graph(state).and_then(|verdict| verdict.answer),
        slug: state.spec.slug.clone(),
        topic: state.spec.topic.clone(),
        standing: sight.standing,
    })
}
