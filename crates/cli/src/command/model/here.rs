//! The models, where the program has what asks them.

use std::path::PathBuf;

use agon_agents::Profiles;
use agon_agents::profile::{LOCAL, Weights};
use agon_config::Settings;
use agon_local::{Cache, CacheError, Indexes, Model, Models, PullError, Pulled, pull};
use tokio_util::sync::CancellationToken;

use super::pip;
use super::progress::Progress;
use super::{MODEL_SCHEMA, MODELS_SCHEMA, ModelDoc, ModelEntry, ModelsDoc};
use crate::args::ModelCommand;
use crate::edge::Edge;
use crate::error::{Exit, Failure, chain};
use crate::output::{Out, columns};
use crate::stop;

/// The models, where they lie, and which one is the usual.
struct Known {
    models: Models,
    cache: Cache,
    usual: String,
}

impl Known {
    fn of(edge: &Edge, settings: &Settings) -> Result<Self, Failure> {
        let wrong =
            |error: &dyn std::error::Error| Failure::from_error(Exit::Config, "model", error);
        let profiles = Profiles::with_overrides(&settings.tools).map_err(|error| wrong(&error))?;
        let profile = profiles
            .iter()
            .find(|profile| profile.name.as_str() == LOCAL);
        let weights = profile.and_then(|profile| profile.weights.clone());
        let weights = weights.unwrap_or_else(|| Weights {
            model: String::new(),
            models: std::collections::BTreeMap::new(),
        });
        let models = Models::with(&weights.models).map_err(|error| wrong(&error))?;
        let cache = Cache::of(|name| edge.vars.get(name).cloned()).ok_or_else(|| {
            Failure::new(Exit::Config, "model", "there is no folder for models")
                .hint(format!("name one in {}", agon_local::VARIABLE))
        })?;
        Ok(Self {
            models,
            cache,
            usual: weights.model,
        })
    }

