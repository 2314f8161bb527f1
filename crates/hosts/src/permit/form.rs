//! How a host says a policy, where, and how it reads it back.

use std::path::Path;

use super::abilities::SessionAbilities;
use super::glob::Glob;
use super::rules::{HostRules, PermissionsFault, Wins};
use super::{GlobFault, PermissionEffect, PermissionScope};
use crate::content::agent::{Power, PowerTools};

/// What a host holds of the acts of one power: of two that apply, the later.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PowerRules {
    pub(crate) power: Power,
    /// What holds where no step applies; none where the host is left as it is.
    pub(crate) base: Option<PermissionEffect>,
    pub(crate) steps: Vec<(PermissionEffect, Glob)>,
}

/// Why a glob cannot be said, where it cannot.
pub(crate) type GlobCheck = fn(&Glob, &PermissionScope<'_>) -> Result<(), GlobFault>;

/// A host's own permissions.
#[derive(Clone, Copy, Debug)]
pub struct PermissionForm {
    /// What it can hold.
    pub(crate) abilities: SessionAbilities,
    /// Whether what it allows or asks about may go before something stricter of the user's own.
    pub(crate) may_loosen: bool,
    /// The tools of an act, by the names that rules have for them.
    pub(crate) tools: &'static [PowerTools],
    /// Whether a glob can be said in it.
    pub(crate) can_say: GlobCheck,
    /// Whether it can be an exception of a denial; all can where there is nothing.
    pub(crate) can_except: Option<GlobCheck>,
    /// The text that says it.
    pub(crate) write: fn(&[PowerRules], &PermissionScope<'_>) -> String,
    /// Where those of the user's sessions are written down.
    pub(crate) place: PermissionPlace,
    /// How a member is started with them.
    pub member: MemberForm,
    /// Where a member has them, in words.
    pub member_place: &'static str,
    /// The rules of such a text, as the host reads them.
    pub(crate) read: fn(&str, &PermissionScope<'_>) -> Result<HostRules, PermissionsFault>,
    /// Which of the rules that fit decides.
    pub(crate) wins: Wins,
    /// How a rule sees a path below the folder, where it does not see the path itself.
    pub(crate) seen_path: Option<fn(&str, &Path) -> String>,
}

/// Where a host's permissions are written down.
#[derive(Clone, Copy, Debug)]
pub(crate) enum PermissionPlace {
    /// In lists by effect below this key of its settings.
    Lists(&'static str),
    /// In a map below this key of its settings.
    Map(&'static str),
    /// In a file of Agon's own, which begins with this text.
    OwnFile(&'static str),
    /// It has no file of them.
    Nowhere,
}

impl PermissionPlace {
    /// The key that they are below; empty where they are below none.
    pub(crate) const fn key(self) -> &'static str {
        match self {
            Self::Lists(key) | Self::Map(key) => key,
            Self::OwnFile(_) | Self::Nowhere => "",
        }
    }
}

/// How a member's tool is started with its permissions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemberForm {
    /// With a file of rules, which is the text.
    Rules,
    /// With settings in JSON.
    Settings,
    /// With arguments, as a list in JSON.
    Arguments,
}
