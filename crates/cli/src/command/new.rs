//! `agon new`: opens a formal debate, without calling anybody.

mod ask;
mod motion;

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use agon_config::Settings;
use agon_engine::host::{FolderHost, Host};
use agon_engine::run::RunError;
use agon_record::moves::Theses;
use agon_record::spec::{Definition, Spec};
use agon_store::{RealDisk, slug};
use agon_verdict::status::{StartedDoc, started};

use crate::args::{Global, NewArgs};
use crate::command::{debate, which};
use crate::edge::{self, Edge};
use crate::error::{Exit, Failure};
use crate::output::Out;
use crate::sources::{self, Wanted};
use crate::topic::one_line;
use crate::{running, settings, tools};

/// What is debated, as far as it is known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Draft {
    slug: Option<String>,
    motion: Option<String>,
    definitions: Vec<Definition>,
    scope: Option<String>,
    theses: Option<Theses>,
}

/// Runs `agon new`.
pub(crate) async fn run(
    edge: &Edge,
    global: &Global,
    args: &NewArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    debate::refuse_depth(edge)?;
    let settings = settings::resolve(edge, global, &Settings::default())?.settings;
    let debates_dir = settings.debates_dir.clone();
    let debates_dir = debates_dir.unwrap_or_else(|| "debates".into());
    let dir = edge.cwd.join(&debates_dir);
    if args.strict {
        strict(args)?;
    }
    let mut draft = draft(edge, args)?;
    if let Some(wanted) = &draft.slug {
        refuse_taken(&dir, wanted)?;
    }
    if draft.motion.is_none() && edge.terminal && !global.json {
        let taken = |wanted: &str| refuse_taken(&dir, wanted);
        draft = ask::ask(draft, &taken, io::stdin().lock(), io::stderr())?;
    }
    let mut spec = spec(draft, &settings)?;
    let wanted = args.context.as_deref().or(settings.context.as_deref());
    let wanted = Wanted {
        context: wanted.unwrap_or("none"),
        allow_secrets: args.allow_secrets,
        pages: args.verify_urls,
        debates_dir: &debates_dir,
        settings: &tools::names_of_settings(&settings)?,
    };
    let (context, pin) = sources::given(edge, wanted).await?;
    spec.context = context;
    spec.source = pin.as_ref().map(|pin| pin.pinned.clone());
    let kept = pin.map_or_else(Vec::new, |pin| pin.kept);
    let kept: Vec<&[u8]> = kept.iter().map(|bytes| &**bytes).collect();
    let disk = Arc::new(RealDisk);
    let mut host = FolderHost::create_keeping(disk, &dir, (spec, &kept), edge::now_ms)
        .map_err(|error| running::store_failure(&error))?;
    host.publish()
        .map_err(|error| running::reopen_failure(RunError::Host(error)))?;
    let folder = running::shown(edge, host.folder().path());
    let spec = &host.state().spec;
    if global.json {
        let opened = started(host.state(), &folder, (false, false));
        // It calls nobody before it is told to.
        out.json(&StartedDoc {
            calls_max: 0,
            tokens_max: 0,
            ..opened
        })?;
    } else {
        out.line(&folder)?;
        out.note(&format!(
            "agon run {} 3 plays the opening exchange and three rebuttals",
            spec.slug
        ));
    }
    Ok(Exit::Done)
}

/// With `--strict`, nothing is taken by default.
fn strict(args: &NewArgs) -> Result<(), Failure> {
    let given = [
        ("slug", args.slug.is_some()),
        ("motion", args.motion.is_some()),
        ("thesis-for", args.thesis_for.is_some()),
        ("thesis-against", args.thesis_against.is_some()),
    ];
    match given.into_iter().find(|(_, given)| !given) {
        None => Ok(()),
        Some((missing, _)) => {
            let message = format!("`{missing}` is not given");
            Err(Failure::new(Exit::Usage, "missing_parameter", message)
                .parameter(missing)
                .hint("with --strict every parameter is given: agon new SLUG --motion … --thesis-for … --thesis-against …"))
        }
    }
}

/// What the command line says.
fn draft(edge: &Edge, args: &NewArgs) -> Result<Draft, Failure> {
    let motion = match &args.motion {
        Some(given) => Some(motion_text(edge, given)?),
        None => None,
    };
    let mut definitions = Vec::new();
    for given in &args.define {
        definitions.push(motion::definition(given, &definitions)?);
    }
    let text = |text: &Option<String>, what| text.as_deref().map(|t| one_line(t, what)).transpose();
    let theses = (
        text(&args.thesis_for, "thesis-for")?,
        text(&args.thesis_against, "thesis-against")?,
    );
    Ok(Draft {
        slug: args.slug.clone(),
        motion,
        definitions,
        scope: text(&args.scope, "scope")?,
        theses: match theses {
            (Some(proposition), Some(opposition)) => Some(Theses {
                proposition,
                opposition,
            }),
            (Some(_) | None, _) => None,
        },
    })
}

/// The motion as it is given: itself, on stdin, or in a file.
fn motion_text(edge: &Edge, given: &str) -> Result<String, Failure> {
    /// More than a motion may have, so that a longer one is seen to be too long.
    const MOST: u64 = 1 << 20;
    let mut bytes = Vec::new();
    let (read, from) = if given == "-" {
        let read = io::stdin().take(MOST).read_to_end(&mut bytes);
        (read, "stdin".to_owned())
    } else if let Some(path) = given.strip_prefix('@') {
        let file = std::fs::File::open(edge.cwd.join(path));
        let read = file.and_then(|file| file.take(MOST).read_to_end(&mut bytes));
        (read, path.to_owned())
    } else {
        return one_line(given, "motion");
    };
    let refuse = |message: String| {
        Failure::new(Exit::Usage, "invalid_parameter", message).parameter("motion")
    };
    read.map_err(|cause| refuse(format!("cannot read the motion from {from}: {cause}")))?;
    let text = String::from_utf8(bytes)
        .map_err(|_| refuse(format!("the motion from {from} is not text")))?;
    one_line(&text, "motion")
}

/// Refuses a name that a debate has already, with a list of those there are.
fn refuse_taken(dir: &Path, wanted: &str) -> Result<(), Failure> {
    let name = slug(wanted);
    if std::fs::symlink_metadata(dir.join(&name)).is_err() {
        return Ok(());
    }
    let listing = which::listing(dir)?;
    let known = which::names(&listing.debates);
    let hint = format!("take another name; debates here: {known}");
    let message = format!("{} is there already", dir.join(&name).display());
    Err(Failure::new(Exit::Usage, "slug_taken", message)
        .parameter("slug")
        .hint(hint))
}

fn spec(draft: Draft, settings: &Settings) -> Result<Spec, Failure> {
    let Some(motion) = draft.motion else {
        return Err(
            Failure::new(Exit::Usage, "missing_parameter", "there is no motion")
                .parameter("motion")
                .hint(
                    "say what is debated: agon new --motion \"This house would …\"; \
                     --motion - reads it from stdin, --motion @FILE from a file",
                ),
        );
    };
    let slug = draft.slug.unwrap_or_else(|| motion::suggested(&motion));
    Ok(Spec {
        ulid: edge::new_ulid(),
        definitions: draft.definitions,
        scope: draft.scope,
        theses: draft.theses,
        caps: debate::caps(settings, 0),
        ask_timeout_ms: settings.timeout.unwrap_or(240).saturating_mul(1_000),
        severities: BTreeMap::from_iter(settings.rules.clone()),
        weights: settings.graph.clone(),
        salt: edge::new_salt()?,
        ..Spec::formal(slug, motion)
    })
}
