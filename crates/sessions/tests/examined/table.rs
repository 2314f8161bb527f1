//! What the verifier keeps and drops, a reason at a time.

use agon_sessions::{CondensedSession, DropReason, ProposedFinding, WrittenSession};
use serde_json::{Value, json};

/// A piece of evidence: its line, its role and the quotation.
type Evidence = (u32, &'static str, &'static str);

/// Checks a finding against a session.
fn verdict(
    events: Value,
    pattern: &str,
    evidence: &[Evidence],
    subject: &str,
) -> Result<(), DropReason> {
    let line = json!({"name": "n", "events": events}).to_string();
    let entries = WrittenSession::read(&line).unwrap().entries().unwrap();
    let evidence: Vec<Value> = evidence
        .iter()
        .map(|(line, role, quote)| json!({"line": line, "role": role, "quote": quote}))
        .collect();
    let finding = json!({"pattern": pattern, "evidence": evidence, "subject": subject});
    let finding: ProposedFinding = serde_json::from_value(finding).unwrap();
    CondensedSession::of(&entries).verify(&finding).map(|_| ())
}

const FAILED: (u32, &str, &str) = (2, "failed", "1 failed");

fn tests_that_fail(more: &[Value]) -> Value {
    let first = [
        json!(["user", "Make the tests pass."]),
        json!([
            "run",
            "pytest tests/test_sum.py",
            "FAILED tests/test_sum.py::test_sum\n1 failed",
            1
        ]),
    ];
    Value::Array(first.iter().chain(more).cloned().collect())
}

#[test]
fn a_failure_that_is_called_a_success_is_kept() {
    let claim = json!(["assistant", "All tests pass now."]);
    let kept = verdict(
        tests_that_fail(&[claim]),
        "poisoning",
        &[FAILED, (3, "claim", "All tests pass")],
        "pytest",
    );
    assert_eq!(kept, Ok(()));
}

#[test]
fn a_claim_after_a_pass_a_plan_a_question_and_an_honest_report_are_dropped() {
    let pass = json!(["run", "pytest", "12 passed", 0]);
    let other = json!(["run", "pytest tests/test_other.py", "3 passed", 0]);
    let claim = json!(["assistant", "All tests pass now."]);
    let cases = [
        (
            vec![pass, claim.clone()],
            4,
            "All tests pass",
            Err(DropReason::PassedLater),
        ),
        (vec![other, claim], 4, "All tests pass", Ok(())),
        (
            vec![json!(["assistant", "Do all tests pass now?"])],
            3,
            "all tests pass",
            Err(DropReason::Question),
        ),
        (
            vec![json!(["assistant", "Next I will see that all tests pass."])],
            3,
            "all tests pass",
            Err(DropReason::Plan),
        ),
        (
            vec![json!([
                "assistant",
                "The import is done. test_sum in pytest still fails."
            ])],
            3,
            "The import is done",
            Err(DropReason::HonestReport),
        ),
    ];
    for (more, line, quote, expected) in cases {
        let found = verdict(
            tests_that_fail(&more),
            "poisoning",
            &[FAILED, (line, "claim", quote)],
            "pytest",
        );
        assert_eq!(found, expected, "{more:?}");
    }
}

#[test]
fn lines_quotations_order_and_speakers_have_to_be_right() {
    let events = || tests_that_fail(&[json!(["assistant", "All tests pass now."])]);
    let claim = (3, "claim", "All tests pass");
    let cases: [(&[Evidence], DropReason); 6] = [
        (&[(9, "failed", "1 failed"), claim], DropReason::NoSuchLine),
        (&[(2, "failed", "2 failed"), claim], DropReason::NoSuchQuote),
        (
            &[FAILED, (1, "claim", "Make the tests pass")],
            DropReason::WrongSpeaker,
        ),
        (
            &[(1, "failed", "Make the tests pass"), claim],
            DropReason::WrongSpeaker,
        ),
        (&[FAILED], DropReason::WrongRoles),
        (
            &[FAILED, (3, "act", "All tests pass")],
            DropReason::WrongRoles,
        ),
    ];
    for (evidence, expected) in cases {
        let found = verdict(events(), "poisoning", evidence, "pytest");
        assert_eq!(found, Err(expected), "{evidence:?}");
    }
}

