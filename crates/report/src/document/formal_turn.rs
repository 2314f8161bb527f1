//! Turns of a formal debate as prose.

use agon_record::moves::{Contention, DefenseKind, Formal, Scores, Theses};

use super::argument::argument_md;
use crate::markdown::{escape_as_sentence, escape_inline};

/// Returns the theses or the judge's scores of a turn; empty for a turn of arguments.
pub(super) fn theses_or_scores_md(formal: &Formal) -> Vec<String> {
    match formal {
        Formal::Theses(theses) => vec![theses_md(theses)],
        Formal::Scores(scores) => vec![scores_md(scores)],
        Formal::Case(_) | Formal::Rebuttal(_) => Vec::new(),
    }
}

fn theses_md(theses: &Theses) -> String {
    format!(
        "**The proposition defends:** {}\n\n**The opposition defends:** {}",
        escape_as_sentence(&theses.proposition),
        escape_as_sentence(&theses.opposition)
    )
}

fn scores_md(scores: &Scores) -> String {
    let mut out = String::new();
    for one in &scores.scores {
        let (id, reason) = (one.argument_id, escape_as_sentence(&one.reasoning));
        put!(out, "- **{id} {}** {reason}\n", one.score);
    }
    for again in &scores.rescores {
        let (id, reason) = (again.argument_id, escape_as_sentence(&again.reasoning));
        let from = again.old_score.map(|old| format!(" from {old}"));
        let from = from.unwrap_or_default();
        put!(out, "- **{id}{from} to {}** {reason}\n", again.new_score);
    }
    out
}

/// Returns an argument of a formal debate with its attacks and defenses.
pub(super) fn contention_md(name: &str, contention: &Contention) -> String {
    let mut out = argument_md(name, &contention.argument);
    for attack in &contention.attacks {
        put!(
            out,
            "\n\n**Attacks {} ({}):** {}",
            attack.target_id,
            attack.attack_type.part_label(),
            escape_as_sentence(&attack.content)
        );
    }
    for defend in &contention.defends {
        put!(
            out,
            "\n\n**{} {}:** {}",
            defense_sentence_start(defend.defense_type),
            defend.target_id,
            escape_as_sentence(&defend.content)
        );
    }
    out
}

/// Returns the verb of a defense, such as "Reinforces".
pub(super) fn defense_sentence_start(kind: DefenseKind) -> &'static str {
    match kind {
        DefenseKind::Reinforce => "Reinforces",
        DefenseKind::Clarify => "Clarifies",
        DefenseKind::ConcedeAndPivot => "Concedes",
    }
}

/// Returns a title as escaped Markdown.
pub(super) fn contention_title_md(contention: &Contention) -> String {
    escape_inline(&contention.argument.title)
}
