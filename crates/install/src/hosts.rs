//! Installs Agon in the AI tools that a person works in, and reports on it.

mod document;
mod install;
mod lint;
mod overview;
mod permissions;
mod place;

pub use agon_hosts::content::ContentSet;
pub use agon_hosts::lint::Finding as LintFinding;

pub(crate) use self::document::short_path;
pub use self::document::{FieldDoc, HostDoc, InstallationDoc, LeftOutDoc, StepDoc};
pub(crate) use self::install::receipt_failure;
pub use self::install::{InstallRequest, install, uninstall};
pub use self::lint::{LintDoc, lint};
pub use self::overview::{HostState, HostsDoc, InstalledState, overview};
pub use self::permissions::PermissionDrift;
pub use self::permissions::permission_drift;
pub use self::place::{HostChoice, host_names, installation, installed_hosts, require_host};
