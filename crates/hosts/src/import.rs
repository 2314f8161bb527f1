//! Imports other authors' skills, each with a manifest of seven fields, into our format.

mod permissions;
mod translate;
mod walk;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::disk::{self, DiskError};
use crate::lint::{Finding, LintFile, MANIFEST, lint, read_manifest};

use self::translate::translate;
use self::walk::{WalkedSkill, walk_skill};

/// An imported skill in our format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportedSkill {
    /// Its name.
    pub name: String,
    /// The folder it was read from.
    pub from: PathBuf,
    /// The outcome of each field of its manifest and front matter.
    pub fields: Vec<(String, ImportOutcome)>,
    /// Tokens of its text.
    pub tokens: usize,
    /// Declared maximum tokens, at least `tokens`.
    pub budget: usize,
    /// Its files by path in its folder, `SKILL.md` first.
    pub files: Vec<(String, Vec<u8>)>,
}

/// How an imported field was treated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ImportOutcome {
    /// It is unchanged.
    Kept,
    /// It was converted or corrected; the text says how.
    Translated(String),
    /// It was left out, for this reason.
    LeftOut(String),
}

/// The skills read from a folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Import {
    /// Usable skills, by name.
    pub skills: Vec<ImportedSkill>,
    /// Errors in the others.
    pub findings: Vec<Finding>,
}

/// Result of writing an imported skill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImportWrite {
    /// It was written.
    Written,
    /// The same files were there already.
    Same,
    /// Something else with its name is there and was kept.
    Taken,
}

/// Options of an import.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ImportOptions {
    /// Whether a skill keeps permissions to act without asking: the tools it allows itself, and commands
    /// that a host runs when it loads the skill.
    pub keeps_permissions: bool,
}

/// Reads the skill in `folder`, else every skill in a subfolder, without the permissions that they give
/// themselves. Writes nothing.
///
/// # Errors
///
/// If the folder cannot be read.
pub fn read_skills(folder: &Path) -> io::Result<Import> {
    read_skills_with(folder, ImportOptions::default())
}

/// Reads skills like [`read_skills`], with options.
///
/// # Errors
///
/// If the folder cannot be read.
pub fn read_skills_with(folder: &Path, options: ImportOptions) -> io::Result<Import> {
    let mut folders = Vec::new();
    if folder.join(MANIFEST).symlink_metadata().is_ok() {
        folders.push(folder.to_owned());
    } else {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            let is_hidden = path
                .file_name()
                .is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
            if path.is_dir() && !is_hidden {
                folders.push(path);
            }
        }
        folders.sort();
    }
    let mut import = Import::default();
    for folder in folders {
        match read_skill(&folder, options) {
            Ok(skill) => import.skills.push(skill),
            Err(findings) => import.findings.extend(findings),
        }
    }
    Ok(import)
}

fn read_skill(folder: &Path, options: ImportOptions) -> Result<ImportedSkill, Vec<Finding>> {
    let path = folder.join(MANIFEST);
    let shown = path.to_string_lossy();
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    let fault = |code, path: &Path, message: String| vec![Finding::of_file(path, code, message)];
    let bytes = match disk::read(&path) {
        Ok(Some(bytes)) => bytes,
        Ok(None) => {
            let message = format!("it contains no {MANIFEST}");
            return Err(fault("missing-manifest", folder, message));
        }
        Err(error) => return Err(fault("unreadable", &path, error.to_string())),
    };
    let manifest = read_manifest(&shown, &name, &bytes)?;
    let WalkedSkill { entry, others } = walk_skill(folder, &manifest.entry_file)
        .map_err(|(path, message)| fault("files", &path, message))?;
    let entry_path = folder.join(&manifest.entry_file);
    let text = String::from_utf8(entry)
        .map_err(|_| fault("encoding", &entry_path, "it is not valid UTF-8".to_owned()))?;
    let translated = translate(&manifest, &text, options)
        .map_err(|(line, message)| vec![Finding::at_line(&entry_path, line, "entry", message)])?;
    refuse_faults(&manifest.name, &translated.text, &entry_path)?;
    let mut files = vec![("SKILL.md".to_owned(), translated.text.into_bytes())];
    files.extend(others);
    Ok(ImportedSkill {
        name: manifest.name,
        from: folder.to_owned(),
        fields: translated.fields,
        tokens: translated.tokens,
        budget: translated.budget,
        files,
    })
}

/// Applies the check of our own skills to the entry, except for its length.
fn refuse_faults(name: &str, text: &str, entry: &Path) -> Result<(), Vec<Finding>> {
    let file = LintFile {
        path: format!("skills/{name}/SKILL.md"),
        bytes: text.as_bytes().to_vec(),
    };
    let found = lint(&[file], None).findings.into_iter();
    let found: Vec<_> = found
        .filter(|finding| finding.code != "long")
        .map(|finding| Finding::of_file(entry, finding.code, finding.message))
        .collect();
    match found.is_empty() {
        true => Ok(()),
        false => Err(found),
    }
}

/// Returns what [`write_skill`] would do.
///
/// # Errors
///
/// If existing files cannot be read.
pub fn check_target(skill: &ImportedSkill, to: &Path) -> Result<ImportWrite, DiskError> {
    let folder = to.join(&skill.name);
    if fs::symlink_metadata(&folder).is_err() {
        return Ok(ImportWrite::Written);
    }
    for (path, bytes) in &skill.files {
        if disk::read(&folder.join(path))?.as_ref() != Some(bytes) {
            return Ok(ImportWrite::Taken);
        }
    }
    Ok(ImportWrite::Same)
}

/// Writes a skill atomically into a folder of its name in `to`.
///
/// # Errors
///
/// If it cannot be written.
pub fn write_skill(skill: &ImportedSkill, to: &Path) -> Result<ImportWrite, DiskError> {
    let outcome = check_target(skill, to)?;
    if outcome != ImportWrite::Written {
        return Ok(outcome);
    }
    let new = to.join(format!(".{}.agon-new", skill.name));
    if new.exists() {
        fs::remove_dir_all(&new)?;
    }
    for (path, bytes) in &skill.files {
        let path = new.join(path);
        disk::create_folders(&path)?;
        disk::replace(&path, None, bytes, 0o644)?;
    }
    fs::rename(&new, to.join(&skill.name))?;
    Ok(ImportWrite::Written)
}
