//! Agon put into a host, brought up to date, and taken out of it.

mod apply;
mod changes;
mod lists;
mod lock;
mod merged;
mod place;
mod plan;
mod retry;
mod server;
mod take_back;

pub use self::apply::{apply, apply_settled};
pub use self::changes::InstallPlan;
pub use self::lock::{InstallLock, InstallLocked};
pub use self::place::Installation;
pub use self::plan::plan;
pub use self::take_back::take_back;

use std::path::PathBuf;

use self::retry::PartError;
use crate::compile::Kind;
use crate::host::SERVER;
use crate::receipt::Receipt;

/// What something that is installed is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InstalledPart {
    /// A skill, a command or an agent of this name.
    File(Kind, String),
    /// A server of this name.
    Server(String),
    /// What the host asks a team before and after its model's acts.
    Hooks,
    /// What a policy forbids in the host's own permissions.
    Permissions,
    /// The same for one of them, where each has a key of its own.
    Permission(String),
}

impl InstalledPart {
    /// What it is called.
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
    /// Takes a part of a configuration out of it; files are known by their paths.
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

/// What happens to a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// It is put there.
    Add,
    /// An older one of Agon's makes room for it.
    Update,
    /// It is as it should be.
    Same,
    /// It is taken out.
    Remove,
    /// It stays as it is, since it is the user's, or was made so.
    Keep,
    /// It cannot be done.
    Refuse,
}

impl Action {
    /// What it is called.
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

/// What happens, or happened, to a part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The part.
    pub part: InstalledPart,
    /// Its file.
    pub path: PathBuf,
    /// What happens to it.
    pub action: Action,
    /// Why it is kept or refused.
    pub reason: Option<String>,
    /// What is put into a configuration, or taken out of it.
    pub change: Option<String>,
    /// Why it is refused, if not because of its own file.
    pub refusal: Option<Refusal>,
}

/// Why a part is refused, if not because of its own file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Another program was writing to the file.
    Busy,
    /// It calls tools of Agon's server, which the host does not get.
    NeedsServer,
}

impl Refusal {
    /// What it is called.
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

    /// Whether another program was writing to its file.
    fn is_busy(&self) -> bool {
        self.refusal == Some(Refusal::Busy)
    }

    /// Whether it cannot be done.
    fn is_refused(&self) -> bool {
        self.action == Action::Refuse
    }

    /// Says that it cannot be done.
    fn refuse(&mut self, error: &PartError) {
        self.action = Action::Refuse;
        self.refusal = error.is_busy().then_some(Refusal::Busy);
        self.reason = Some(error.to_string());
    }

    /// Says that it is not put in, as the server that it calls is not there.
    fn withhold(&mut self) {
        self.action = Action::Refuse;
        self.refusal = Some(Refusal::NeedsServer);
        self.reason = Some("it needs Agon's server, which is not installed".to_owned());
    }

    /// The same with another action, and why.
    fn ended(self, action: Action, reason: impl Into<String>) -> Self {
        Self {
            action,
            reason: Some(reason.into()),
            ..self
        }
    }
}
