//! What every seat is given: nothing, the uncommitted changes, one file, or the whole project.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::Path;

use agon_proc::{Ending, Limits, Program, Unwatched, find_program};
use agon_record::spec::{Context, Repo};
use agon_record::text::strip_control_characters;
use agon_redact::Redactor;
use tokio_util::sync::CancellationToken;

use crate::caller::Caller;
use crate::failure::{Failure, FailureKind};

// About 50,000 tokens, in every prompt: below the 64,000 from which on an unknown model is thought
// to lose track (`agents/src/profile/model.rs`).
/// Bytes of the largest context.
const MAX_BYTES: usize = 200 * 1024;

/// Reads the context that `wanted` names: `none`, `diff` or `file=PATH`. `debates` is the folder of
/// debates in the project, which no change is taken from.
///
/// # Errors
///
/// If it is not in the project, too large, not text, or seems to hold a secret.
pub(crate) async fn read(
    caller: &Caller,
    wanted: &str,
    redactor: &Redactor,
    allow_secrets: bool,
    debates: Option<&str>,
) -> Result<Context, Failure> {
    let context = match wanted.split_once('=') {
        None if wanted == "none" => Context::None,
        None if wanted == "diff" => diff(caller, debates).await?,
        // What is in it is known when it is pinned.
        None if wanted == "repo" => return Ok(Context::Repo(Repo::default())),
        Some(("file", path)) if !path.is_empty() => {
            refuse_unprintable_name(path)?;
            file(caller, path)?
        }
        None | Some(_) => {
            return Err(refusal(format!("`{wanted}` is no context"))
                .hint("use --context none, diff, file=PATH or repo"));
        }
    };
    let Some(text) = context.text() else {
        return Ok(context);
    };
    if text.len() > MAX_BYTES {
        return Err(refusal(format!(
            "the context has {} bytes; at most {MAX_BYTES} are sent",
            text.len()
        ))
        .hint("give a smaller file, or commit part of the changes"));
    }
    let secrets = redactor.redact(text).hits;
    if let (Some(first), false) = (secrets.first(), allow_secrets) {
        let line = text[..first.span.start].matches('\n').count() + 1;
        return Err(refusal(format!(
            "line {line} of the context looks like a secret ({})",
            first.rule
        ))
        .hint("take it out, or send it all the same with --allow-secrets"));
    }
    Ok(context)
}

