use agon_sessions::{EvidenceRole, Pattern, Severity};

use crate::session::{SessionBuilder, session};

const BEFORE: &[&str] = &[
    "crates/redact/src/redactor.rs",
    "crates/selection/src/words.rs",
];
const AFTER: &[&str] = &[
    "crates/selection/src/score.rs",
    "crates/selection/src/index.rs",
    "crates/sessions/src/entry.rs",
];

/// A session in which `said` stands in the middle, up to where it can be lost.
fn middle(said: &str) -> SessionBuilder {
    let mut session = session("Explain how redaction works.");
    session
        .study(BEFORE)
        .prompt(said)
        .say("Understood.")
        .study(AFTER);
    session.prompt("Now bring the words of the selection in order.");
    session
}

/// The same with `said` at the end.
fn end(said: &str) -> SessionBuilder {
    let mut session = session("Explain how redaction works.");
    session
        .study(BEFORE)
        .study(AFTER)
        .prompt(said)
        .say("Understood.");
    session.prompt("Now bring the words of the selection in order.");
    session
}

/// The same with `said` at the start.
fn start(said: &str) -> SessionBuilder {
    let mut session = session(said);
    session.say("Understood.").study(BEFORE).study(AFTER);
    session.prompt("Now bring the words of the selection in order.");
    session
}

#[test]
fn a_rule_of_the_middle_that_is_broken_is_lost() {
    let rule = "Never touch anything under vendor/, it is generated.";
    let act = |session: &mut SessionBuilder| {
        session.edit("/srv/agon/vendor/words/lib.rs", "a", "b");
    };
    let mut sick = middle(rule);
    act(&mut sick);
    let found = sick.of(Pattern::LostInTheMiddle);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].severity, Severity::Red);
    assert_eq!(found[0].first(EvidenceRole::Cause).unwrap().words, rule);
    assert_eq!(found[0].first(EvidenceRole::Cause).unwrap().turn, 2);
    let effect = found[0].first(EvidenceRole::Effect).unwrap();
    assert_eq!(
        (effect.turn, effect.words.as_str()),
        (3, "/srv/agon/vendor/words/lib.rs")
    );
    for mut other in [start(rule), end(rule)] {
        act(&mut other);
        assert_eq!(other.of(Pattern::LostInTheMiddle).len(), 1);
    }
}

#[test]
fn a_rule_that_is_kept_is_not_lost() {
    let mut session = middle("Never touch anything under vendor/, and use pnpm, not npm.");
    session
        .edit("/srv/agon/crates/selection/src/words.rs", "a", "b")
        .run("pnpm test", "ok");
    assert_eq!(session.of(Pattern::LostInTheMiddle), []);
}

#[test]
fn a_rule_that_was_said_again_at_the_end_is_not_lost_in_the_middle() {
    let rule = "Use pnpm in this repository, not npm.";
    let mut sick = middle(rule);
    sick.run("npm install", "added 3 packages");
    assert_eq!(sick.of(Pattern::LostInTheMiddle).len(), 1);
    let mut well = middle(rule);
    well.prompt("Use pnpm in this repository, not npm!")
        .run("npm install", "added 3 packages");
    assert_eq!(well.of(Pattern::LostInTheMiddle), []);
}

#[test]
fn a_rule_that_the_user_lifted_is_not_broken() {
    let mut session = middle("Never push to main.");
    session
        .prompt("All reviewed. Now push it to main, please.")
        .run("git push origin main", "");
    assert_eq!(session.of(Pattern::LostInTheMiddle), []);
}

#[test]
fn a_fact_of_the_middle_that_is_asked_for_again_is_lost() {
    let fact = "The staging database listens on port 5544.";
    let question = "Before I go on: which port does the staging database use?";
    let mut sick = middle(fact);
    sick.say(question);
    let found = sick.of(Pattern::LostInTheMiddle);
    assert_eq!(found.len(), 1, "{:?}", sick.findings());
    assert_eq!(found[0].severity, Severity::Amber);
    for mut other in [start(fact), end(fact)] {
        other.say(question);
        assert_eq!(other.of(Pattern::LostInTheMiddle).len(), 1);
    }
}

#[test]
fn a_question_for_something_else_or_to_confirm_is_not_one_for_what_was_said() {
    for question in [
        "Which file holds the weights of the selection?",
        "Is the port of the staging database 5544, as you said?",
        "Should I go on with the staging database?",
    ] {
        let mut session = middle("The staging database listens on port 5544.");
        session.say(question);
        assert_eq!(session.of(Pattern::LostInTheMiddle), [], "{question}");
    }
}

#[test]
fn a_question_that_the_model_answers_itself_is_not_put_to_the_user() {
    let mut session = middle("The staging database listens on port 5544.");
    session
        .say("Which port does the staging database use?")
        .read(
            "/srv/agon/README.md",
            "The staging database listens on port 5544.",
        )
        .say("It is 5544.");
    assert_eq!(session.of(Pattern::LostInTheMiddle), []);
}

#[test]
fn a_value_of_the_middle_that_is_taken_for_another_is_lost_and_not_a_clash() {
    let fact = "The staging database port is 5544.";
    let mut sick = middle(fact);
    sick.say("The staging database port is 5432.");
    assert_eq!(sick.patterns(), [Pattern::LostInTheMiddle]);
    let mut well = middle(fact);
    well.say("The staging database port is 5544.");
    assert_eq!(well.patterns(), []);
}

#[test]
fn what_the_user_has_to_say_again_was_lost() {
    let fact = "The release notes go into docs/releases and have one paragraph each.";
    let mut sick = middle(fact);
    sick.say("I wrote the notes into CHANGELOG.")
        .prompt("I already told you: release notes go into docs/releases, one paragraph each.");
    assert_eq!(sick.of(Pattern::LostInTheMiddle).len(), 1);
    let mut well = middle(fact);
    well.say("I wrote the notes.")
        .prompt("Release notes in docs/releases look good.");
    assert_eq!(well.of(Pattern::LostInTheMiddle), []);
}

#[test]
fn a_short_session_has_no_middle() {
    let mut session = session("Explain how redaction works.");
    session
        .say("It replaces.")
        .prompt("Never push to main.")
        .say("Understood. It also looks for entropy in words.")
        .run("git push origin main", "");
    assert_eq!(session.of(Pattern::LostInTheMiddle), []);
}
