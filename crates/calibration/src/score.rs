//! What an answer comes to, by rules alone.

use crate::prompt::{PlantedQuestion, Prompt};

/// What came of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum QuestionOutcome {
    /// Its value was given, and no other that stands in the text.
    Found,
    /// The value of the fact that nearly answers it was given.
    NearMiss,
    /// Something else was given, or several values.
    Wrong,
    /// It was said that the text does not say it.
    Unknown,
    /// Others were answered, this one was not.
    Missing,
    /// The whole answer is a refusal: it says nothing of what the model finds.
    Refused,
    /// The whole answer is empty: it says nothing either.
    Empty,
}

impl QuestionOutcome {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Found,
        Self::NearMiss,
        Self::Wrong,
        Self::Unknown,
        Self::Missing,
        Self::Refused,
        Self::Empty,
    ];

    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Found => "found",
            Self::NearMiss => "near_miss",
            Self::Wrong => "wrong",
            Self::Unknown => "unknown",
            Self::Missing => "missing",
            Self::Refused => "refused",
            Self::Empty => "empty",
        }
    }

    /// The outcome that a word stands for.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.as_str() == word)
    }

    /// Whether it counts in recall.
    pub fn is_answer(self) -> bool {
        !matches!(self, Self::Refused | Self::Empty)
    }
}

const REFUSALS: [&str; 9] = [
    "i can't",
    "i cannot",
    "i can not",
    "i'm unable",
    "i am unable",
    "i'm not able",
    "i am not able",
    "i won't",
    "i'm sorry",
];

/// What came of each question of `prompt`, in their order.
pub fn score(prompt: &Prompt, answer: &str) -> Vec<QuestionOutcome> {
    let all = |outcome| vec![outcome; prompt.questions.len()];
    if answer.trim().is_empty() {
        return all(QuestionOutcome::Empty);
    }
    let lines = answer_lines(prompt, answer);
    let is_answered = lines.iter().any(Option::is_some);
    let plain = answer.to_lowercase().replace('\u{2019}', "'");
    if !is_answered && says_it_is_not_there(&plain) {
        return all(QuestionOutcome::Unknown);
    }
    if !is_answered && REFUSALS.iter().any(|it| plain.contains(it)) {
        return all(QuestionOutcome::Refused);
    }
    let questions = prompt.questions.iter().zip(lines);
    questions
        .map(|(question, line)| match line {
            None => QuestionOutcome::Missing,
            Some(line) => score_line(prompt, question, line),
        })
        .collect()
}

/// What follows "I cannot" where a model has looked and found nothing: that is an answer, and a wrong
/// one, for the text has it.
const LOOKS: [&str; 7] = [
    " find",
    " see ",
    " locate",
    " identify",
    " determine",
    " spot ",
    " to find",
];

fn says_it_is_not_there(plain: &str) -> bool {
    let after = REFUSALS.iter().flat_map(|it| {
        plain
            .match_indices(it)
            .map(|(at, it)| &plain[at + it.len()..])
    });
    let mut after = after;
    after.any(|rest| LOOKS.iter().any(|it| rest.starts_with(it)))
}

/// The line that answers each question: by its number; else, where no line has one, by the name
/// that it repeats; else by their order, where there are as many lines as questions.
fn answer_lines<'a>(prompt: &Prompt, answer: &'a str) -> Vec<Option<&'a str>> {
    let count = prompt.questions.len();
    let mut found = vec![None; count];
    let lines: Vec<&str> = answer
        .lines()
        .map(str::trim)
        .filter(|it| !it.is_empty())
        .collect();
    for line in &lines {
        // A later line for the same question is a second thought.
        if let Some((number, rest)) = numbered(line)
            && let Some(own) = number.checked_sub(1).and_then(|at| found.get_mut(at))
        {
            *own = Some(rest);
        }
    }
    if found.iter().any(Option::is_some) {
        return found;
    }
    for (question, own) in prompt.questions.iter().zip(&mut found) {
        let name = question.name.to_lowercase();
        *own = lines
            .iter()
            .find(|it| it.to_lowercase().contains(&name))
            .copied();
    }
    if found.iter().all(Option::is_none) && lines.len() == count {
        return lines.into_iter().map(Some).collect();
    }
    found
}

/// The number that a line begins with, and what stands after it.
fn numbered(line: &str) -> Option<(usize, &str)> {
    let line = line.trim_start_matches(|c: char| !c.is_alphanumeric());
    let lower = line.to_ascii_lowercase();
    let word = ["question", "answer", "q", "a"].into_iter().find(|word| {
        let rest = lower.strip_prefix(word);
        rest.is_some_and(|rest| rest.trim_start().starts_with(|c: char| c.is_ascii_digit()))
    });
    let line = line.get(word.map_or(0, str::len)..)?.trim_start();
    let end = line.find(|c: char| !c.is_ascii_digit())?;
    let (number, rest) = line.split_at(end);
    let is_end = rest.starts_with(|c: char| !c.is_alphanumeric());
    Some((number.parse().ok().filter(|_| is_end)?, rest))
}

