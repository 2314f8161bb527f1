//! Which vendors may be sent the material of a project.
//!
//! The user answers once for each project and vendor. Naming a tool, in a request or in the user's
//! own configuration, is also an answer, but only for that tool and not remembered.

mod document;
mod file;

use std::collections::BTreeSet;
use std::path::PathBuf;

use agon_agents::{Environment, Profile};
use agon_caller::{Caller, Code, Failure, Hint, settings};
use agon_git::Repository;
use agon_record::spec::ToolName;
pub(crate) use document::SCHEMA;
pub use document::{ConsentDoc, allow_vendors, withdraw_vendors};
pub use file::Consents;

/// The value of the key `vendors` that allows every vendor.
const ALL: &str = "all";

/// A tool and the vendor that the user has not allowed.
pub type MissingConsent = (ToolName, String);

/// What may be sent to whom in one project.
#[derive(Clone, Debug, Default)]
pub struct Consent {
    /// Vendors that the user allowed, for this project or for all.
    vendors: BTreeSet<String>,
    /// Vendors that the user withdrew in this project.
    withdrawn: BTreeSet<String>,
    /// Tools that the user named, in the request or in their own configuration.
    named: BTreeSet<ToolName>,
    /// Tools that the user allowed when the debate was opened.
    granted: BTreeSet<ToolName>,
    /// Whether every vendor is allowed.
    is_for_all: bool,
    /// Why the answers cannot be read.
    unreadable: Option<String>,
}

impl Consent {
    /// Reads what the user allowed for the project of `caller`. The tools in `granted` were allowed
    /// when the debate was opened.
    ///
    /// # Errors
    ///
    /// If the user's configuration is invalid.
    pub(crate) fn read(caller: &Caller, granted: &[ToolName]) -> Result<Self, Failure> {
        // Not the project's file, even in a trusted folder, because its content can change.
        let settings = settings::read_own_settings(caller)?;
        let mut vendors: BTreeSet<_> = settings.vendors.into_iter().collect();
        let is_for_all = vendors.remove(ALL);
        let seats = [&settings.proposer, &settings.challenger, &settings.judge];
        let named = seats.into_iter().flatten().chain(settings.tools.keys());
        let mut consent = Self {
            named: named.filter_map(|name| name.parse().ok()).collect(),
            granted: granted.iter().cloned().collect(),
            is_for_all,
            vendors,
            ..Self::default()
        };
        match Consents::read(caller) {
            Ok(answers) => {
                let answers = answers.of_project(&project_of(caller));
                consent.vendors.extend(answers.allowed);
                consent.withdrawn = answers.withdrawn;
            }
            // Only what needs an answer fails then.
            Err(failure) => consent.unreadable = Some(failure.message),
        }
        Ok(consent)
    }

    /// Returns the vendor that must be allowed before the tool is asked; `None` if the tool may be
    /// asked.
    pub(crate) fn missing(&self, profile: &Profile, here: &Environment) -> Option<String> {
        let vendor = profile.receiver(here)?;
        let is_granted = self.granted.contains(&profile.name) && !self.withdrawn.contains(&vendor);
        let is_allowed = self.is_for_all
            || self.vendors.contains(&vendor)
            || self.named.contains(&profile.name)
            || is_granted;
        (!is_allowed).then_some(vendor)
    }

    /// Counts these tools as named by the user. An AI tool shows its user a call that names tools.
    pub(crate) fn name(&mut self, tools: impl IntoIterator<Item = ToolName>) {
        self.named.extend(tools);
    }

    /// Returns the failure for tools that may not be asked.
    pub fn failure(&self, missing: &[MissingConsent]) -> Failure {
        let failure = consent_failure(missing);
        match &self.unreadable {
            None => failure,
            Some(why) => Failure::new(failure.code, format!("{}; {why}", failure.message))
                .hint("fix the file, or delete it; Agon then asks again"),
        }
    }
}

/// Returns the folder that answers for `caller` are stored under: of all work trees of a repository,
/// the main one.
pub fn project_of(caller: &Caller) -> PathBuf {
    let project = caller.project();
    let project = project.canonicalize().unwrap_or(project);
    match Repository::discover(&project) {
        Ok(found) if found.work_tree.as_ref() == Some(&project) => {
            // A folder that was unpacked here could lead to any repository.
            let is_main = found.git_dir == found.common_dir;
            let is_linked = found.git_dir.parent() == Some(&found.common_dir.join("worktrees"));
            let is_plain = found.common_dir.ends_with(".git") && (is_main || is_linked);
            let main = found.common_dir.parent().filter(|_| is_plain);
            main.map_or(project, PathBuf::from)
        }
        Ok(_) | Err(_) => project,
    }
}

/// Returns the failure for tools whose vendors the user has not allowed.
pub(crate) fn consent_failure(missing: &[MissingConsent]) -> Failure {
    let mut vendors: Vec<&str> = missing.iter().map(|(_, vendor)| vendor.as_str()).collect();
    vendors.sort_unstable();
    vendors.dedup();
    let message = format!(
        "you have not allowed Agon to send material of this project to {}",
        list_tools(missing)
    );
    Failure::new(Code::ConsentNeeded, message).hint(allow_hint(&vendors))
}

/// Returns the tools with their vendors, as in `codex (openai), gemini (google)`.
pub fn list_tools(missing: &[MissingConsent]) -> String {
    let tools = missing.iter();
    let tools = tools.map(|(tool, vendor)| format!("{tool} ({vendor})"));
    tools.collect::<Vec<_>>().join(", ")
}

/// Returns how to allow `vendors`.
pub(crate) fn allow_hint(vendors: &[&str]) -> Hint {
    Hint::new(format!(
        "to allow it, the user runs in this project: agon config consent allow {}",
        vendors.join(" ")
    ))
}

#[cfg(test)]
mod tests;
