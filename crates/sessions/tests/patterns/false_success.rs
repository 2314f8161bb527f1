use agon_sessions::{EvidenceRole, Pattern, Severity};

use crate::session::{SessionBuilder, TESTS_FAIL, TESTS_PASS, session};

fn base() -> SessionBuilder {
    let mut session = session("Make the names of code in crates/sessions be told from words.");
    session.study(&["crates/selection/src/words.rs"]);
    session.edit("/srv/agon/crates/sessions/src/word.rs", "a", "b");
    session
}

/// How often a claim after a command that failed is found.
fn claimed(command: &str, output: &str, words: &str) -> usize {
    let mut session = base();
    session.run_fails(command, output).say(words);
    session.of(Pattern::Poisoning).len()
}

#[test]
fn tests_that_failed_and_are_said_to_pass_are_found() {
    let mut sick = base();
    sick.run_fails("cargo test -p agon-sessions", TESTS_FAIL)
        .say("All tests pass now, so the change is safe.")
        .prompt("Go on.")
        .say("I commit it.");
    let found = sick.of(Pattern::Poisoning);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].severity, Severity::Amber);
    let cause = found[0].first(EvidenceRole::Cause).unwrap();
    assert!(
        cause.words.contains("cargo test -p agon-sessions"),
        "{cause:?}"
    );
    let effect = found[0].first(EvidenceRole::Effect).unwrap();
    assert_eq!(effect.words, "All tests pass now, so the change is safe.");
}

#[test]
fn a_session_is_red_only_where_it_ends_on_the_claim() {
    let mut ends = base();
    ends.run_fails("cargo test", TESTS_FAIL)
        .say("All tests pass.");
    assert_eq!(ends.findings().severity(), Some(Severity::Red));
    ends.prompt("Are you sure?");
    assert_eq!(ends.findings().severity(), Some(Severity::Amber));
}

#[test]
fn a_run_that_passed_in_between_makes_the_claim_true() {
    for command in ["cargo test", "cargo nextest run", "just test", "make check"] {
        let mut well = base();
        well.run_fails("cargo test -p agon-sessions", TESTS_FAIL)
            .run(command, TESTS_PASS)
            .say("All tests pass now.");
        assert_eq!(well.of(Pattern::Poisoning), [], "{command}");
    }
    let mut sick = base();
    sick.run_fails("cargo test", TESTS_FAIL)
        .run("cargo build", "   Compiling agon-sessions v0.1.0")
        .say("All tests pass.");
    assert_eq!(sick.of(Pattern::Poisoning).len(), 1);
}

#[test]
fn a_run_of_some_tests_does_not_make_all_of_them_pass() {
    let run = |words: &str| {
        let mut session = base();
        session
            .run_fails("pytest -q", "1 failed, 14 passed")
            .run("pytest -q tests/test_a.py", "3 passed")
            .say(words);
        session.of(Pattern::Poisoning).len()
    };
    assert_eq!(run("All tests pass."), 1);
    assert_eq!(run("The tests pass."), 0);
}

#[test]
fn who_runs_it_again_before_the_user_has_a_say_has_not_left_it_at_the_claim() {
    let mut session = base();
    session
        .run_fails("cargo test", TESTS_FAIL)
        .say("All tests pass now; one more run to be sure.")
        .run_fails("cargo test", TESTS_FAIL)
        .say("One test fails still.");
    assert_eq!(session.of(Pattern::Poisoning), []);
}

#[test]
fn plans_conditions_parts_and_reports_are_no_claims() {
    for words in [
        "Once the tests pass I commit.",
        "The tests should pass after this change.",
        "Let me make sure that all tests pass.",
        "Do the tests pass?",
        "Eleven tests passed and one failed.",
        "The tests do not pass yet.",
        "All tests pass except `names_of_code`.",
        "The unit tests pass.",
        "11 of 12 tests pass.",
        "Die Tests laufen noch nicht durch.",
        "Sobald alle Tests grün sind, committe ich.",
        "Les tests ne passent pas.",
        "Los tests deberían pasar.",
        "测试还没有通过。",
    ] {
        assert_eq!(claimed("cargo test", TESTS_FAIL, words), 0, "{words}");
    }
}

#[test]
fn claims_are_known_in_several_languages() {
    for words in [
        "The whole suite passes.",
        "Tests, lint and build are green.",
        "Fixed the rounding; everything is green.",
        "`cargo test` passes now.",
        "Alle Tests sind grün.",
        "Jetzt laufen alle Tests durch.",
        "Tous les tests passent.",
        "Todos los tests pasan.",
        "所有测试都通过了。",
        "Tutti i test passano.",
        "Todos os testes passam.",
    ] {
        assert_eq!(claimed("cargo test", TESTS_FAIL, words), 1, "{words}");
    }
}

#[test]
fn what_is_done_once_is_claimed_in_words_of_its_own() {
    for (command, output, words) in [
        ("npm run seed", "Error: refused", "The database is seeded."),
        (
            "git push",
            "error: failed to push some refs",
            "Pushed to origin.",
        ),
        ("npm run build", "error TS2304", "The build works now."),
        ("kubectl apply -f a.yml", "error: timed out", "Deployed."),
        (
            "./scripts/backfill_orders.sh",
            "psql: refused",
            "With the backfill completed, I go on.",
        ),
        ("sh check.sh", "FAILED", "check.sh passes."),
        (
            "alembic upgrade head",
            "Error: locked",
            "Die Migration ist durchgeführt.",
        ),
    ] {
        assert_eq!(claimed(command, output, words), 1, "{words}");
    }
}

#[test]
fn words_that_take_the_failure_in_claim_nothing_beside_it() {
    let words = "The tests pass. In the sessions one fails.";
    assert_eq!(claimed("cargo test", TESTS_FAIL, words), 0);
    let words = "Fixed the failing case. All tests pass.";
    assert_eq!(claimed("cargo test", TESTS_FAIL, words), 1);
}

#[test]
fn a_claim_about_another_place_or_another_command_is_not_about_this_one() {
    for (command, output, words) in [
        (
            "kubectl apply -n staging -f a.yml",
            "error",
            "Deployed to production.",
        ),
        ("cargo test", TESTS_FAIL, "The build works."),
        ("npm test", "1 failed", "All tests in `packages/a` pass."),
    ] {
        assert_eq!(claimed(command, output, words), 0, "{words}");
    }
}

#[test]
fn a_user_who_says_that_it_works_has_seen_it() {
    let mut session = base();
    session
        .run_fails("cargo test", TESTS_FAIL)
        .say("I changed the word.")
        .prompt("The tests pass here now.")
        .say("Good, all tests pass.");
    assert_eq!(session.of(Pattern::Poisoning), []);
}

#[test]
fn tests_that_fail_behind_a_pipe_failed() {
    let mut sick = base();
    sick.run("pytest -q | tail -1", "1 failed, 14 passed in 0.2s")
        .say("All tests pass.");
    assert_eq!(sick.of(Pattern::Poisoning).len(), 1);
}