    fn named(&self, name: Option<&str>) -> Result<&Model, Failure> {
        let name = name.unwrap_or(&self.usual);
        self.models.named(name).ok_or_else(|| {
            let names: Vec<_> = self
                .models
                .iter()
                .map(|model| model.name.as_str())
                .collect();
            Failure::new(
                Exit::Usage,
                "no_such_model",
                format!("no model is called `{name}`"),
            )
            .parameter("name")
            .hint(format!("there are {}", names.join(", ")))
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
            usual: model.name == self.usual,
            path: path.map(|path| path.display().to_string()),
        }
    }

    async fn bring(&self, edge: &Edge, model: &Model, out: &mut Out) -> Result<Pulled, Failure> {
        let wanted = !model.is_own() && !self.is_here(model).await;
        if wanted {
            out.note(&format!("{}: {}", model.name, told(model)));
        }
        let mut indexes = Indexes::of(|name| edge.vars.get(name).cloned());
        if indexes.is_unset() && wanted {
            let of_pip = pip::index(edge).await;
            indexes = of_pip.map_or(indexes, |url| Indexes::at(&url));
        }
        let progress = Progress::new(edge.terminal);
        let cancel = CancellationToken::new();
        let watched = stop::on_signal(cancel.clone());
        let pulled = tokio::select! {
            pulled = pull(model, &self.cache, &indexes, &progress) => pulled,
            () = cancel.cancelled() => {
                progress.end();
                let message = format!("{} was cut off", model.name);
                return Err(Failure::new(Exit::Cancelled, "cancelled", message)
                    .hint(format!("agon model pull {} goes on where it was", model.name)));
            }
        };
        watched.abort();
        progress.end();
        pulled.map_err(|error| self.failure(&error))
    }

    /// Whether the right file is here, by its checksum.
    async fn is_here(&self, model: &Model) -> bool {
        let (cache, model) = (self.cache.clone(), model.clone());
        let found = tokio::task::spawn_blocking(move || cache.find(&model)).await;
        matches!(found, Ok(Ok(Some(_))))
    }

    fn failure(&self, error: &PullError) -> Failure {
        let (exit, code) = match error {
            _ if error.is_full() => (Exit::Store, "disk_full"),
            PullError::Unreachable { .. } | PullError::NoFile { .. } => (Exit::Tool, "no_model"),
            PullError::Cache(CacheError::Wrong { .. }) => (Exit::Tool, "wrong_checksum"),
            PullError::Cache(CacheError::File { .. })
            | PullError::Write { .. }
            | PullError::Full { .. } => (Exit::Store, "model_file"),
        };
        Failure::new(exit, code, chain(error)).hint(error.hint(&self.cache))
    }
}

/// Runs `agon model`; `json` is whether documents are wanted.
pub(super) async fn run(
    edge: &Edge,
    (settings, json): (&Settings, bool),
    command: &ModelCommand,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let known = Known::of(edge, settings)?;
    match command {
        ModelCommand::List => list(&known, json, out),
        ModelCommand::Pull(_) => {
            let model = known.named(command.name())?;
            let pulled = known.bring(edge, model, out).await?;
            said(&known, model, (pulled, json), out)
        }
        ModelCommand::Path(_) => {
            let model = known.named(command.name())?;
            let found = known
                .cache
                .find(model)
                .map_err(|error| known.failure(&error.into()))?;
            let Some(path) = found else {
                let message = format!("{} is not here", model.name);
                return Err(Failure::new(Exit::Tool, "no_model", message)
                    .hint(format!("agon model pull {}", model.name)));
            };
            let there = Pulled {
                path,
                fetched: false,
            };
            said(&known, model, (there, json), out)
        }
    }
}

/// Sees that a model is here.
pub(super) async fn ensure(
    edge: &Edge,
    settings: &Settings,
    name: Option<&str>,
    out: &mut Out,
) -> Result<Pulled, Failure> {
    let known = Known::of(edge, settings)?;
    let model = known.named(name)?;
    known.bring(edge, model, out).await
}

fn list(known: &Known, json: bool, out: &mut Out) -> Result<Exit, Failure> {
    let here = |model: &Model| {
        known
            .cache
            .seems_there(model)
            .then(|| known.cache.place(model))
    };
    if json {
        let models = known.models.iter();
        out.json(&ModelsDoc {
            schema: MODELS_SCHEMA,
            folder: known.cache.folder().display().to_string(),
            models: models
                .map(|model| known.entry(model, here(model)))
                .collect(),
        })?;
        return Ok(Exit::Done);
    }
    let mut rows = vec![["model", "size", "licence", "here", ""].map(str::to_owned)];
    rows.extend(known.models.iter().map(|model| {
        let here = here(model).map_or("no", |_| "yes");
        [
            model.name.clone(),
            size(model),
            licence(model).to_owned(),
            here.to_owned(),
            model.about.clone(),
        ]
    }));
    out.data(&columns(&rows))?;
    out.line(&format!("\n{} is asked where none is named", known.usual))?;
    Ok(Exit::Done)
}

fn said(
    known: &Known,
    model: &Model,
    (there, json): (Pulled, bool),
    out: &mut Out,
) -> Result<Exit, Failure> {
    if json {
        out.json(&ModelDoc {
            schema: MODEL_SCHEMA,
            fetched: there.fetched,
            model: known.entry(model, Some(there.path)),
        })?;
    } else {
        out.line(&there.path.display().to_string())?;
    }
    Ok(Exit::Done)
}

/// What is said of a model before it is fetched.
fn told(model: &Model) -> String {
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
    megabytes(model.size)
}

/// Bytes in millions, or in thousands of millions.
pub(super) fn megabytes(bytes: u64) -> String {
    let tenths = bytes.div_ceil(100_000);
    if tenths >= 10_000 {
        format!("{}.{:02} GB", tenths / 10_000, tenths % 10_000 / 100)
    } else {
        format!("{}.{} MB", tenths / 10, tenths % 10)
    }
}
