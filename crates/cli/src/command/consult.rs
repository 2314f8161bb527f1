//! `agon consult`: one question to several tools at once, outside any debate.

mod asked;
mod question;
mod restored;
mod shown;
mod whom;

use std::sync::Arc;
use std::time::Duration;

use agon_config::Settings;
use agon_prompt::estimate_tokens;
use agon_report::text::rounded;
use agon_store::{Consult, Consults};
use tokio_util::sync::CancellationToken;
use ulid::Ulid;

use crate::args::{ConsultArgs, Global};
use crate::command::debate::refuse_depth;
use crate::edge::{self, Edge};
use crate::error::{Exit, Failure, chain};
use crate::output::Out;
use crate::{settings, stop};
use asked::{Came, Place};
use restored::Restored;
pub(crate) use shown::{ConsultDoc, ConsultationsDoc, SCHEMA, SCHEMA_OF_SEVERAL};

/// How long a consult can be gone on with.
const KEPT_FOR_MS: u64 = 30 * 24 * 60 * 60 * 1_000;

/// Asks, and prints the answers in the order in which the tools were named.
pub(crate) async fn run(
    edge: &Edge,
    global: &Global,
    args: &ConsultArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    refuse_depth(edge)?;
    let question = question::read(edge, args)?;
    let settings = settings::resolve(edge, global, &Settings::default())?.settings;
    let consults = edge
        .state_dir()
        .map(|dir| Consults::at(dir.join("consults")));
    let mut restored = restored::of(edge, args, consults.as_ref(), out)?;
    let mut tables = whom::seated(edge, args, &settings, &restored, out).await?;
    let prompt: Arc<str> = question::prompt(edge, args, &question).await?.into();

    let mut id = restored.id.unwrap_or_else(edge::new_ulid);
    if let (Some(_), Some(consults)) = (restored.id, &consults)
        && let Err(error) = consults.folder(id)
    {
        // The conversations are found from their own folder only.
        out.note(&format!("note: {}; asked afresh", chain(&error)));
        restored = Restored::default();
        tables.iter_mut().for_each(|table| table.before = None);
        id = edge::new_ulid();
    }
    let place = place(consults.as_ref(), id, out);
    let tokens = estimate_tokens(prompt.len() as u64);
    let names: Vec<_> = tables.iter().map(|table| table.tool.as_str()).collect();
    out.note(&format!(
        "asking {}: a question of about {} tokens, and what each tool adds of its own",
        names.join(", "),
        rounded(tokens)
    ));
    let cancel = CancellationToken::new();
    let stopping = stop::on_signal(cancel.clone());
    let timeout = Duration::from_secs(args.timeout);
    let came = asked::all(
        edge,
        tables,
        (prompt, timeout),
        (place.as_ref(), &cancel),
        out,
    )
    .await;
    stopping.abort();

    let kept = consults.as_ref().is_some_and(|consults| {
        place.is_some() && keep(edge, consults, (id, &restored), &came, out)
    });
    shown::print(edge, global, (id, kept), &came, out)
}

/// Where the tools run, when what they keep is to be found again.
fn place(consults: Option<&Consults>, id: Ulid, out: &mut Out) -> Option<Place> {
    let folder = consults?.folder(id);
    match folder {
        Ok(folder) => Some(Place { folder }),
        Err(error) => {
            out.note(&format!(
                "note: this cannot be gone on with later: {}",
                chain(&error)
            ));
            None
        }
    }
}

/// Keeps what the tools keep of this consult, and says whether that went well.
fn keep(
    edge: &Edge,
    consults: &Consults,
    (id, restored): (Ulid, &Restored),
    came: &[Came],
    out: &mut Out,
) -> bool {
    let now = edge::now_ms();
    // One whose tool could not even be started is kept for when it can.
    let asked = |tool| {
        let of_it = |came: &&Came| came.tool == tool;
        came.iter()
            .find(of_it)
            .is_some_and(|came| came.transport.is_some())
    };
    let left = restored.conversations.iter();
    let left = left.filter(|before| !asked(before.tool.clone())).cloned();
    let conversations: Vec<_> = came.iter().filter_map(Came::kept).chain(left).collect();
    if conversations.is_empty() {
        consults.drop_folder(id);
        return false;
    }
    consults.forget(now.saturating_sub(KEPT_FOR_MS));
    let project = restored.project.clone().unwrap_or_else(|| edge.project());
    match consults.keep(&Consult::new(id, now, project, conversations)) {
        Ok(()) => true,
        Err(error) => {
            out.note(&format!(
                "note: this cannot be gone on with later: {}",
                chain(&error)
            ));
            false
        }
    }
}