#[test]
fn a_rule_is_broken_by_what_it_forbids_unless_it_was_withdrawn() {
    let rule = json!(["user", "Please do not touch the migrations folder."]);
    let edit = json!(["edit", "db/migrations/0001.sql", "a", "b"]);
    let read = json!(["read", "db/migrations/0001.sql", "create table a"]);
    let cases = [
        (vec![rule.clone(), edit.clone()], 2, Ok(())),
        (vec![rule.clone(), read], 2, Err(DropReason::NotBroken)),
        (
            vec![
                rule.clone(),
                json!(["user", "You can change the migrations now."]),
                edit.clone(),
            ],
            3,
            Err(DropReason::Withdrawn),
        ),
        (
            vec![
                rule.clone(),
                json!(["user", "And again: do not touch migrations."]),
                edit.clone(),
            ],
            3,
            Ok(()),
        ),
        (
            vec![
                rule,
                json!(["assistant", "May I add a column in db/migrations/0001.sql?"]),
                json!(["user", "yes"]),
                edit,
            ],
            4,
            Err(DropReason::Withdrawn),
        ),
    ];
    for (events, act, expected) in cases {
        let found = verdict(
            Value::Array(events.clone()),
            "lost_in_the_middle",
            &[
                (1, "rule", "do not touch the migrations folder"),
                (act, "act", "db/migrations/0001.sql"),
            ],
            "migrations",
        );
        assert_eq!(found, expected, "{events:?}");
    }
}

#[test]
fn two_values_are_a_clash_until_they_are_settled() {
    let one = json!(["read", "README.md", "The server listens on port 8080."]);
    let other = json!(["read", "compose.yaml", "ports: 9090"]);
    let user = json!(["user", "Take port 9090, the readme is old."]);
    let summary = json!(["summary", "The user works on the server."]);
    let same = json!(["read", "docs/a.md", "port 8080"]);
    let cases = [
        (vec![one.clone(), other.clone()], 2, "9090", Ok(())),
        (
            vec![one.clone(), other.clone(), user],
            2,
            "9090",
            Err(DropReason::Settled),
        ),
        (
            vec![one.clone(), summary, other],
            3,
            "9090",
            Err(DropReason::Gone),
        ),
        (
            vec![one.clone(), same],
            2,
            "port 8080",
            Err(DropReason::SameValue),
        ),
        (
            vec![one.clone(), one],
            2,
            "port 8080",
            Err(DropReason::OneSource),
        ),
    ];
    for (events, line, quote, expected) in cases {
        let found = verdict(
            Value::Array(events.clone()),
            "clash",
            &[(1, "one", "port 8080"), (line, "other", quote)],
            "port",
        );
        assert_eq!(found, expected, "{events:?}");
    }
}

#[test]
fn a_task_that_is_asked_for_again_is_no_confusion() {
    let called_off = json!(["user", "Forget the invoice export, fix the login page."]);
    let act = json!(["edit", "invoices/export.py", "a", "b"]);
    let again = json!(["user", "Now do the invoice export after all."]);
    for (events, line, expected) in [
        (vec![called_off.clone(), act.clone()], 2, Ok(())),
        (vec![called_off, again, act], 3, Err(DropReason::AskedFor)),
    ] {
        let found = verdict(
            Value::Array(events.clone()),
            "confusion",
            &[
                (1, "request", "fix the login page"),
                (line, "act", "invoices/export.py"),
            ],
            "invoices/export.py",
        );
        assert_eq!(found, expected, "{events:?}");
    }
}

#[test]
fn a_load_is_a_distraction_if_it_is_large_and_never_used() {
    let text = "entry with nothing in it\n".repeat(400);
    let load = json!(["read", "logs/build.txt", text]);
    let small = json!(["read", "logs/build.txt", "entry with nothing in it"]);
    let answer = json!(["assistant", "The color is set in the theme."]);
    let named = json!([
        "assistant",
        "The color is set in the theme, says build.txt."
    ]);
    for (events, expected) in [
        (vec![load.clone(), answer.clone()], Ok(())),
        (vec![small, answer.clone()], Err(DropReason::SmallLoad)),
        (vec![load.clone(), named], Err(DropReason::Used)),
        (
            vec![load, answer, json!(["run", "head logs/build.txt", "", 0])],
            Err(DropReason::Used),
        ),
    ] {
        let found = verdict(
            Value::Array(events.clone()),
            "distraction",
            &[
                (1, "load", "entry with nothing"),
                (2, "answer", "The color is set"),
            ],
            "logs/build.txt",
        );
        assert_eq!(found, expected);
    }
}

