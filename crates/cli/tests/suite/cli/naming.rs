//! What a debate is called, and what is said where it is called otherwise than wanted.

use agon_testkit::{FakeTools, Script};

use crate::cli::folder::{debate, spec};
use crate::cli::harness::Agon;

#[test]
fn a_motion_is_taken_as_text() {
    let agon = Agon::new();
    let ran = agon.run(&["new", "This house would ban cars"]);
    assert_eq!(
        (ran.code, ran.stdout.as_str()),
        (Some(0), "debates/ban-cars\n")
    );
    let ran = agon.run(&["new", "This", "house", "would", "ban", "vans"]);
    assert_eq!(
        (ran.code, ran.stdout.as_str()),
        (Some(0), "debates/ban-vans\n")
    );
    // A word by itself is a name still.
    let ran = agon.run(&["new", "halt-ai", "--motion", "Resolved: AI halts"]);
    assert_eq!(
        (ran.code, ran.stdout.as_str()),
        (Some(0), "debates/halt-ai\n")
    );
    let ran = agon.run(&["new", "Buses", "--slug", "buses"]);
    assert_eq!(
        (ran.code, ran.stdout.as_str()),
        (Some(0), "debates/buses\n")
    );
    let ran = agon.run(&["new", "halt-ai-2"]);
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.stderr.contains("agon new \"This house would …\""),
        "{}",
        ran.stderr
    );
    let ran = agon.run(&["new", "a name", "--slug", "b", "--motion", "c"]);
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
}

#[test]
fn a_name_in_another_script_is_one_in_latin_letters_and_what_a_name_became_is_said() {
    let agon = Agon::new();
    let ran = agon.run(&["new", "Ünïcödé — 日本語 ist schöner"]);
    assert_eq!(
        (ran.code, ran.stdout.as_str()),
        (Some(0), "debates/unicode-ri-ben-yu-ist-schoner\n")
    );
    let ran = agon.run(&["new", "x y", "--slug", "Bad Slug!"]);
    assert_eq!(
        (ran.code, ran.stdout.as_str()),
        (Some(0), "debates/bad-slug\n")
    );
    assert!(
        ran.stderr
            .contains("the debate is named bad-slug, not `Bad Slug!`"),
        "{}",
        ran.stderr
    );
    let ran = agon.run(&["new", "x z", "--slug", "plain"]);
    assert!(!ran.stderr.contains("is named"), "{}", ran.stderr);
}

#[test]
fn a_plan_shows_the_name_that_the_debate_would_have() {
    let agon = Agon::with(FakeTools::new());
    let seats = [
        "--proposer",
        "claude",
        "--challenger",
        "codex",
        "--judge",
        "gemini",
    ];
    let plan = |args: &[&str]| {
        let ran = agon.run(
            &[
                &["debate", "Où sont les tâches ?", "--dry-run"],
                args,
                &seats,
            ]
            .concat(),
        );
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        [ran.stdout, ran.stderr]
    };
    assert!(plan(&[])[0].contains("debates/ou-sont-les-taches"));
    let [stdout, stderr] = plan(&["--slug", "../evil"]);
    assert!(stdout.contains("debates/evil"), "{stdout}");
    assert!(stderr.contains("named evil, not `../evil`"), "{stderr}");
    debate(
        &agon.project().join("debates"),
        spec("evil"),
        &Script::job_store(),
        1,
    );
    assert!(plan(&["--slug", "evil"])[1].contains("named evil-2, not `evil`"));
}

#[test]
fn nothing_is_waited_for_or_stopped_that_does_not_run() {
    let agon = Agon::new();
    let debates = agon.project().join("debates");
    debate(&debates, spec("done"), &Script::job_store(), usize::MAX);
    debate(
        &debates,
        crate::cli::folder::other("stopped", 7),
        &Script::job_store(),
        2,
    );
    for command in ["wait", "stop"] {
        let ran = agon.run(&[command]);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{command}");
        assert!(
            ran.stderr.contains("no running debate"),
            "{command}: {}",
            ran.stderr
        );
    }
}

#[test]
fn a_mistyped_flag_is_told_with_one_that_is_like_it_and_no_other_advice() {
    let agon = Agon::new();
    let near = agon.run(&["report", "--formt", "md"]);
    assert_eq!(near.code, Some(2));
    assert!(near.stderr.contains("'--format'"), "{near:#?}");
    let far = agon.run(&["report", "--html"]);
    assert_eq!(far.code, Some(2));
    assert!(
        far.stderr.contains("unexpected argument '--html'"),
        "{far:#?}"
    );
    assert!(!far.stderr.contains("as a value"), "{far:#?}");
}
