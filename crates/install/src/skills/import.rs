//! Imports other authors' skills into our format.

use std::path::{Path, PathBuf};

use agon_caller::{Caller, Code, Failure, depth};
use agon_hosts::import::{
    ImportOptions, ImportOutcome, ImportWrite, ImportedSkill, check_target, read_skills_with,
    write_skill,
};
use agon_hosts::lint::Finding;
use schemars::JsonSchema;
use serde::Serialize;

/// The name and version of the document.
pub const SKILLS_IMPORT_SCHEMA: &str = "agon.skills_import/1";

/// Request to import skills.
#[derive(Clone, Debug, Default)]
pub struct ImportRequest {
    /// A folder of skills, or one skill: each is a folder with a `manifest.json`.
    pub from: PathBuf,
    /// The target folder; each skill gets a subfolder of its name.
    pub to: PathBuf,
    /// Whether skills keep the permissions that they give themselves.
    pub keeps_permissions: bool,
    /// Whether to only report what would be done.
    pub is_dry_run: bool,
}

/// Result of an import: `agon.skills_import/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SkillsImportDoc {
    #[schemars(extend("const" = SKILLS_IMPORT_SCHEMA))]
    schema: &'static str,
    /// Whether this was a dry run, which writes nothing.
    pub dry_run: bool,
    /// The usable skills.
    pub skills: Vec<ImportedSkillDoc>,
    /// Problems in the others.
    pub findings: Vec<Finding>,
}

/// An imported skill.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ImportedSkillDoc {
    /// Its name.
    pub name: String,
    /// The folder it was read from.
    pub from: String,
    /// Its new folder.
    pub path: String,
    /// `add`, `same`, or `keep` if something else with its name is there and was kept.
    pub action: &'static str,
    /// Its files.
    pub files: Vec<String>,
    /// o200k tokens of its text, without front matter.
    pub tokens: u64,
    /// Declared maximum tokens, at least `tokens`.
    pub max_context_tokens: u64,
    /// The outcome of each field.
    pub fields: Vec<ImportFieldDoc>,
}

/// Outcome of a field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ImportFieldDoc {
    /// The field of the manifest, or of the front matter of the entry.
    pub field: String,
    /// `kept`, `translated` or `left_out`.
    pub outcome: &'static str,
    /// How it was converted, or why it was left out; null if it is kept.
    pub note: Option<String>,
}

impl SkillsImportDoc {
    /// Returns whether a skill was not written because something else is in its place.
    pub fn is_partial(&self) -> bool {
        self.skills.iter().any(|skill| skill.action == "keep")
    }
}

/// Reads other authors' skills and writes the usable ones in our format. Replaces nothing.
///
/// # Errors
///
/// If the folder cannot be read or has no skill, or a skill cannot be written.
pub fn import(caller: &Caller, request: &ImportRequest) -> Result<SkillsImportDoc, Failure> {
    depth::refuse_nested(caller)?;
    let from = caller.resolve_path(&request.from);
    let to = caller.resolve_path(&request.to);
    let options = ImportOptions {
        keeps_permissions: request.keeps_permissions,
    };
    let read = read_skills_with(&from, options).map_err(|error| {
        let message = format!("{}: {error}", caller.display_path(&from));
        Failure::new(Code::Unreadable, message).parameter("dir")
    })?;
    if read.skills.is_empty() && read.findings.is_empty() {
        let message = format!("no skill in {}", caller.display_path(&from));
        return Err(Failure::new(Code::NoSkills, message)
            .parameter("dir")
            .hint("pass a folder whose subfolders each contain a manifest.json"));
    }
    let mut skills = Vec::new();
    for skill in &read.skills {
        let written = match request.is_dry_run {
            true => check_target(skill, &to),
            false => write_skill(skill, &to),
        };
        let written = written.map_err(|error| {
            let message = format!("{}: {error}", caller.display_path(&to.join(&skill.name)));
            Failure::new(Code::Unwritable, message)
                .parameter("to")
                .hint("pass another folder; the skills before this one were written")
        })?;
        skills.push(document_of(caller, skill, &to, written));
    }
    let findings = read.findings.into_iter().map(|finding| Finding {
        path: caller.display_path(Path::new(&finding.path)),
        ..finding
    });
    Ok(SkillsImportDoc {
        schema: SKILLS_IMPORT_SCHEMA,
        dry_run: request.is_dry_run,
        skills,
        findings: findings.collect(),
    })
}

fn document_of(
    caller: &Caller,
    skill: &ImportedSkill,
    to: &Path,
    written: ImportWrite,
) -> ImportedSkillDoc {
    let fields = skill.fields.iter().map(|(field, outcome)| {
        let (outcome, note) = match outcome {
            ImportOutcome::Kept => ("kept", None),
            ImportOutcome::Translated(to) => ("translated", Some(to.clone())),
            ImportOutcome::LeftOut(why) => ("left_out", Some(why.clone())),
        };
        ImportFieldDoc {
            field: field.clone(),
            outcome,
            note,
        }
    });
    ImportedSkillDoc {
        name: skill.name.clone(),
        from: caller.display_path(&skill.from),
        path: caller.display_path(&to.join(&skill.name)),
        action: match written {
            ImportWrite::Written => "add",
            ImportWrite::Same => "same",
            ImportWrite::Taken => "keep",
        },
        files: skill.files.iter().map(|(path, _)| path.clone()).collect(),
        tokens: skill.tokens as u64,
        max_context_tokens: skill.budget as u64,
        fields: fields.collect(),
    }
}
