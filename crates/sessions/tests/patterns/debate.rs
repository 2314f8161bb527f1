//! What holds in the session of a seat of a debate, beside what holds in one of work.

use agon_sessions::{EntryKind, Pattern, Renewal};
use serde_json::json;

use crate::session::{SessionBuilder, TESTS_FAIL, session};

/// A seat that has said much since the user's note.
fn seat(note: &str) -> SessionBuilder {
    let mut seat = session(note);
    seat.say(&"The store keeps each job in a file of its own, named by its day. ".repeat(40));
    seat
}

#[test]
fn a_value_of_the_users_that_a_seat_takes_for_another_was_lost() {
    let mut sick = seat("The pool timeout is 30 s.");
    sick.prompt("").say("The pool timeout is 45 s.");
    assert_eq!(sick.patterns_of_seat(), [Pattern::LostInTheMiddle]);
    for proposal in [
        "The pool timeout should be 45 s.",
        "A better pool timeout will be 45 s.",
        "My alternative: the pool timeout is 45 s.",
    ] {
        let mut well = seat("The pool timeout is 30 s.");
        well.prompt("").say(proposal);
        assert_eq!(well.patterns_of_seat(), [], "{proposal}");
    }
}

#[test]
fn a_run_that_failed_and_is_spoken_of_as_if_it_had_worked_is_poison() {
    let mut sick = session("");
    sick.run_fails("cargo test", TESTS_FAIL)
        .prompt("")
        .say("The tests pass, so the change is safe.");
    assert_eq!(sick.patterns_of_seat(), [Pattern::Poisoning]);
}

#[test]
fn a_seat_that_takes_another_position_than_before_does_not_clash() {
    let mut seat = seat("");
    seat.say("The pool timeout is 30 s.")
        .prompt("")
        .say("The pool timeout is 45 s.");
    assert_eq!(seat.patterns(), [Pattern::Clash]);
    assert_eq!(seat.patterns_of_seat(), []);
}

#[test]
fn what_a_seat_was_given_and_does_not_speak_of_is_no_distraction() {
    let mut seat = session("Set the port.");
    for path in [
        "Cargo.lock",
        "crates/sessions/src/readers/claude/dialect.rs",
    ] {
        seat.read(path, &crate::session::file(path));
    }
    for _ in 0..4 {
        seat.say("It is so.");
    }
    assert_eq!(seat.patterns(), [Pattern::Distraction]);
    assert_eq!(seat.patterns_of_seat(), []);
}

#[test]
fn what_one_context_was_told_is_not_looked_for_in_the_next_unless_it_is_told_again() {
    for (kept, found) in [(vec![0], vec![Pattern::LostInTheMiddle]), (vec![], vec![])] {
        let mut sick = seat("The pool timeout is 30 s.");
        sick.push(EntryKind::Renewed(Renewal { kept }))
            .prompt("")
            .say(&"Each job has a file of its own, named by its day, in a folder. ".repeat(40))
            .say("The pool timeout is 45 s.");
        assert_eq!(sick.patterns_of_seat(), found);
    }
}

#[test]
fn calls_of_another_task_are_not_looked_for() {
    let mut seat = session("Set the port.");
    seat.run("cargo build", "")
        .edit("/srv/other/a.rs", "x", "y")
        .edit("/srv/other/b.rs", "x", "y")
        .run("cd /srv/other && cargo test", &json!({}).to_string());
    assert_eq!(seat.patterns_of_seat(), []);
}
