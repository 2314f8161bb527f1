//! What debates have cost.

use std::path::PathBuf;

use agon_caller::moment::moment_ms;
use agon_caller::system::format_time;
use agon_caller::usage::{Group, UsageGrouping, UsageSum, usage_in};
use agon_caller::{Caller, Failure, Notes, find};
use schemars::JsonSchema;
use serde::Serialize;

use crate::limits::spending;
pub use crate::limits::spending::{MonthDoc, UnattendedDoc};

/// What debates have cost.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Usage {
    schema: &'static str,
    /// The moment since which calls are counted.
    pub since: Option<String>,
    /// What they are added up by.
    pub by: &'static str,
    /// All of them.
    pub total: UsageSum,
    /// Those that have something in common.
    pub groups: Vec<Group>,
    /// What was used today (UTC) while no person watched, in every project.
    pub unattended: UnattendedDoc,
    /// What debates and questions used this month (UTC), in every project; left out where
    /// `monthly_tokens` is not set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub month: Option<MonthDoc>,
    /// The folder of debates.
    #[serde(skip)]
    pub dir: PathBuf,
}

/// What the debates in the caller's folder have cost, since the moment that `since` names.
///
/// # Errors
///
/// If `since` names no moment in the past, or the folder of debates cannot be read.
pub fn usage(
    caller: &Caller,
    since: Option<&str>,
    by: UsageGrouping,
    notes: &mut dyn Notes,
) -> Result<Usage, Failure> {
    let since = since.map(moment_ms).transpose()?;
    let dir = find::debates_dir(caller)?;
    let (total, groups) = usage_in(&dir, since, by, notes)?;
    Ok(Usage {
        schema: "agon.usage/1",
        since: since.map(format_time),
        by: name_of(by),
        total,
        groups,
        unattended: spending::today(caller)?,
        month: spending::this_month(caller)?,
        dir,
    })
}

fn name_of(by: UsageGrouping) -> &'static str {
    match by {
        UsageGrouping::Tool => "tool",
        UsageGrouping::Debate => "debate",
        UsageGrouping::Model => "model",
        UsageGrouping::Day => "day",
    }
}
