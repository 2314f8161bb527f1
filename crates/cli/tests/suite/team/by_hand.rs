//! A team whose members join by themselves, from its beginning to its end, with what goes wrong on the
//! way.

use std::fs;

use agon_testkit::{add, git};

use super::{Repository, commit};

impl Repository {
    /// What a command prints for a person.
    fn said(&self, name: &str, args: &[&str]) -> String {
        let ran = self.run(name, args);
        format!("{}{}", ran.stdout, ran.stderr)
    }

    /// That a command prints these words, in this order.
    fn says(&self, name: &str, args: &[&str], words: &[&str]) {
        let said = self.said(name, args);
        let mut rest = said.as_str();
        for word in words {
            let found = rest.find(word);
            let at = found.unwrap_or_else(|| panic!("{args:?} does not say {word:?}: {said}"));
            rest = &rest[at + word.len()..];
        }
    }
}

/// A team of lea, ada and bob, whose gate wants a greeting.
fn team() -> Repository {
    let team = Repository::with_trees();
    let words = ["next: agon team join NAME --role lead"];
    team.says("lea", &["init"], &words);
    let joining = ["join", "lea", "--role", "leed", "--host", "human"];
    let words = ["lea joined as leed", "warning: unknown role `leed`", "lead"];
    team.says("lea", &joining, &words);
    team.says("lea", &["leave"], &["lea left"]);
    for (name, role) in [("lea", "lead"), ("ada", "worker"), ("bob", "worker")] {
        let joining = ["join", name, "--role", role, "--host", "claude"];
        let said = team.said(name, &joining);
        assert!(!said.contains("warning"), "{said}");
    }
    team.json(
        "lea",
        &[
            "gate", "add", "tests", "--", "grep", "-q", "Hello", "greet.sh",
        ],
    );
    team
}

#[test]
fn a_lead_by_hand_is_told_what_is_next_and_what_is_missing() {
    let team = team();
    let adding = ["task", "add", "Greet", "--gate", "tests", "--review"];
    team.json("lea", &adding);
    team.json("lea", &["task", "add", "Count"]);
    let adding = ["task", "add", "Document", "--needs", "t1,t2"];
    let words = ["t3 Document: blocked by t1, t2", "once t1, t2 are done"];
    team.says("lea", &adding, &words);

    team.json("lea", &["task", "claim", "t1"]);
    let words = ["reserved for ada, once lea releases it", "--note WHY"];
    team.says("lea", &["task", "assign", "t1", "ada"], &words);
    let releasing = ["task", "release", "--note", "not mine"];
    team.says("lea", &releasing, &["ready", "ada claims it"]);

    team.json("ada", &["task", "claim"]);
    commit(&team.tree("ada"), "echo Bye\n");
    let words = [
        "agon team gate run tests --task t1",
        "agon team review t1 --epoch 3 --approve",
    ];
    team.says("ada", &["task", "submit"], &words);
    let words = ["tests failed for t1"];
    team.says("ada", &["gate", "run", "tests", "--task", "t1"], &words);

    // The lead's folder passes, and is not what was submitted.
    let tree = team.tree("ada").canonicalize().unwrap();
    let words = [
        "This folder does not contain the submission of t1 (commit ",
        "by ada). To check t1, run the gate in",
        tree.to_str().unwrap(),
        "tests passed in this folder: exit 0",
    ];
    team.says("lea", &["gate", "run", "tests", "--task", "t1"], &words);
    let words = ["failed: exit 1; in this folder passed"];
    team.says("lea", &["gate", "show", "--task", "t1"], &words);
    let words = ["fix what tests found", "agon team review t1 --epoch 3"];
    team.says("lea", &["task", "done", "t1"], &words);
    team.says("lea", &["task", "show", "t1"], &["to see it: git diff "]);

    commit(&team.tree("ada"), "echo Hello, $1\n");
    let words = [
        "This folder has changed since t1 was submitted (commit ",
        "then run agon team task submit t1",
        "tests passed in this folder",
    ];
    team.says("ada", &["gate", "run", "tests", "--task", "t1"], &words);
    team.json("ada", &["task", "submit"]);
    team.says("lea", &["gate", "show", "--task", "t1"], &["passed"]);
    // She held the task and did nothing: she may review it.
    let reviewing = [
        "review",
        "t1",
        "--epoch",
        "4",
        "--approve",
        "--note",
        "ran it",
    ];
    team.says(
        "ada",
        &reviewing,
        &["may not review", "bob or lea may review it"],
    );
    team.says(
        "lea",
        &reviewing,
        &["t1 is approved", "agon team task done t1"],
    );
    team.says(
        "lea",
        &["task", "done", "t1"],
        &["merge it yourself: git merge "],
    );

    team.says("lea", &["status"], &["Greet; not merged"]);
    git(&team.tree("lea"), &["merge", "-q", "ada"]);
    let said = team.said("lea", &["status"]);
    assert!(!said.contains("not merged"), "{said}");
    team.says(
        "lea",
        &["gate", "run", "tests"],
        &["tests passed in this folder (not recorded: no task named)"],
    );
}

#[test]
fn a_task_that_fails_for_good_says_so_and_a_team_ends_without_remains() {
    let team = team();
    team.json("lea", &["task", "add", "Greet", "--review"]);
    for attempt in 1..=3 {
        team.json("ada", &["task", "claim"]);
        add(&team.tree("ada"), "notes.txt", &format!("{attempt}\n"));
        git(&team.tree("ada"), &["add", "."]);
        git(&team.tree("ada"), &["commit", "-q", "-m", "try"]);
        let submitted = team.json("ada", &["task", "submit"]);
        let epoch = submitted["task"]["epoch"].to_string();
        let back = [
            "review",
            "t1",
            "--send-back",
            "--note",
            "no",
            "--epoch",
            &epoch,
        ];
        let words = match attempt {
            3 => "t1 failed: that was attempt 3 of 3",
            _ => "t1 was sent back",
        };
        team.says("bob", &back, &[words]);
    }
    team.says(
        "lea",
        &["mail", "fetch"],
        &["t1 failed: that was attempt 3 of 3"],
    );
    let opening = ["task", "reopen", "t1", "--note", "try it all again"];
    team.says("lea", &opening, &["a member claims it"]);
    team.json("ada", &["task", "claim"]);
    // The same change once more is a change.
    team.says("ada", &["task", "submit"], &["review"]);

    let project = team.place.project();
    let tree = team.tree("bob");
    git(
        &project,
        &["worktree", "remove", "--force", tree.to_str().unwrap()],
    );
    assert!(!fs::exists(&tree).unwrap());
    let words = ["the work tree of bob is gone", "agon team leave bob"];
    team.says("lea", &["doctor"], &words);
    team.says("lea", &["leave", "bob"], &["bob left"]);
    team.says("lea", &["doctor"], &["no problems found"]);
}
