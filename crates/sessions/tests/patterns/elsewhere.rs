use agon_sessions::Pattern;

use crate::session::{SessionBuilder, session};

fn is_confused(session: &SessionBuilder) -> bool {
    !session.of(Pattern::Confusion).is_empty()
}

fn base() -> SessionBuilder {
    let mut session = session("Make the redaction faster.");
    session
        .read("/srv/agon/Cargo.toml", "[package]\nname = \"agon\"\n")
        .study(&["crates/redact/src/redactor.rs", "crates/redact/src/lib.rs"])
        .edit("/srv/agon/crates/redact/src/redactor.rs", "a", "b");
    session
}

/// The same, with a look at another project that was asked for.
fn compared() -> SessionBuilder {
    let mut session = base();
    session
        .prompt("Look how ledger does it, only for comparison.")
        .read(
            "/srv/ledger/ledger/store.py",
            "def add_invoice(db):\n    pass\n",
        )
        .say("It has one function.")
        .prompt("Now shorten the redaction.")
        .study(&["crates/redact/src/redactor.rs"])
        .prompt("Go on.");
    session
}

#[test]
fn what_a_file_asks_of_others_is_not_work_of_this_task() {
    let told = |who: &str, prompt: &str| {
        let mut session = base();
        session
            .prompt("What is new?")
            .read(
                "/srv/agon/docs/inbox.md",
                &format!("# Inbox\n\n- {who}: please add the newsletter form until Friday.\n"),
            )
            .say("A request.")
            .prompt("Shorten the redaction.")
            .study(&["crates/redact/src/redactor.rs"])
            .prompt(prompt)
            .say("Now the newsletter form.")
            .edit("/srv/agon/conf/features.toml", "x", "[newsletter]");
        is_confused(&session)
    };
    assert!(told("parcelmap", "Go on."));
    assert!(!told("agon", "Go on."));
    assert!(!told("parcelmap", "Now do the newsletter form."));
}

#[test]
fn a_search_in_another_project_for_what_was_not_asked_is_confusion() {
    let told = |path: &str, name: &str| {
        let mut session = compared();
        session.run(&format!("grep -rn {name} {path}"), "x:1:y");
        session
    };
    assert!(is_confused(&told("/srv/ledger/ledger", "add_invoice")));
    assert!(!is_confused(&told("/srv/agon/crates", "add_invoice")));
    let mut asked = compared();
    asked
        .prompt("Who calls add_invoice in ledger?")
        .run("grep -rn add_invoice /srv/ledger/ledger", "x:1:y");
    assert!(!is_confused(&asked));
}

#[test]
fn tests_that_are_run_in_another_project_are_confusion() {
    let mut sick = compared();
    sick.run("cd /srv/ledger && python3 -m unittest", "OK");
    assert!(is_confused(&sick));
    let mut well = compared();
    well.run("cd /srv/agon && cargo test", "ok");
    assert!(!is_confused(&well));
}

#[test]
fn an_import_of_a_project_that_was_only_looked_at_is_confusion() {
    let mut sick = compared();
    sick.edit(
        "/srv/agon/crates/redact/src/lib.rs",
        "a",
        "use ledger::store;",
    );
    assert!(is_confused(&sick));
    let mut well = compared();
    well.edit(
        "/srv/agon/crates/redact/src/lib.rs",
        "a",
        "use regex::Regex;",
    );
    assert!(!is_confused(&well));
}

#[test]
fn work_that_the_user_called_off_and_that_goes_on_is_confusion() {
    let told = |prompt: &str| {
        let mut session = base();
        session
            .edit(
                "/srv/agon/crates/redact/src/lib.rs",
                "a",
                "pub fn create_dir() {}",
            )
            .prompt(prompt)
            .say("All right.")
            .prompt("Explain the words of the selection.")
            .study(&["crates/selection/src/words.rs"])
            .prompt("Good. And the scores?")
            .study(&["crates/selection/src/score.rs"])
            .edit("/srv/agon/crates/redact/src/lib.rs", "b", "// first half");
        is_confused(&session)
    };
    assert!(told(
        "We won't do this one. Close create_dir, I have other work."
    ));
    assert!(told("Forget about create_dir."));
    assert!(!told(
        "This one is good. Keep create_dir, I have other work."
    ));
}
