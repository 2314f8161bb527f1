//! Installs Agon into a host, updates it and uninstalls it.

mod apply;
mod changes;
mod lists;
mod lock;
mod merged;
mod place;
mod plan;
mod retry;
mod server;
mod uninstall;

pub use self::apply::{apply, apply_with_retries};
pub use self::changes::InstallPlan;
pub use self::lock::{InstallLock, InstallLocked};
pub use self::place::Installation;
pub use self::plan::plan;
pub use self::uninstall::uninstall;

use std::path::PathBuf;

use self::retry::PartError;
use crate::compile::Kind;
use crate::host::SERVER;
use crate::receipt::Receipt;

/// A part of an installation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InstalledPart {
    /// A skill, a command or an agent of this name.
    File(Kind, String),
    /// A server of this name.
    Server(String),
    /// The hooks of a team, and those at prompts and at the end of plan mode.
    Hooks,
    /// A policy's prohibitions in the host's own permissions.
    Permissions,
    /// One permission of that policy, in hosts with a key for each.
    Permission(String),
}

impl InstalledPart {
    /// Returns its title.
    pub fn title(&self) -> String {
        match self {
            Self::File(kind, name) => format!("{} {name}", kind.name()),
            Self::Server(name) if name == SERVER => "server".to_owned(),
            Self::Server(name) => format!("server {name}"),
            Self::Hooks => "hooks".to_owned(),
            Self::Permissions => "permissions".to_owned(),
            Self::Permission(key) => format!("permission {key}"),
        }
    }
}

impl Receipt {
    /// Removes a part from the receipt, except files, which are listed by path.
    fn forget(&mut self, part: &InstalledPart) {
        match part {
            InstalledPart::Hooks => self.hooks = None,
            InstalledPart::Server(name) if name == SERVER => self.server = None,
            InstalledPart::Server(name) => {
                self.others.remove(name);
            }
            InstalledPart::Permissions => self.permissions = None,
            InstalledPart::Permission(key) => {
                self.permission_keys.remove(key);
            }
            InstalledPart::File(..) => {}
        }
    }
}

/// What to do with one part of an installation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// It is added.
    Add,
    /// It replaces Agon's older version.
    Update,
    /// It is up to date.
    Same,
    /// It is removed.
    Remove,
    /// It is kept, because it belongs to the user or was changed by them.
    Keep,
    /// The action is not possible.
    Refuse,
}

impl Action {
    /// Returns its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Add => "add",
            Self::Update => "update",
            Self::Same => "same",
            Self::Remove => "remove",
            Self::Keep => "keep",
            Self::Refuse => "refuse",
        }
    }
}

/// A planned or finished action on a part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The part.
    pub part: InstalledPart,
    /// Its file.
    pub path: PathBuf,
    /// The action.
    pub action: Action,
    /// Why it is kept or refused.
    pub reason: Option<String>,
    /// The text inserted into a configuration, or removed from it.
    pub change: Option<String>,
    /// Why it is refused, if the reason is not its own file.
    pub refusal: Option<Refusal>,
}

/// Why a part is refused, if the reason is not its own file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Another program was writing to the file.
    Busy,
    /// It needs Agon's server, which is not installed in the host.
    NeedsServer,
}

impl Refusal {
    /// Returns its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Busy => "busy",
            Self::NeedsServer => "needs_server",
        }
    }
}

impl Step {
    fn new(part: InstalledPart, path: PathBuf, action: Action) -> Self {
        Self {
            part,
            path,
            action,
            reason: None,
            change: None,
            refusal: None,
        }
    }

    /// Returns the step of a part that this host cannot have, with the reason.
    pub fn impossible(part: InstalledPart, path: PathBuf, reason: impl Into<String>) -> Self {
        Self::new(part, path, Action::Refuse).with_action(Action::Refuse, reason)
    }

    /// Returns whether another program was writing to its file.
    fn is_busy(&self) -> bool {
        self.refusal == Some(Refusal::Busy)
    }

    /// Returns whether the action is not possible.
    fn is_refused(&self) -> bool {
        self.action == Action::Refuse
    }

    /// Marks the step as refused.
    fn refuse(&mut self, error: &PartError) {
        self.action = Action::Refuse;
        self.refusal = error.is_busy().then_some(Refusal::Busy);
        self.reason = Some(error.to_string());
    }

    /// Marks the step as refused because Agon's server is missing.
    fn refuse_without_server(&mut self) {
        self.action = Action::Refuse;
        self.refusal = Some(Refusal::NeedsServer);
        self.reason = Some("it needs Agon's server, which is not installed".to_owned());
    }

    /// Returns the step with another action and its reason.
    fn with_action(self, action: Action, reason: impl Into<String>) -> Self {
        Self {
            action,
            reason: Some(reason.into()),
            ..self
        }
    }
}