fn score_line(prompt: &Prompt, question: &PlantedQuestion, line: &str) -> QuestionOutcome {
    let words = words(line);
    let has = |value: &str| words.contains(&value.to_lowercase());
    if words.is_empty() {
        return QuestionOutcome::Missing;
    }
    let others = prompt
        .questions
        .iter()
        .filter(|it| it.value != question.value);
    let has_other = others.into_iter().any(|it| has(&it.value));
    let is_near = question.near_miss.as_deref().is_some_and(has);
    let near_of_others = prompt
        .questions
        .iter()
        .filter_map(|it| it.near_miss.as_deref());
    let has_near = near_of_others.into_iter().any(has);
    match (has(&question.value), has_other || has_near) {
        (true, false) => QuestionOutcome::Found,
        (true, true) => QuestionOutcome::Wrong,
        (false, _) if is_near => QuestionOutcome::NearMiss,
        (false, _) if words == ["unknown"] || words.last().is_some_and(|it| it == "unknown") => {
            QuestionOutcome::Unknown
        }
        (false, _) => QuestionOutcome::Wrong,
    }
}

/// The words of a line in lower case; digits that a comma, an apostrophe or a thin blank keeps apart
/// are one.
fn words(line: &str) -> Vec<String> {
    let chars: Vec<char> = line.chars().collect();
    let is_digit = |at: Option<usize>| {
        at.and_then(|at| chars.get(at))
            .is_some_and(char::is_ascii_digit)
    };
    let is_separator = |at: usize, c: char| {
        matches!(c, ',' | '\'' | '\u{2019}' | '\u{202f}' | '\u{2009}' | '_')
            && is_digit(at.checked_sub(1))
            && is_digit(Some(at + 1))
    };
    let joined = chars
        .iter()
        .enumerate()
        .filter(|(at, c)| !is_separator(*at, **c));
    let joined: String = joined.map(|(_, c)| *c).collect();
    joined
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}

#[cfg(test)]
mod tests {
    use QuestionOutcome::{Empty, Found, Missing, NearMiss, Refused, Unknown, Wrong};

    use super::*;

    fn question(name: &str, value: &str, near_miss: Option<&str>) -> PlantedQuestion {
        PlantedQuestion {
            depth: 0,
            name: name.to_owned(),
            value: value.to_owned(),
            near_miss: near_miss.map(str::to_owned),
            words: String::new(),
            fact: String::new(),
        }
    }

    fn outcomes(answer: &str) -> Vec<QuestionOutcome> {
        let prompt = Prompt {
            text: String::new(),
            questions: vec![
                question("Velmora", "48213", Some("70001")),
                question("Brioska", "Traxuande", Some("Kelorim")),
            ],
        };
        score(&prompt, answer)
    }

    #[test]
    fn a_value_is_found_however_it_is_set() {
        for answer in [
            "1: 48213\n2: Traxuande",
            "1. **48,213** grams\n2. `traxuande`.",
            "Here you are:\n**1:** 48\u{202f}213\n- 2) \"Traxuande\"",
            "Q1: 48213\nQuestion 2: it is Traxuande",
            "1: 99999\n2: Traxuande\nNo, wait.\n1: 48213",
            "48213\nTraxuande",
            "Brioska's is Traxuande.\nThe crate Velmora weighs 48213 grams.\nThat is all.",
        ] {
            assert_eq!(outcomes(answer), [Found, Found], "{answer}");
        }
    }

    #[test]
    fn what_is_not_the_value_alone_is_told_apart() {
        for (answer, wanted) in [
            ("1: 70001\n2: Kelorim", [NearMiss, NearMiss]),
            ("1: 48213 or 70001\n2: Traxuande, Kelorim", [Wrong, Wrong]),
            ("1: Traxuande\n2: 148213", [Wrong, Wrong]),
            ("1: unknown\n2: **Unknown**", [Unknown, Unknown]),
            ("1: 48213", [Found, Missing]),
            ("1: 48213\n2:", [Found, Missing]),
            ("The text is about a village.", [Missing, Missing]),
            ("I cannot help with that.", [Refused, Refused]),
            (
                "I\u{2019}m sorry, I can\u{2019}t do so.",
                [Refused, Refused],
            ),
            (
                "I can\u{2019}t find either of these in the text.",
                [Unknown, Unknown],
            ),
            ("I'm sorry, I am unable to find them.", [Unknown, Unknown]),
            ("1: 48213\n2: I cannot tell", [Found, Wrong]),
            (" \n", [Empty, Empty]),
        ] {
            assert_eq!(outcomes(answer), wanted, "{answer}");
        }
    }

    #[test]
    fn every_outcome_is_read_back_by_its_word() {
        for outcome in QuestionOutcome::ALL {
            assert_eq!(QuestionOutcome::from_word(outcome.as_str()), Some(outcome));
        }
        assert_eq!(QuestionOutcome::from_word("other"), None);
    }
}
