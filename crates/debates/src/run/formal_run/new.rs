//! Opens a formal debate without calling any tool.

use std::sync::Arc;

use agon_caller::hint::command;
use agon_caller::{Caller, Code, Failure, Notes, depth, find, settings, system};
use agon_config::Settings;
use agon_engine::host::{FolderHost, Host};
use agon_engine::run::RunError;
use agon_record::moves::Theses;
use agon_record::spec::{Definition, DuelSpec, FormalSpec, FormatName, Kind, Spec};
use agon_record::state::State;
use agon_seats::tools;
use agon_store::{RealDisk, slug};
use agon_verdict::status::{StartedDoc, started_document};

use super::motion;
use crate::failure::{require_given, run_failure, store_failure};
use crate::limits::bounds::caps_from_settings;
use crate::limits::grants;
use crate::request::NewRequest;
use crate::request::topic::one_line;
use crate::run::spec::new_spec;
use crate::sources::session::take_session_brief;
use crate::sources::untracked;
use crate::sources::{self, SourceRequest};

/// The subject of a debate.
#[derive(Debug)]
struct Draft {
    slug: Option<String>,
    motion: Option<String>,
    definitions: Vec<Definition>,
    scope: Option<String>,
    theses: Option<Theses>,
}

/// An opened formal debate.
#[derive(Clone, Debug)]
pub struct NewFormalDebate {
    /// The debate.
    pub state: State,
    /// Its folder, as printed.
    pub folder: String,
}

impl NewFormalDebate {
    /// Returns the machine-readable document.
    pub fn document(&self) -> StartedDoc {
        // All limits are 0, because opening a formal debate makes no calls.
        StartedDoc {
            calls_max: 0,
            tokens_max: 0,
            ..started_document(&self.state, &self.folder, false, false)
        }
    }
}

/// Checks the known parts of a formal debate that is about to be opened.
///
/// # Errors
///
/// If a part is invalid, or its name is taken.
pub fn check(caller: &Caller, request: &NewRequest) -> Result<(), Failure> {
    read_draft(caller, request).map(drop)
}

/// Returns the configuration and the checked parts of the requested debate.
fn read_draft(caller: &Caller, request: &NewRequest) -> Result<(Settings, Draft), Failure> {
    depth::refuse_nested(caller)?;
    let settings = settings::read_settings(caller)?;
    if request.strict {
        require_all_parameters(request)?;
    }
    let draft = draft(request)?;
    if let Some(wanted) = &draft.slug {
        refuse_taken_name(caller, wanted)?;
    }
    Ok((settings, draft))
}

/// Opens a formal debate.
///
/// # Errors
///
/// If the motion is missing, its name is taken, or its folder cannot be written.
pub async fn open(
    caller: &Caller,
    request: &NewRequest,
    notes: &mut dyn Notes,
) -> Result<NewFormalDebate, Failure> {
    let (settings, draft) = read_draft(caller, request)?;
    let dir = caller.cwd.join(&settings.debates_dir);
    let given = request.context.as_deref().or(settings.context.as_deref());
    let mut pasted = request.pasted.clone();
    // No context by default: the tools are not chosen yet, and some cannot read files.
    let given = take_session_brief(caller, given.unwrap_or("none"), &mut pasted, notes)?;
    let wanted = SourceRequest {
        context: &given,
        pasted: &pasted,
        change: None,
        allow_secrets: request.allow_secrets,
        pages: request.verify_urls,
        debates_dir: &settings.debates_dir,
        settings: &tools::project_config_names(&settings)?,
    };
    let spec = spec(request, draft, &settings)?;
    let (context, pin) = sources::read_and_pin_context(caller, wanted).await?;
    let spec = Spec {
        context,
        source: pin.as_ref().map(|pin| pin.pinned.clone()),
        ..spec
    };
    let kept = pin.map_or_else(Vec::new, |pin| pin.kept);
    let kept: Vec<&[u8]> = kept.iter().map(|bytes| &**bytes).collect();
    let disk = Arc::new(RealDisk);
    untracked::announce_debates(caller, &dir, notes).await;
    let id = spec.ulid;
    grants::record_intent(caller, &spec);
    let created = FolderHost::create_with_blobs(disk, &dir, spec, &kept, system::now_ms);
    let created = created.inspect_err(|_| grants::forget_intent(caller, id));
    let mut host = created.map_err(|error| store_failure(&error))?;
    grants::record_opening(caller, host.folder().path(), host.state());
    host.publish_documents()
        .map_err(|error| run_failure(RunError::Host(error)))?;
    Ok(NewFormalDebate {
        folder: caller.display_path(host.folder().path()),
        state: host.state().clone(),
    })
}

/// Rejects missing parameters if `strict` is set.
fn require_all_parameters(request: &NewRequest) -> Result<(), Failure> {
    let given = [
        ("slug", request.slug.is_some()),
        ("motion", request.motion.is_some()),
        ("thesis-for", request.thesis_for.is_some()),
        ("thesis-against", request.thesis_against.is_some()),
    ];
    require_given(&given, |_| {
        command("new SLUG --motion … --thesis-for … --thesis-against …")
    })
}

fn draft(request: &NewRequest) -> Result<Draft, Failure> {
    let text = |text: &Option<String>, what| text.as_deref().map(|t| one_line(t, what)).transpose();
    let motion = text(&request.motion, "motion")?;
    let mut definitions = Vec::new();
    for given in &request.definitions {
        definitions.push(motion::parse_definition(given, &definitions)?);
    }
    let theses = (
        text(&request.thesis_for, "thesis-for")?,
        text(&request.thesis_against, "thesis-against")?,
    );
    Ok(Draft {
        slug: request.slug.clone(),
        motion,
        definitions,
        scope: text(&request.scope, "scope")?,
        theses: match theses {
            (Some(proposition), Some(opposition)) => Some(Theses {
                proposition,
                opposition,
            }),
            (Some(_) | None, _) => None,
        },
    })
}

/// Rejects the name of an existing debate; the hint lists all names.
///
/// # Errors
///
/// If the name is taken.
pub fn refuse_taken_name(caller: &Caller, wanted: &str) -> Result<(), Failure> {
    let dir = &caller.cwd.join(find::debates_dir(caller)?);
    let name = slug(wanted);
    if std::fs::symlink_metadata(dir.join(&name)).is_err() {
        return Ok(());
    }
    let listing = find::listing(dir)?;
    let known = find::format_debate_names(&listing.debates);
    let hint = format!("choose another name; existing debates: {known}");
    let message = format!("{} already exists", dir.join(&name).display());
    Err(Failure::new(Code::SlugTaken, message)
        .parameter("slug")
        .hint(hint))
}

fn spec(request: &NewRequest, draft: Draft, settings: &Settings) -> Result<Spec, Failure> {
    let Some(motion) = draft.motion else {
        return Err(
            Failure::new(Code::MissingParameter, "the motion is missing")
                .parameter("motion")
                .hint(
                    "give a motion: agon new \"This house would …\"; \
                 or read it from stdin (agon new -) or a file (agon new @FILE)",
                ),
        );
    };
    let slug = draft.slug.unwrap_or_else(|| motion::suggest_slug(&motion));
    let formal = FormalSpec {
        definitions: draft.definitions,
        scope: draft.scope,
        theses: draft.theses,
    };
    let format = request.format.unwrap_or(FormatName::Formal);
    Ok(Spec {
        kind: Kind::select(format, DuelSpec::default(), formal),
        caps: caps_from_settings(settings, 0),
        ..new_spec(format, request.id, (slug, motion), settings)?
    })
}
