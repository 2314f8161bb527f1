//! An overview of this folder for the user: the ready tools and the latest debate.

use std::time::Duration;

use agon_caller::{Caller, Failure, IgnoreNotes, find, settings};
use agon_config::Fallback;
use agon_seats::tools::overview::ToolEntry;
use agon_seats::tools::{Tools, overview};
use agon_verdict::verdict::verdict_without_graph;

use crate::status::choose;
use crate::status::choose::LikelyDebate;
use crate::status::{self, RunState};

// The whole overview must appear within half a second. If a tool is slower, its login is shown as
// unknown.
/// Time for a tool to report whether its user is logged in.
const PROBE_TIMEOUT: Duration = Duration::from_millis(300);

/// An overview of this folder for the user.
#[derive(Clone, Debug)]
pub struct FolderOverview {
    /// The installed AI tools.
    pub tools: Vec<ToolEntry>,
    /// The most recently changed debate.
    pub latest: Option<LatestDebate>,
    /// Whether the built-in model debates while no tool is installed.
    pub has_built_in_model: bool,
}

/// The most recently changed debate.
#[derive(Clone, Debug)]
pub struct LatestDebate {
    /// Its name.
    pub slug: String,
    /// The name that its user types for it in commands.
    pub typed: String,
    /// The topic.
    pub topic: String,
    /// The answer, if there is one.
    pub answer: Option<String>,
    /// Its run state.
    pub run_state: RunState,
}

/// Finds the tools and the latest debate.
///
/// # Errors
///
/// If the configuration is not valid.
pub async fn folder_overview(caller: &Caller) -> Result<FolderOverview, Failure> {
    let hurried = Caller {
        probe_timeout: Some(PROBE_TIMEOUT),
        ..caller.clone()
    };
    let settings = settings::read_settings(caller)?;
    let tools = Tools::detect(&hurried, &settings, &[]).await?;
    let mut tools = overview::entries(&tools);
    tools.retain(|tool| tool.is_program && tool.installed);
    let falls_back = settings.fallback != Fallback::None;
    Ok(FolderOverview {
        has_built_in_model: cfg!(feature = "local-model") && falls_back && tools.is_empty(),
        tools,
        latest: find_latest(caller),
    })
}

/// Returns the latest debate in this folder. `agon list` reports debates that cannot be read.
fn find_latest(caller: &Caller) -> Option<LatestDebate> {
    let path = choose::find_or_choose(caller, None, LikelyDebate::Latest, &mut IgnoreNotes).ok()?;
    let sight = status::inspect_debate(&path).ok()?;
    let state = &sight.glance.state;
    Some(LatestDebate {
        typed: find::typeable_debate_name(caller, &path),
        answer: verdict_without_graph(state).and_then(|verdict| verdict.answer),
        slug: state.spec.slug.clone(),
        topic: state.spec.topic.clone(),
        run_state: sight.run_state,
    })
}
