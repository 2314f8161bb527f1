//! How a question is put: the order of its options and who speaks first, both by the seed.

use crate::arm::Arm;
use crate::question::{Checker, Question};
use crate::stats::random::Random;

/// A question as it is put.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Presented {
    /// The options in the order of their letters.
    pub options: Vec<String>,
}

/// Returns the options of a question in the order of a seed, the same in every arm.
pub fn present(question: &Question, seed: u64) -> Presented {
    let mut options = question.options.clone();
    if !question.fixed_order {
        Random::from_name(seed, &format!("options {}", question.id)).shuffle(&mut options);
    }
    Presented { options }
}

/// Returns whether the sides are exchanged: the second tool then speaks first, in every arm.
pub fn is_exchanged(question: &Question, seed: u64) -> bool {
    Random::from_name(seed, &format!("sides {}", question.id)).chance(0.5)
}

/// Returns the text that an arm asks; on one line in a debate.
pub fn topic(question: &Question, presented: &Presented, arm: Arm) -> String {
    let mut parts = Vec::new();
    let passage = question.open_context();
    let passage = passage.filter(|_| question.source(arm).is_none());
    if let Some(passage) = passage {
        parts.push(format!("Passage: {passage}"));
    }
    parts.push(question.text.clone());
    let letters = ('A'..='Z').zip(&presented.options);
    parts.extend(letters.map(|(letter, option)| format!("{letter}) {option}")));
    let form = match &question.checker {
        None => "X (NN%)\", where X is the letter of one option",
        Some(Checker::Text) => "X (NN%)\", where X is the answer in a few words",
        Some(Checker::Number { .. }) => "X (NN%)\", where X is a number",
        Some(Checker::Expression { .. }) => {
            "X (NN%)\", where X is an expression with + - * / and brackets that uses each number once"
        }
    };
    let place = match arm.is_debate() {
        true => "The answer of the verdict has the form",
        false => "End with a line of the form",
    };
    parts.push(format!(
        "{place} \"Answer: {form} and NN how sure you are that it is right, from 0 to 100."
    ));
    match arm.is_debate() {
        true => parts
            .join(" ")
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" "),
        false => parts.join("\n"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question(id: usize) -> Question {
        Question {
            id: format!("q{id}"),
            text: "Which one?".to_owned(),
            options: ["w", "x", "y", "z"].map(str::to_owned).to_vec(),
            answer: "w".to_owned(),
            context: Some("It is  the first.".to_owned()),
            ..Question::default()
        }
    }

    #[test]
    fn the_order_depends_on_the_seed_and_the_question_only() {
        let first = |seed: u64| -> Vec<_> {
            let of = |id| present(&question(id), seed).options[0].clone();
            (0..40).map(of).collect()
        };
        assert_eq!(first(1), first(1));
        assert_ne!(first(1), first(2));
        let fixed = Question {
            fixed_order: true,
            ..question(1)
        };
        assert_eq!(present(&fixed, 5).options, fixed.options);
        let exchanged = (0..400)
            .filter(|&id| is_exchanged(&question(id), 1))
            .count();
        assert!((160..240).contains(&exchanged), "{exchanged}");
    }

    #[test]
    fn only_the_arm_with_evidence_gets_the_passage_as_a_source() {
        let (question, presented) = (question(1), present(&question(1), 1));
        let duel = topic(&question, &presented, Arm::Duel);
        assert!(
            duel.starts_with("Passage: It is the first. Which one? A) "),
            "{duel}"
        );
        assert!(duel.contains("The answer of the verdict has the form \"Answer: X (NN%)\""));
        assert!(!topic(&question, &presented, Arm::Evidence).contains("first."));
        let lines = Question {
            context: Some("def first():\n    return 1".to_owned()),
            ..question.clone()
        };
        assert!(!topic(&lines, &presented, Arm::Duel).contains("return"));
        assert!(topic(&lines, &presented, Arm::One).contains(":\n    return 1\nWhich one?"));
        assert!(!lines.has_evidence() && question.has_evidence());
        let hidden = Question {
            hidden: true,
            ..question
        };
        assert!(!topic(&hidden, &presented, Arm::One).contains("Passage"));
    }
}
