//! Skills: how to do something well, written for a model.

mod import;

pub use self::import::{
    ImportFieldDoc, ImportRequest, ImportedSkillDoc, SKILLS_IMPORT_SCHEMA, SkillsImportDoc, import,
};
