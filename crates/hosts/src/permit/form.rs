//! What a host is given to hold, and how it says it.

use super::fault::GlobFault;
use super::glob::Glob;
use super::{PermissionEffect, PermissionScope};
use crate::content::agent::Power;

/// What a host holds of the acts of one power: of two that apply, the later.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PowerRules {
    pub(super) power: Power,
    /// What holds where no step applies; none where the host is left as it is.
    pub(super) base: Option<PermissionEffect>,
    pub(super) steps: Vec<(PermissionEffect, Glob)>,
}

/// Why a glob cannot be said, where it cannot.
pub(super) type GlobCheck = fn(&Glob, &PermissionScope<'_>) -> Result<(), GlobFault>;

/// The form of a host.
pub(super) struct PermissionForm {
    pub(super) host: &'static str,
    /// Whether what it allows or asks about may go before something stricter of the user's own.
    pub(super) may_loosen: bool,
    /// Whether a glob can be said in it.
    pub(super) can_say: GlobCheck,
    /// Whether it can be an exception of a denial; all can where there is nothing.
    pub(super) can_except: Option<GlobCheck>,
    /// The text that says it.
    pub(super) write: fn(&[PowerRules], &PermissionScope<'_>) -> String,
}
