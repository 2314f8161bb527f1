//! Installs Agon in hosts and uninstalls it.

use agon_caller::hint::command;
use agon_caller::{Caller, Code, Failure, Hint, depth};
use agon_hosts::compile::{Compiled, Target};
use agon_hosts::content::ContentSet;
use agon_hosts::hook::HookEvent;
use agon_hosts::host::{SERVER, Scope};
use agon_hosts::install::{
    InstallLock, InstallPlan, Installation, InstalledPart, Step, apply_with_retries, plan,
};
use agon_hosts::receipt::{Receipt, ReceiptError};

use super::document::{InstallationDoc, host_document};
use super::place::{home, installation, require_host, server_command};
use crate::team_policy::compile_for_installation;
use crate::team_roster::compile_for;

/// Request to install or uninstall Agon.
#[derive(Clone, Debug, Default)]
pub struct InstallRequest {
    /// The hosts.
    pub hosts: Vec<String>,
    /// Whether to install for the caller's project only, not for all of the user's projects.
    pub is_for_project: bool,
    /// The part of the content. If `None`, the part installed before, or at first what debates need.
    pub what: Option<ContentSet>,
    /// Whether to install the hook at the end of plan mode, or to remove it. If `None`, as before.
    pub plan_review: Option<bool>,
    /// Whether to install the hook at prompts, which suggests debates, or to remove it. If `None`,
    /// as before.
    pub suggest: Option<bool>,
    /// Limits that need not be enforced, as `AGENT.FIELD`.
    pub waived: Vec<String>,
    /// Whether to only report what would be done.
    pub is_dry_run: bool,
}

/// What to know after the hook at the end of plan mode was installed.
const PLAN_REVIEW_STEPS: [&str; 2] = [
    "At the end of plan mode, Agon offers a debate on the plan, unless the key plan_review says \
     otherwise. To start it every time, set plan_review = \"auto\" in your own configuration \
     (`agon config edit`).",
    "Such a debate uses only AI tools that your configuration names or that you have allowed in the \
     project (`agon config consent`).",
];

/// What to know after the hook at prompts was installed.
const SUGGEST_STEP: &str = "If a prompt of yours would change something that is costly to undo, \
     the model may offer you a debate. The key costly lists what that is (`agon config edit`); \
     costly = [] switches it off.";

impl InstallRequest {
    fn wishes(&self) -> InstallWishes<'_> {
        InstallWishes {
            what: self.what,
            plan_review: self.plan_review,
            suggest: self.suggest,
            waived: &self.waived,
        }
    }
}

/// What to install in one host. `None` means what was chosen before.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct InstallWishes<'a> {
    what: Option<ContentSet>,
    plan_review: Option<bool>,
    suggest: Option<bool>,
    waived: &'a [String],
}

/// Installs Agon's server, skills, commands and agents in hosts.
///
/// # Errors
///
/// If a host is unknown, a waiver has no effect, the earlier receipt cannot be read, or another
/// installation does not finish. Problems with a single file are reported in its step.
pub fn install(caller: &Caller, request: &InstallRequest) -> Result<InstallationDoc, Failure> {
    depth::refuse_nested(caller)?;
    let _lock = lock(caller, request)?;
    let (mut planned, mut impossible) = (Vec::new(), Vec::new());
    for name in &request.hosts {
        let place = installation(caller, require_host(name)?, request.is_for_project)?;
        if request.plan_review == Some(true) && place.host.hooks.plan.is_none() {
            impossible.push(place);
            continue;
        }
        planned.push((plan_for(caller, &place, &request.wishes())?, place));
    }
    refuse_unused_waivers(request, &planned)?;
    let mut hosts = Vec::new();
    for (wanted, place) in planned {
        let steps = match request.is_dry_run {
            true => wanted.plan.steps,
            false => apply_with_retries(&place, wanted.plan, || {
                let wanted = plan_for(caller, &place, &request.wishes()).map_err(ReplanFailure)?;
                Ok(wanted.plan)
            })
            .map_err(|ReplanFailure(failure)| failure)?,
        };
        let put = Some((wanted.what, &wanted.compiled));
        let mut host = host_document(caller, &place, &steps, put);
        if request.plan_review == Some(true) {
            host.next.extend(PLAN_REVIEW_STEPS.map(str::to_owned));
        }
        if request.suggest == Some(true) {
            host.next.push(SUGGEST_STEP.to_owned());
        }
        hosts.push(host);
    }
    for place in impossible {
        let reason = format!(
            "no hook sees the end of plan mode in {}, so plans cannot be reviewed there",
            place.host.title
        );
        let path = place.places.hooks.clone();
        let step = Step::impossible(InstalledPart::Hooks, path, reason);
        hosts.push(host_document(caller, &place, &[step], None));
    }
    Ok(InstallationDoc {
        schema: "agon.installation/1",
        dry_run: request.is_dry_run,
        hosts,
    })
}

