//! The documents that this crate publishes.

use agon_record::document::Document;
use agon_record::documents;

use crate::compare::{COMPARISON_SCHEMA, Comparison};
use crate::outcome::{OUTCOME_SCHEMA, Outcome};
use crate::question::{QUESTION_SCHEMA, Question};
use crate::report::{REPORT_SCHEMA, Report};
use crate::stored::{PLANNED_SCHEMA, PlannedRow, TRIAL_SCHEMA, TrialDoc};

/// Every document that this crate prints or reads.
pub const DOCUMENTS: &[Document] = documents! {
    "trial_report" Report = REPORT_SCHEMA, "the results of a trial: agon trial show --json";
    "trial_comparison" Comparison = COMPARISON_SCHEMA,
        "two trials on the same questions: agon trial compare --json";
    "trial_question" Question = QUESTION_SCHEMA, "a question of a trial: a line of its file";
    "trial_outcome" Outcome = OUTCOME_SCHEMA,
        "what an arm of a trial answered: a line of agon trial show --outcomes";
    "trial" TrialDoc = TRIAL_SCHEMA, "the settings of a trial: trial.json";
    "trial_row" PlannedRow = PLANNED_SCHEMA, "a row of a trial: a line of plan.jsonl";
};
