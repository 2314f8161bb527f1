use std::convert::Infallible;

use agon_record::moves::Side;
use agon_record::options::{Contrast, Options, SideOption};

use super::*;

mod replies;

fn option(phrase: &str) -> SideOption {
    SideOption {
        name: phrase.to_owned(),
        phrase: phrase.to_owned(),
    }
}

fn question(field: &str, about: Option<Side>, words: &'static str) -> Question {
    Question {
        field: field.parse().unwrap(),
        words,
        fills: Vec::new(),
        about,
        tone: None,
        choices: None,
        after: None,
    }
}

fn between(questions: Vec<Question>) -> Interview {
    Interview {
        options: Options {
            contrast: Contrast::Between,
            proposer: option("SQLite"),
            challenger: option("plain files"),
            setting: "for the job store".to_owned(),
        },
        topic: "SQLite or plain files for the job store?".to_owned(),
        examples: &[[
            "What is good about wool coats?",
            "Wool coats keep people warm.",
        ]],
        questions,
        said_before: Vec::new(),
        again: 0,
    }
}

const WHY: &str = "What is the main advantage of SQLite over plain files?";

/// Returns the reasons for which consecutive answers are left out.
fn conducted(interview: &Interview, answers: &[&str]) -> Transcript {
    let mut answers = answers.iter();
    let ask = |_: &PlainQuestion| {
        Ok::<_, Infallible>(answers.next().copied().unwrap_or_default().to_owned())
    };
    match collect_answers(interview, ask) {
        Ok(transcript) => transcript,
        Err(never) => match never {},
    }
}

/// Returns why an answer to a question is left out.
fn refused(about: Option<Side>, answer: &str) -> Option<String> {
    let interview = between(vec![question("claim 1", about, WHY)]);
    conducted(&interview, &[answer]).answers[0].left_out.clone()
}

#[test]
fn a_plain_sentence_on_the_topic_is_taken_as_it_came() {
    for answer in [
        "SQLite finds a job without reading every file.",
        "SQLite's queries are fast, and no lock is ever left behind!",
        "Its stored jobs survive a crash of the machine, since a change is whole or not there.",
    ] {
        assert_eq!(refused(Some(Side::Proposer), answer), None, "{answer}");
    }
}

#[test]
fn what_is_no_sentence_on_the_topic_is_left_out_with_the_reason() {
    for (answer, reason) in [
        ("", "the sentence is incomplete"),
        (
            "SQLite is a fast store for jobs and",
            "the sentence is incomplete",
        ),
        ("SQLite wins.", "it is too short or too long"),
        (
            "1. SQLite is faster than most of them.",
            "it is not a plain sentence",
        ),
        (
            "SQLite is fast: it has an index.",
            "it is not a plain sentence",
        ),
        (
            "Is SQLite not faster than files are?",
            "it is not a plain sentence",
        ),
        (
            "The answer is that SQLite is faster.",
            "it is about the question or the speaker",
        ),
        (
            "SQLite is what I would choose today.",
            "it is about the question or the speaker",
        ),
        (
            "SQLite replies in JSON when it is asked.",
            "it is about the question or the speaker",
        ),
        (
            "SQLite is warmer than coats are now.",
            "it repeats an example",
        ),
        (
            "Clouds are white and the sky is blue.",
            "it is not about the topic",
        ),
        (
            "While SQLite is fast it has its limits.",
            "it is about both sides",
        ),
        (
            "SQLite is fast but it has its limits.",
            "it is about both sides",
        ),
        (
            "Plain files are easier to read than SQLite.",
            "it is about the other side",
        ),
        (
            "The main advantage of SQLite over plain files.",
            "it repeats the question",
        ),
    ] {
        assert_eq!(
            refused(Some(Side::Proposer), answer).as_deref(),
            Some(reason),
            "{answer}"
        );
    }
}

#[test]
fn a_word_of_the_topic_is_never_held_against_an_answer() {
    let mut interview = between(vec![question("claim 1", None, WHY)]);
    interview.topic = "JSON or YAML?".to_owned();
    interview.options.proposer = option("JSON");
    interview.options.challenger = option("YAML");
    let said = conducted(&interview, &["JSON is read by every language there is."]);
    assert_eq!(said.answers[0].left_out, None);
}

