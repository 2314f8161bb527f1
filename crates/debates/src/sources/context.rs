//! What every seat is given: nothing, changes, some files, or the whole project.

mod changes;
mod files;
mod git;
mod submodules;

use agon_caller::hint::flag_with;
use agon_caller::{Caller, Code, Failure, Hint};
use agon_record::spec::{Context, Repo};
use agon_record::text::strip_control_characters;
use agon_redact::Redactor;

use crate::request::{CONTEXT_SEPARATOR, PastedText};
use crate::sources::own_folders::OwnFolders;

// About 50,000 tokens, in every prompt: below the 64,000 from which on an unknown model is thought
// to lose track (`agents/src/profile/model.rs`).
/// Bytes of the largest context.
const MAX_BYTES: usize = 200 * 1024;

/// A hint to give the context `value`.
pub(crate) fn use_context(value: &str) -> Hint {
    Hint::new("use ").flag_with("context", value)
}

/// A hint for a text that seems to hold a secret.
pub(crate) fn secret_hint() -> Hint {
    Hint::new("take it out").or(Hint::new("send it all the same with ").flag("allow-secrets"))
}

/// What every seat is given.
pub(crate) struct Given {
    /// It.
    pub context: Context,
    /// The paths of what commits changed, where that is given.
    pub changed: Vec<String>,
}

impl From<Context> for Given {
    fn from(context: Context) -> Self {
        Self {
            context,
            changed: Vec::new(),
        }
    }
}

/// Reads the context that `wanted` names: `none`, `diff`, `commit=A..B`, `repo`, or `file=PATH` and
/// `dir=DIR`, several of them with [`CONTEXT_SEPARATOR`] between them; and the texts `pasted`, which go
/// with none and with files. Nothing is given of the folders in `own`.
///
/// # Errors
///
/// If it is not in the project, too large, not text, or seems to hold a secret.
pub(crate) async fn read(
    caller: &Caller,
    wanted: &str,
    pasted: &[PastedText],
    redactor: &Redactor,
    allow_secrets: bool,
    own: &OwnFolders,
) -> Result<Given, Failure> {
    let lines: Vec<_> = wanted
        .split(CONTEXT_SEPARATOR)
        .filter(|one| !one.is_empty())
        .collect();
    let given = match lines.as_slice() {
        ["none"] | [] if !pasted.is_empty() => files::join(Vec::new(), pasted)?.into(),
        [one] if !pasted.is_empty() && !files::is_named(one) => {
            let message = format!("`{one}` cannot be given together with pasted texts");
            return Err(refusal(message).hint("files and folders can: file=A and dir=B"));
        }
        ["none"] => Context::None.into(),
        ["diff"] => changes::uncommitted(caller, own).await?.into(),
        // What is in it is known when it is pinned.
        ["repo"] => return Ok(Context::Repo(Repo::default()).into()),
        [only] if only.starts_with("commit=") => {
            changes::of_commits(caller, only.trim_start_matches("commit="), own).await?
        }
        named => files::join(files::read(caller, named, own)?, pasted)?.into(),
    };
    require_fitting(&given.context)?;
    if !allow_secrets {
        refuse_secrets(&given.context, redactor)?;
    }
    Ok(given)
}

fn require_fitting(context: &Context) -> Result<(), Failure> {
    let bytes: usize = context.texts().iter().map(|text| text.len()).sum();
    match bytes > MAX_BYTES {
        false => Ok(()),
        true => Err(refusal(format!(
            "the context has {bytes} bytes; at most {MAX_BYTES} are sent"
        ))
        .hint(
            Hint::new("give less: fewer or smaller files, part of the changes").join(
                "; or ",
                flag_with("context", "repo").text(", which is read and not sent"),
            ),
        )),
    }
}

fn refuse_secrets(context: &Context, redactor: &Redactor) -> Result<(), Failure> {
    for (at, text) in context.texts().into_iter().enumerate() {
        let secrets = redactor.redact(text).hits;
        let Some(first) = secrets.first() else {
            continue;
        };
        let line = text[..first.span.start].matches('\n').count() + 1;
        let of = match context {
            Context::Files { files } => files[at].path.clone(),
            Context::File { path, .. } => path.clone(),
            Context::Diff { .. } | Context::None | Context::Repo(_) => "the context".to_owned(),
        };
        return Err(refusal(format!(
            "line {line} of {of} looks like a secret ({})",
            first.rule
        ))
        .hint(secret_hint()));
    }
    Ok(())
}

fn refusal(message: String) -> Failure {
    Failure::new(Code::ContextRefused, message).parameter("context")
}

/// Refuses a file name with line breaks or invisible characters, since it is printed in prompts and
/// messages.
fn refuse_unprintable_name(path: &str) -> Result<(), Failure> {
    let breaks = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
    if !path.contains(breaks) && strip_control_characters(path) == path {
        return Ok(());
    }
    let shown = path.escape_default();
    let message =
        format!("the file's name, \"{shown}\", has a line break or a character that does not show");
    Err(refusal(message).hint("give the file another name"))
}
