use agon_sessions::{
    Cure, Findings, FindingsOptions, NextStep, Pattern, Preparation, Severity, TokenLimits,
};

use crate::session::{TESTS_FAIL, session};

#[test]
fn what_a_compaction_took_away_is_not_current() {
    let mut session = session("Make the redaction faster.");
    session
        .run_fails("cargo test", TESTS_FAIL)
        .say("All tests pass.")
        .compact("The redaction was made faster.", None)
        .say("I go on.");
    let findings = session.findings();
    assert_eq!(findings.findings.len(), 1);
    assert!(!findings.findings[0].is_current);
    assert_eq!(findings.severity(), None);
}

#[test]
fn what_a_compaction_kept_is_current() {
    let mut session = session("Make the redaction faster.");
    session
        .run_fails("cargo test", TESTS_FAIL)
        .say("All tests pass.");
    session.compact("The redaction was made faster.", Some(vec![1, 2, 3]));
    let findings = session.findings();
    assert_eq!(findings.findings.len(), 1);
    assert!(findings.findings[0].is_current);
}

#[test]
fn what_a_sub_agent_did_is_not_the_main_agents() {
    let mut session = session("Make the redaction faster.");
    session
        .run_fails("cargo test", TESTS_FAIL)
        .say("All tests pass.");
    assert_eq!(session.patterns(), [Pattern::Poisoning]);
    for entry in &mut session.entries[1..] {
        entry.agent = Some("a".to_owned());
    }
    assert_eq!(session.patterns(), []);
}

#[test]
fn tokens_are_held_against_the_limits_that_are_given() {
    let mut session = session("Make the redaction faster.");
    let limits = TokenLimits {
        onset: 1_000,
        severe: 2_000,
        is_measured: true,
    };
    let severity = |fill: u64, session: &mut crate::session::SessionBuilder| {
        session.usage(fill);
        let options = FindingsOptions {
            limits: Some(limits),
            project: None,
            is_debate: false,
        };
        Findings::of(&session.entries, &options).severity()
    };
    assert_eq!(severity(999, &mut session), None);
    assert_eq!(severity(1_000, &mut session), Some(Severity::Amber));
    assert_eq!(severity(2_000, &mut session), Some(Severity::Red));
    assert_eq!(session.patterns(), []);
    session.compact("Made faster.", None);
    let options = FindingsOptions {
        limits: Some(limits),
        project: None,
        is_debate: false,
    };
    assert_eq!(Findings::of(&session.entries, &options).severity(), None);
}

#[test]
fn a_poisoned_session_is_left_and_one_that_lost_a_rule_writes_it_down_first() {
    let options = Default::default();
    let mut poisoned = session("Make the redaction faster. Never push to main.");
    poisoned
        .run_fails("cargo test", TESTS_FAIL)
        .say("All tests pass.");
    let step = Preparation::of(&poisoned.entries, &poisoned.findings(), &options).unwrap();
    let NextStep::Isolate(handover) = step.step else {
        panic!("{step:?}");
    };
    assert_eq!(handover.constraints[0].words, "Never push to main.");

    let mut lost = session("Explain how redaction works. Keep it short. Never push to main.");
    lost.say("Understood.").run("git push origin main", "");
    let findings = lost.findings();
    assert_eq!(findings.findings[0].cure, Cure::Write);
    let step = Preparation::of(&lost.entries, &findings, &options).unwrap();
    let NextStep::Write { lines } = step.step else {
        panic!("{step:?}");
    };
    let words: Vec<&str> = lines.iter().map(|it| it.words.as_str()).collect();
    assert_eq!(words, ["Never push to main.", "Keep it short."]);

    let well = session("Make the redaction faster.");
    assert_eq!(
        Preparation::of(&well.entries, &well.findings(), &options),
        None
    );
}

#[test]
fn what_may_be_compressed_leaves_out_the_turns_under_way_and_names_what_must_stay() {
    let mut session = session("Make the redaction faster. Never push to main.");
    session.say("We will use a table.");
    for _ in 0..4 {
        session.prompt("Go on.").say("Done so far.");
    }
    session.usage(1_500);
    let options = FindingsOptions {
        limits: Some(TokenLimits {
            onset: 1_000,
            severe: 2_000,
            is_measured: false,
        }),
        project: None,
        is_debate: false,
    };
    let findings = Findings::of(&session.entries, &options);
    let step = Preparation::of(&session.entries, &findings, &Default::default()).unwrap();
    let NextStep::Compress(it) = step.step else {
        panic!("{step:?}");
    };
    assert_eq!(
        it.spans
            .iter()
            .map(|it| (it.first, it.last))
            .collect::<Vec<_>>(),
        [(1, 3)]
    );
    let words: Vec<&str> = it.verbatim.iter().map(|it| it.words.as_str()).collect();
    assert_eq!(words, ["Never push to main.", "We will use a table."]);
}

#[test]
fn no_secret_of_the_session_is_in_a_finding() {
    let secret = format!("ghp_{}", "A1b2C3d4E5".repeat(4).get(..36).unwrap());
    let mut session = session("Make the redaction faster.");
    session
        .run_fails(&format!("GITHUB_TOKEN={secret} cargo test"), TESTS_FAIL)
        .say(&format!("All tests pass, the token is {secret}."))
        .prompt(&format!(
            "Never print {secret}. We decided to use {secret}."
        ));
    let findings = session.findings();
    assert_eq!(findings.findings.len(), 1);
    let step = Preparation::of(&session.entries, &findings, &Default::default()).unwrap();
    let all = serde_json::to_string(&(&findings, &step)).unwrap();
    assert!(!all.contains(&secret[4..20]), "{all}");
    assert!(all.contains("[redacted"));
    let page = agon_sessions::Handover::of(&session.entries, &Default::default()).render();
    assert!(!page.contains(&secret[4..20]), "{page}");
}
