//! The cost of debates.

use std::path::PathBuf;

use agon_caller::moment::parse_moment_ms;
use agon_caller::system::format_time;
use agon_caller::usage::{Group, UsageGrouping, UsageSum, read_usage_of_debates};
use agon_caller::{Caller, Failure, Notes, find};
use schemars::JsonSchema;
use serde::Serialize;

use crate::limits::spending;
pub use crate::limits::spending::{MonthDoc, UnattendedDoc};

/// The cost of debates.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Usage {
    schema: &'static str,
    /// The start of the period.
    pub since: Option<String>,
    /// How the usage is grouped.
    pub by: &'static str,
    /// The total.
    pub total: UsageSum,
    /// The usage of each group.
    pub groups: Vec<Group>,
    /// The unattended usage of today (UTC), in all projects.
    pub unattended: UnattendedDoc,
    /// The usage of debates and questions this month (UTC), in all projects; left out if
    /// `monthly_tokens` is not set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub month: Option<MonthDoc>,
    /// The folder of debates.
    #[serde(skip)]
    pub dir: PathBuf,
}

/// Returns the cost of the debates in the caller's folder since the moment `since`.
///
/// # Errors
///
/// If `since` is not a moment in the past, or the folder of debates cannot be read.
pub fn usage(
    caller: &Caller,
    since: Option<&str>,
    by: UsageGrouping,
    notes: &mut dyn Notes,
) -> Result<Usage, Failure> {
    let since = since.map(parse_moment_ms).transpose()?;
    let dir = find::debates_dir(caller)?;
    let (total, groups) = read_usage_of_debates(&dir, since, by, notes)?;
    Ok(Usage {
        schema: "agon.usage/1",
        since: since.map(format_time),
        by: grouping_name(by),
        total,
        groups,
        unattended: spending::unattended_usage_today(caller)?,
        month: spending::usage_this_month(caller)?,
        dir,
    })
}

fn grouping_name(by: UsageGrouping) -> &'static str {
    match by {
        UsageGrouping::Tool => "tool",
        UsageGrouping::Debate => "debate",
        UsageGrouping::Model => "model",
        UsageGrouping::Day => "day",
    }
}
