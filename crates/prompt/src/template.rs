//! The templates of prompts.

use agon_wording::{Templates, Values, Wording};

macro_rules! templates {
    ($($name:ident = $file:literal),* $(,)?) => {
        $(pub(crate) const $name: Template = Template { file: $file };)*

        /// Every template, by file.
        const SOURCES: &[(&str, &str)] = &[
            $(($file, include_str!(concat!("../templates/", $file))),)*
        ];
    };
}

templates! {
    ROLE_BLIND = "role_blind.md",
    ROLE_PROPOSER = "role_proposer.md",
    ROLE_CHALLENGER = "role_challenger.md",
    ROLE_JUDGE = "role_judge.md",
    ROLE_SWAP = "role_swap.md",
    MOTION = "motion.md",
    RULES = "rules.md",
    RULES_OPENING = "rules_opening.md",
    RULES_CHALLENGE = "rules_challenge.md",
    RULES_DEFENSE = "rules_defense.md",
    RULES_FOLLOW_UP = "rules_follow_up.md",
    RULES_VERDICT = "rules_verdict.md",
    OPEN = "open.md",
    CONTEXT = "context.md",
    CONTEXT_REPO = "context_repo.md",
    PRECEDENTS = "precedents.md",
    SUMMARY = "summary.md",
    TURN = "turn.md",
    FOUND = "found.md",
    SHOWN = "shown.md",
    CHALLENGE = "challenge.md",
    AGAIN = "again.md",
    CONTRACT = "contract.md",
    NOTE = "note.md",
    RUN = "run.md",
    NARRATIVE = "narrative.md",
    QUESTION = "question.md",
    CONSULT_DIFF = "consult_diff.md",
    CONSULT_FILE = "consult_file.md",
    EXAMINE = "examine.md",
    FORMAL_ROLE_SIDE = "formal/role_side.md",
    FORMAL_ROLE_JUDGE = "formal/role_judge.md",
    FORMAL_ROLE_THESES = "formal/role_theses.md",
    FORMAL_MOTION = "formal/motion.md",
    FORMAL_THESIS = "formal/thesis.md",
    FORMAL_THESES = "formal/theses.md",
    FORMAL_RULES = "formal/rules.md",
    FORMAL_RULES_THESES = "formal/rules_theses.md",
    FORMAL_RULES_CASE = "formal/rules_case.md",
    FORMAL_RULES_REBUTTAL = "formal/rules_rebuttal.md",
    FORMAL_RULES_SCORES = "formal/rules_scores.md",
    FORMAL_BRIEF = "formal/brief.md",
    FORMAL_TURN = "formal/turn.md",
    FORMAL_SCORES = "formal/scores.md",
    COMPACT_ROLE = "compact/role.md",
    COMPACT_MOTION = "compact/motion.md",
    COMPACT_RECORD = "compact/record.md",
    COMPACT_BESIDES = "compact/besides.md",
    COMPACT_MATERIAL = "compact/material.md",
    COMPACT_CONTRACT = "compact/contract.md",
}

static TEMPLATES: Templates = Templates::new(SOURCES);

/// A template.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Template {
    file: &'static str,
}

impl Template {
    /// Fills in `values` and trims white space.
    pub(crate) fn fill(self, values: Values) -> Wording {
        TEMPLATES.fill(self.file, values)
    }
}

/// The form of each kind of citation.
pub(crate) const SHAPE_CITATION: &str = include_str!("../templates/shape_citation.md");

/// Returns each kind of citation, as a list in a sentence.
pub(crate) fn citation_shape_list() -> Wording {
    let citations = SHAPE_CITATION.lines();
    let citations = citations.map(|one| Wording::from_format("`{}`", &[&one]));
    Wording::join(citations, ", ")
}
