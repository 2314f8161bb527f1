//! `agon model`: lists and downloads built-in models.

use crate::args::{Global, ModelCommand};
use crate::error::{Exit, Failure};
use crate::output::Out;
use crate::surroundings::Surroundings;

/// Runs `agon model`.
#[cfg(not(feature = "local-model"))]
pub(crate) async fn run(
    edge: &Surroundings,
    _global: &Global,
    command: &ModelCommand,
    _out: &mut Out,
) -> Result<Exit, Failure> {
    // Read the configuration first, so that an error in it is reported instead.
    agon_caller::settings::read_settings(edge)?;
    Err(agon_seats::model::no_local_model_failure(
        command.model_name(),
    ))
}

/// Runs `agon model`.
#[cfg(feature = "local-model")]
pub(crate) async fn run(
    edge: &Surroundings,
    global: &Global,
    command: &ModelCommand,
    out: &mut Out,
) -> Result<Exit, Failure> {
    use agon_caller::settings;
    use agon_seats::model;

    use crate::front::Terminal;

    let name = command.model_name();
    let found = match command {
        ModelCommand::List => {
            let models = model::list(edge)?;
            print_list(edge, global, &models, out)?;
            return Ok(Exit::Done);
        }
        ModelCommand::Path(_) => model::locate_model(edge, name)?,
        ModelCommand::Pull(_) => {
            let settings = settings::read_settings(edge)?;
            model::pull(edge, &settings, name, &mut Terminal::new(edge, global, out)).await?
        }
    };
    if global.json {
        out.write_json(&found)?;
    } else {
        out.write_line(&found.model.path.unwrap_or_default())?;
    }
    Ok(Exit::Done)
}

#[cfg(feature = "local-model")]
fn print_list(
    edge: &Surroundings,
    global: &Global,
    models: &agon_seats::model::ModelsDoc,
    out: &mut Out,
) -> Result<(), Failure> {
    use crate::output::align_columns;

    if global.json {
        return out.write_json(models);
    }
    let mut rows = vec![["model", "size", "license", "downloaded", ""].map(str::to_owned)];
    rows.extend(models.models.iter().map(|model| {
        let here = model.path.as_ref().map_or("no", |_| "yes");
        let size = model.size.map(agon_seats::model::format_bytes);
        [
            model.name.clone(),
            size.unwrap_or_else(|| "?".to_owned()),
            model
                .licence
                .clone()
                .unwrap_or_else(|| "unknown".to_owned()),
            here.to_owned(),
            model.about.clone(),
        ]
    }));
    out.write_stdout(&align_columns(&rows, edge.table_width))?;
    let default = models.models.iter().find(|model| model.usual);
    let default = default.map(|model| model.name.as_str()).unwrap_or_default();
    out.write_line(&format!("\ndefault: {default}"))
}
