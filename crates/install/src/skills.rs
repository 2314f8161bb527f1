//! Skills: instructions for a model on how to do something well.

mod choose;
mod explain;
mod import;
mod library;
mod lint;
mod overview;
mod score;

pub use self::choose::{
    DEFAULT_SKILL_BUDGET, GivenSkillDoc, LeftOutSkillDoc, MatchRequest, SKILLS_MATCH_SCHEMA,
    SkillsMatchDoc, choose,
};
pub use self::explain::{SKILL_SCORE_SCHEMA, ScorePartDoc, SkillScoreDoc, explain};
pub use self::import::{
    ImportFieldDoc, ImportRequest, ImportedSkillDoc, SKILLS_IMPORT_SCHEMA, SkillsImportDoc, import,
};
pub use self::lint::{ListingDoc, SKILLS_LINT_SCHEMA, SkillsLintDoc, lint};
pub use self::overview::{
    SKILL_SCHEMA, SKILLS_SCHEMA, SkillDoc, SkillState, SkillsDoc, list, show,
};
pub use self::score::ScoreDoc;
