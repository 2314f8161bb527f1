//! Files of the project, named one by one or by folder.

use std::fs;
use std::path::{Path, PathBuf};

use agon_caller::{Caller, Failure, Hint};
use agon_evidence::{FileKind, PinLimits, Source};
use agon_record::spec::{Context, ContextFile};

use super::{MAX_BYTES, refusal, refuse_unprintable_name, use_context};
use crate::request::PastedText;
use crate::sources::own_folders::OwnFolders;

// Chosen, not measured: each file adds a name and two fence lines to every prompt.
/// Maximum number of files that are named one by one.
const MAX_FILES: usize = 100;

/// Reads the files in `named`, each `file=PATH` or `dir=DIR`. Leaves `own` out of folders.
///
/// # Errors
///
/// If one is outside the project, cannot be read or is not text, or there are too many.
pub(super) fn read(
    caller: &Caller,
    named: &[&str],
    own: &OwnFolders,
) -> Result<Vec<ContextFile>, Failure> {
    let project = Project::of_caller(caller)?;
    let mut files: Vec<ContextFile> = Vec::new();
    for name in named {
        let found = match name.split_once('=') {
            Some(("file", path)) if !path.is_empty() => match caller.cwd.join(path).is_dir() {
                true => project.files_below(path, own)?,
                false => vec![project.file(path)?],
            },
            Some(("dir", path)) if !path.is_empty() => project.files_below(path, own)?,
            _ if named.len() > 1 => {
                let message = format!("`{name}` cannot be combined with other contexts");
                return Err(refusal(message)
                    .hint("only files and folders can be combined: file=A and dir=B"));
            }
            _ => {
                return Err(refusal(format!("unknown context `{name}`")).hint(
                    use_context("none")
                        .text(", diff, commit=A..B, file=PATH, dir=DIR, session or repo"),
                ));
            }
        };
        let is_new = |file: &ContextFile| !files.iter().any(|known| known.path == file.path);
        let new: Vec<_> = found.into_iter().filter(is_new).collect();
        files.extend(new);
        if files.len() > MAX_FILES {
            return Err(refusal(format!("more than {MAX_FILES} files are named"))
                .hint(Hint::new("name a smaller folder").or(use_context("repo"))));
        }
    }
    Ok(files)
}

/// Returns whether one part of a context names a file or a folder.
pub(super) fn names_file_or_folder(one: &str) -> bool {
    one.starts_with("file=") || one.starts_with("dir=")
}

/// Returns the context of these files and pasted texts. A pasted text replaces a file of its name.
///
/// # Errors
///
/// If there are too many, or a pasted text contains NUL.
pub(super) fn join(mut files: Vec<ContextFile>, pasted: &[PastedText]) -> Result<Context, Failure> {
    files.retain(|file| !pasted.iter().any(|text| text.name == file.path));
    for PastedText { name, text } in pasted {
        refuse_unprintable_name(name)?;
        if text.contains('\0') {
            return Err(refusal(format!("{name} is not text")));
        }
        let (path, text) = (name.clone(), text.clone());
        files.push(ContextFile { path, text });
    }
    if files.len() > MAX_FILES {
        let message = format!("more than {MAX_FILES} files and texts are given");
        return Err(refusal(message).hint(Hint::new("give fewer").or(use_context("repo"))));
    }
    Ok(match <[ContextFile; 1]>::try_from(files) {
        Ok([ContextFile { path, text }]) => Context::File { path, text },
        Err(files) => Context::Files { files },
    })
}

/// The project that contains the files.
struct Project<'a> {
    caller: &'a Caller,
    root: PathBuf,
}

impl<'a> Project<'a> {
    fn of_caller(caller: &'a Caller) -> Result<Self, Failure> {
        let project = caller.project();
        let root = fs::canonicalize(&project)
            .map_err(|cause| refusal(format!("cannot read {}: {cause}", project.display())))?;
        Ok(Self { caller, root })
    }

    /// Returns where `path` leads, and its path in the project.
    fn locate(&self, path: &str) -> Result<(PathBuf, String), Failure> {
        refuse_unprintable_name(path)?;
        let full = fs::canonicalize(self.caller.cwd.join(path))
            .map_err(|cause| refusal(format!("cannot read {path}: {cause}")))?;
        let Ok(inside) = full.strip_prefix(&self.root) else {
            return Err(refusal(format!("{path} is outside the project"))
                .hint(format!("the project folder is {}", self.root.display())));
        };
        let inside = inside.display().to_string();
        // Check the real path too, because a link may have another name than its target.
        refuse_unprintable_name(&inside)?;
        Ok((full, inside))
    }

    fn file(&self, path: &str) -> Result<ContextFile, Failure> {
        let (full, inside) = self.locate(path)?;
        let text = read_text(&full, path)?;
        Ok(ContextFile { path: inside, text })
    }

    /// Returns the text files below a folder that the project does not ignore.
    fn files_below(&self, path: &str, own: &OwnFolders) -> Result<Vec<ContextFile>, Failure> {
        let (full, inside) = self.locate(path)?;
        let pinned = Source::pin_tree(&full, &PinLimits::default())
            .map_err(|error| refusal(format!("cannot read {path}: {error}")))?;
        let texts = pinned.manifest().entries.iter();
        let texts = texts.filter(|(_, entry)| entry.kind == FileKind::Text);
        let mut files = Vec::new();
        for (below, entry) in texts {
            let within = Path::new(&inside).join(below).display().to_string();
            if own.has(&within) {
                continue;
            }
            refuse_unprintable_name(&within)?;
            if files.len() == MAX_FILES || entry.bytes > MAX_BYTES as u64 {
                return Err(refusal(format!(
                    "{path} has more than {MAX_FILES} files, or one of more than {MAX_BYTES} bytes"
                ))
                .hint(
                    Hint::new("choose a smaller folder or single files").or(use_context("repo")),
                ));
            }
            let text = read_text(&full.join(below), &within)?;
            files.push(ContextFile { path: within, text });
        }
        match files.is_empty() {
            true => Err(refusal(format!("{path} contains no text file"))
                .hint("files that git ignores are skipped; name one with file=PATH")),
            false => Ok(files),
        }
    }
}

fn read_text(full: &Path, path: &str) -> Result<String, Failure> {
    let about = |cause: std::io::Error| refusal(format!("cannot read {path}: {cause}"));
    let meta = fs::metadata(full).map_err(about)?;
    if !meta.is_file() {
        return Err(refusal(format!("{path} is not a file")));
    }
    if meta.len() > MAX_BYTES as u64 {
        return Err(refusal(format!(
            "{path} is too large: {} bytes, the limit is {MAX_BYTES}",
            meta.len()
        )));
    }
    let bytes = agon_files::read(full, MAX_BYTES as u64).map_err(about)?;
    let binary = || refusal(format!("{path} is not text"));
    let text = agon_evidence::decode(&bytes).text.into_owned();
    if text.contains('\0') {
        Err(binary())
    } else {
        Ok(text)
    }
}
