//! Why a host cannot be told a glob.

/// Why a glob cannot be said in a host's language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GlobFault(pub &'static str);

/// Of a glob that stands for more globs or patterns than a host is told.
pub(super) const TOO_MANY: GlobFault = GlobFault("the glob stands for too many");
