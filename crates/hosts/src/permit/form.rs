//! A host's format for permissions: how to write them, where, and how to read them back.

use std::path::Path;

use super::abilities::SessionAbilities;
use super::glob::Glob;
use super::rules::{HostRules, PermissionsFault, Wins};
use super::{GlobFault, PermissionEffect, PermissionScope};
use crate::content::agent::{Power, PowerTools};

/// Rules for one permission; the last applicable rule wins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PowerRules {
    pub(crate) power: Power,
    /// Effect if no step applies; `None` keeps the host's own behaviour.
    pub(crate) base: Option<PermissionEffect>,
    pub(crate) steps: Vec<(PermissionEffect, Glob)>,
}

/// Returns why a glob cannot be expressed, if it cannot.
pub(crate) type GlobCheck = fn(&Glob, &PermissionScope<'_>) -> Result<(), GlobFault>;

/// A host's format for permissions.
#[derive(Clone, Copy, Debug)]
pub struct PermissionForm {
    /// The limits it can enforce.
    pub(crate) abilities: SessionAbilities,
    /// Whether an allowing or asking rule may override a stricter rule of the user.
    pub(crate) may_loosen: bool,
    /// Tools of each permission, by their names in rules.
    pub(crate) tools: &'static [PowerTools],
    /// Checks whether a glob can be expressed.
    pub(crate) can_say: GlobCheck,
    /// Checks whether a glob can be an exception to a denial; if `None`, every glob can.
    pub(crate) can_except: Option<GlobCheck>,
    /// Returns the text of the rules.
    pub(crate) write: fn(&[PowerRules], &PermissionScope<'_>) -> String,
    /// Where permissions of the user's sessions are stored.
    pub(crate) place: PermissionPlace,
    /// How a member gets its permissions.
    pub member: MemberForm,
    /// Description of where a member gets them.
    pub member_place: &'static str,
    /// Reads the rules in a text as the host does.
    pub(crate) read: fn(&str, &PermissionScope<'_>) -> Result<HostRules, PermissionsFault>,
    /// Which matching rule wins.
    pub(crate) wins: Wins,
    /// Converts a path to the text that rules match, if that is not the path itself.
    pub(crate) seen_path: Option<fn(&str, &Path) -> String>,
}

/// Where a host's permissions are stored.
#[derive(Clone, Copy, Debug)]
pub(crate) enum PermissionPlace {
    /// In lists by effect below this key of its settings.
    Lists(&'static str),
    /// In a map below this key of its settings.
    Map(&'static str),
    /// In a separate file of Agon's that begins with this text.
    OwnFile(&'static str),
    /// The host has no file for them.
    Nowhere,
}

impl PermissionPlace {
    /// Returns the key above them; empty if there is none.
    pub(crate) const fn key(self) -> &'static str {
        match self {
            Self::Lists(key) | Self::Map(key) => key,
            Self::OwnFile(_) | Self::Nowhere => "",
        }
    }
}

/// How a member's tool gets its permissions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemberForm {
    /// A file of rules.
    Rules,
    /// JSON settings.
    Settings,
    /// Arguments, as a JSON list.
    Arguments,
}
