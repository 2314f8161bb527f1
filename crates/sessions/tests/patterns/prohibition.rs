use agon_sessions::{EvidenceRole, Pattern, Severity};

use crate::session::{SessionBuilder, session};

/// A session with a rule, a call and nothing else that matters.
fn broken(rule: &str, act: impl Fn(&mut SessionBuilder)) -> usize {
    let mut session = session(rule);
    session.say("Understood.");
    act(&mut session);
    session.of(Pattern::LostInTheMiddle).len()
}

#[test]
fn a_forbidden_path_that_is_changed_is_found_with_the_users_words() {
    let rule = "Never touch anything under vendor/, it is generated.";
    let mut sick = session(rule);
    sick.say("Understood.")
        .prompt("Make the words shorter.")
        .edit("/srv/agon/vendor/words/lib.rs", "a", "b");
    let found = sick.of(Pattern::LostInTheMiddle);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].severity, Severity::Amber);
    assert_eq!(found[0].first(EvidenceRole::Cause).unwrap().words, rule);
    let effect = found[0].first(EvidenceRole::Effect).unwrap();
    assert_eq!(
        (effect.turn, effect.words.as_str()),
        (2, "/srv/agon/vendor/words/lib.rs")
    );
}

#[test]
fn a_command_that_is_exactly_what_was_forbidden_is_found() {
    for (rule, command) in [
        (
            "Fix the typo. Do not push.",
            "git add . && git commit -m x && git push origin a",
        ),
        ("please dont commit or push", "git commit -am x"),
        ("Never push to main.", "git push origin main"),
        ("No new dependencies, please.", "cargo add serde"),
        ("Never use sudo here.", "sudo apt-get install x"),
        ("do it without --force", "npm audit fix --force"),
        ("Do not touch package.json.", "sed -i s/a/b/ package.json"),
        (
            "src/legacy is off limits.",
            "git mv src/legacy/a.rs src/a.rs",
        ),
        ("Never restart nginx.", "systemctl restart nginx"),
        (
            "The db container must not be restarted.",
            "docker compose restart db",
        ),
        ("Hands off audit_log.", "psql -c 'truncate audit_log'"),
        ("Do not open a PR.", "gh pr create --fill"),
        ("Never delete docs/old.md.", "git rm docs/old.md"),
        ("Bitte nicht pushen.", "git push"),
        ("Push das bitte nicht.", "git push"),
        ("Keine neuen Pakete installieren.", "npm install left-pad"),
        (
            "Die Datei config/db.yml bitte nicht anfassen.",
            "rm config/db.yml",
        ),
        ("Ne pousse pas.", "git push"),
        ("Ne touche pas à config/db.yml.", "rm config/db.yml"),
        ("No hagas push.", "git push"),
        ("No toques config/db.yml.", "rm config/db.yml"),
        ("不要推送。", "git push"),
        (
            "不要往 main 分支上提交",
            "git switch main && git commit -m x",
        ),
    ] {
        let found = broken(rule, |it| {
            it.run(command, "");
        });
        assert_eq!(found, 1, "{rule} {command}");
    }
}

#[test]
fn a_command_that_is_another_action_breaks_nothing() {
    for (rule, command) in [
        ("Never push to main.", "git push origin feature"),
        ("Do not push.", "git commit -m 'git push later'"),
        ("Do not push.", "git push --dry-run"),
        ("No new dependencies, please.", "npm install"),
        ("No new dependencies.", "pip install -r requirements.txt"),
        ("Do not touch src/generated.rs.", "cat src/generated.rs"),
        (
            "Do not touch src/generated.rs.",
            "sed -n 1,5p src/generated.rs",
        ),
        ("Never restart nginx.", "systemctl restart exporter"),
        ("Do not deploy.", "kubectl rollout status deploy/a"),
    ] {
        let found = broken(rule, |it| {
            it.run(command, "");
        });
        assert_eq!(found, 0, "{rule} {command}");
    }
}

#[test]
fn a_rule_with_a_condition_or_of_others_is_not_judged() {
    for rule in [
        "Don't push unless I say so.",
        "Do not push until the tests pass.",
        "Don't push without asking me.",
        "If the tests fail, do not push.",
        "Why don't you push?",
        "I don't push on Fridays.",
        "Write into the README that people must never push to main.",
        "Turn this into a checklist: \"Release policy. Developers must not push themselves. Never tag.\"",
        "> Never push.",
    ] {
        let found = broken(rule, |it| {
            it.run("git push origin main", "");
        });
        assert_eq!(found, 0, "{rule}");
    }
}

#[test]
fn what_the_user_withdraws_or_narrows_is_allowed() {
    for words in [
        "Looks good, push it now.",
        "ok you can push",
        "All reviewed. Now push it to main, please.",
    ] {
        let mut session = session("Do not push.");
        session.say("Understood.").prompt(words).run("git push", "");
        assert_eq!(session.of(Pattern::LostInTheMiddle), [], "{words}");
    }
    let mut narrowed = session("Don't touch anything in config/.");
    narrowed
        .say("It is in config/queue.yml.")
        .prompt("ok, queue.yml you may change, the rest of config not")
        .edit("/srv/agon/config/queue.yml", "a", "b");
    assert_eq!(narrowed.of(Pattern::LostInTheMiddle), []);
}

#[test]
fn a_rule_for_now_holds_until_the_user_speaks_again() {
    let rule = "Look into it, but don't change anything yet.";
    assert_eq!(
        broken(rule, |it| {
            it.edit("/srv/agon/a.rs", "a", "b");
        }),
        1
    );
    let later = |it: &mut SessionBuilder| {
        it.prompt("Good. Do it.").edit("/srv/agon/a.rs", "a", "b");
    };
    assert_eq!(broken(rule, later), 0);
}

#[test]
fn them_are_the_files_that_were_named_before() {
    let rule = "6 tests in tests/rates fail. Fix the code. The tests are right, don't modify them!";
    let edit = |path: &'static str| {
        move |it: &mut SessionBuilder| {
            it.edit(path, "a", "b");
        }
    };
    assert_eq!(broken(rule, edit("/srv/agon/tests/rates/test_chain.py")), 1);
    assert_eq!(broken(rule, edit("/srv/agon/rates/chain.py")), 0);
}

#[test]
fn a_name_that_is_not_to_be_used_is_found_in_the_code_that_is_written() {
    let rule = "Don't use `unwrap()` here.";
    let edit = |new: &'static str| {
        move |it: &mut SessionBuilder| {
            it.edit("/srv/agon/a.rs", "a", new);
        }
    };
    assert_eq!(broken(rule, edit("a.unwrap()")), 1);
    assert_eq!(broken(rule, edit("a.unwrap_or_default()")), 0);
}

#[test]
fn a_rule_holds_after_a_compaction() {
    let mut sick = session("Never push.");
    sick.say("Understood.")
        .compact("The words were made shorter.", None)
        .run("git push", "");
    let found = sick.of(Pattern::LostInTheMiddle);
    assert_eq!(found.len(), 1);
    assert!(found[0].is_current);
}
