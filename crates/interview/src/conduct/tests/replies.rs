//! Replies of SmolLM2 135M that the filter leaves out or takes. A few are shortened; those on figures,
//! repetition and foreign names are made up.

use agon_record::moves::Side;
use agon_record::options::Contrast;

use super::{between, conducted, option, question};
use crate::question::{Interview, Question, Tone};

/// The options and the topic.
#[derive(Clone, Copy)]
struct Debate {
    topic: &'static str,
    options: [&'static str; 2],
    contrast: Contrast,
}

const fn of(topic: &'static str, options: [&'static str; 2]) -> Debate {
    Debate {
        topic,
        options,
        contrast: Contrast::Between,
    }
}

const SQLITE: Debate = of(
    "SQLite or plain files for the job store?",
    ["SQLite", "plain files"],
);
const TABS: Debate = of("Tabs or spaces?", ["tabs", "spaces"]);
const REST: Debate = of("REST or GraphQL for a public API?", ["REST", "GraphQL"]);
const MONOREPO: Debate = of(
    "Monorepo or many repositories?",
    ["monorepo", "many repositories"],
);
const POSTGRES: Debate = of(
    "Postgres or MongoDB for a web shop?",
    ["Postgres", "MongoDB"],
);
const RUST: Debate = of(
    "Should we write the new service in Rust or Go?",
    ["Rust", "Go"],
);
const MONOLITH: Debate = of(
    "Monolith or microservices for a small team?",
    ["monolith", "microservices"],
);
const YAML: Debate = of("YAML or TOML for configuration files?", ["YAML", "TOML"]);
const REACT: Debate = of("React or Vue for the dashboard?", ["React", "Vue"]);
const GIT: Debate = of("Merge commits or rebase?", ["merge commits", "rebase"]);
const REVIEWS: Debate = Debate {
    topic: "Should every change have a code review?",
    options: ["having a code review", "having a code review"],
    contrast: Contrast::Against,
};
const FRIDAYS: Debate = Debate {
    topic: "Should our team deploy on Fridays?",
    options: ["deploying on Fridays", "deploying on Fridays"],
    contrast: Contrast::Against,
};

/// Returns why an answer for `side`, or against the other side, is left out.
fn left_out(debate: Debate, field: &str, side: Side, answer: &str) -> Option<String> {
    let mut interview: Interview = between(Vec::new());
    interview.topic = debate.topic.to_owned();
    interview.options.contrast = debate.contrast;
    interview.options.proposer = option(debate.options[0]);
    interview.options.challenger = option(debate.options[1]);
    let is_fault = field.starts_with("objection");
    let other = match side {
        Side::Proposer => Side::Challenger,
        Side::Challenger => Side::Proposer,
    };
    let (about, tone) = match (debate.contrast, is_fault) {
        (Contrast::Between, true) => (Some(other), Tone::Bad),
        (Contrast::Between, false) => (Some(side), Tone::Good),
        (_, _) if side == Side::Challenger => (None, Tone::Bad),
        (_, _) => (None, Tone::Good),
    };
    interview.questions = vec![Question {
        tone: Some(tone),
        ..question(field, about, "What do you say?")
    }];
    let said = conducted(&interview, &[answer]);
    said.answers[0].left_out.clone()
}

const CLAIM: &str = "claim 1";
const OBJECTION: &str = "objection 1 pro_001a";
const REASON: &str = "reason";

#[test]
fn a_side_that_argues_for_the_other_one_is_left_out() {
    for (debate, field, side, answer) in [
        (
            POSTGRES,
            CLAIM,
            Side::Proposer,
            "One drawback of Postgres is that it can be slower than MongoDB, especially when \
             working on large projects.",
        ),
        (
            POSTGRES,
            CLAIM,
            Side::Proposer,
            "One weakness of Postgres is the lack of scalability, especially with large amounts of \
             data.",
        ),
        (
            MONOREPO,
            REASON,
            Side::Proposer,
            "One drawback to monorepo is that it can be very expensive for code.",
        ),
        (
            REST,
            CLAIM,
            Side::Proposer,
            "The main disadvantage of REST is that it's too complex and hard to understand.",
        ),
        (
            FRIDAYS,
            CLAIM,
            Side::Proposer,
            "Fridays can be very stressful, especially when you have to deal with bugs.",
        ),
    ] {
        assert_eq!(
            left_out(debate, field, side, answer).as_deref(),
            Some("it supports the other side"),
            "{answer}"
        );
    }
}

#[test]
fn a_reason_that_compares_without_taking_a_side_is_left_out() {
    let answer = "The primary difference between SQLite and plain files lies on their storage \
                  capacity, which allows them to hold a vast amount of data.";
    for field in [CLAIM, REASON] {
        assert_eq!(
            left_out(SQLITE, field, Side::Proposer, answer).as_deref(),
            Some("it takes no side")
        );
    }
}

