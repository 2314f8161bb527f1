//! Family `reply`: replies are valid, not empty and short.

use agon_record::answer::same_answer;
use agon_record::finding::{Finding, Severity};
use agon_record::moves::{Formal, Moves};
use agon_record::words;

use crate::rule::scene::join_path;
use crate::rule::texts::limited_texts;
use crate::rule::{Rule, Scene};

const FAMILY: &str = "reply";

pub(super) const PARSE: Rule = Rule {
    code: "reply-parse",
    family: FAMILY,
    severity: Severity::Fatal,
    about: "a reply ends in one JSON object",
    explain: include_str!("explain/reply-parse.md"),
    check: check_done_by_parser,
};

pub(super) const SCHEMA: Rule = Rule {
    code: "reply-schema",
    family: FAMILY,
    severity: Severity::Fatal,
    about: "the moves fit their schema",
    explain: include_str!("explain/reply-schema.md"),
    check: check_done_by_parser,
};

pub(super) const UNKNOWN_KEY: Rule = Rule {
    code: "reply-unknown-key",
    family: FAMILY,
    severity: Severity::Warning,
    about: "a reply has no keys that the schema does not define",
    explain: include_str!("explain/reply-unknown-key.md"),
    check: check_done_by_parser,
};

pub(super) const NOTHING: Rule = Rule {
    code: "reply-nothing",
    family: FAMILY,
    severity: Severity::Fatal,
    about: "a turn makes at least one move",
    explain: include_str!("explain/reply-nothing.md"),
    check: check_has_usable_moves,
};

pub(super) const EMPTY: Rule = Rule {
    code: "reply-empty",
    family: FAMILY,
    severity: Severity::Error,
    about: "no text and no list of places is empty",
    explain: include_str!("explain/reply-empty.md"),
    check: check_no_empty_texts,
};

pub(super) const WORDS: Rule = Rule {
    code: "reply-words",
    family: FAMILY,
    severity: Severity::Error,
    about: "every text keeps within its word limit",
    explain: include_str!("explain/reply-words.md"),
    check: check_word_limits,
};

pub(super) const GROUNDS: Rule = Rule {
    code: "reply-grounds",
    family: FAMILY,
    severity: Severity::Error,
    about: "a point has one to three grounds",
    explain: include_str!("explain/reply-grounds.md"),
    check: check_ground_counts,
};

pub(super) const THESES: Rule = Rule {
    code: "reply-theses",
    family: FAMILY,
    severity: Severity::Error,
    about: "the two sides defend different theses",
    explain: include_str!("explain/reply-theses.md"),
    check: check_theses_differ,
};

/// Checks nothing, since the parser reports breaches of these rules.
fn check_done_by_parser(_: &Scene<'_>, _: &mut Vec<Finding>) {}

fn check_has_usable_moves(scene: &Scene<'_>, found: &mut Vec<Finding>) {
    let silent = |text: &str| !words::has_alphanumeric(text);
    let (nothing, at, hint) = match scene.moves {
        Moves::Blind(blind) => (
            silent(&blind.answer),
            "answer",
            "give an answer of one to five words",
        ),
        Moves::Opening(opening) => (
            opening.arguments.is_empty() || silent(&opening.stance),
            "",
            "give a stance and one to five arguments",
        ),
        Moves::Challenge(challenge) => (
            scene.point_count() == 0 && challenge.none_found.is_empty(),
            "",
            "give objections, or say in `none_found` where you looked",
        ),
        Moves::Defense(defense) => (
            scene.point_count() == 0 && silent(&defense.position_now),
            "",
            "answer the objections and say what the position is now",
        ),
        Moves::FollowUp(follow_up) => (
            scene.point_count() == 0 && follow_up.none_found.is_empty(),
            "",
            "rule on the answers, and object or say in `none_found` where you looked",
        ),
        Moves::Verdict(ruling) => (silent(&ruling.answer), "answer", "answer the topic"),
        Moves::Formal(Formal::Theses(theses)) => (
            silent(&theses.proposition) || silent(&theses.opposition),
            "",
            "state the thesis of each side in one sentence",
        ),
        Moves::Formal(Formal::Case(case)) => (
            case.arguments.is_empty(),
            "",
            "give three arguments, each with title, claim, grounds and warrant",
        ),
        Moves::Formal(Formal::Rebuttal(one)) => (
            silent(&one.argument.title) && silent(&one.argument.claim),
            "",
            "give one argument with title, claim, grounds and warrant",
        ),
        Moves::Formal(Formal::Scores(scores)) => (
            scores.scores.is_empty() && scores.rescores.is_empty(),
            "",
            "score every new argument",
        ),
    };
    if nothing {
        found.push(scene.breach(at, "the reply has no usable move", hint));
    }
}

fn check_no_empty_texts(scene: &Scene<'_>, found: &mut Vec<Finding>) {
    for text in limited_texts(scene) {
        if !words::has_alphanumeric(text.text) {
            found.push(scene.breach(
                text.at,
                "this text is empty",
                "fill it in, or remove the item",
            ));
        }
    }
    for (at, none) in scene.moves.cleared_categories().iter().enumerate() {
        if none.looked_at.is_empty() {
            found.push(scene.breach(
                format!("none_found[{at}].looked_at"),
                "the list of checked places is empty",
                "name the files or texts that you checked",
            ));
        }
    }
}

fn check_word_limits(scene: &Scene<'_>, found: &mut Vec<Finding>) {
    for text in limited_texts(scene) {
        let (Some((least, most)), Some(count)) = (text.words, words::count_words(text.text)) else {
            continue;
        };
        if count > most || (count > 0 && count < least) {
            let range = match least {
                0 => format!("at most {most}"),
                least => format!("{least} to {most}"),
            };
            let noun = if count == 1 { "word" } else { "words" };
            let off = count.saturating_sub(most).max(least.saturating_sub(count));
            let finding = scene.breach(
                text.at,
                format!("{count} {noun}, but {range} are allowed"),
                format!("use {range} words"),
            );
            found.push(match off <= text.slack {
                true => Finding {
                    severity: Severity::Warning,
                    ..finding
                },
                false => finding,
            });
        }
    }
}

fn check_ground_counts(scene: &Scene<'_>, found: &mut Vec<Finding>) {
    for (at, grounds) in scene.duel_grounds_with_paths() {
        if grounds.len() > 3 {
            found.push(scene.breach(
                format!("{at}.grounds"),
                format!("{} grounds, but at most 3 are allowed", grounds.len()),
                "keep the three strongest",
            ));
        }
    }
    for (at, contention) in scene.contentions_with_paths() {
        let count = contention.argument.grounds.len();
        if !(1..=3).contains(&count) {
            found.push(scene.breach(
                join_path(&at, "grounds"),
                format!("{count} grounds, but 1 to 3 are required"),
                "give one to three grounds: the source, what it says, and why it matters here",
            ));
        }
    }
}

fn check_theses_differ(scene: &Scene<'_>, found: &mut Vec<Finding>) {
    if let Some(theses) = scene.theses()
        && same_answer(&theses.proposition, &theses.opposition)
    {
        found.push(scene.breach(
            "opposition",
            "both sides defend the same thesis",
            "give the opposition its own thesis, which must exclude the other one",
        ));
    }
}
