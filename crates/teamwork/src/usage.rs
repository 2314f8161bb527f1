//! Reports what a team used: turns, tokens, cost and time, as far as its members' tools report
//! them.

mod sum;

use std::collections::{BTreeMap, BTreeSet};

use agon_caller::moment::parse_moment_ms;
use agon_caller::system::format_time;
use agon_caller::usage::{Group, UsageGrouping, read_usage_of_debates};
use agon_caller::{Caller, Failure, Notes};
use agon_team::id::{MemberName, RunId};
use agon_team::store::{MemberDoc, SessionUsage, Tally};
use schemars::JsonSchema;
use serde::Serialize;

pub use self::sum::TeamUsageSum;
use super::open_team::{failure, open};

/// The name and version of the document.
pub const TEAM_USAGE_SCHEMA: &str = "agon.team_usage/1";

/// Limits the turns that are counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TeamUsageRequest {
    /// Only turns that started since this time in the past, such as `7d` or `2026-11-01`.
    pub since: Option<String>,
    /// Only one run.
    pub run: Option<RunId>,
}

/// What a team used: `agon.team_usage/1`. Values that a tool does not report are null and counted
/// as unknown, never as 0.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TeamUsageDoc {
    #[schemars(extend("const" = TEAM_USAGE_SCHEMA))]
    schema: &'static str,
    /// The start of the counted period; null for all turns.
    pub since: Option<String>,
    /// The only run that is counted; null for all runs.
    pub run: Option<RunId>,
    /// The sum over all turns.
    pub total: TeamUsageSum,
    /// By member.
    pub by_member: Vec<TeamUsageGroup>,
    /// By role.
    pub by_role: Vec<TeamUsageGroup>,
    /// By AI tool.
    pub by_host: Vec<TeamUsageGroup>,
    /// By AI tool and its model.
    pub by_model: Vec<TeamUsageGroup>,
    /// By task; the group without a name is work without a task.
    pub by_task: Vec<TeamUsageGroup>,
    /// By run; the group without a name is work outside runs.
    pub by_run: Vec<TeamUsageGroup>,
    /// The cost of debates about plans, changes and gates; not included in `total`.
    pub debates: Vec<Group>,
    /// Members that Agon did not start, whose usage is unknown.
    pub not_started: BTreeSet<MemberName>,
}

/// A group of turns with its usage.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TeamUsageGroup {
    /// The common value of its turns, such as a member's name.
    pub name: Option<String>,
    /// Its usage.
    #[serde(flatten)]
    pub sum: TeamUsageSum,
}

/// Returns what the team of the caller's repository used.
///
/// # Errors
///
/// Fails if there is no team or no such run, `since` is not a time in the past, or a file cannot be
/// read.
pub fn usage(
    caller: &Caller,
    request: &TeamUsageRequest,
    notes: &mut dyn Notes,
) -> Result<TeamUsageDoc, Failure> {
    let since = request.since.as_deref().map(parse_moment_ms).transpose()?;
    let (mut team, location) = open(caller)?;
    if let Some(run) = request.run {
        team.run(run).map_err(failure)?;
    }
    let members = team.members().map_err(failure)?;
    let all = team.usage().map_err(failure)?;
    let tallies = team.tallies().map_err(failure)?;
    let counted = Counted::select(request.run, since, &members, &all, &tallies);
    let dir = location.database().with_file_name("debates");
    let mut debates = match dir.is_dir() {
        true => read_usage_of_debates(&dir, since, UsageGrouping::Debate, notes)?.1,
        false => Vec::new(),
    };
    if let Some(run) = request.run {
        // The debates of a run are named `plan-RUN-HASH` and `change-RUN-…`, so keep those.
        let names = [format!("plan-{run}-"), format!("change-{run}-")];
        debates.retain(|it| names.iter().any(|name| it.name.starts_with(name)));
    }
    Ok(TeamUsageDoc {
        schema: TEAM_USAGE_SCHEMA,
        since: since.map(format_time),
        run: request.run,
        total: counted.total(),
        by_member: counted.group(|it| Some(Some(it.member().to_string()))),
        by_role: counted.group(|it| Some(Some(it.role()?.to_owned()))),
        by_host: counted.group(|it| Some(Some(it.host()?.to_owned()))),
        by_model: counted.group(|it| it.session().map(|it| Some(model_of(it)))),
        by_task: counted.group(|it| it.session().map(|it| it.task.map(|it| it.to_string()))),
        by_run: counted.group(|it| it.session().map(|it| it.run.map(|it| it.to_string()))),
        debates,
        not_started: members_without_session(&members, &all),
    })
}

