//! Finds the files of a team's settings and merges their layers.

use std::io;
use std::path::{Path, PathBuf};

use agon_caller::settings::config_failure;
use agon_caller::{Caller, Code, Failure};
use agon_hosts::content::{self, Content, Role};
use agon_hosts::defaults::{
    Defaults, DefaultsError, DefaultsKind, DefaultsLayer, LayerFile, LayerOwner, Resolved,
};

/// The variable that names the profile of a team.
pub(crate) const PROFILE_VAR: &str = "AGON_TEAM_PROFILE";

/// Prefix of variables that set a flag, such as `AGON_FLAG_REVIEW_ROUNDS`.
const FLAG_VAR: &str = "AGON_FLAG_";

/// The folder of a project's files, below the project.
const PROJECT_FOLDER: &str = ".agon";

/// A file of a team's settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TeamFile {
    /// Its kind.
    pub(crate) kind: DefaultsKind,
    /// Whether it is the project's, not the user's.
    pub(crate) is_project: bool,
    /// Its path, even if it does not exist.
    pub(crate) path: PathBuf,
}

/// The layers to apply above the defaults and the user's files.
#[derive(Clone, Debug, Default)]
pub struct TeamLayers {
    /// Whether to skip the project's layer, for settings that apply to all projects.
    pub(crate) is_for_all_projects: bool,
    /// The requested profile.
    pub(crate) profile: Option<String>,
}

impl TeamLayers {
    /// Returns all layers, with the requested profile if there is one.
    pub fn of_profile(profile: Option<&str>) -> Self {
        Self {
            is_for_all_projects: false,
            profile: profile.map(str::to_owned),
        }
    }

    /// Returns these layers without the project's.
    #[must_use]
    pub fn without_project(self) -> Self {
        Self {
            is_for_all_projects: true,
            ..self
        }
    }
}

/// Content that a team's settings can refer to.
pub struct TeamContent {
    /// All roles.
    pub roles: Vec<Role>,
    /// Names of all skills.
    pub(crate) skills: Vec<String>,
}

/// Returns the content that a team's settings can refer to.
///
/// # Errors
///
/// If the embedded content is not valid; a test makes sure that it is.
pub fn team_content() -> Result<TeamContent, Failure> {
    let bug = |error| Failure::from_error(Code::Content, &error);
    let debate = content::embedded().map_err(bug)?;
    let team = content::team().map_err(bug)?;
    let names = |content: &Content| {
        let skills = content.skills.iter();
        skills
            .map(|skill| skill.name.clone())
            .collect::<Vec<String>>()
    };
    Ok(TeamContent {
        skills: [names(&debate), names(&team)].concat(),
        roles: team.roles,
    })
}

/// Returns all possible files, the user's before the project's.
pub(crate) fn team_files(caller: &Caller) -> Vec<TeamFile> {
    let user = caller.user_config_file();
    let user = user.and_then(|file| file.parent().map(Path::to_owned));
    let project = Some(caller.project().join(PROJECT_FOLDER));
    let folders = [(user, false), (project, true)];
    let in_folder = |(folder, is_project): (Option<PathBuf>, bool)| {
        let kinds = DefaultsKind::ALL.into_iter();
        folder.into_iter().flat_map(move |folder| {
            kinds.clone().map(move |kind| TeamFile {
                kind,
                is_project,
                path: folder.join(kind.file()),
            })
        })
    };
    folders.into_iter().flat_map(in_folder).collect()
}

/// Resolves the settings of `caller`, with the source of every value.
///
/// # Errors
///
/// If a file cannot be read or is not valid, or the project's file sets a key that it may not set.
pub(crate) fn resolve_team(caller: &Caller, wanted: &TeamLayers) -> Result<Resolved, Failure> {
    let TeamContent { roles, skills } = team_content()?;
    let layers = read_layers(caller, wanted)?;
    Defaults::resolve(&layers, &roles, &skills).map_err(|error| defaults_failure(&error))
}

/// Returns all errors in the files of `caller`, each with its place.
///
/// # Errors
///
/// If a file cannot be read.
pub(crate) fn team_faults(caller: &Caller) -> Result<Vec<DefaultsError>, Failure> {
    let TeamContent { roles, skills } = team_content()?;
    let layers = read_layers(caller, &TeamLayers::default())?;
    Ok(Defaults::faults(&layers, &roles, &skills))
}

/// Converts an error in a file to a failure.
fn defaults_failure(error: &DefaultsError) -> Failure {
    Failure::from_error(Code::Configuration, error).hint(error.hint.clone())
}

