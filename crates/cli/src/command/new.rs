//! `agon new`: opens a formal debate without calling a tool.

mod ask;

use std::io::{self, Read};

use agon_caller::find;
use agon_debates::request::NewRequest;
use agon_debates::run::formal_run;

use crate::args::{Global, NewArgs, join_context};
use crate::error::{Code, Exit, Failure};
use crate::output::Out;
use crate::surroundings::Surroundings;

/// Runs `agon new`.
pub(crate) async fn run(
    edge: &Surroundings,
    global: &Global,
    args: &NewArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let mut request = request_from_args(edge, args)?;
    if request.motion.is_none() && edge.terminal && !global.json {
        formal_run::check(edge, &request)?;
        let taken = |wanted: &str| formal_run::refuse_taken_name(edge, wanted);
        request = ask::prompt_missing_fields(request, &taken, io::stdin().lock(), io::stderr())?;
    }
    let opened = formal_run::open(edge, &request, out).await?;
    find::note_changed_name(request.slug.as_deref(), &opened.state.spec.slug, out);
    if global.json {
        out.write_json(&opened.document())?;
        return Ok(Exit::Done);
    }
    out.write_line(&opened.folder)?;
    out.eprint_line(&format!(
        "next: agon run {} 3 (the opening exchange and three rebuttals)",
        opened.state.command_name()
    ));
    Ok(Exit::Done)
}

fn request_from_args(edge: &Surroundings, args: &NewArgs) -> Result<NewRequest, Failure> {
    let (slug, motion) = name_and_motion(args)?;
    let motion = motion.as_deref();
    Ok(NewRequest {
        format: args.format,
        id: None,
        slug,
        motion: motion.map(|given| read_motion(edge, given)).transpose()?,
        definitions: args.define.clone(),
        scope: args.scope.clone(),
        thesis_for: args.thesis_for.clone(),
        thesis_against: args.thesis_against.clone(),
        context: join_context(&args.context),
        pasted: Vec::new(),
        verify_urls: args.verify_urls,
        allow_secrets: args.allow_secrets,
        strict: args.strict,
    })
}

/// Returns the name of the folder and the motion, if given.
fn name_and_motion(args: &NewArgs) -> Result<(Option<String>, Option<String>), Failure> {
    let text = (!args.words.is_empty()).then(|| args.words.join(" "));
    let is_motion =
        |text: &String| text.contains(char::is_whitespace) || text.starts_with(['@', '-']);
    match (text, &args.motion, &args.slug) {
        (Some(motion), None, slug) if is_motion(&motion) || slug.is_some() => {
            Ok((slug.clone(), Some(motion)))
        }
        (Some(name), motion, None) => Ok((Some(name), motion.clone())),
        (None, motion, slug) => Ok((slug.clone(), motion.clone())),
        (Some(text), _, Some(_)) => {
            let message =
                format!("unexpected argument `{text}`: motion and name are given already");
            Err(Failure::new(Code::Usage, message).hint("agon new \"MOTION\" --slug NAME"))
        }
    }
}

/// Reads the motion from the argument, stdin or a file.
fn read_motion(edge: &Surroundings, given: &str) -> Result<String, Failure> {
    // Read 64 times the longest motion (`MAX_BYTES` in `debates/src/request/topic.rs`): a longer
    // one then fails for its length, not for a character cut in two.
    /// The maximum number of bytes read.
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
    let refuse =
        |message: String| Failure::new(Code::InvalidParameter, message).parameter("motion");
    read.map_err(|cause| refuse(format!("cannot read the motion from {from}: {cause}")))?;
    String::from_utf8(bytes).map_err(|_| refuse(format!("the motion from {from} is not text")))
}
