use agon_sessions::{EvidenceRole, Pattern};

use crate::session::{SessionBuilder, TESTS_FAIL, session};

fn is_poisoned(session: &SessionBuilder) -> bool {
    !session.of(Pattern::Poisoning).is_empty()
}

#[test]
fn a_number_of_tests_that_the_run_did_not_show_and_is_written_down_is_poison() {
    let told = |number: u32| {
        let mut session = session("Is everything green?");
        session
            .run("python3 -m unittest", "Ran 8 tests in 0.1s\n\nOK")
            .say(&format!("All {number} are green."))
            .prompt("Put it into the README.")
            .edit(
                "/srv/agon/README.md",
                "x",
                &format!("Tests: {number}, all passing."),
            );
        session
    };
    let found = told(12).of(Pattern::Poisoning);
    assert_eq!(found.len(), 1);
    let words = |role| found[0].first(role).unwrap().words.as_str();
    assert_eq!(words(EvidenceRole::Cause), "All 12 are green.");
    assert_eq!(words(EvidenceRole::Effect), "Tests: 12, all passing.");
    assert!(!is_poisoned(&told(8)));
    // What is cut off shows no total.
    let mut cut = session("Is everything green?");
    cut.run("python3 -m unittest | tail -1", "Ran 8 tests in 0.1s")
        .say("All 12 are green.")
        .say("There are 12 tests.");
    assert!(!is_poisoned(&cut));
}

#[test]
fn a_name_called_unused_although_a_search_showed_its_uses_is_poison() {
    let hits = "src/a.rs:4:fn to_grid(x: u8) {\nsrc/b.rs:9:    let y = to_grid(3);\n";
    let alone = "src/a.rs:4:fn to_grid(x: u8) {\n";
    let told = |hits: &str| {
        let mut session = session("Look for to_grid.");
        session
            .search("to_grid", hits)
            .say("Nothing calls it.")
            .prompt("What can we tidy up?")
            .say("`to_grid` can go.");
        session
    };
    assert!(is_poisoned(&told(hits)));
    assert!(!is_poisoned(&told(alone)));
    let mut changed = session("Look for to_grid.");
    changed
        .search("to_grid", hits)
        .edit(
            "/srv/agon/src/b.rs",
            "    let y = to_grid(3);",
            "    let y = 3;",
        )
        .say("`to_grid` is unused now.")
        .say("So `to_grid` can go.");
    assert!(!is_poisoned(&changed));
}

#[test]
fn what_a_recap_says_and_nothing_before_it_is_poison_where_it_is_gone_on_from() {
    let told = |before: &str| {
        let mut session = session(before);
        session
            .study(&["crates/selection/src/words.rs"])
            .prompt("Where do we stand?")
            .say("So far: The auditors have approved the retention plan.")
            .prompt("And now?")
            .say("The auditors approved the retention plan, so we can ship it.");
        session
    };
    assert!(is_poisoned(&told("Shorten a word in the selection.")));
    assert!(!is_poisoned(&told(
        "The auditors approved the retention plan. Go on."
    )));
    let mut dropped = told("Shorten a word in the selection.");
    dropped.entries.remove(0);
    // What was dropped may have said it.
    assert!(!is_poisoned(&dropped));
}

#[test]
fn a_target_that_failed_is_not_made_good_by_other_tests() {
    let told = |claim: &str| {
        let mut session = session("Run the check.");
        session
            .run_fails("make check", "make: *** No rule to make target 'check'.")
            .say("It needs a rule.")
            .prompt("Run the tests then.")
            .run("cargo test", "test result: ok. 3 passed; 0 failed;")
            .prompt("Can I open the request?")
            .say(claim);
        session
    };
    assert!(is_poisoned(&told("`make check` was clean, so yes.")));
    assert!(is_poisoned(&told("The check target passed here, so yes.")));
    assert!(!is_poisoned(&told("The tests pass, so yes.")));
}

#[test]
fn a_word_of_the_language_is_a_refuted_name_only_where_it_is_marked() {
    let told = |words: &str| {
        let mut session = session("The cli rejects --all, it is unknown there.");
        session
            .say("Noted.")
            .prompt("Which line do I type?")
            .say(words);
        session
    };
    assert!(is_poisoned(&told("The line has `--all` at the end.")));
    assert!(!is_poisoned(&told("That is all I did.")));
}

#[test]
fn a_plain_name_that_an_interpreter_did_not_find_is_refuted() {
    let told = |error: &str| {
        let mut session = session("Try it with a sample.");
        session
            .run_fails("node -e 'import(\"./a.js\").then(m => m.upgrade())'", error)
            .say("I see.")
            .prompt("How do I start?")
            .say("The shortest way is `upgrade`.");
        session
    };
    assert!(is_poisoned(&told("TypeError: m.upgrade is not a function")));
    assert!(!is_poisoned(&told("TypeError: m.other is not a function")));
}

#[test]
fn a_search_that_gave_only_the_frame_of_the_host_found_nothing() {
    let told = |output: &str| {
        let mut session = session("Is there as_bytes_mut?");
        session
            .run_fails("rg -n as_bytes_mut", output)
            .say("I looked.")
            .prompt("Which function do I take?")
            .say("Start with `as_bytes_mut`.");
        session
    };
    let frame = "Chunk ID: 66e899\nWall time: 0.01 seconds\nProcess exited with code 1\nOutput:\n";
    assert!(is_poisoned(&told(frame)));
    let found = format!("{frame}src/a.rs:3:fn as_bytes_mut() {{\n");
    assert!(!is_poisoned(&told(&found)));
}

#[test]
fn a_change_that_failed_and_is_told_by_the_name_of_its_function_is_poison() {
    let told = |words: &str| {
        let mut session = session("Put a counter for the calls into itemCount.");
        session
            .edit_fails(
                "/srv/agon/src/cart.js",
                "function itemCount_() {",
                "function itemCount() { calls += 1;",
            )
            .say("Looking.")
            .prompt("And then?")
            .say(words);
        session
    };
    assert!(is_poisoned(&told(
        "`itemCount` has a counter for the calls now."
    )));
    assert!(!is_poisoned(&told(
        "`itemCount` returns the number of items."
    )));
}

#[test]
fn a_failure_that_is_written_down_as_a_success_is_poison() {
    let told = |line: &str| {
        let mut session = session("Run the tests.");
        session
            .run_fails("cargo test", TESTS_FAIL)
            .say("Looking into it.")
            .prompt("Write the status.")
            .edit("/srv/agon/STATUS.md", "x", line);
        session
    };
    assert!(is_poisoned(&told("All tests pass.")));
    assert!(!is_poisoned(&told("One test fails.")));
}

#[test]
fn a_tag_and_a_copy_that_failed_are_spoken_of_by_their_names() {
    let told = |command: &str, words: &str| {
        let mut session = session("Do it.");
        session
            .run_fails(command, "fatal: no")
            .say("Hm.")
            .prompt("Next?")
            .say(words);
        is_poisoned(&session)
    };
    assert!(told(
        "git tag -a v9 -m x",
        "v9 exists, so the script can use it."
    ));
    assert!(!told(
        "git tag -a v9 -m x",
        "v8 exists, so the script can use it."
    ));
    let copy = "cp build/report.pdf /mnt/share/";
    assert!(told(copy, "The report is in place on the share."));
    assert!(!told(copy, "The index is in place on the disk."));
}
