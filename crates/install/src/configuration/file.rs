//! Configuration files: lists, checks, creates and edits them.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use agon_caller::settings::config_failure;
use agon_caller::settings_file::{Whose, file_path};
use agon_caller::{Caller, Code, Failure, FailureKind, settings, user_program};
use agon_config::{check_file, commented_file, unknown_vars};
use agon_hosts::defaults::DefaultsError;
use schemars::JsonSchema;
use serde::Serialize;

use crate::team_files::{is_team_variable, team_faults, team_files};

/// A configuration file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ConfigFile {
    /// Its owner.
    pub whose: Whose,
    /// Its path, even if it does not exist.
    pub path: PathBuf,
    /// Whether it exists.
    pub exists: bool,
}

/// The configuration files: `agon.config_files/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ConfigFiles {
    schema: &'static str,
    /// The files; a later one overrides an earlier one.
    pub files: Vec<ConfigFile>,
    /// The files of a team's settings; the project's override the user's.
    pub team: Vec<ConfigFile>,
}

/// Returns the configuration files of `caller`.
pub fn files(caller: &Caller) -> ConfigFiles {
    let of = |whose, path: PathBuf| ConfigFile {
        whose,
        exists: path.is_file(),
        path,
    };
    let user = caller.user_config_file().map(|path| of(Whose::User, path));
    let project = of(Whose::Project, caller.project().join("agon.toml"));
    ConfigFiles {
        schema: "agon.config_files/1",
        files: user.into_iter().chain([project]).collect(),
        team: team_files(caller)
            .into_iter()
            .map(|file| {
                let whose = match file.is_project {
                    true => Whose::Project,
                    false => Whose::User,
                };
                of(whose, file.path)
            })
            .collect(),
    }
}

/// Result of checking the configuration: `agon.config_check/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CheckedConfiguration {
    schema: &'static str,
    /// The files; a later one overrides an earlier one.
    pub files: Vec<ConfigFile>,
    /// The files of a team's settings; the project's override the user's.
    pub team: Vec<ConfigFile>,
    /// The problems, each with a hint.
    pub problems: Vec<ConfigProblem>,
    /// Unknown variables that begin with `AGON_`.
    pub unknown_variables: Vec<String>,
}

/// Returns whether a file or variable sets a team setting.
pub fn sets_team_setting(caller: &Caller) -> bool {
    let is_set = |name: &String| is_team_variable(name);
    files(caller).team.iter().any(|file| file.exists) || caller.vars.keys().any(is_set)
}

/// A problem in the configuration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ConfigProblem {
    /// What is wrong.
    pub message: String,
    /// How to fix it.
    pub hint: Option<String>,
    /// The file of a team's settings, or the variable, that contains it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The line there, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
}

impl From<Failure> for ConfigProblem {
    fn from(failure: Failure) -> Self {
        Self {
            message: failure.message,
            hint: failure.hint.map(|hint| hint.typed()),
            path: None,
            line: None,
        }
    }
}

impl From<DefaultsError> for ConfigProblem {
    fn from(error: DefaultsError) -> Self {
        Self {
            message: error.to_string(),
            hint: Some(error.hint),
            path: Some(error.path),
            line: error.line,
        }
    }
}

/// Reads every file and returns the problems.
pub fn check(caller: &Caller) -> CheckedConfiguration {
    let ConfigFiles { files, team, .. } = files(caller);
    let by_itself = files.iter().filter_map(|file| check_file(&file.path).err());
    let mut failures: Vec<_> = by_itself.map(|error| config_failure(&error)).collect();
    if failures.is_empty() {
        failures.extend(settings::read_settings(caller).err());
    }
    let mut problems: Vec<_> = failures.into_iter().map(ConfigProblem::from).collect();
    match team_faults(caller) {
        Ok(faults) => problems.extend(faults.into_iter().map(ConfigProblem::from)),
        // Fails if the list of trusted projects cannot be read, which has already been reported.
        Err(_) if !problems.is_empty() => {}
        Err(failure) => problems.push(failure.into()),
    }
    CheckedConfiguration {
        schema: "agon.config_check/1",
        files,
        team,
        problems,
        unknown_variables: unknown_variables(caller),
    }
}

/// Returns variables whose names look like settings but are not.
pub fn unknown_variables(caller: &Caller) -> Vec<String> {
    let unknown = unknown_vars(&caller.vars).into_iter();
    let unknown = unknown.filter(|name| !is_team_variable(name));
    unknown.map(str::to_owned).collect()
}

/// A configuration file that was written: `agon.config_written/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ConfigWritten {
    schema: &'static str,
    /// Its path.
    pub path: PathBuf,
}

/// Writes a file with every key commented out.
///
/// # Errors
///
/// If it already exists or cannot be written.
pub fn write_commented_file(caller: &Caller, whose: Whose) -> Result<ConfigWritten, Failure> {
    let path = file_path(caller, whose)?;
    match write_new(&path, &commented_file(whose == Whose::Project)) {
        Ok(()) => Ok(ConfigWritten {
            schema: "agon.config_written/1",
            path,
        }),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            let message = format!("{} already exists", path.display());
            Err(Failure::new(Code::Exists, message)
                .kind(FailureKind::Config)
                .hint("edit it with `agon config edit`; list the keys with `agon config show`"))
        }
        Err(error) => {
            let message = format!("cannot write {}: {error}", path.display());
            Err(Failure::new(Code::Store, message))
        }
    }
}

fn write_new(path: &Path, text: &str) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
    let written = file
        .write_all(text.as_bytes())
        .and_then(|()| file.sync_all());
    // Removes a partial file, which would be mistaken for one that the user wrote.
    if written.is_err() {
        drop(fs::remove_file(path));
    }
    written
}

/// Opens a file in the user's editor and returns its path. Creates the file first if it is missing.
///
/// # Errors
///
/// If it cannot be written, or no editor can be opened.
pub async fn edit(caller: &Caller, whose: Whose) -> Result<PathBuf, Failure> {
    let path = file_path(caller, whose)?;
    let editor = user_program::find_editor(caller).ok_or_else(|| {
        let message = format!("no editor is set; the file is {}", path.display());
        Failure::new(Code::Editor, message).hint("set EDITOR, as in: EDITOR=nano agon config edit")
    })?;
    if !path.exists() {
        write_commented_file(caller, whose)?;
    }
    let opened = user_program::open_file_with(caller, &editor, &path).await;
    opened.map_err(|message| Failure::new(Code::Editor, message))?;
    Ok(path)
}
