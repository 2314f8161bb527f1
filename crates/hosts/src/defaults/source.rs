//! Layers, and where each value was set.

use std::fmt;

use super::DefaultsKind;

/// Owner of a layer, which decides what it may set and override.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LayerOwner {
    /// The user, or a trusted project.
    #[default]
    User,
    /// An untrusted project, which may set little.
    UntrustedProject,
    /// The environment or the command line, which overrides the profile and the files.
    Request,
}

/// A file of a layer, or a variable or request in its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LayerFile {
    /// Its kind.
    pub kind: DefaultsKind,
    /// Its path, as shown to the user, or the name of the variable or request.
    pub path: String,
    /// Its text.
    pub text: String,
}

/// The files of one place, such as the user's folder or the project's.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DefaultsLayer {
    /// Its files.
    pub files: Vec<LayerFile>,
    /// Their owner.
    pub owner: LayerOwner,
}

/// Where a value was set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueSource {
    /// The file, `default` for the defaults, or the name of the variable or request.
    pub path: String,
    /// The line, from 1, if the user can open the file.
    pub line: Option<usize>,
    /// Its owner.
    pub owner: LayerOwner,
}

/// Name of the defaults as a source.
pub(super) const DEFAULT: &str = "default";

impl ValueSource {
    /// Returns the source of the defaults.
    pub(super) fn by_default() -> Self {
        Self {
            path: DEFAULT.to_owned(),
            line: None,
            owner: LayerOwner::User,
        }
    }

    /// Returns whether the defaults set the value.
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
