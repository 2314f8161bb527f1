//! The context for every seat: nothing, changes, some files, or the whole project.

pub(crate) mod changes;
mod files;
pub(crate) mod git;
mod submodules;

use agon_caller::hint::flag_with;
use agon_caller::{Caller, Code, Failure, Hint};
use agon_record::spec::{Context, Repo};
use agon_record::text::strip_control_characters;
use agon_redact::Redactor;

use crate::request::{CONTEXT_SEPARATOR, ChangeSelection, PastedText};
use crate::sources::own_folders::OwnFolders;

// About 50,000 tokens in every prompt, below the 64,000 at which an unknown model is assumed to
// lose track (`agents/src/profile/model.rs`).
/// Maximum size of a context, in bytes.
pub(crate) const MAX_BYTES: usize = 200 * 1024;

/// Returns a hint to use the context `value`.
pub(crate) fn use_context(value: &str) -> Hint {
    Hint::new("use ").flag_with("context", value)
}

/// Returns a hint for a text that seems to contain a secret.
pub(crate) fn secret_hint() -> Hint {
    Hint::new("remove the secret").or(Hint::new("send it anyway with ").flag("allow-secrets"))
}

/// The context for every seat.
pub(crate) struct Given {
    /// The context.
    pub context: Context,
    /// The paths changed by commits, if the context is a range of commits.
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

/// Reads the context `wanted`: `none`, `diff`, `commit=A..B`, `repo`, or `file=PATH` and `dir=DIR`,
/// several of them separated by [`CONTEXT_SEPARATOR`]. The texts `pasted` can be combined with none
/// and with files. Of a range of commits, only what `change` selects is given. Leaves out the
/// folders in `own`.
///
/// # Errors
///
/// If it is outside the project, too large, not text, or seems to contain a secret.
pub(crate) async fn read(
    caller: &Caller,
    wanted: &str,
    (pasted, change): (&[PastedText], Option<&ChangeSelection>),
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
        [one] if !pasted.is_empty() && !files::names_file_or_folder(one) => {
            let message = format!("`{one}` cannot be combined with pasted texts");
            return Err(
                refusal(message).hint("only files and folders can be combined: file=A and dir=B")
            );
        }
        ["none"] => Context::None.into(),
        ["diff"] => changes::uncommitted(caller, own).await?.into(),
        // Empty for now, because its contents are determined when the repository is pinned.
        ["repo"] => return Ok(Context::Repo(Repo::default()).into()),
        [only] if only.starts_with("commit=") => {
            let range = only.trim_start_matches("commit=");
            changes::changes_of_commits(caller, range, change, own).await?
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
            "the context is too large: {bytes} bytes, the limit is {MAX_BYTES}"
        ))
        .hint(
            Hint::new("choose fewer or smaller files, or part of the changes").join(
                "; or ",
                flag_with("context", "repo").text(", which the tools read themselves"),
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

/// Rejects a file name with line breaks or invisible characters, since prompts and messages contain
/// it.
fn refuse_unprintable_name(path: &str) -> Result<(), Failure> {
    let breaks = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
    if !path.contains(breaks) && strip_control_characters(path) == path {
        return Ok(());
    }
    let shown = path.escape_default();
    let message =
        format!("the file's name, \"{shown}\", contains a line break or an invisible character");
    Err(refusal(message).hint("rename the file"))
}