#[test]
fn a_sentence_about_something_else_than_computing_is_left_out() {
    for (debate, side, answer) in [
        (
            TABS,
            Side::Proposer,
            "Tabbed furniture can be easily made from a variety of materials, while space",
        ),
        (
            RUST,
            Side::Challenger,
            "Go has a faster-than-Bali road speedometer, but it",
        ),
        (
            FRIDAYS,
            Side::Proposer,
            "Fridays are ideal to have your team focused during work hours.",
        ),
    ] {
        assert_eq!(
            left_out(debate, CLAIM, side, answer).as_deref(),
            Some("it is not about computing"),
            "{answer}"
        );
    }
}

#[test]
fn a_sentence_that_says_nothing_of_the_option_is_left_out() {
    for (debate, field, side, answer, reason) in [
        (
            REST,
            CLAIM,
            Side::Proposer,
            "The ability to handle API requests asynchronously makes it easier to manage data.",
            "it does not name the option",
        ),
        (
            RUST,
            OBJECTION,
            Side::Challenger,
            "Rust's lack of memory safety issues makes it difficult to debug Go code, while Go",
            "it names the other option without comparing the two",
        ),
        (
            FRIDAYS,
            CLAIM,
            Side::Challenger,
            "Fridays are the only days when you can deploy your team, so they have to be there.",
            "it neither praises nor criticizes the option",
        ),
        (
            MONOLITH,
            CLAIM,
            Side::Challenger,
            "Microservices have improved code since the 1980s.",
            "it contains a number that the model cannot know",
        ),
        (
            TABS,
            CLAIM,
            Side::Challenger,
            "Space allows for flexibility, while tabs limit movement within a room.",
            "it names the other option without comparing the two",
        ),
        (
            YAML,
            CLAIM,
            Side::Proposer,
            "ToMALT's simplicity and ease of use make it an excellent choice over YAML.",
            "it is about the other side",
        ),
        (
            REACT,
            REASON,
            Side::Proposer,
            "Rust and NodeJS are both powerful languages that have been used to create many \
             modern-day applications like React.",
            "it does not name the option",
        ),
        (
            REACT,
            CLAIM,
            Side::Proposer,
            "React is faster than Redis for most web applications.",
            "it is about something else",
        ),
        (
            MONOREPO,
            OBJECTION,
            Side::Challenger,
            "A Monorepo has no self-documenting code and doesn't provide the same benefits as a \
             REPL (Read, Evaluate, Print).",
            "it is not a plain sentence",
        ),
        (
            GIT,
            CLAIM,
            Side::Proposer,
            "When it comes to merging commits, the benefits are not always obvious.",
            "it takes no side",
        ),
        (
            GIT,
            CLAIM,
            Side::Challenger,
            "Rebasing allows you to merge code without breaking it if the same thing happens again \
             later on.",
            "it names the other option without comparing the two",
        ),
        (
            REVIEWS,
            CLAIM,
            Side::Challenger,
            "A code review can reveal bugs.",
            "it supports the other side",
        ),
        (
            TABS,
            CLAIM,
            Side::Proposer,
            "Tabs make code easier, and tabs make code easier to read.",
            "it repeats itself",
        ),
    ] {
        assert_eq!(
            left_out(debate, field, side, answer).as_deref(),
            Some(reason),
            "{answer}"
        );
    }
}

#[test]
fn a_reason_for_the_option_is_taken() {
    for (debate, field, side, answer) in [
        (
            SQLITE,
            CLAIM,
            Side::Proposer,
            "The biggest advantage of SQLite over plain files is its fast loading speed and memory \
             usage efficiency.",
        ),
        (
            SQLITE,
            CLAIM,
            Side::Challenger,
            "Plain files are faster and more memory-efficient than SQLite.",
        ),
        (
            SQLITE,
            CLAIM,
            Side::Proposer,
            "It's a faster, less resource-intensive way to manage data than plain files.",
        ),
        (
            MONOLITH,
            CLAIM,
            Side::Challenger,
            "Microservices offer faster development times, scalability, and flexibility in code",
        ),
        (
            SQLITE,
            OBJECTION,
            Side::Challenger,
            "One major drawback of SQLite is that it can be slow to load large amounts of data, \
             especially when dealing with complex queries.",
        ),
    ] {
        let answer = match answer.ends_with('.') {
            true => answer.to_owned(),
            false => format!("{answer} but can"),
        };
        assert_eq!(left_out(debate, field, side, &answer), None, "{answer}");
    }
}

#[test]
fn yes_speaks_badly_where_the_question_is_whether_something_is_bad() {
    let debate = |topic| Debate {
        topic,
        options: ["yes", "no"],
        contrast: Contrast::Answers,
    };
    let answer = "YAML files are hard to read when they are long.";
    let for_yes = |topic| left_out(debate(topic), CLAIM, Side::Proposer, answer);
    assert_eq!(for_yes("Is YAML too complex for our files?"), None);
    assert_eq!(
        for_yes("Is YAML a format for our files?").as_deref(),
        Some("it supports the other side")
    );
}
