//! `agon tools doctor`: whether the tools here still are as their profiles say.

mod looked;
mod shown;

use std::fs;
use std::path::Path;

use agon_agents::drift::{Recording, exchange, recorded};
use agon_agents::{Environment, Found};
use agon_config::Settings;
use agon_record::spec::ToolName;
use tokio_util::sync::CancellationToken;

use crate::args::{DoctorArgs, Global};
use crate::edge::Edge;
use crate::error::{Exit, Failure, chain};
use crate::output::Out;
use crate::tools::Tools;
use crate::{offerings, settings, similar, stop};
use looked::{Looked, Untold};
pub(crate) use shown::{DoctorDoc, SCHEMA};

/// Looks at the tools, one after the other, and says what does not fit.
pub(crate) async fn run(
    edge: &Edge,
    global: &Global,
    args: &DoctorArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let settings = settings::resolve(edge, global, &Settings::default())?.settings;
    known(&settings, &args.tool)?;
    let tools = if args.tool.is_empty() {
        Tools::detect(edge, &settings, &[]).await?
    } else {
        Tools::detect_named(edge, &settings, &args.tool).await?
    };
    let here = Environment::new(edge.vars_os.clone());
    let cancel = CancellationToken::new();
    let stopping = stop::on_signal(cancel.clone());
    let ended = match &args.record {
        Some(dir) => {
            let dir = edge.cwd.join(dir);
            record((&dir, &args.tool), &tools, &here, &cancel, out).await
        }
        None => look(edge, global, args, (&tools, &here, &cancel), out).await,
    };
    stopping.abort();
    ended
}

/// Refuses a name that no tool has.
fn known(settings: &Settings, names: &[ToolName]) -> Result<(), Failure> {
    let known = Tools::known(settings)?;
    let stranger = names
        .iter()
        .find(|name| !known.iter().any(|known| known == name.as_str()));
    match stranger {
        None => Ok(()),
        Some(name) => {
            let message = format!("no tool is called `{name}`");
            let all = known.iter().map(String::as_str);
            let others = format!("known tools: {}", known.join(", "));
            Err(Failure::new(Exit::Usage, "unknown_tool", message)
                .parameter("tool")
                .hint(similar::hint(name.as_str(), all, &others)))
        }
    }
}

async fn look(
    edge: &Edge,
    global: &Global,
    args: &DoctorArgs,
    (tools, here, cancel): (&Tools, &Environment, &CancellationToken),
    out: &mut Out,
) -> Result<Exit, Failure> {
    let mut all = Vec::new();
    for found in tools.found() {
        let before = args.deep.then(|| before(edge, args, found));
        if found.path.is_some() {
            let doing = if args.deep {
                "an exchange with it"
            } else {
                "its help"
            };
            out.note(&format!("looking at {}: {doing}", found.profile.name));
        }
        let looked = looked::at(found, here, before, cancel).await;
        if cancel.is_cancelled() {
            return Err(Failure::new(Exit::Cancelled, "cancelled", "cancelled"));
        }
        if let Ok(offers) = &looked.offers
            && let Err(cause) = offerings::keep(edge, found, offers)
        {
            out.note(&format!("note: what it offers is not kept: {cause}"));
        }
        all.push(looked);
    }
    let file = edge.user_file().map_or_else(
        || "your configuration file".to_owned(),
        |path| path.display().to_string(),
    );
    shown::print(global, &all, &file, out)?;
    let missing = |looked: &Looked| !args.tool.is_empty() && !looked.is_here();
    Ok(if all.iter().any(|looked| !looked.fits()) {
        Exit::Findings
    } else if all.iter().any(missing) {
        Exit::Tool
    } else {
        Exit::Done
    })
}

/// The recording of a tool, or why there is none.
fn before(edge: &Edge, args: &DoctorArgs, found: &Found) -> Result<Recording, Untold> {
    let against = |why| Untold { why, against: true };
    let name = found.profile.name.as_str();
    let text = match &args.against {
        Some(dir) => {
            let path = edge.cwd.join(dir).join(file_name(name));
            fs::read_to_string(&path)
                .map_err(|cause| against(format!("cannot read {}: {cause}", path.display())))?
        }
        None => recorded(name)
            .ok_or_else(|| Untold {
                why: "there is no recording of it; --record DIR makes one".to_owned(),
                against: false,
            })?
            .to_owned(),
    };
    Recording::parse(&text)
        .map_err(|error| against(format!("its recording cannot be read: {error}")))
}

/// A tool's name can hold what a file's cannot.
fn file_name(tool: &str) -> String {
    format!("{}.jsonl", tool.replace(['/', ':'], "_"))
}

/// Writes a recording of every tool that is here.
async fn record(
    (dir, named): (&Path, &[ToolName]),
    tools: &Tools,
    here: &Environment,
    cancel: &CancellationToken,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let cannot = |path: &Path, cause: std::io::Error| {
        let message = format!("cannot write {}: {cause}", path.display());
        Failure::new(Exit::Store, "store", message).parameter("record")
    };
    fs::create_dir_all(dir).map_err(|cause| cannot(dir, cause))?;
    let mut exit = Exit::Done;
    let missing = tools.found().filter(|found| found.path.is_none());
    for found in missing.filter(|found| named.contains(&found.profile.name)) {
        out.note(&format!("{} is not installed", found.profile.name));
        exit = Exit::Tool;
    }
    for found in tools.found().filter(|found| found.path.is_some()) {
        let name = &found.profile.name;
        out.note(&format!("an exchange with {name}"));
        let exchanged = exchange(found, here, cancel).await;
        if cancel.is_cancelled() {
            return Err(Failure::new(Exit::Cancelled, "cancelled", "cancelled"));
        }
        let failed = match exchanged {
            Ok(exchanged) if exchanged.failed.is_none() => {
                let path = dir.join(file_name(name.as_str()));
                let text = exchanged.recording.text();
                fs::write(&path, text).map_err(|cause| cannot(&path, cause))?;
                out.line(&path.display().to_string())?;
                continue;
            }
            Ok(exchanged) => exchanged.failed.unwrap_or_default(),
            Err(error) => chain(&error),
        };
        out.note(&format!("  {name} is not recorded: {failed}"));
        exit = Exit::Findings;
    }
    Ok(exit)
}
