use std::collections::BTreeSet;

use super::bug_kinds::KINDS;
use super::*;
use crate::grade::{Grade, grade};
use crate::question::{Checker, parse, to_lines};
use crate::value::expression_value;

fn all() -> impl Iterator<Item = (Generator, Difficulty, Vec<Question>)> {
    Generator::ALL.into_iter().flat_map(|generator| {
        let of = move |difficulty| {
            (
                generator,
                difficulty,
                generate(generator, difficulty, 7, 60),
            )
        };
        Difficulty::ALL.into_iter().map(of)
    })
}

#[test]
fn every_generated_question_is_valid_and_the_same_for_its_seed() {
    for (generator, difficulty, questions) in all() {
        assert_eq!(
            parse(&to_lines(&questions).unwrap(), "generated").unwrap(),
            questions
        );
        assert_eq!(generate(generator, difficulty, 7, 60), questions);
        assert_eq!(generate(generator, difficulty, 7, 20), questions[..20]);
        let other = generate(generator, difficulty, 8, 60);
        let texts = |all: &[Question]| -> BTreeSet<String> {
            all.iter()
                .map(|it| format!("{}{:?}", it.text, it.context))
                .collect()
        };
        assert_eq!(texts(&questions).len(), 60);
        assert!(texts(&questions).intersection(&texts(&other)).count() < 5);
    }
}

#[test]
fn a_passage_says_the_right_answer_and_often_an_outdated_one() {
    for (generator, difficulty, questions) in all() {
        if generator != Generator::HiddenPassage {
            continue;
        }
        for question in questions {
            let passage = question.context.as_deref().unwrap();
            assert!(question.hidden && question.options.len() == 4);
            if difficulty == Difficulty::Medium {
                let line = passage
                    .lines()
                    .find(|line| line.starts_with("Later entry"))
                    .unwrap();
                assert!(
                    line.contains(&format!("to {} ", question.answer)),
                    "{passage}"
                );
            } else {
                assert!(
                    passage.contains(&format!(" {}.", question.answer)),
                    "{passage}"
                );
            }
        }
    }
}

#[test]
fn each_of_15_kinds_of_bugs_is_planted_beside_a_false_lead() {
    assert_eq!(KINDS.len(), 15);
    let mut planted = BTreeSet::new();
    for (generator, difficulty, questions) in all() {
        if generator != Generator::PlantedBug {
            continue;
        }
        for question in questions {
            let source = question.context.as_deref().unwrap();
            assert_eq!(question.options.len(), difficulty.pick(4, 6, 9));
            for kind in KINDS
                .iter()
                .filter(|it| question.options.iter().any(|o| o == it.name))
            {
                let start = source.find(&format!("def {}(", kind.name)).unwrap();
                let own = source[start + 4..].split("\ndef ").next().unwrap();
                let body: Vec<_> = kind
                    .right
                    .lines()
                    .map(|line| format!("    {line}\n"))
                    .collect();
                assert_eq!(
                    own.contains(&body.concat()),
                    kind.name != question.answer,
                    "{own}"
                );
            }
            let remarks = source
                .match_indices("\n# ")
                .map(|(at, _)| &source[at + 1..]);
            let mut remarks = remarks.filter(|remark| !remark.starts_with("# file"));
            let (_, after) = remarks.next().unwrap().split_once("def ").unwrap();
            let (lead, _) = after.split_once('(').unwrap();
            assert_ne!(lead, question.answer);
            planted.insert(question.answer);
        }
    }
    assert_eq!(planted.len(), 15);
}

#[test]
fn questions_do_not_repeat_until_there_are_no_more() {
    let questions = generate(Generator::NumberPuzzle, Difficulty::Easy, 1, 2_000);
    let texts: BTreeSet<_> = questions.iter().map(|it| &it.text).collect();
    assert_eq!(texts.len(), 2_000);
}

#[test]
fn every_number_puzzle_can_be_solved() {
    for question in generate(Generator::NumberPuzzle, Difficulty::Medium, 3, 15) {
        let Some(Checker::Expression { numbers }) = &question.checker else {
            panic!()
        };
        let wanted: f64 = question.answer.parse().unwrap();
        let texts: Vec<String> = numbers.iter().map(i64::to_string).collect();
        let solution = solve(&texts, wanted).unwrap();
        assert_eq!(
            grade(&question, Some(&solution)),
            Grade::Right,
            "{solution}"
        );
    }
}

/// Returns an expression of these parts with the value `wanted`.
fn solve(parts: &[String], wanted: f64) -> Option<String> {
    if let [only] = parts {
        let value = expression_value(only)?;
        return ((value - wanted).abs() < 1e-9).then(|| only.clone());
    }
    for one in 0..parts.len() {
        for two in 0..parts.len() {
            if one == two {
                continue;
            }
            let rest = parts
                .iter()
                .enumerate()
                .filter(|(at, _)| *at != one && *at != two);
            let rest: Vec<String> = rest.map(|(_, part)| part.clone()).collect();
            for sign in ['+', '-', '*', '/'] {
                let joined = format!("({} {sign} {})", parts[one], parts[two]);
                if expression_value(&joined).is_none() {
                    continue;
                }
                let all = [rest.clone(), vec![joined]].concat();
                if let Some(found) = solve(&all, wanted) {
                    return Some(found);
                }
            }
        }
    }
    None
}
