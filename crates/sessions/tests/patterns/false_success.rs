use agon_sessions::{EvidenceRole, Pattern, Severity};

use crate::session::{SessionBuilder, TESTS_FAIL, TESTS_PASS, session};

fn base() -> SessionBuilder {
    let mut session = session("Make the names of code in crates/sessions be told from words.");
    session.study(&["crates/selection/src/words.rs"]);
    session.edit("/srv/agon/crates/sessions/src/word.rs", "a", "b");
    session
}

#[test]
fn tests_that_failed_and_are_said_to_pass_are_poison() {
    let mut sick = base();
    sick.run_fails("cargo test -p agon-sessions", TESTS_FAIL)
        .say("All tests pass now, so the change is safe.")
        .prompt("Go on.")
        .say("Since the tests passed, I commit it.")
        .run("git commit -am x", "");
    let found = sick.of(Pattern::Poisoning);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].severity, Severity::Red);
    let cause = found[0].first(EvidenceRole::Cause).unwrap();
    assert!(
        cause.words.contains("cargo test -p agon-sessions"),
        "{cause:?}"
    );
    assert_eq!(found[0].evidence.len(), 3);
}

#[test]
fn tests_that_failed_and_were_run_again_are_none() {
    let mut well = base();
    well.run_fails("cargo test -p agon-sessions", TESTS_FAIL)
        .say("One test fails: `names_of_code_are_told_from_words`. I fix it.")
        .edit("/srv/agon/crates/sessions/src/word.rs", "b", "c")
        .run("cargo test -p agon-sessions", TESTS_PASS)
        .say("All tests pass now, so the change is safe.");
    assert_eq!(well.of(Pattern::Poisoning), []);
}

#[test]
fn what_shall_pass_or_is_hoped_to_is_not_said_to_pass() {
    for words in [
        "Once the tests pass I commit.",
        "The tests should pass after this change.",
        "Let me make sure that all tests pass.",
        "Do the tests pass?",
        "Eleven tests passed and one failed.",
        "The tests do not pass yet.",
    ] {
        let mut session = base();
        session.run_fails("cargo test", TESTS_FAIL).say(words);
        assert_eq!(session.of(Pattern::Poisoning), [], "{words}");
    }
}

#[test]
fn words_that_take_the_failure_in_claim_nothing_beside_it() {
    let mut session = base();
    session
        .run_fails("cargo test", TESTS_FAIL)
        .say("The tests of the selection passed. In the sessions one fails.");
    assert_eq!(session.of(Pattern::Poisoning), []);
}

#[test]
fn another_command_for_the_same_that_worked_is_enough() {
    let mut well = base();
    well.run_fails("cargo test", TESTS_FAIL)
        .run("cargo nextest run", "Summary 12 tests run: 12 passed")
        .say("All tests pass.");
    assert_eq!(well.of(Pattern::Poisoning), []);
    let mut sick = base();
    sick.run_fails("cargo test", TESTS_FAIL)
        .run("cargo build", "   Compiling agon-sessions v0.1.0")
        .say("All tests pass.");
    assert_eq!(sick.of(Pattern::Poisoning).len(), 1);
}

#[test]
fn a_script_that_failed_and_is_said_to_have_made_something_is_poison() {
    let mut sick = base();
    sick.run_fails("./scripts/backfill_orders.sh", "psql: connection refused")
        .say("With the backfill completed, I go on with the report.");
    assert_eq!(sick.of(Pattern::Poisoning).len(), 1);
    let mut well = base();
    well.run_fails("./scripts/backfill_orders.sh", "psql: connection refused")
        .say("The backfill could not connect.")
        .run("./scripts/backfill_orders.sh --host db", "done")
        .say("With the backfill completed, I go on with the report.");
    assert_eq!(well.of(Pattern::Poisoning), []);
}

#[test]
fn a_search_that_finds_nothing_does_not_fail() {
    let mut session = base();
    session
        .run_fails("grep -rn entropy crates/selection", "")
        .say("The search completed: entropy is in crates/redact alone.");
    assert_eq!(session.of(Pattern::Poisoning), []);
}