#[test]
fn a_question_is_asked_once_more_with_another_seed_and_then_in_another_way() {
    let interview = between(vec![
        question("claim 1", Some(Side::Proposer), "First way?"),
        question("claim 1", Some(Side::Proposer), "Second way?"),
        question("claim 1", Some(Side::Proposer), "Third way?"),
    ]);
    let mut asked = Vec::new();
    let said = collect_answers(&interview, |told| {
        asked.push((told.question.clone(), told.seed));
        Ok::<_, Infallible>(match asked.len() {
            3 => "SQLite keeps every job in one file.".to_owned(),
            _ => "No.".to_owned(),
        })
    });
    let said = said.unwrap();
    let expected = [("First way?", 1), ("First way?", 2), ("Second way?", 1)];
    assert_eq!(asked, expected.map(|(way, seed)| (way.to_owned(), seed)));
    assert_eq!(said.usable_answers().count(), 1);
    let again = Interview {
        again: 1,
        ..interview
    };
    let mut seeds = Vec::new();
    let _: Result<_, Infallible> = collect_answers(&again, |told| {
        seeds.push(told.seed);
        Ok("No.".to_owned())
    });
    assert_eq!(seeds, [5, 6, 5, 6, 5, 6, 7, 8, 7, 8, 7, 8]);
}

#[test]
fn an_answer_that_says_the_same_again_is_left_out() {
    let interview = between(vec![
        question("claim 1", None, "One?"),
        question("claim 2", None, "Two?"),
    ]);
    let said = conducted(
        &interview,
        &[
            "SQLite stores the jobs faster than plain files do.",
            "Plain files do not store jobs as fast as SQLite does.",
            "SQLite needs no server and no daemon at all.",
        ],
    );
    let reasons: Vec<_> = said
        .answers
        .iter()
        .map(|it| it.left_out.as_deref())
        .collect();
    assert_eq!(reasons, [None, Some("it repeats an earlier answer"), None]);
}

/// Returns the questions to a judge: first which side, then why that side.
fn judged(choices: [&str; 2]) -> Vec<Question> {
    let why = |side: Side| Question {
        after: Some(side),
        ..question("reason", Some(side), "Why?")
    };
    vec![
        Question {
            choices: Some(choices.map(str::to_owned)),
            ..question("verdict pro_001a cha_001a", None, "Which?")
        },
        why(Side::Proposer),
        why(Side::Challenger),
    ]
}

#[test]
fn the_judge_chooses_between_two_words_and_says_why_of_that_side_alone() {
    let interview = between(judged(["SQLite", "plain files"]));
    let why = "Plain files are read with any tool there is.";
    let mut asked = Vec::new();
    let said = collect_answers(&interview, |told| {
        asked.push((told.question.clone(), told.choices.is_some()));
        Ok::<_, Infallible>(match asked.len() {
            1 => "plain files".to_owned(),
            _ => why.to_owned(),
        })
    });
    let said: Vec<_> = said.unwrap().answers;
    assert_eq!(
        asked,
        [("Which?".to_owned(), true), ("Why?".to_owned(), false)]
    );
    assert_eq!(
        (said[0].names, said[1].answer.as_str()),
        (Some(Side::Challenger), why)
    );
    let nothing = conducted(&interview, &["Both.", "Neither."]);
    assert_eq!(nothing.usable_answers().count(), 0);
}

#[test]
fn why_a_verdict_is_as_it_is_may_have_been_said_before() {
    let mut interview = between(judged(["SQLite", "plain files"]));
    let why = "SQLite keeps every change whole after a crash.";
    interview.said_before = vec![why.to_owned()];
    assert_eq!(
        conducted(&interview, &["SQLite", why])
            .usable_answers()
            .count(),
        2
    );
}

#[test]
fn a_sentence_that_takes_back_what_it_says_is_taken_up_to_there() {
    let turning = "SQLite keeps every change after a crash, but it is";
    assert_eq!(refused(Some(Side::Proposer), turning), None);
    let late = "Its jobs stand in one table, while plain files are many";
    assert_eq!(refused(Some(Side::Proposer), late), None);
}

#[test]
fn an_error_ends_the_interview() {
    let interview = between(vec![question("claim 1", None, WHY)]);
    assert_eq!(collect_answers(&interview, |_| Err("gone")), Err("gone"));
}

#[test]
fn a_side_is_known_by_any_form_of_its_words() {
    let mut interview = between(vec![question("claim 1", Some(Side::Challenger), WHY)]);
    interview.topic = "Is it better to rent a flat than to buy one?".to_owned();
    interview.options.proposer = option("renting a flat");
    interview.options.challenger = option("buying a flat");
    let names = |answer: &str| conducted(&interview, &[answer]).answers[0].names;
    assert_eq!(
        names("Who rents can move whenever they like."),
        Some(Side::Proposer)
    );
    assert_eq!(
        names("Those who buy pay the bank back for years."),
        Some(Side::Challenger)
    );
    assert_eq!(names("One of them is where the heart is."), None);
}

#[test]
fn no_question_is_asked_twice_with_the_same_seed() {
    let interview = between(vec![
        question("claim 1", Some(Side::Proposer), "Why?"),
        question("claim 2", Some(Side::Proposer), "Why?"),
    ]);
    let mut asked = Vec::new();
    let _: Result<_, Infallible> = collect_answers(&interview, |told| {
        asked.push(told.seed);
        Ok("No.".to_owned())
    });
    assert_eq!(asked, [1, 2, 3, 4]);
}
