//! Sources with one planted bug.

use super::Difficulty;
use super::bug_kinds::{KINDS, Kind};
use crate::question::Question;
use crate::stats::random::Random;

/// Remarks on a function that is right, as a false lead.
const FALSE_LEADS: [&str; 4] = [
    "# FIXME: is this off by one?",
    "# HACK: looks wrong, do not touch before the release",
    "# TODO: this failed once last year, cause never found",
    "# XXX: is this really what the documentation says?",
];

/// Returns a question for the one function that does not do what its documentation says. The harder,
/// the more functions; an easy question has an example with each.
pub(super) fn question(difficulty: Difficulty, random: &mut Random) -> Question {
    let count = difficulty.pick(4, 6, 9);
    let mut kinds: Vec<&Kind> = KINDS.iter().collect();
    random.shuffle(&mut kinds);
    kinds.truncate(count);
    let planted = random.below(count);
    let lead = (planted + 1 + random.below(count - 1)) % count;
    let mut files = Vec::new();
    for (number, part) in kinds.chunks(3).enumerate() {
        let mut text = format!("# file: stock/part_{}.py\n", number + 1);
        for (at, kind) in (number * 3..).zip(part) {
            text.push('\n');
            if at == lead {
                text.push_str(random.choose(&FALSE_LEADS).copied().unwrap_or_default());
                text.push('\n');
            }
            text.push_str(&source(kind, at == planted, difficulty == Difficulty::Easy));
        }
        files.push(text);
    }
    let answer = kinds.get(planted).map_or("", |kind| kind.name);
    Question {
        text: "Exactly one of these functions does not do what its documentation says. Which one?"
            .to_owned(),
        options: kinds.iter().map(|kind| kind.name.to_owned()).collect(),
        answer: answer.to_owned(),
        context: Some(files.join("\n")),
        ..Question::default()
    }
}

/// Returns the source of a function.
fn source(kind: &Kind, is_planted: bool, has_example: bool) -> String {
    let Kind {
        name,
        arguments,
        about,
        example,
        right,
        wrong,
    } = kind;
    let example = match has_example {
        true => format!("\n\n    Example: {example}\n    "),
        false => String::new(),
    };
    let body = if is_planted { wrong } else { right };
    let body: Vec<String> = body.lines().map(|line| format!("    {line}")).collect();
    let body = body.join("\n");
    format!("def {name}({arguments}):\n    \"\"\"{about}{example}\"\"\"\n{body}\n")
}
