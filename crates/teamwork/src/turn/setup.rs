//! Prepares a turn before its tool runs.

use std::path::{Path, PathBuf};

use agon_agents::profile::{Access, WorkPolicy};
use agon_agents::{Profile, Worker};
use agon_caller::{Caller, Code, Failure};
use agon_hosts::content::agent::Effort;
use agon_install::team_files::TeamLayers;
use agon_install::team_roster::TeamRoster;
use agon_prompt::Wording;
use agon_prompt::team::Order;
use agon_team::id::RoleName;
use agon_team::policy::MemberSpending;
use agon_team::store::SessionDoc;
use agon_team::task::Task;

use super::check_list::list_checks;
use super::other_trees::OtherTrees;
use super::worker::find_worker;
use super::{RunningTurn, SharedTeam, lock};
use crate::open_team::failure;
use crate::permissions::{self, MemberSession};
use crate::prompt::{self, Briefing};
use crate::run_policy;
use crate::trees;

/// The parts of a member's prompt for one run of its tool.
struct PromptInput<'a> {
    access: Access,
    task: Option<&'a Task>,
    order: Option<&'a Order>,
    handover: Option<&'a str>,
}

/// Everything that a turn needs.
pub(super) struct TurnSetup {
    /// The member's work tree.
    pub(super) tree: PathBuf,
    pub(super) worker: Worker,
    pub(super) access: Access,
    pub(super) effort: Effort,
    /// The most tokens that the turn may use.
    pub(super) budget: u64,
    pub(super) role: RoleName,
    pub(super) task: Option<Task>,
    pub(super) prompt: Wording,
    pub(super) policy: Option<WorkPolicy>,
    /// The state of the other work trees when the turn began.
    pub(super) other_trees: OtherTrees,
    /// The commit that the work starts from.
    pub(super) base: String,
    /// The commit of an unfinished merge that the member finds.
    pub(super) merging: Option<String>,
}

impl TurnSetup {
    pub(super) fn may_write(&self) -> bool {
        self.access == Access::Writes
    }
}