/// Removes from hosts what Agon installed there.
///
/// # Errors
///
/// Those of [`install`].
pub fn uninstall(caller: &Caller, request: &InstallRequest) -> Result<InstallationDoc, Failure> {
    depth::refuse_nested(caller)?;
    let _lock = lock(caller, request)?;
    let mut hosts = Vec::new();
    for name in &request.hosts {
        let place = installation(caller, require_host(name)?, request.is_for_project)?;
        let steps = agon_hosts::install::uninstall(&place, request.is_dry_run);
        let steps = steps.map_err(|error| receipt_failure(&error))?;
        hosts.push(host_document(caller, &place, &steps, None));
    }
    Ok(InstallationDoc {
        schema: "agon.installation/1",
        dry_run: request.is_dry_run,
        hosts,
    })
}

/// Takes the lock against concurrent installations; a dry run needs none.
fn lock(caller: &Caller, request: &InstallRequest) -> Result<Option<InstallLock>, Failure> {
    if request.is_dry_run {
        return Ok(None);
    }
    let lock = InstallLock::take(&home(caller)?).map_err(|error| {
        Failure::from_error(Code::Locked, &error).hint("wait until it has finished, then try again")
    })?;
    Ok(Some(lock))
}

/// Planned content of an installation in a host.
pub(super) struct Wanted {
    /// The part of the content.
    pub(super) what: ContentSet,
    /// That part compiled for the host.
    pub(super) compiled: Compiled,
    /// The changes to install it.
    pub(super) plan: InstallPlan,
}

/// Plans an installation. Earlier waivers stay.
pub(super) fn plan_for(
    caller: &Caller,
    place: &Installation,
    wishes: &InstallWishes<'_>,
) -> Result<Wanted, Failure> {
    let earlier = Receipt::read(&place.receipt).map_err(|error| receipt_failure(&error))?;
    let before = earlier.as_ref().map(|receipt| receipt.what);
    let what = wishes.what.or(before).unwrap_or_default();
    let had_review = earlier.as_ref().is_some_and(|receipt| receipt.plan_review);
    let plan_review = wishes.plan_review.unwrap_or(had_review) && place.host.hooks.plan.is_some();
    let had_suggest = earlier.as_ref().is_some_and(|receipt| receipt.suggest);
    let suggest = wishes.suggest.unwrap_or(had_suggest);
    let mut all = wishes.waived.to_vec();
    for waiver in earlier.into_iter().flat_map(|receipt| receipt.waived) {
        if !all.contains(&waiver) {
            all.push(waiver);
        }
    }
    let content = what
        .content()
        .map_err(|error| Failure::from_error(Code::Content, &error))?;
    let target = Target {
        host: place.host,
        server: SERVER,
        waived: &all,
        is_for_project: matches!(place.scope, Scope::Project(_)),
    };
    let mut compiled = compile_for(caller, &place.scope, &content, &target)?;
    if what != ContentSet::Debate {
        let permissions = compile_for_installation(caller, place.host, &place.scope);
        compiled.permissions = place.host.permissions.setup(&permissions);
    }
    let entry = place.host.server.agon_entry(&server_command(caller));
    let program = server_command(caller);
    let program = program.first().map_or("agon", String::as_str);
    let mut events = match what {
        ContentSet::Debate => Vec::new(),
        ContentSet::Team | ContentSet::All => HookEvent::TEAM.to_vec(),
    };
    if plan_review {
        events.push(HookEvent::PlanEnd);
    }
    if suggest {
        events.push(HookEvent::Prompt);
    }
    let hooks = &place.host.hooks;
    let hooks = (!events.is_empty()).then(|| hooks.setup_of(place.host.name, program, &events));
    let version = env!("CARGO_PKG_VERSION");
    let plan = plan(place, &compiled, &entry, hooks.as_ref(), version)
        .map_err(|error| receipt_failure(&error))?;
    Ok(Wanted {
        what,
        compiled,
        plan: plan.with_waivers(all).with_content_set(what, &events),
    })
}

/// Fails if no limit matches a waiver, because a misspelt waiver would seem to work.
fn refuse_unused_waivers(
    request: &InstallRequest,
    planned: &[(Wanted, Installation)],
) -> Result<(), Failure> {
    let is_idle = |waiver: &&String| {
        let mut all = planned.iter();
        all.all(|(wanted, _)| wanted.compiled.idle_waivers.contains(waiver))
    };
    match request.waived.iter().find(is_idle) {
        None => Ok(()),
        Some(waiver) => {
            let message = format!("no selected agent has a limit called `{waiver}`");
            Err(Failure::new(Code::IdleWaiver, message)
                .parameter("waive")
                .hint(
                    command("install HOST --what all --dry-run -v")
                        .text(" lists what can be waived"),
                ))
        }
    }
}

/// The reason why files could not be installed or planned again.
struct ReplanFailure(Failure);

impl From<ReceiptError> for ReplanFailure {
    fn from(error: ReceiptError) -> Self {
        Self(receipt_failure(&error))
    }
}

/// Converts a receipt error to a failure.
pub(crate) fn receipt_failure(error: &ReceiptError) -> Failure {
    if let ReceiptError::Outside { .. } = error {
        let alone = Hint::new("install only for yourself: omit `");
        let alone = alone.flag_with("scope", "project").text("`");
        return Failure::from_error(Code::OutsideProject, error)
            .hint(Hint::new("remove the link").or(alone));
    }
    Failure::from_error(Code::Receipt, error).hint(
        "it records what Agon wrote: restore it from a copy, or delete it and those files by hand",
    )
}
