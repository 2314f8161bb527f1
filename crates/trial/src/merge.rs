//! Adds the questions and rows of a run to those of earlier runs in the same folder.

use std::collections::{BTreeMap, BTreeSet};

use crate::arm::Arm;
use crate::question::Question;
use crate::stored::PlannedRow;

/// Returns the questions of both. One with the same id is that of `new`.
pub(crate) fn merge_questions(old: &[Question], new: &[Question]) -> Vec<Question> {
    let changed: BTreeMap<&str, &Question> = new.iter().map(|it| (it.id.as_str(), it)).collect();
    let known: BTreeSet<&str> = old.iter().map(|it| it.id.as_str()).collect();
    let kept = old
        .iter()
        .map(|it| changed.get(it.id.as_str()).copied().unwrap_or(it));
    let added = new.iter().filter(|it| !known.contains(it.id.as_str()));
    kept.chain(added).cloned().collect()
}

/// Returns the rows of both plans, in the order of `questions`. Rows of `old` stay unless `new` has
/// rows of that question and arm, the question is not as it was in `before`, or it is a vote and
/// votes have another size now.
pub(crate) fn merge_plans(
    old: Vec<PlannedRow>,
    new: Vec<PlannedRow>,
    before: &[Question],
    questions: &[Question],
    keep_votes: bool,
) -> Vec<PlannedRow> {
    let before: BTreeMap<&str, &Question> = before.iter().map(|it| (it.id.as_str(), it)).collect();
    let now: BTreeMap<&str, (usize, &Question)> = (0..)
        .zip(questions)
        .map(|(at, it)| (it.id.as_str(), (at, it)))
        .collect();
    let replaced: BTreeSet<(String, Arm)> = new
        .iter()
        .map(|row| (row.question.clone(), row.arm))
        .collect();
    let stays = |row: &PlannedRow| {
        let id = row.question.as_str();
        let is_same = match (before.get(id), now.get(id)) {
            (Some(before), Some((_, now))) => before == now,
            _ => false,
        };
        let is_replaced = replaced.contains(&(row.question.clone(), row.arm));
        is_same && !is_replaced && (keep_votes || !row.arm.is_vote())
    };
    let mut rows: Vec<_> = old.into_iter().filter(stays).chain(new).collect();
    rows.sort_by_key(|row| {
        let at = now.get(row.question.as_str()).map(|(at, _)| *at);
        (at, row.arm, row.sample)
    });
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stored::PLANNED_SCHEMA;

    fn question(id: &str, text: &str) -> Question {
        Question {
            id: id.to_owned(),
            text: text.to_owned(),
            ..Question::default()
        }
    }

    fn row(question: &str, arm: Arm, identity: &str) -> PlannedRow {
        PlannedRow {
            schema: PLANNED_SCHEMA.to_owned(),
            identity: identity.to_owned(),
            question: question.to_owned(),
            arm,
            sample: 1,
        }
    }

    #[test]
    fn a_run_with_fewer_arms_and_questions_loses_none() {
        let before = [
            question("a", "A?"),
            question("b", "B?"),
            question("c", "C?"),
        ];
        let now = merge_questions(&before, &[question("b", "New?"), question("d", "D?")]);
        let texts: Vec<&str> = now.iter().map(|it| it.text.as_str()).collect();
        assert_eq!(texts, ["A?", "New?", "C?", "D?"]);

        let old = ["a", "b", "c"]
            .map(|id| [Arm::One, Arm::Vote, Arm::Duel].map(|arm| row(id, arm, "old")))
            .concat();
        let new = vec![row("d", Arm::One, "new"), row("a", Arm::One, "new")];
        let listed = |keep_votes| -> Vec<String> {
            let rows = merge_plans(old.clone(), new.clone(), &before, &now, keep_votes);
            let line =
                |row: PlannedRow| format!("{} {} {}", row.question, row.arm.name(), row.identity);
            rows.into_iter().map(line).collect()
        };
        // `b` is another question now.
        let wanted = [
            "a one new",
            "a vote old",
            "a duel old",
            "c one old",
            "c vote old",
            "c duel old",
            "d one new",
        ];
        assert_eq!(listed(true), wanted);
        let without: Vec<_> = wanted
            .into_iter()
            .filter(|it| !it.contains("vote"))
            .collect();
        assert_eq!(listed(false), without);
    }
}
