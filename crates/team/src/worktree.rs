//! The setup of work trees beyond what git provides: copied files, links and a command.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::gate::{CommandGate, GateDefinition, GateFault};
use crate::glob::{GlobError, PathGlob};

/// The name and version of the file.
pub const WORKTREE_SCHEMA: &str = "agon.worktree/1";

/// Maximum number of globs of files to copy, and the most links.
const MAX_ENTRIES: usize = 64;

/// The file with the `[worktree]` section of a team.
///
/// ```
/// use agon_team::worktree::WorktreeFile;
/// let file = WorktreeFile::parse(
///     r#"
///     schema = "agon.worktree/1"
///     [worktree]
///     copy = [".env"]
///     link = ["node_modules"]
///     [worktree.setup]
///     argv = ["npm", "run", "build"]
///     "#,
/// )?;
/// assert_eq!(file.worktree.copy, [".env"]);
/// assert_eq!(WorktreeFile::parse(&file.to_text())?, file);
/// # Ok::<(), agon_team::worktree::WorktreeFileFault>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WorktreeFile {
    schema: String,
    /// The section.
    #[serde(default)]
    pub worktree: WorktreeSettings,
}

/// How members' new work trees are set up.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct WorktreeSettings {
    /// Globs of ignored files in the main work tree to copy.
    pub copy: Vec<String>,
    /// Ignored files and folders in the main work tree to link to.
    pub link: Vec<String>,
    /// The command that runs once after copying and linking; null if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub setup: Option<SetupCommand>,
}

/// A command that sets a work tree up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SetupCommand {
    /// The program and its arguments, run without a shell.
    pub argv: Vec<String>,
    /// The time limit, in seconds.
    #[serde(default = "default_timeout_s")]
    pub timeout_s: u64,
    /// Additional environment variables for the command, such as `NPM_TOKEN`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub env: Vec<String>,
}

const fn default_timeout_s() -> u64 {
    600
}

impl SetupCommand {
    /// Returns the command as a gate that passes with exit code 0.
    pub fn as_gate(&self) -> CommandGate {
        CommandGate {
            argv: self.argv.clone(),
            timeout_s: self.timeout_s,
            exit: 0,
            env: self.env.clone(),
        }
    }
}

/// Why a section is invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WorktreeFault {
    /// A glob or path is invalid.
    #[error(transparent)]
    Path(#[from] GlobError),
    /// A path is in git's own folder.
    #[error("{0:?} is in git's own folder")]
    GitFolder(String),
    /// A list has too many entries.
    #[error("one list has {0} entries; the limit is {MAX_ENTRIES}")]
    Count(usize),
    /// A path is listed twice.
    #[error("{0:?} is listed twice")]
    Twice(String),
    /// The setup command is invalid.
    #[error("setup: {0}")]
    Setup(GateFault),
}

/// Why a file is invalid; no member can be started then.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WorktreeFileFault {
    /// It is not TOML, or contains an unknown key or invalid value.
    #[error("{0}")]
    Text(String),
    /// It has another schema version.
    #[error("the schema is {0:?}, but must be {WORKTREE_SCHEMA:?}")]
    Schema(String),
    /// Its section is invalid.
    #[error("[worktree]: {0}")]
    Section(#[from] WorktreeFault),
}

impl Default for WorktreeFile {
    fn default() -> Self {
        Self::new(WorktreeSettings::default())
    }
}

impl WorktreeFile {
    /// Creates a file with this section.
    pub fn new(worktree: WorktreeSettings) -> Self {
        Self {
            schema: WORKTREE_SCHEMA.to_owned(),
            worktree,
        }
    }

    /// Parses a file.
    ///
    /// # Errors
    ///
    /// Fails if any part is invalid.
    pub fn parse(text: &str) -> Result<Self, WorktreeFileFault> {
        let file: Self = toml::from_str(text)
            .map_err(|error| WorktreeFileFault::Text(error.to_string().trim().to_owned()))?;
        if file.schema != WORKTREE_SCHEMA {
            return Err(WorktreeFileFault::Schema(file.schema));
        }
        file.worktree.check()?;
        Ok(file)
    }

    /// Returns the file's text.
    pub fn to_text(&self) -> String {
        // This cannot fail: strings, numbers and tables can always be written as TOML.
        toml::to_string_pretty(self).unwrap_or_default()
    }
}

impl WorktreeSettings {
    /// Returns whether nothing is copied, linked or run.
    pub fn is_empty(&self) -> bool {
        self.copy.is_empty() && self.link.is_empty() && self.setup.is_none()
    }

    /// Validates what the types do not.
    ///
    /// # Errors
    ///
    /// Fails if a path leaves the repository or is in git's folder, a path is listed twice, or the
    /// command is invalid.
    pub fn check(&self) -> Result<(), WorktreeFault> {
        let mut seen = BTreeSet::new();
        for list in [&self.copy, &self.link] {
            if list.len() > MAX_ENTRIES {
                return Err(WorktreeFault::Count(list.len()));
            }
            for path in list {
                // On file systems that ignore case, `.GIT` is git's own folder, too.
                if path
                    .split('/')
                    .any(|part| part.eq_ignore_ascii_case(".git"))
                {
                    return Err(WorktreeFault::GitFolder(path.clone()));
                }
                if !seen.insert(path) {
                    return Err(WorktreeFault::Twice(path.clone()));
                }
            }
        }
        for glob in &self.copy {
            glob.parse::<PathGlob>()?;
        }
        for path in &self.link {
            PathGlob::literal(path)?;
        }
        match &self.setup {
            Some(setup) => GateDefinition::Command(setup.as_gate())
                .check()
                .map_err(WorktreeFault::Setup),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_section_that_is_not_understood_in_full_is_not_followed() {
        let with = |section: &str| format!("schema = \"agon.worktree/1\"\n[worktree]\n{section}");
        for (text, said) in [
            (String::new(), "missing field `schema`"),
            ("schema = \"agon.worktree/2\"".to_owned(), "the schema is"),
            (with("move = []"), "unknown field `move`"),
            (
                with("copy = [\"/etc/passwd\"]"),
                "not relative to the repository",
            ),
            (with("copy = [\"../x\"]"), "not relative to the repository"),
            (with("copy = [\".git/config\"]"), "git's own folder"),
            (with("link = [\"sub/.GIT\"]"), "git's own folder"),
            (
                with("link = [\"../node_modules\"]"),
                "not relative to the repository",
            ),
            (with("copy = [\"a\"]\nlink = [\"a\"]"), "listed twice"),
            (with("setup = \"npm ci\""), "invalid type: string"),
            (
                with("[worktree.setup]\nargv = []"),
                "setup: a command needs a program",
            ),
            (
                with("[worktree.setup]\nargv = [\"a\"]\nenv = [\"AGON_X\"]"),
                "setup: the variable",
            ),
        ] {
            let fault = WorktreeFile::parse(&text).unwrap_err().to_string();
            assert!(fault.contains(said), "{text}\n{fault}");
        }
        let many: Vec<String> = (0..65).map(|n| format!("f{n}")).collect();
        let settings = WorktreeSettings {
            copy: many,
            ..WorktreeSettings::default()
        };
        assert_eq!(settings.check(), Err(WorktreeFault::Count(65)));
    }
}
