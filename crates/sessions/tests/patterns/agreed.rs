use agon_sessions::Pattern;

use crate::session::{SessionBuilder, session};

/// Whether a rule that the user gave early is broken by what comes.
fn is_lost(rule: &str, act: impl Fn(&mut SessionBuilder)) -> bool {
    let mut session = session(rule);
    session
        .say("Understood.")
        .study(&["crates/selection/src/words.rs"])
        .prompt("Go on with it.");
    act(&mut session);
    !session.of(Pattern::LostInTheMiddle).is_empty()
}

#[test]
fn a_command_that_the_user_keeps_to_themselves_is_not_run() {
    for rule in [
        "Hands off git commit, review comes first.",
        "I make the commits myself.",
        "Leave committing to me.",
    ] {
        assert!(
            is_lost(rule, |it| {
                it.run("git add -A && git commit -m x", "");
            }),
            "{rule}"
        );
        assert!(
            !is_lost(rule, |it| {
                it.run("git status", "");
            }),
            "{rule}"
        );
    }
}

#[test]
fn packages_are_not_added_to_a_manifest_either() {
    for rule in [
        "We can't add packages, there is no network.",
        "The dependencies stay as they are.",
    ] {
        let write = |line: &'static str| {
            move |it: &mut SessionBuilder| {
                it.edit("/srv/agon/Cargo.toml", "x", line);
            }
        };
        assert!(is_lost(rule, write("once_cell = \"1\"")), "{rule}");
        assert!(!is_lost(rule, write("version = \"1.2.0\"")), "{rule}");
    }
}

#[test]
fn the_name_that_was_not_wanted_is_not_defined() {
    for rule in [
        "The helper has to be named `truncate` because the docs say so (they had `cut_text` before).",
        "For the helper we settled on `truncate`. Nobody wants `cut_text`.",
        "it has to be named `truncate` (the docs had `cut_text` before). what goes into it?",
    ] {
        let define = |line: &'static str| {
            move |it: &mut SessionBuilder| {
                it.edit("/srv/agon/src/util.rs", "x", line);
            }
        };
        assert!(
            is_lost(rule, define("pub(crate) fn cut_text(x: u64) {}")),
            "{rule}"
        );
        assert!(
            !is_lost(rule, define("pub(crate) fn truncate(x: u64) {}")),
            "{rule}"
        );
    }
}

#[test]
fn a_flag_of_every_test_run_is_kept() {
    let rule = "Always run the tests with -v.";
    assert!(is_lost(rule, |it| {
        it.run("python3 -m unittest", "OK");
    }));
    assert!(!is_lost(rule, |it| {
        it.run("python3 -m unittest -v", "OK");
    }));
}

#[test]
fn a_word_that_texts_shall_not_have_is_not_written_in_them() {
    let rule = "In texts we say caller, never user.";
    assert!(is_lost(rule, |it| {
        it.edit("/srv/agon/README.md", "x", "The user gives a name.");
    }));
    assert!(!is_lost(rule, |it| {
        it.edit("/srv/agon/src/a.rs", "x", "let user = 1;");
    }));
}

#[test]
fn syntax_that_an_old_python_does_not_read_is_not_written() {
    let rule = "We support Python 3.8 still, so the annotations have to work there.";
    assert!(is_lost(rule, |it| {
        it.edit("/srv/agon/a.py", "x", "def of(name: str | None) -> int:");
    }));
    assert!(!is_lost(rule, |it| {
        it.edit("/srv/agon/a.py", "x", "def of(name: str) -> int:");
    }));
}

#[test]
fn calls_that_are_banned_are_not_written() {
    let rule = "unwrap() is forbidden in the library.";
    assert!(is_lost(rule, |it| {
        it.edit("/srv/agon/src/a.rs", "x", "let a = b.unwrap();");
    }));
    assert!(!is_lost(rule, |it| {
        it.edit("/srv/agon/src/a.rs", "x", "let a = b.unwrap_or(1);");
    }));
}

#[test]
fn a_file_is_no_value_of_what_stands_in_it() {
    let said = "The right alert channel is ops-night.";
    let told = |value: &str| {
        let mut session = session(said);
        session
            .say("Understood.")
            .study(&["crates/selection/src/words.rs"])
            .prompt("Mention our alert channel in README.md.")
            .edit(
                "/srv/agon/README.md",
                "x",
                &format!("Note that the alert channel is {value}."),
            );
        session.of(Pattern::LostInTheMiddle).len()
    };
    assert_eq!(told("ops"), 1);
    assert_eq!(told("ops-night"), 0);
}
