use agon_sessions::Pattern;

use crate::session::{SessionBuilder, session};

fn base() -> SessionBuilder {
    let mut session = session("Set up the pool of connections. The pool timeout is 30 s.");
    session.study(&["crates/selection/src/words.rs"]);
    session
}

#[test]
fn two_values_of_one_setting_clash() {
    let mut sick = base();
    sick.prompt("Write the docs. The pool timeout is 45 s.")
        .say("Written.")
        .say("I set the wait to 30 in the docs.");
    assert_eq!(sick.patterns(), [Pattern::Clash]);
    let mut well = base();
    well.prompt("Write the docs. The pool timeout is 30 seconds.")
        .say("Written.");
    assert_eq!(well.patterns(), []);
}

#[test]
fn a_correction_that_the_model_took_in_is_not_a_clash() {
    let mut well = base();
    well.prompt("Correction: the pool timeout is 45 s.")
        .say("Understood, the pool timeout is 45 s from now on.");
    assert_eq!(well.patterns(), []);
    let mut sick = base();
    sick.prompt("Correction: the pool timeout is 45 s.")
        .say("I write the settings.")
        .edit("/srv/agon/pool.toml", "x", "timeout = 30");
    assert_eq!(sick.of(Pattern::Clash).len(), 1);
}

#[test]
fn a_setting_that_was_changed_in_between_does_not_clash() {
    let mut well = base();
    well.say("The pool timeout is 30 s.")
        .edit(
            "/srv/agon/pool.toml",
            "pool_timeout = 30",
            "pool_timeout = 45",
        )
        .say("The pool timeout is 45 s.");
    assert_eq!(well.patterns(), []);
}

#[test]
fn two_statements_of_the_model_clash() {
    let mut sick = session("Where is the configuration?");
    sick.say("The configuration lives in `src/settings.rs`.")
        .study(&["crates/selection/src/words.rs"])
        .say("The configuration lives in `lib/options.rs`.");
    assert_eq!(sick.patterns(), [Pattern::Clash]);
    let mut well = session("Where is the configuration?");
    well.say("The configuration lives in `src/settings.rs`.")
        .study(&["crates/selection/src/words.rs"])
        .say("I was wrong: the configuration lives in `lib/options.rs`.");
    assert_eq!(well.patterns(), []);
}

#[test]
fn two_files_clash_where_what_they_differ_in_is_the_topic() {
    let prepare = |topic: &str| {
        let mut session = session(topic);
        session
            .read("/srv/agon/a.toml", "[pool]\nmax_connections = 20\n")
            .read("/srv/agon/b.toml", "[pool]\nmax_connections = 50\n")
            .say("I have read a.toml and b.toml.");
        session
    };
    assert_eq!(
        prepare("How are max connections set?")
            .of(Pattern::Clash)
            .len(),
        1
    );
    assert_eq!(prepare("Read both files.").of(Pattern::Clash), []);
    let mut well = prepare("How are max connections set?");
    well.say("The two files differ in max connections: 20 and 50.");
    assert_eq!(well.of(Pattern::Clash), []);
}
