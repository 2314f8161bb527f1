//! Lists the hosts on this machine and Agon's parts in them.

use agon_caller::{Caller, Failure};
use agon_hosts::ask::{ask_host, find_host_program};
use agon_hosts::content::ContentSet;
use agon_hosts::host::{HOSTS, Host, ServerState};
use agon_hosts::install::{Action, Refusal, Step};
use agon_hosts::receipt::Receipt;
use schemars::JsonSchema;
use serde::Serialize;
use tokio_util::sync::CancellationToken;

use super::document::short_path;
use super::install::{InstallWishes, plan_for, receipt_failure};
use super::place::{asking_environment, installation};

/// The hosts and Agon's parts in them: `agon.hosts/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct HostsDoc {
    schema: &'static str,
    /// The hosts.
    pub hosts: Vec<HostState>,
}

/// A host and Agon's parts in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct HostState {
    /// Its name.
    pub host: &'static str,
    /// Its name as its vendor writes it.
    pub title: &'static str,
    /// Whether its program is installed.
    pub is_here: bool,
    /// Its version, as it reports it.
    pub version: Option<String>,
    /// Agon's parts in it; missing if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub installed: Option<InstalledState>,
}

/// Agon's parts in a host.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct InstalledState {
    /// `user` or `project`.
    pub scope: &'static str,
    /// The installed content: `debate`, `team` or `all`.
    pub what: ContentSet,
    /// The version of Agon that wrote it.
    pub version: String,
    /// Number of files that are up to date.
    pub current: usize,
    /// Files that an earlier version wrote, or that are new since then.
    pub outdated: Vec<String>,
    /// Files that were changed since then, or that are not Agon's.
    pub changed: Vec<String>,
    /// State of the server in the host: `connected`, `listed`, `off`, `missing`, or `unknown` if the host
    /// does not answer.
    pub server: &'static str,
    /// Why it is off, in the host's words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub server_words: Option<String>,
    /// Skills that the host lists; null if it lists skills only inside a session.
    pub skills: Option<Vec<String>>,
    /// Installed skills that the host does not list.
    pub unlisted: Vec<String>,
}

/// Lists the hosts and asks each for its skills and servers.
///
/// # Errors
///
/// If a receipt cannot be read.
pub async fn overview(caller: &Caller, cancel: CancellationToken) -> Result<HostsDoc, Failure> {
    let mut hosts = Vec::new();
    // One host after the other, because two at once take just as long on two cores.
    for host in HOSTS {
        hosts.push(host_state(caller, host, &cancel).await?);
    }
    Ok(HostsDoc {
        schema: "agon.hosts/1",
        hosts,
    })
}

async fn host_state(
    caller: &Caller,
    host: &'static Host,
    cancel: &CancellationToken,
) -> Result<HostState, Failure> {
    let mut installed = None;
    for is_for_project in [true, false] {
        if installed.is_none() {
            installed = read_installed(caller, host, is_for_project)?;
        }
    }
    let asking = asking_environment(caller, host, cancel.clone());
    let program = find_host_program(host, &asking);
    let mut version = None;
    if let Some(program) = &program {
        let skills = installed.as_ref().map(|(_, skills)| skills.as_slice());
        let answer = ask_host(host, program, skills, &asking).await;
        version = answer.version;
        if let Some((state, skills)) = &mut installed {
            if let Some(server) = answer.server {
                (state.server, state.server_words) = match server {
                    ServerState::Connected => ("connected", None),
                    ServerState::Listed => ("listed", None),
                    ServerState::Off(words) => ("off", Some(words)),
                    ServerState::Missing => ("missing", None),
                };
            }
            if let Some(listed) = answer.skills {
                skills.retain(|skill| !listed.contains(skill));
                state.unlisted = skills.clone();
                state.skills = Some(listed);
            }
        }
    }
    Ok(HostState {
        host: host.name,
        title: host.title,
        is_here: program.is_some(),
        version,
        installed: installed.map(|(state, _)| state),
    })
}

/// Returns what is installed in one scope, and the names of the installed skills.
fn read_installed(
    caller: &Caller,
    host: &'static Host,
    is_for_project: bool,
) -> Result<Option<(InstalledState, Vec<String>)>, Failure> {
    let place = installation(caller, host, is_for_project)?;
    let receipt = Receipt::read(&place.receipt).map_err(|error| receipt_failure(&error))?;
    let Some(receipt) = receipt else {
        return Ok(None);
    };
    let plan = plan_for(caller, &place, &InstallWishes::default())?.plan;
    let paths_with = |actions: &[Action]| {
        let steps = plan.steps.iter();
        // Skip parts that need Agon's server if it is missing; the step of the server reports why.
        let is_there = |step: &&Step| step.refusal != Some(Refusal::NeedsServer);
        let steps = steps.filter(is_there);
        let steps = steps.filter(|step| actions.contains(&step.action));
        steps
            .map(|step| short_path(caller, &step.path))
            .collect::<Vec<_>>()
    };
    let folders = receipt
        .files
        .keys()
        .filter(|path| path.ends_with("SKILL.md"));
    let skills = folders.filter_map(|path| {
        let folder = path.parent()?.file_name()?;
        path.exists().then(|| folder.to_string_lossy().into_owned())
    });
    let state = InstalledState {
        scope: match is_for_project {
            true => "project",
            false => "user",
        },
        what: receipt.what,
        version: receipt.version.clone(),
        current: paths_with(&[Action::Same]).len(),
        outdated: paths_with(&[Action::Add, Action::Update, Action::Remove]),
        changed: paths_with(&[Action::Keep, Action::Refuse]),
        server: "unknown",
        server_words: None,
        skills: None,
        unlisted: Vec::new(),
    };
    Ok(Some((state, skills.collect())))
}