/// Reads the layers above the defaults: user, project, environment, request.
fn read_layers(caller: &Caller, wanted: &TeamLayers) -> Result<Vec<DefaultsLayer>, Failure> {
    let files = team_files(caller);
    let read = |is_project: bool| {
        let of_it = files.iter().filter(|file| file.is_project == is_project);
        let texts = of_it.filter_map(|file| read_file(file).transpose());
        texts.collect::<Result<Vec<_>, _>>()
    };
    let mut layers = vec![DefaultsLayer {
        files: read(false)?,
        owner: LayerOwner::User,
    }];
    if !wanted.is_for_all_projects {
        let files = read(true)?;
        // Only a project with files needs the check whether the user trusts it.
        if !files.is_empty() {
            let owner = project_owner(caller)?;
            layers.push(DefaultsLayer { files, owner });
        }
    }
    layers.push(DefaultsLayer {
        files: variables(caller),
        owner: LayerOwner::Request,
    });
    let named = wanted.profile.as_deref();
    layers.push(DefaultsLayer {
        files: named
            .map(|name| profile_layer_file("flag", name))
            .into_iter()
            .collect(),
        owner: LayerOwner::Request,
    });
    Ok(layers)
}

fn project_owner(caller: &Caller) -> Result<LayerOwner, Failure> {
    let user = caller.user_config_file();
    let file = caller.project().join("agon.toml");
    let is_trusted = agon_config::is_trusted(&file, user.as_deref());
    match is_trusted.map_err(|error| config_failure(&error))? {
        true => Ok(LayerOwner::User),
        false => Ok(LayerOwner::UntrustedProject),
    }
}

/// Maximum size of a file with a team's settings.
const MAX_BYTES: u64 = 1 << 20;

fn read_file(file: &TeamFile) -> Result<Option<LayerFile>, Failure> {
    match agon_files::read_to_string(&file.path, MAX_BYTES) {
        Ok(text) => Ok(Some(LayerFile {
            kind: file.kind,
            path: file.path.display().to_string(),
            text,
        })),
        // A missing file has no settings. The same applies if its folder is a file.
        Err(error)
            if [io::ErrorKind::NotFound, io::ErrorKind::NotADirectory].contains(&error.kind()) =>
        {
            Ok(None)
        }
        Err(error) => {
            let message = format!("cannot read {}: {error}", file.path.display());
            Err(Failure::new(Code::Configuration, message).hint("check that the file can be read"))
        }
    }
}

/// Returns the settings from the environment, one file per variable, so that each is a separate source.
fn variables(caller: &Caller) -> Vec<LayerFile> {
    let named = caller.vars.get(PROFILE_VAR);
    let source = |variable: &str| format!("environment: {variable}");
    let profile = named.map(|name| profile_layer_file(&source(PROFILE_VAR), name));
    let flags = Defaults::declared_flags()
        .flags
        .into_keys()
        .filter_map(|flag| {
            let variable = flag_variable(&flag);
            let value = toml_value(caller.vars.get(&variable)?);
            Some(LayerFile {
                kind: DefaultsKind::Flags,
                path: source(&variable),
                text: format!(
                    "schema = \"{}\"\n[set]\n{flag} = {value}\n",
                    DefaultsKind::Flags.id()
                ),
            })
        });
    profile.into_iter().chain(flags).collect()
}

/// Returns whether an environment variable sets a team setting.
pub(crate) fn is_team_variable(name: &str) -> bool {
    name == PROFILE_VAR
        || name.starts_with(FLAG_VAR)
            && Defaults::declared_flags()
                .flags
                .keys()
                .any(|flag| flag_variable(flag) == name)
}

fn flag_variable(flag: &str) -> String {
    format!("{FLAG_VAR}{}", flag.replace('-', "_").to_uppercase())
}

fn profile_layer_file(source: &str, name: &str) -> LayerFile {
    LayerFile {
        kind: DefaultsKind::Profiles,
        path: source.to_owned(),
        text: format!(
            "schema = \"{}\"\nprofile = {}\n",
            DefaultsKind::Profiles.id(),
            quoted(name)
        ),
    }
}

/// Returns the value of a variable as TOML.
fn toml_value(text: &str) -> String {
    match (text.parse::<bool>(), text.parse::<i64>()) {
        (Ok(is_on), _) => is_on.to_string(),
        (_, Ok(number)) => number.to_string(),
        (Err(_), Err(_)) => quoted(text),
    }
}

/// Returns `text` as a TOML string; a JSON string is one.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
