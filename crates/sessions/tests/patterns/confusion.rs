use agon_sessions::{EvidenceRole, Pattern};

use crate::session::{SessionBuilder, TESTS_PASS, session};

fn base() -> SessionBuilder {
    let mut session = session("Make the redaction in crates/redact faster.");
    session
        .study(&["crates/redact/src/redactor.rs", "crates/redact/src/lib.rs"])
        .edit("/srv/agon/crates/redact/src/redactor.rs", "a", "b")
        .run("cargo test -p agon-redact", TESTS_PASS)
        .say("The redactor is faster now.");
    session
}

#[test]
fn a_file_of_another_project_that_is_changed_is_confusion() {
    let mut sick = base();
    sick.edit("/srv/shop/checkout/shipping.py", "a", "b");
    let found = sick.of(Pattern::Confusion);
    assert_eq!(found.len(), 1);
    let cause = found[0].first(EvidenceRole::Cause).unwrap();
    assert_eq!(cause.words, "Make the redaction in crates/redact faster.");
    let mut asked = base();
    asked
        .prompt("Do the same for the checkout in /srv/shop.")
        .edit("/srv/shop/checkout/shipping.py", "a", "b");
    assert_eq!(asked.of(Pattern::Confusion), []);
    let mut cache = base();
    cache.edit("/tmp/shipping.py", "a", "b");
    assert_eq!(cache.of(Pattern::Confusion), []);
}

#[test]
fn commands_of_a_kit_that_the_project_does_not_have_are_confusion() {
    let mut sick = base();
    sick.run("npm run build", "built")
        .run("npx tsc && npm run dev", "ready");
    assert_eq!(sick.of(Pattern::Confusion).len(), 1);
    let mut well = base();
    well.run("ls", "Cargo.toml package.json")
        .run("npm run build", "built")
        .run("npm run dev", "ready");
    assert_eq!(well.of(Pattern::Confusion), []);
    let mut once = base();
    once.run("npm run build", "built");
    assert_eq!(once.of(Pattern::Confusion), []);
}

#[test]
fn files_that_came_from_nowhere_are_confusion() {
    let mut sick = base();
    sick.read("/srv/agon/invoices/template.py", "x = 1").edit(
        "/srv/agon/invoices/discount.py",
        "x",
        "y",
    );
    assert_eq!(sick.of(Pattern::Confusion).len(), 1);
    let mut listed = base();
    listed
        .run("ls -R", "invoices/template.py invoices/discount.py")
        .read("/srv/agon/invoices/template.py", "x = 1")
        .edit("/srv/agon/invoices/discount.py", "x", "y");
    assert_eq!(listed.of(Pattern::Confusion), []);
}

#[test]
fn work_on_a_task_that_was_left_is_confusion() {
    let other = "/srv/agon/crates/redact/src/lib.rs";
    let again = |session: &mut SessionBuilder, files: [&str; 2]| {
        for file in files {
            session.edit(file, "b", "c");
        }
    };
    let first = "/srv/agon/crates/redact/src/redactor.rs";
    let mut sick = base();
    sick.edit(other, "a", "b");
    sick.prompt("Now something else: sort the weights of the selection.")
        .study(&["crates/selection/src/weights.rs"]);
    again(&mut sick, [first, other]);
    assert_eq!(sick.of(Pattern::Confusion).len(), 1);
    let mut well = base();
    well.prompt("Go on, and sort the weights of the selection too.")
        .study(&["crates/selection/src/weights.rs"]);
    again(&mut well, [first, other]);
    assert_eq!(well.of(Pattern::Confusion), []);
    // One file may be of both.
    let mut both = base();
    both.prompt("Now something else: sort the weights of the selection.")
        .study(&["crates/selection/src/weights.rs"]);
    again(&mut both, [first, first]);
    assert_eq!(both.of(Pattern::Confusion), []);
}

#[test]
fn what_is_said_to_be_asked_for_and_was_not_is_confusion() {
    let mut sick = base();
    sick.say("As you asked, the invoice discounts of premium subscribers round upwards.");
    assert_eq!(sick.of(Pattern::Confusion).len(), 1);
    let mut well = base();
    well.say("As you asked, the redaction in this crate is faster.");
    assert_eq!(well.of(Pattern::Confusion), []);
}
