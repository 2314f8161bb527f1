//! `agon new`: opens a formal debate, without calling anybody.

mod ask;

use std::io::{self, Read};

use agon_app::formal;
use agon_app::request::NewRequest;

use crate::args::{Global, NewArgs};
use crate::edge::Surroundings;
use crate::error::{Exit, Failure, FailureKind};
use crate::output::Out;

/// Runs `agon new`.
pub(crate) async fn run(
    edge: &Surroundings,
    global: &Global,
    args: &NewArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let mut request = request_from_args(edge, args)?;
    if request.motion.is_none() && edge.terminal && !global.json {
        formal::check(edge, &request)?;
        let taken = |wanted: &str| formal::refuse_taken_name(edge, wanted);
        request = ask::prompt_missing_fields(request, &taken, io::stdin().lock(), io::stderr())?;
    }
    let opened = formal::open(edge, &request).await?;
    if global.json {
        out.write_json(&opened.document())?;
        return Ok(Exit::Done);
    }
    out.write_line(&opened.folder)?;
    out.eprint_line(&format!(
        "agon run {} 3 plays the opening exchange and three rebuttals",
        opened.state.spec.slug
    ));
    Ok(Exit::Done)
}

fn request_from_args(edge: &Surroundings, args: &NewArgs) -> Result<NewRequest, Failure> {
    let motion = args.motion.as_deref();
    Ok(NewRequest {
        slug: args.slug.clone(),
        motion: motion.map(|given| read_motion(edge, given)).transpose()?,
        definitions: args.define.clone(),
        scope: args.scope.clone(),
        thesis_for: args.thesis_for.clone(),
        thesis_against: args.thesis_against.clone(),
        context: args.context.clone(),
        verify_urls: args.verify_urls,
        allow_secrets: args.allow_secrets,
        strict: args.strict,
    })
}

/// The motion as it is given: itself, on stdin, or in a file.
fn read_motion(edge: &Surroundings, given: &str) -> Result<String, Failure> {
    // Sixty-four times the longest (`MAX_BYTES` in `app/src/topic.rs`): it is the size that is
    // complained of, not text cut in two.
    /// More than a motion may have, so that a longer one is seen to be too long.
    const MAX_BYTES: u64 = 1 << 20;
    let mut bytes = Vec::new();
    let (read, from) = if given == "-" {
        let read = io::stdin().take(MAX_BYTES).read_to_end(&mut bytes);
        (read, "stdin".to_owned())
    } else if let Some(path) = given.strip_prefix('@') {
        let file = std::fs::File::open(edge.cwd.join(path));
        let read = file.and_then(|file| file.take(MAX_BYTES).read_to_end(&mut bytes));
        (read, path.to_owned())
    } else {
        return Ok(given.to_owned());
    };
    let refuse = |message: String| {
        Failure::new(FailureKind::Usage, "invalid_parameter", message).parameter("motion")
    };
    read.map_err(|cause| refuse(format!("cannot read the motion from {from}: {cause}")))?;
    String::from_utf8(bytes).map_err(|_| refuse(format!("the motion from {from} is not text")))
}