impl RunningTurn<'_> {
    /// Prepares the turn: its tool, prompt and policy, and the state of the other work trees.
    pub(super) async fn set_up(&self) -> Result<TurnSetup, Failure> {
        let (caller, session) = (self.caller, &self.session);
        let tree = self.own_tree()?;
        let (profile, worker) = find_worker(caller, &session.host)?;
        let roster = TeamRoster::read(caller, &TeamLayers::of_profile(session.profile.as_deref()))?;
        let (role, settings) = roster.role(&self.role_name()?)?;
        let budget = role.budget.task;
        let access = permissions::access_for_role(settings);
        let task = session.task.map(|task| self.team().task(task)).transpose();
        let task = task.map_err(failure)?;
        let handover = handover(&self.team, session)?;
        let input = PromptInput {
            access,
            task: task.as_ref(),
            order: self.order.order,
            handover: handover.as_deref(),
        };
        let prompt = self.write_prompt(&input)?;
        refuse_escaping_link(caller, &profile, &worker, &tree).await?;
        let Some(role) = self.actor.role().cloned() else {
            let message = format!("{} is not the session of a member", session.session);
            return Err(Failure::new(Code::NotMember, message));
        };
        let other_trees = OtherTrees::read(caller, self.location, &tree).await?;
        let base = match &session.base {
            Some(base) => base.clone(),
            None => trees::head(caller, &tree).await?,
        };
        // Read before the turn: the member must not be able to declare its own changes a merge.
        let merging = trees::merging(caller, &tree).await;
        let mut setup = TurnSetup {
            tree,
            worker,
            access,
            effort: settings.effort.value,
            budget,
            role,
            task,
            prompt,
            policy: None,
            other_trees,
            base,
            merging,
        };
        setup.policy = permissions::for_member(caller, self.location, &self.member(&setup));
        Ok(setup)
    }

    /// Prepares a further run of the tool, in which the member repairs a failed check.
    pub(super) async fn set_up_repair(
        &self,
        setup: &mut TurnSetup,
        order: &Order,
    ) -> Result<(), Failure> {
        let input = PromptInput {
            access: setup.access,
            task: setup.task.as_ref(),
            order: Some(order),
            handover: None,
        };
        setup.prompt = self.write_prompt(&input)?;
        // Read the other trees again, so that the member is not blamed for what a check wrote
        // there.
        setup.other_trees = OtherTrees::read(self.caller, self.location, &setup.tree).await?;
        Ok(())
    }

    /// Writes the prompt for one run of the tool.
    fn write_prompt(&self, input: &PromptInput<'_>) -> Result<Wording, Failure> {
        let session = &self.session;
        let (profile, worker) = find_worker(self.caller, &session.host)?;
        let layers = TeamLayers::of_profile(session.profile.as_deref());
        let roster = TeamRoster::read(self.caller, &layers)?;
        let (role, settings) = roster.role(&self.role_name()?)?;
        let may_write = input.access == Access::Writes;
        let checks = match input.task {
            Some(task) if may_write && self.order.submits => self.checks_of(task)?,
            Some(_) | None => Vec::new(),
        };
        prompt::write(
            self.caller,
            &Briefing {
                member: &session.member,
                role,
                host: &session.host,
                may_write,
                runs_programs: worker.runs_programs(),
                task: input.task,
                order: input.order,
                checks: &list_checks(&checks),
                handover: input.handover,
                onset: profile.context_degradation(session.model.as_deref()).onset,
                skills: &settings.skills.value,
                skills_share: run_policy::skills_share(roster.settings()),
                session: session.session,
            },
        )
    }

    /// Returns the session's work tree. Removes a leftover index lock: no other process works there
    /// now.
    fn own_tree(&self) -> Result<PathBuf, Failure> {
        let tree = self.session.work_tree.as_ref().map(PathBuf::from);
        let tree = tree.ok_or_else(|| {
            let message = format!("{} has no work tree", self.session.session);
            Failure::new(Code::Store, message)
        })?;
        trees::unlock(self.location, &tree);
        Ok(tree)
    }

    pub(super) fn role_name(&self) -> Result<String, Failure> {
        let members = self.team().members().map_err(failure)?;
        let found = members
            .into_iter()
            .find(|it| it.name == self.session.member);
        Ok(found.map(|it| it.role.to_string()).unwrap_or_default())
    }

    /// Returns the member as the team's policies need it.
    pub(super) fn member<'a>(&'a self, setup: &'a TurnSetup) -> MemberSession<'a> {
        MemberSession {
            host: &self.session.host,
            role: &setup.role,
            tree: &setup.tree,
            may_edit: setup.may_write(),
            spent: MemberSpending::default(),
        }
    }
}

/// Refuses a tool that follows links if a link leads out of the work tree.
async fn refuse_escaping_link(
    caller: &Caller,
    profile: &Profile,
    worker: &Worker,
    tree: &Path,
) -> Result<(), Failure> {
    if !worker.follows_links() {
        return Ok(());
    }
    let Some(link) = trees::find_escaping_link(caller, tree).await? else {
        return Ok(());
    };
    let message = format!(
        "{} follows links, and {link} leads out of the work tree",
        profile.title
    );
    Err(Failure::new(Code::CannotWork, message))
}

/// Describes what the previous session left, if this one replaces it.
fn handover(team: &SharedTeam, session: &SessionDoc) -> Result<Option<String>, Failure> {
    if session.restarts == 0 {
        return Ok(None);
    }
    let sessions = lock(team).sessions().map_err(failure)?;
    let before = sessions
        .into_iter()
        .rfind(|it| it.member == session.member && it.session < session.session);
    Ok(before.map(|it| {
        let how = it
            .ending
            .map_or_else(|| it.evidence.join("; "), |ending| ending.said);
        format!("Session {} was lost: {how}", it.session)
    }))
}
