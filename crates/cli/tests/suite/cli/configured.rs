//! The files of the configuration: where they are, a first one, and what is wrong with one.

use std::fs;

use crate::cli::harness::Agon;

#[test]
fn the_files_are_named_whether_they_are_there_or_not() {
    let agon = Agon::new();
    let before = agon.run(&["config", "path"]);
    assert!(
        before
            .stdout
            .contains("missing; create it: agon config init")
    );
    let written = agon.run(&["config", "init"]);
    assert_eq!(written.code, Some(0), "{written:?}");
    assert_eq!(
        written.stdout.trim(),
        agon.user_file().display().to_string()
    );
    let after = agon.run(&["config", "path", "--json"]).json();
    assert_eq!(after["files"][0]["exists"], true);
    assert_eq!(after["files"][1]["exists"], false);
}

#[test]
fn a_first_file_changes_nothing_and_no_file_is_written_over() {
    let agon = Agon::new();
    let before = agon.run(&["config", "show"]).stdout;
    agon.run(&["config", "init"]);
    assert_eq!(agon.run(&["config", "show"]).stdout, before);
    fs::write(agon.user_file(), "rounds = 3").unwrap();
    let again = agon.run(&["config", "init"]);
    assert_eq!(again.code, Some(3));
    assert!(again.stderr.contains("already exists"), "{again:?}");
    assert_eq!(fs::read_to_string(agon.user_file()).unwrap(), "rounds = 3");

    let project = agon.run(&["config", "init", "--project"]);
    assert_eq!(project.code, Some(0));
    let text = fs::read_to_string(agon.project().join("agon.toml")).unwrap();
    assert!(text.contains("# rounds = 2") && !text.contains("proposer"));
    assert_eq!(agon.run(&["config", "check"]).code, Some(0));
}

#[test]
fn what_is_wrong_is_said_with_file_line_and_what_to_do() {
    let agon = Agon::new().env("AGON_RUONDS", "3");
    agon.configure("max_time = \"10 parsecs\"\n");
    fs::write(agon.project().join("agon.toml"), "ruonds = 3\n").unwrap();
    let checked = agon.run(&["config", "check"]);
    assert_eq!(checked.code, Some(3));
    let file = agon.user_file().display().to_string();
    for said in [file.as_str(), "10m", "agon.toml", "ruonds", "rounds"] {
        assert!(checked.stdout.contains(said), "{said}: {}", checked.stdout);
    }
    assert!(
        checked
            .stderr
            .contains("AGON_RUONDS is not a setting and is ignored")
    );
    let json = agon.run(&["config", "check", "--json"]).json();
    assert_eq!(json["problems"].as_array().unwrap().len(), 2);
    assert_eq!(json["unknown_variables"][0], "AGON_RUONDS");
    let edited = agon.run(&["config", "edit"]);
    assert_eq!(edited.code, Some(2));
    assert!(edited.stderr.contains("agon config path"), "{edited:?}");
}

#[test]
fn a_profile_and_times_as_people_write_them_hold() {
    let agon = Agon::new();
    agon.configure("[profiles.careful]\nrounds = 3\nmax_time = \"1h30m\"\n");
    let shown = agon.run(&["config", "show", "--sources", "--profile", "careful"]);
    assert!(shown.stdout.contains("max_time = 5400"), "{}", shown.stdout);
    assert!(
        shown.stdout.contains("profile careful in"),
        "{}",
        shown.stdout
    );
    let unknown = agon.run(&["config", "show", "--profile", "careless"]);
    assert_eq!(unknown.code, Some(3));
    assert!(unknown.stderr.contains("use one of careful"), "{unknown:?}");
    let flag = agon.run(&["debate", "a?", "--timeout", "soon"]);
    assert_eq!(flag.code, Some(2));
    assert!(flag.stderr.contains("90s, 10m or 1h30m"), "{flag:?}");
}

#[test]
fn a_broken_file_stops_only_what_needs_it() {
    for (text, line) in [
        ("rounds = 2\nmax_time = [\n", "line 2"),
        ("\nruonds = 3\n", "line 2"),
        ("rounds = 3\nmax_cost = 0\n", "line 2"),
    ] {
        let agon = Agon::new();
        let demo = agon.run(&["demo", "--keep"]);
        assert_eq!(demo.code, Some(0), "{demo:?}");
        agon.configure(text);
        let file = agon.user_file().display().to_string();
        for args in [
            &["list"][..],
            &["show"],
            &["check"],
            &["replay"],
            &["recall", "store"],
            &["report"],
            &["usage"],
            &["tools"],
            &["tools", "doctor"],
        ] {
            let ran = agon.run(args);
            assert_ne!(ran.code, Some(3), "{args:?}: {ran:?}");
            let note = ran.stderr.lines().next().unwrap_or_default();
            assert!(
                note.starts_with("note: ") && note.contains(&file) && note.contains(line),
                "{args:?}: {ran:?}"
            );
        }
        assert_eq!(agon.run(&["show"]).code, Some(0));
        let needs = agon.run(&["debate", "SQLite or plain files?"]);
        assert_eq!(needs.code, Some(3), "{needs:?}");
        assert!(needs.stderr.contains(line), "{needs:?}");
    }
}

#[test]
fn without_the_users_broken_file_the_projects_still_counts() {
    let agon = Agon::new();
    agon.configure("nothing = \n");
    fs::write(agon.project().join("agon.toml"), "rounds = 4\n").unwrap();
    assert_eq!(agon.run(&["list"]).code, Some(0));
    fs::write(agon.project().join("agon.toml"), "ruonds = 4\n").unwrap();
    let ran = agon.run(&["list"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
}