fn model_of(session: &SessionUsage) -> String {
    match &session.model {
        Some(model) => format!("{} {model}", session.host),
        None => format!("{} (default model)", session.host),
    }
}

/// Returns the current members that never had a session.
fn members_without_session(
    members: &[MemberDoc],
    sessions: &[SessionUsage],
) -> BTreeSet<MemberName> {
    let started: BTreeSet<&MemberName> = sessions.iter().map(|it| &it.member).collect();
    let here = members.iter().filter(|it| it.left_ms.is_none());
    here.map(|it| it.name.clone())
        .filter(|name| !started.contains(name))
        .collect()
}

/// A counted item: a turn, or the outcome of a request.
#[derive(Clone, Copy)]
enum CountedItem<'a> {
    Turn(&'a SessionUsage),
    Tally {
        tally: &'a Tally,
        member: Option<&'a MemberDoc>,
        session: Option<&'a SessionUsage>,
    },
}

impl<'a> CountedItem<'a> {
    const fn member(&self) -> &'a MemberName {
        match self {
            Self::Turn(turn) => &turn.member,
            Self::Tally { tally, .. } => &tally.member,
        }
    }

    /// Returns the session that it is or belongs to; a request may belong to none.
    const fn session(&self) -> Option<&'a SessionUsage> {
        match self {
            Self::Turn(turn) => Some(turn),
            Self::Tally { session, .. } => *session,
        }
    }

    fn role(&self) -> Option<&'a str> {
        match self {
            Self::Turn(turn) => Some(turn.role.as_str()),
            Self::Tally { member, .. } => member.map(|it| it.role.as_str()),
        }
    }

    fn host(&self) -> Option<&'a str> {
        match self {
            Self::Turn(turn) => Some(&turn.host),
            Self::Tally { member, .. } => member.map(|it| it.host.as_str()),
        }
    }

    fn add_to(&self, sum: &mut TeamUsageSum) {
        match self {
            Self::Turn(turn) => sum.add_turn(turn),
            Self::Tally { tally, .. } => sum.add_tally(tally.kind),
        }
    }
}

/// All counted items.
struct Counted<'a>(Vec<CountedItem<'a>>);

impl<'a> Counted<'a> {
    fn select(
        run: Option<RunId>,
        since: Option<u64>,
        members: &'a [MemberDoc],
        sessions: &'a [SessionUsage],
        tallies: &'a [Tally],
    ) -> Self {
        let since = i64::try_from(since.unwrap_or_default()).unwrap_or(i64::MAX);
        let of_run = |it: Option<&SessionUsage>| run.is_none() || it.and_then(|it| it.run) == run;
        let by_number: BTreeMap<_, _> = sessions.iter().map(|it| (it.session, it)).collect();
        let by_name: BTreeMap<_, _> = members.iter().map(|it| (&it.name, it)).collect();
        let turns = sessions.iter().filter(|it| it.began_ms >= since);
        let turns = turns.filter(|it| of_run(Some(it))).map(CountedItem::Turn);
        let requests = tallies.iter().filter(|it| it.at_ms >= since);
        let requests = requests.map(|tally| CountedItem::Tally {
            tally,
            member: by_name.get(&tally.member).copied(),
            session: tally.session.and_then(|it| by_number.get(&it).copied()),
        });
        let requests = requests.filter(|it| of_run(it.session()));
        Self(turns.chain(requests).collect())
    }

    fn total(&self) -> TeamUsageSum {
        let mut sum = TeamUsageSum::default();
        self.0.iter().for_each(|it| it.add_to(&mut sum));
        sum
    }

    /// Groups the items by a name; items without a name are left out.
    fn group(
        &self,
        name: impl Fn(&CountedItem<'a>) -> Option<Option<String>>,
    ) -> Vec<TeamUsageGroup> {
        let mut groups: BTreeMap<Option<String>, TeamUsageSum> = BTreeMap::new();
        for item in &self.0 {
            if let Some(name) = name(item) {
                item.add_to(groups.entry(name).or_default());
            }
        }
        let groups = groups.into_iter();
        let mut groups: Vec<_> = groups
            .map(|(name, sum)| TeamUsageGroup { name, sum })
            .collect();
        // Largest first; groups without known tokens last, by name.
        groups.sort_by_key(|group| std::cmp::Reverse(group.sum.all_tokens()));
        groups
    }
}
