//! Skills of others, in the form of ours.

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

/// Which skills are to be imported, and where to.
#[derive(Clone, Debug, Default)]
pub struct ImportRequest {
    /// A folder of skills, or one skill: each is a folder with a `manifest.json`.
    pub from: PathBuf,
    /// The folder that gets them, each in a folder of its name.
    pub to: PathBuf,
    /// Whether skills keep the permissions that they give themselves.
    pub keeps_permissions: bool,
    /// Only shows what would be done.
    pub is_dry_run: bool,
}

/// What became of skills of others: `agon.skills_import/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SkillsImportDoc {
    #[schemars(extend("const" = SKILLS_IMPORT_SCHEMA))]
    schema: &'static str,
    /// Whether nothing was written, since it was only to be shown.
    pub dry_run: bool,
    /// The skills that can be used.
    pub skills: Vec<ImportedSkillDoc>,
    /// What is wrong with the others, and where.
    pub findings: Vec<Finding>,
}

/// A skill of others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ImportedSkillDoc {
    /// Its name.
    pub name: String,
    /// The folder that it was read from.
    pub from: String,
    /// Its folder now.
    pub path: String,
    /// `add`, `same`, or `keep` where something else of its name is there and stays.
    pub action: &'static str,
    /// Its files.
    pub files: Vec<String>,
    /// The o200k tokens that its text takes, without front matter.
    pub tokens: u64,
    /// The most tokens that it says it takes: never fewer.
    pub max_context_tokens: u64,
    /// What became of each field.
    pub fields: Vec<ImportFieldDoc>,
}

/// What became of a field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ImportFieldDoc {
    /// The field of the manifest, or of the front matter of the entry.
    pub field: String,
    /// `kept`, `translated` or `left_out`.
    pub outcome: &'static str,
    /// To what, or why; null where it is kept.
    pub note: Option<String>,
}

impl SkillsImportDoc {
    /// Whether a skill is left as it is that should be otherwise.
    pub fn is_partial(&self) -> bool {
        self.skills.iter().any(|skill| skill.action == "keep")
    }
}

/// Reads skills of others and writes those that can be used in our form; nothing is replaced.
///
/// # Errors
///
/// If the folder cannot be read or has no skill in it, or one cannot be written.
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
        let message = format!("there is no skill in {}", caller.display_path(&from));
        return Err(Failure::new(Code::NoSkills, message)
            .parameter("dir")
            .hint("name a folder whose folders have a manifest.json each"));
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
                .hint("name another folder; skills before this one are written")
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