#[test]
fn a_file_that_could_not_be_read_and_is_told_of_is_poison() {
    let mut sick = base();
    sick.read_fails("/srv/agon/crates/sessions/src/limits.rs")
        .say("`limits.rs` defines the onset for each model.");
    assert_eq!(sick.of(Pattern::Poisoning).len(), 1);
    let mut well = base();
    well.read_fails("/srv/agon/crates/sessions/src/limits.rs")
        .say("There is no limits.rs. I look for it.")
        .run("cat crates/sessions/limits.rs", "pub struct Limits;")
        .say("`limits.rs` defines the onset for each model.");
    assert_eq!(well.of(Pattern::Poisoning), []);
}

#[test]
fn a_change_that_failed_and_is_said_to_be_made_is_poison() {
    let path = "/srv/agon/crates/sessions/src/usage.rs";
    let mut sick = base();
    sick.edit_fails(path, "fn total", "fn sum")
        .say("`usage.rs` now uses `sum`, as asked.");
    assert_eq!(sick.of(Pattern::Poisoning).len(), 1);
    let mut well = base();
    well.edit_fails(path, "fn total", "fn sum")
        .edit(path, "pub fn total", "pub fn sum")
        .say("`usage.rs` now uses `sum`, as asked.");
    assert_eq!(well.of(Pattern::Poisoning), []);
}

#[test]
fn what_the_user_refuted_and_is_used_all_the_same_is_poison() {
    let mut sick = base();
    sick.say("`RetryPolicy::with_jitter` spreads the calls.")
        .prompt("No, there is no `with_jitter` in this crate.")
        .say("I go on.")
        .edit(
            "/srv/agon/src/call.rs",
            "x",
            "let policy = policy.with_jitter(3);",
        );
    // A name of two parts was said, one was refuted: the later use is of the refuted one.
    assert_eq!(sick.of(Pattern::Poisoning).len(), 0);
    sick = base();
    sick.say("Calling `with_jitter` spreads the calls.")
        .prompt("No, there is no `with_jitter` in this crate.")
        .say("I go on.")
        .prompt("Make the calls.")
        .edit("/srv/agon/src/call.rs", "x", "let policy = with_jitter(3);")
        .say("The policy relies on `with_jitter` for spreading.");
    assert_eq!(
        sick.of(Pattern::Poisoning).len(),
        1,
        "{:?}",
        sick.findings()
    );
}

#[test]
fn what_was_refuted_and_is_dropped_or_made_is_none() {
    let mut dropped = base();
    dropped
        .say("Calling `with_jitter` spreads the calls.")
        .prompt("No, there is no `with_jitter` in this crate.")
        .say("You are right, `with_jitter` does not exist; I spread them by hand.")
        .edit("/srv/agon/src/call.rs", "x", "sleep(random());");
    assert_eq!(dropped.of(Pattern::Poisoning), []);
    let mut made = base();
    made.say("Calling `with_jitter` spreads the calls.")
        .prompt("No, there is no `with_jitter` in this crate. Write it.")
        .edit("/srv/agon/src/call.rs", "x", "fn with_jitter(n: u32) {}")
        .prompt("Use it.")
        .edit("/srv/agon/src/call.rs", "y", "let policy = with_jitter(3);")
        .say("The policy relies on `with_jitter` for spreading.");
    assert_eq!(made.of(Pattern::Poisoning), []);
}

#[test]
fn words_that_know_of_the_refutation_are_no_use_of_what_was_refuted() {
    let mut session = base();
    session
        .say("Calling `with_jitter` spreads the calls.")
        .prompt("No, there is no `with_jitter` in this crate.")
        .say("I see.")
        .prompt("Sum it up.")
        .say("The docs had `with_jitter` instead of a plain pause.")
        .say("Should `with_jitter` be written?");
    assert_eq!(session.of(Pattern::Poisoning), []);
}

#[test]
fn a_flag_that_a_tool_does_not_know_and_is_used_on_is_poison() {
    let error = "error: unexpected argument '--quick-check' found";
    let mut sick = base();
    sick.run_fails("xtask tidy --quick-check", error)
        .say("I go on.")
        .prompt("Check it.")
        .run_fails("xtask layers --quick-check", error);
    assert_eq!(
        sick.of(Pattern::Poisoning).len(),
        1,
        "{:?}",
        sick.findings()
    );
    let mut well = base();
    well.run_fails("xtask tidy --quick-check", error)
        .say("That flag is unknown.")
        .prompt("Check it.")
        .run("xtask tidy", "ok");
    assert_eq!(well.of(Pattern::Poisoning), []);
}
