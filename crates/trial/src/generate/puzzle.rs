//! Number puzzles: an expression with a given value, from given numbers.

use super::Difficulty;
use crate::question::{Checker, Question};
use crate::stats::random::Random;

/// The largest number of a puzzle.
const MAX_NUMBER: usize = 12;
/// The largest value to reach.
const MAX_VALUE: i64 = 200;

/// Returns a puzzle that can be solved: its value is that of an expression made at random.
pub(super) fn question(difficulty: Difficulty, random: &mut Random) -> Question {
    let count = difficulty.pick(3, 4, 5);
    let (numbers, value) = loop {
        let numbers: Vec<i64> = (0..count)
            .map(|_| i64::try_from(1 + random.below(MAX_NUMBER)).unwrap_or(1))
            .collect();
        if let Some(value) = combine(numbers.clone(), random)
            && (1..=MAX_VALUE).contains(&value)
            // Otherwise the plain sum would do.
            && value != numbers.iter().sum::<i64>()
        {
            break (numbers, value);
        }
    };
    let listed: Vec<String> = numbers.iter().map(i64::to_string).collect();
    let listed = match listed.split_last() {
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    };
    Question {
        text: format!(
            "Write an expression with the value {value} that uses each of the numbers {listed} \
             exactly once and no other number. Only + - * / and brackets are allowed."
        ),
        answer: value.to_string(),
        checker: Some(Checker::Expression { numbers }),
        ..Question::default()
    }
}

/// Joins two of the values at random until one is left; `None` if a quotient is not whole.
fn combine(mut values: Vec<i64>, random: &mut Random) -> Option<i64> {
    while values.len() > 1 {
        random.shuffle(&mut values);
        let (one, two) = (values.pop()?, values.pop()?);
        values.push(match random.below(4) {
            0 => one + two,
            1 => one - two,
            2 => one.checked_mul(two)?,
            _ if two != 0 && one % two == 0 => one / two,
            _ => return None,
        });
    }
    values.pop()
}