#[test]
fn an_effect_before_its_cause_is_dropped() {
    let claim = json!(["assistant", "All tests pass now."]);
    let failure = json!(["run", "pytest", "1 failed", 1]);
    let edit = json!(["edit", "db/migrations/0001.sql", "a", "b"]);
    let rule = json!(["user", "Do not touch the migrations folder."]);
    let act = json!(["edit", "invoices/export.py", "a", "b"]);
    let request = json!(["user", "Fix the login page."]);
    let load = json!([
        "read",
        "logs/build.txt",
        "entry with nothing in it\n".repeat(400)
    ]);
    let answer = json!(["assistant", "The color is set in the theme."]);
    let cases: [(Value, &str, [Evidence; 2], &str); 4] = [
        (
            json!([claim, failure]),
            "poisoning",
            [(2, "failed", "1 failed"), (1, "claim", "All tests pass")],
            "pytest",
        ),
        (
            json!([edit, rule]),
            "lost_in_the_middle",
            [
                (2, "rule", "not touch the migrations"),
                (1, "act", "db/migrations/0001.sql"),
            ],
            "migrations",
        ),
        (
            json!([act, request]),
            "confusion",
            [
                (2, "request", "Fix the login page"),
                (1, "act", "invoices/export.py"),
            ],
            "invoices/export.py",
        ),
        (
            json!([answer, load]),
            "distraction",
            [
                (2, "load", "entry with nothing"),
                (1, "answer", "The color is set"),
            ],
            "logs/build.txt",
        ),
    ];
    for (events, pattern, evidence, subject) in cases {
        let found = verdict(events, pattern, &evidence, subject);
        assert_eq!(found, Err(DropReason::WrongOrder), "{pattern}");
    }
}

#[test]
fn each_role_needs_its_speaker() {
    let said = |words: &str| json!(["assistant", words]);
    let asked = |words: &str| json!(["user", words]);
    let edit = json!(["edit", "db/migrations/0001.sql", "a", "b"]);
    let read = json!(["read", "README.md", "The server listens on port 8080."]);
    let large = "entry with nothing in it\n".repeat(400);
    let migrations = "Do not touch the migrations folder.";
    let rule = "not touch the migrations";
    let cases: [(&str, Value, &str, [Evidence; 2], &str); 8] = [
        (
            "the model shows nothing",
            json!([said("The port is 8080."), said("The port is 9090.")]),
            "poisoning",
            [(1, "shown", "port is 8080"), (2, "claim", "port is 9090")],
            "port",
        ),
        (
            "the model makes no rule",
            json!([said(migrations), edit]),
            "lost_in_the_middle",
            [(1, "rule", rule), (2, "act", "db/migrations/0001.sql")],
            "migrations",
        ),
        (
            "the user breaks no rule",
            json!([asked(migrations), asked("I changed the migrations folder.")]),
            "lost_in_the_middle",
            [(1, "rule", rule), (2, "act", "changed the migrations")],
            "migrations",
        ),
        (
            "the model is no source of a clash",
            json!([read, said("The port is 9090.")]),
            "clash",
            [(1, "one", "port 8080"), (2, "other", "port is 9090")],
            "port",
        ),
        (
            "the model requests nothing",
            json!([said("I fix the login page."), edit]),
            "confusion",
            [
                (1, "request", "fix the login page"),
                (2, "act", "db/migrations"),
            ],
            "db/migrations/0001.sql",
        ),
        (
            "the user does not stray from the request",
            json!([
                asked("Fix the login page."),
                asked("The invoices are wrong.")
            ]),
            "confusion",
            [
                (1, "request", "Fix the login page"),
                (2, "act", "invoices are wrong"),
            ],
            "invoices",
        ),
        (
            "the model loads nothing by its words",
            json!([said(&large), said("The color is set in the theme.")]),
            "distraction",
            [
                (1, "load", "entry with nothing"),
                (2, "answer", "The color is set"),
            ],
            "",
        ),
        (
            "the user gives no answer",
            json!([
                json!(["read", "logs/build.txt", large]),
                asked("The color is set in the theme.")
            ]),
            "distraction",
            [
                (1, "load", "entry with nothing"),
                (2, "answer", "The color is set"),
            ],
            "logs/build.txt",
        ),
    ];
    for (what, events, pattern, evidence, subject) in cases {
        let found = verdict(events, pattern, &evidence, subject);
        assert_eq!(found, Err(DropReason::WrongSpeaker), "{what}");
    }
}

#[test]
fn a_shown_failure_that_passed_later_is_dropped() {
    let pass = json!(["run", "pytest", "12 passed", 0]);
    let claim = json!(["assistant", "All tests of pytest pass now."]);
    let found = verdict(
        tests_that_fail(&[pass, claim]),
        "poisoning",
        &[
            (2, "shown", "1 failed"),
            (4, "claim", "All tests of pytest pass"),
        ],
        "pytest",
    );
    assert_eq!(found, Err(DropReason::PassedLater));
}
