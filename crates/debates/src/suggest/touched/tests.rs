use agon_config::{built_in_topics, costly_topics};

use super::*;

/// A prompt in each line: its topics, or `-`, then ` | ` and the text.
const PROMPTS: &str = include_str!("prompts.txt");

fn touched(text: &str) -> String {
    let touched = touched_topics(built_in_topics(), text);
    let names: Vec<_> = touched.into_iter().map(|(name, _)| name).collect();
    match names.is_empty() {
        true => "-".to_owned(),
        false => names.join(" "),
    }
}

// Every list was written before the rule, or before the part of the rule that it changed.
#[test]
fn a_demand_for_a_costly_change_has_topics_and_a_question_or_a_mention_has_none() {
    let mut wrong = Vec::new();
    for line in PROMPTS.lines() {
        let (topics, prompt) = line.split_once(" | ").unwrap();
        let found = touched(prompt);
        if found != topics {
            wrong.push(format!("{found} instead of {line}"));
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
    let count = |is_demand: bool| {
        let lines = PROMPTS.lines();
        lines
            .filter(|it| it.starts_with("- |") != is_demand)
            .count()
    };
    assert!(
        count(true) >= 60 && count(false) >= 60,
        "the list is too short"
    );
}

#[test]
fn only_the_words_of_the_user_count() {
    let demand = "Rewrite the backend in Rust.";
    assert_eq!(touched(demand), "language");
    for quoted in [
        format!("What does this mean?\n> {demand}"),
        format!("Summarise this:\n```\n{demand}\n```"),
        format!("Look at the table.\n| {demand} |"),
        // The user knows debates.
        format!("Debate this: {demand}"),
        format!("Keine Debatte. {demand}"),
        format!(
            "{demand} {} Then debate it.",
            "Add a test for it. ".repeat(40)
        ),
        format!("# Plan\n## Non-goals\n- {demand}\n### More\n{demand}\n## Steps\nTest"),
        format!("Risks:\n\n- {demand}\n"),
        format!("**Alternatives**\n{demand}"),
    ] {
        assert_eq!(touched(&quoted), "-", "{quoted}");
    }
    let after = format!("## Out of scope\nTests\n## Steps\n1. {demand}");
    assert_eq!(touched(&after), "language");
    let after = format!("Risks:\n- none\n\n{demand}");
    assert_eq!(touched(&after), "language");
    let plan = "# Plan\n\n1. Read the code\n2. Split the monolith into services\n";
    assert_eq!(touched(plan), "architecture");
}

#[test]
fn a_topic_of_the_configuration_is_found_by_its_phrases() {
    let items = ["ledger: change|rename * ledger*, *book".to_owned()];
    let topics = costly_topics(&items);
    let is_touched = |text: &str| !touched_topics(&topics, text).is_empty();
    assert!(is_touched("Rename every column of the ledgers."));
    assert!(is_touched("Please merge the two cashbooks' CASHBOOK."));
    assert!(!is_touched("Rename all that is in the ledgers."));
    assert!(!is_touched("Is the ledger large?"));
    assert!(touched_topics(&[], "Rename the ledger.").is_empty());
}

#[test]
fn a_long_text_is_read_in_milliseconds() {
    let line = "Change the names of the users and of all the other tables in the file now. ";
    let begun = std::time::Instant::now();
    touched(&line.repeat(100_000));
    // 16 KiB are read in 30 ms; the whole text takes more than ten seconds.
    assert!(begun.elapsed().as_secs() < 5, "{:?}", begun.elapsed());
}
