//! Putting Agon into hosts, and taking it out of them.

use agon_caller::hint::command;
use agon_caller::{Caller, Code, Failure, Hint, depth};
use agon_hosts::compile::{Compiled, Target};
use agon_hosts::content::ContentSet;
use agon_hosts::host::{SERVER, Scope};
use agon_hosts::install::{InstallLock, InstallPlan, Installation, apply_settled, plan, take_back};
use agon_hosts::receipt::{Receipt, ReceiptError};

use super::document::{InstallationDoc, host_document};
use super::place::{home, host_called, installation, server_command};
use crate::team_policy::for_installation;
use crate::team_roster::compile_for;

/// What is to be installed, and where.
#[derive(Clone, Debug, Default)]
pub struct InstallRequest {
    /// The hosts.
    pub hosts: Vec<String>,
    /// For the caller's project alone, instead of for all of the user's.
    pub is_for_project: bool,
    /// Which part of the content; as before where nothing is said, and for the first time what
    /// debates need.
    pub what: Option<ContentSet>,
    /// Fields that agents need not be held to, as `AGENT.FIELD`.
    pub waived: Vec<String>,
    /// Only shows what would be done.
    pub is_dry_run: bool,
}

/// Puts Agon into hosts: its server, its skills, its commands and its agents.
///
/// # Errors
///
/// If a host is not known, a waiver waives nothing, what was installed before cannot be read, or
/// another process is at it and does not end. What a single file stands against is told of that file.
pub fn install(caller: &Caller, request: &InstallRequest) -> Result<InstallationDoc, Failure> {
    depth::refuse_nested(caller)?;
    let _lock = lock(caller, request)?;
    let mut planned = Vec::new();
    for name in &request.hosts {
        let place = installation(caller, host_called(name)?, request.is_for_project)?;
        let wanted = (request.what, request.waived.as_slice());
        planned.push((plan_for(caller, &place, wanted)?, place));
    }
    refuse_idle_waivers(request, &planned)?;
    let mut hosts = Vec::new();
    for (wanted, place) in planned {
        let steps = match request.is_dry_run {
            true => wanted.plan.steps,
            false => apply_settled(&place, wanted.plan, || {
                let again = (request.what, request.waived.as_slice());
                let wanted = plan_for(caller, &place, again).map_err(ReplanFailure)?;
                Ok(wanted.plan)
            })
            .map_err(|ReplanFailure(failure)| failure)?,
        };
        let put = Some((wanted.what, &wanted.compiled));
        hosts.push(host_document(caller, &place, &steps, put));
    }
    Ok(InstallationDoc {
        schema: "agon.installation/1",
        dry_run: request.is_dry_run,
        hosts,
    })
}

/// Takes out of hosts what Agon put there.
///
/// # Errors
///
/// As [`install`].
pub fn uninstall(caller: &Caller, request: &InstallRequest) -> Result<InstallationDoc, Failure> {
    depth::refuse_nested(caller)?;
    let _lock = lock(caller, request)?;
    let mut hosts = Vec::new();
    for name in &request.hosts {
        let place = installation(caller, host_called(name)?, request.is_for_project)?;
        let steps = take_back(&place, request.is_dry_run);
        let steps = steps.map_err(|error| receipt_failure(&error))?;
        hosts.push(host_document(caller, &place, &steps, None));
    }
    Ok(InstallationDoc {
        schema: "agon.installation/1",
        dry_run: request.is_dry_run,
        hosts,
    })
}

/// What keeps two processes from the same files; a dry run writes none and needs nothing.
fn lock(caller: &Caller, request: &InstallRequest) -> Result<Option<InstallLock>, Failure> {
    if request.is_dry_run {
        return Ok(None);
    }
    let lock = InstallLock::take(&home(caller)?).map_err(|error| {
        Failure::from_error(Code::Locked, &error).hint("wait until it is done, then try again")
    })?;
    Ok(Some(lock))
}

/// What an installation would put into a host.
pub(super) struct Wanted {
    /// Which part of the content.
    pub(super) what: ContentSet,
    /// That part in the form of the host.
    pub(super) compiled: Compiled,
    /// What would be changed for it.
    pub(super) plan: InstallPlan,
}

/// What an installation would put there. What was waived before stays so, and where `what` says
/// nothing it is what was chosen before.
pub(super) fn plan_for(
    caller: &Caller,
    place: &Installation,
    (what, waived): (Option<ContentSet>, &[String]),
) -> Result<Wanted, Failure> {
    let earlier = Receipt::read(&place.receipt).map_err(|error| receipt_failure(&error))?;
    let before = earlier.as_ref().map(|receipt| receipt.what);
    let what = what.or(before).unwrap_or_default();
    let mut all = waived.to_vec();
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
        let permissions = for_installation(caller, place.host, &place.scope);
        compiled.permissions = place.host.permissions.setup(&permissions);
    }
    let entry = place.host.server.own_entry(&server_command(caller));
    let program = server_command(caller);
    let program = program.first().map_or("agon", String::as_str);
    let hooks =
        (what != ContentSet::Debate).then(|| place.host.hooks.setup(place.host.name, program));
    let version = env!("CARGO_PKG_VERSION");
    let plan = plan(place, &compiled, &entry, hooks.as_ref(), version)
        .map_err(|error| receipt_failure(&error))?;
    Ok(Wanted {
        what,
        compiled,
        plan: plan.waiving(all).installing(what),
    })
}

/// A waiver that is misspelt would look as if it held.
fn refuse_idle_waivers(
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
            let message = format!("`{waiver}` waives nothing there");
            Err(Failure::new(Code::IdleWaiver, message)
                .parameter("waive")
                .hint(
                    command("install HOST --what all --dry-run -v")
                        .text(" names what can be waived"),
                ))
        }
    }
}

/// Why files could not be put in place, or be planned again.
struct ReplanFailure(Failure);

impl From<ReceiptError> for ReplanFailure {
    fn from(error: ReceiptError) -> Self {
        Self(receipt_failure(&error))
    }
}

/// The failure that a receipt is.
pub(crate) fn receipt_failure(error: &ReceiptError) -> Failure {
    if let ReceiptError::Outside { .. } = error {
        let alone = Hint::new("install for yourself alone: leave out `");
        let alone = alone.flag_with("scope", "project").text("`");
        return Failure::from_error(Code::OutsideProject, error)
            .hint(Hint::new("remove the link").or(alone));
    }
    Failure::from_error(Code::Receipt, error)
        .hint("it says what Agon wrote there: put it back from a copy, or remove it and the files by hand")
}
