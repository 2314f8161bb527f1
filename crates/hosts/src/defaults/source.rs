//! Where a value was set, and the layers that can set one.

use std::fmt;

use super::DefaultsKind;

/// Whose a layer is: what it may set, and what it is above.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LayerOwner {
    /// The user's, or a project's that the user trusts.
    #[default]
    User,
    /// A project's that the user does not trust: it may set little.
    UntrustedProject,
    /// The environment or the command line: above the profile, which is above the files.
    Request,
}

/// A file of a layer, or what stands for one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LayerFile {
    /// Which of the five it is.
    pub kind: DefaultsKind,
    /// Its path, as it is named to the user; of a variable or a request its name.
    pub path: String,
    /// What is in it.
    pub text: String,
}

/// The files of one place, such as the user's folder or the project's.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DefaultsLayer {
    /// Its files.
    pub files: Vec<LayerFile>,
    /// Whose they are.
    pub owner: LayerOwner,
}

/// Where a value was set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueSource {
    /// The file; `default` for the defaults; of a variable or a request its name.
    pub path: String,
    /// The line in it, from 1, where it is a file that the user can open.
    pub line: Option<usize>,
    /// Whose it is.
    pub owner: LayerOwner,
}

/// How the files of the defaults are named as a source.
pub(super) const DEFAULT: &str = "default";

impl ValueSource {
    /// That of the defaults.
    pub(super) fn by_default() -> Self {
        Self {
            path: DEFAULT.to_owned(),
            line: None,
            owner: LayerOwner::User,
        }
    }

    /// Whether the defaults set it.
    pub fn is_default(&self) -> bool {
        self.path == DEFAULT
    }
}

impl fmt::Display for ValueSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}", self.path),
            None => f.write_str(&self.path),
        }
    }
}