fn refusal(message: String) -> Failure {
    Failure::new(FailureKind::Usage, "context_refused", message).parameter("context")
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

fn file(caller: &Caller, path: &str) -> Result<Context, Failure> {
    let project = caller.project();
    let root = fs::canonicalize(&project)
        .map_err(|cause| refusal(format!("cannot read {}: {cause}", project.display())))?;
    let full = fs::canonicalize(caller.cwd.join(path))
        .map_err(|cause| refusal(format!("cannot read {path}: {cause}")))?;
    let Ok(inside) = full.strip_prefix(&root) else {
        return Err(refusal(format!("{path} lies outside the project"))
            .hint(format!("the project is {}", root.display())));
    };
    let text = read_text(&full, path)?;
    let path = inside.display().to_string();
    // Behind a link may stand another name.
    refuse_unprintable_name(&path)?;
    Ok(Context::File { path, text })
}

fn read_text(full: &Path, path: &str) -> Result<String, Failure> {
    let about = |cause: std::io::Error| refusal(format!("cannot read {path}: {cause}"));
    let meta = fs::metadata(full).map_err(about)?;
    if !meta.is_file() {
        return Err(refusal(format!("{path} is no file")));
    }
    if meta.len() > MAX_BYTES as u64 {
        return Err(refusal(format!(
            "{path} has {} bytes; at most {MAX_BYTES} are sent",
            meta.len()
        )));
    }
    let bytes = fs::read(full).map_err(about)?;
    let binary = || refusal(format!("{path} is not text"));
    let text = String::from_utf8(bytes).map_err(|_| binary())?;
    if text.contains('\0') {
        Err(binary())
    } else {
        Ok(text)
    }
}

/// The uncommitted changes of the project, new files that are not ignored among them.
async fn diff(caller: &Caller, debates: Option<&str>) -> Result<Context, Failure> {
    let project = caller.project();
    let commit = run_git(caller, &project, &["rev-parse", "--verify", "HEAD"]).await?;
    let mut text = run_git(
        caller,
        &project,
        &[
            "diff",
            "--no-ext-diff",
            "--no-textconv",
            "--no-color",
            "HEAD",
        ],
    )
    .await?;
    let listed = ["ls-files", "--others", "--exclude-standard", "-z"];
    let listed = run_git(caller, &project, &listed).await?;
    let is_debate =
        |path: &str| debates.is_some_and(|debates| Path::new(path).starts_with(debates));
    let new = listed.split('\0').filter(|path| !path.is_empty());
    for path in new.filter(|path| !is_debate(path)) {
        text.push_str(&new_file_diff(&project, path)?);
        if text.len() > MAX_BYTES {
            return Err(refusal(format!(
                "with new files, the diff is larger than {MAX_BYTES} bytes"
            ))
            .hint("add what is not to be judged to .gitignore, or commit part of it"));
        }
    }
    if text.trim().is_empty() {
        return Err(refusal("there are no uncommitted changes".to_owned())
            .hint("use --context file=PATH or --context repo"));
    }
    Ok(Context::Diff {
        commit: commit.trim().to_owned(),
        text,
    })
}

/// A new file as a diff shows it; empty for a link or a folder.
fn new_file_diff(project: &Path, path: &str) -> Result<String, Failure> {
    let full = project.join(path);
    let about = |cause: std::io::Error| refusal(format!("cannot read {path}: {cause}"));
    let meta = fs::symlink_metadata(&full).map_err(about)?;
    if !meta.is_file() {
        return Ok(String::new());
    }
    let name = match refuse_unprintable_name(path) {
        Ok(()) => path.to_owned(),
        Err(_) => path.escape_default().to_string(),
    };
    let head = format!("diff --git a/{name} b/{name}\nnew file\n");
    let binary = || format!("{head}Binary files /dev/null and b/{name} differ\n");
    if meta.len() > MAX_BYTES as u64 {
        return Err(
            refusal(format!("{name} is new, and has {} bytes", meta.len()))
                .hint("add it to .gitignore, or commit it, and it is left out"),
        );
    }
    let Ok(text) = String::from_utf8(fs::read(&full).map_err(about)?) else {
        return Ok(binary());
    };
    if text.contains('\0') {
        return Ok(binary());
    }
    let lines = text.lines().count();
    let added: String = text.lines().map(|line| format!("+{line}\n")).collect();
    let end = match text.is_empty() || text.ends_with('\n') {
        true => "",
        false => "\\ No newline at end of file\n",
    };
    let hunk = match lines {
        0 => String::new(),
        _ => format!("--- /dev/null\n+++ b/{name}\n@@ -0,0 +1,{lines} @@\n"),
    };
    Ok(format!("{head}{hunk}{added}{end}"))
}

/// Runs git so that no program the repository names is started.
async fn run_git(caller: &Caller, project: &Path, args: &[&str]) -> Result<String, Failure> {
    let path_var = caller
        .vars_os
        .get(&OsString::from("PATH"))
        .cloned()
        .unwrap_or_default();
    let path = find_program("git", &path_var).ok_or_else(|| {
        refusal("git is not installed".to_owned()).hint("use --context file=PATH")
    })?;
    let safe = [
        "-c",
        "core.fsmonitor=false",
        "-c",
        "core.hooksPath=/dev/null",
        "--no-pager",
    ];
    let program = Program {
        path,
        args: safe.iter().chain(args).map(OsString::from).collect(),
        env: git_env(caller),
        cwd: project.to_owned(),
    };
    let mut limits = Limits::probe();
    limits.deadline = std::time::Duration::from_secs(30);
    limits.output = MAX_BYTES * 4;
    let cancel = CancellationToken::new();
    let done = agon_proc::run_program(&program, b"", &limits, &Unwatched, &cancel)
        .await
        .map_err(|error| refusal(format!("cannot run git: {error}")))?;
    match done.ending {
        Ending::Exited { code: Some(0), .. } => String::from_utf8(done.stdout)
            .map_err(|_| refusal("the uncommitted changes are not text".to_owned())),
        Ending::Flooded => Err(refusal(format!(
            "the diff is larger than {MAX_BYTES} bytes"
        ))),
        Ending::Exited { .. } | Ending::TimedOut | Ending::Cancelled | Ending::Complete => {
            Err(refusal(format!("git {} failed here", args[0]))
                .hint("--context diff needs a git repository with a commit"))
        }
    }
}

fn git_env(caller: &Caller) -> BTreeMap<OsString, OsString> {
    let pass = ["PATH", "HOME", "LANG", "XDG_CONFIG_HOME"];
    let mut env: BTreeMap<_, _> = pass
        .iter()
        .filter_map(|name| {
            let name = OsString::from(name);
            Some((name.clone(), caller.vars_os.get(&name)?.clone()))
        })
        .collect();
    env.insert("GIT_OPTIONAL_LOCKS".into(), "0".into());
    env.insert("GIT_TERMINAL_PROMPT".into(), "0".into());
    env
}
