use crate::session::{SessionBuilder, TESTS_PASS, file, session};

fn work(session: &mut SessionBuilder) {
    session
        .edit("/srv/agon/x.rs", "a", "b")
        .run("cargo test", TESTS_PASS)
        .say("It holds.")
        .say("That was it.");
}

/// What of the loaded text nothing refers to, in bytes.
fn unused(session: &SessionBuilder) -> u64 {
    assert_eq!(session.patterns(), []);
    session.findings().loaded.unused
}

#[test]
fn text_that_nothing_refers_to_is_counted_and_is_no_alarm() {
    let licence =
        "the permissions of a licence are granted to any person who obtains it\n".repeat(400);
    let mut sick = session("Shorten a word in the selection.");
    sick.study(&["crates/selection/src/words.rs"]);
    sick.read("/mnt/other/TERMS", &licence);
    work(&mut sick);
    assert_eq!(unused(&sick), licence.len() as u64);
    assert!(sick.findings().unused[0].contains("/mnt/other/TERMS"));
    let mut well = session("Shorten a word in the selection.");
    well.study(&["crates/selection/src/words.rs"]);
    well.read("/mnt/other/TERMS", &licence)
        .say("TERMS has nothing on it.");
    work(&mut well);
    assert_eq!(unused(&well), 0);
}

#[test]
fn text_that_is_spoken_of_by_a_name_in_it_is_used() {
    let mut well = session("Shorten a word in the selection.");
    well.read(
        "/srv/agon/crates/sessions/src/recent.rs",
        &file("crates/sessions/src/recent.rs"),
    )
    .say("`tree_size` is recursive.");
    work(&mut well);
    assert_eq!(unused(&well), 0);
}

#[test]
fn the_output_of_a_check_is_used_by_how_it_went() {
    let mut well = session("Run the tests.");
    for _ in 0..30 {
        well.run("cargo test", TESTS_PASS).say("Fine.");
    }
    assert_eq!(unused(&well), 0);
}

#[test]
fn what_was_loaded_just_now_had_no_chance_to_be_used() {
    let text =
        "the permissions of a licence are granted to any person who obtains it\n".repeat(400);
    let mut session = session("Shorten a word in the selection.");
    session.read("/mnt/other/TERMS", &text).say("Read.");
    assert_eq!(unused(&session), 0);
}

#[test]
fn a_list_is_used_where_its_files_are_opened_and_a_text_loaded_twice_is_one() {
    let list: Vec<String> = (0..900)
        .map(|it| format!("crates/part{it}/unit{it}.rs"))
        .collect();
    let show = crate::session::GIT_SHOW;
    let mut well = session("Shorten a word in the selection.");
    well.run("find crates", &list.join("\n"))
        .read("/srv/agon/crates/part7/unit7.rs", "fn a() {}")
        .run("git show HEAD", show)
        .run("git show HEAD", show)
        .say("`Preparation` or `SubAgentState` or `HandoverOptions` came in with it.");
    work(&mut well);
    assert_eq!(unused(&well), 0);
}

#[test]
fn a_large_text_is_used_by_many_of_its_words_and_not_by_one() {
    let manual: String = (0..1200)
        .map(|it| format!("chapter_{it} describes paragraph{it} of the manual\n"))
        .collect();
    let told = |words: &str| {
        let mut session = session("Shorten a word in the selection.");
        session.read("/mnt/other/MANUAL", &manual).say(words);
        work(&mut session);
        unused(&session)
    };
    assert_eq!(told("See chapter_17."), manual.len() as u64);
    let many: Vec<String> = (0..60).map(|it| format!("chapter_{it}")).collect();
    assert_eq!(told(&many.join(" ")), 0);
}

#[test]
fn a_long_paste_that_nothing_refers_to_is_counted() {
    let paste: String = (0..1200)
        .map(|it| format!("chapter{it} describes paragraph{it} of the manual\n"))
        .collect();
    let mut sick = session("Shorten a word in the selection.");
    sick.prompt(&paste).say("Thank you.");
    work(&mut sick);
    assert_eq!(unused(&sick), paste.len() as u64);
    let mut well = session("Shorten a word in the selection.");
    let many: Vec<String> = (0..60).map(|it| format!("chapter{it}")).collect();
    well.prompt(&paste).say(&many.join(" "));
    work(&mut well);
    assert_eq!(unused(&well), 0);
}
