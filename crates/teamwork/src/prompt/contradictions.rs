//! Checks that no member gets two contradictory instructions, for every role, host and kind of
//! order.

use std::collections::BTreeSet;

use agon_agents::Profiles;
use agon_hosts::content::Role;
use agon_hosts::content::agent::Power;
use agon_install::team_files::team_content;
use agon_prompt::team::{
    CHECKERS, ChangeBriefing, Order, PlanBriefing, ShownDiff, check_order, critic_order,
    plan_order, remove_repositories_order, repair_order, returned_order, scout_order,
    solve_conflicts_order, verdict_order,
};

use super::tests::{ONSET, caller, task};
use super::*;

/// The action that a sentence orders, forbids or calls impossible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Demand {
    Commits,
    CommitsNothing,
    Runs,
    RunsNothing,
    Edits,
    EditsNothing,
    MakesWorkTree,
    MakesNoWorkTree,
    EndsAsOrder,
    EndsAsRole,
}

use Demand::*;

/// The pairs that contradict each other.
const PAIRS: [(Demand, Demand); 5] = [
    (Commits, CommitsNothing),
    (Runs, RunsNothing),
    (Edits, EditsNothing),
    (MakesWorkTree, MakesNoWorkTree),
    (EndsAsOrder, EndsAsRole),
];

/// The phrases that express each demand, in lower case.
const SIGNS: &[(Demand, &[&str])] = &[
    (CommitsNothing, &["do not commit", "nothing to commit"]),
    (
        Commits,
        &[
            " commit it",
            "git commit",
            ", commit,",
            "and commit.",
            "commit your",
            "commit with",
        ],
    ),
    (
        RunsNothing,
        &["you cannot run programs: ", "you have no shell"],
    ),
    (
        Runs,
        &[
            "run the",
            "run it",
            "run each",
            "run on",
            "run what",
            "run its",
            "run every",
            "start it",
            "you can run programs",
            "git status",
            "`agon ",
        ],
    ),
    (EditsNothing, &["you only read"]),
    (
        Edits,
        &[
            "commits the contents of your folder",
            "fix it so",
            "make the smallest change",
        ],
    ),
    (MakesNoWorkTree, &["agent or a work tree"]),
    (MakesWorkTree, &["git worktree add"]),
    (EndsAsOrder, &["your role's return form does not apply"]),
    (EndsAsRole, &["end with what your role returns"]),
    // An order that wants exactly one object leaves no room for the role's return form.
    (EndsAsOrder, &["exactly one json object", "only one line"]),
];

/// Phrases that make a sentence conditional.
const CONDITIONS: [&str; 5] = [
    "unless you were told",
    "if you can ",
    "if you cannot",
    "if you may",
    "where you may",
];

/// Returns the demands of a text, each with its sentence. Conditional sentences are skipped,
/// because they contradict nothing.
fn find_demands(text: &str) -> Vec<(Demand, String)> {
    let mut all = Vec::new();
    for line in text.lines() {
        for sentence in line.split_inclusive(". ") {
            let said = sentence.to_lowercase();
            if CONDITIONS.iter().any(|condition| said.contains(condition)) {
                continue;
            }
            let kinds = SIGNS.iter().filter(|(_, signs)| {
                let mut signs = signs.iter();
                signs.any(|sign| has_words(&said, sign))
            });
            let kinds: Vec<Demand> = kinds.map(|(kind, _)| *kind).collect();
            // "Do not commit" also contains "commit", so drop a demand that the same sentence
            // denies.
            let is_denied = |kind: &Demand| {
                let denials = PAIRS.iter().filter(|(demand, _)| demand == kind);
                denials
                    .into_iter()
                    .any(|(_, denial)| kinds.contains(denial))
            };
            let told = kinds.iter().filter(|kind| !is_denied(kind));
            all.extend(told.map(|kind| (*kind, sentence.trim().to_owned())));
        }
    }
    all
}

/// Returns whether a sentence contains these words; the last word must be complete.
fn has_words(sentence: &str, words: &str) -> bool {
    let ends_whole = |at: usize| {
        let after = sentence.get(at + words.len()..).unwrap_or_default();
        !words.ends_with(char::is_alphanumeric) || !after.starts_with(char::is_alphanumeric)
    };
    sentence.match_indices(words).any(|(at, _)| ends_whole(at))
}

/// A phrase with which a role or its rules also work without a shell.
const WITHOUT_SHELL: &str = "if you cannot run";
/// The rule that tells a member without a shell to skip what a role or skill says to run.
const SKIPS_RUNS: &str = "If your role or a skill says to run something, skip it";
/// The rule that tells a member that Agon commits what a skill says to commit.
const COMMITS: &str = "Agon does that for you";

/// Returns the contradictory pairs in a prompt.
fn contradictions(prompt: &str) -> Vec<String> {
    let (rules, rest) = prompt.split_once("# Your role").unwrap();
    let (role, rest) = rest.split_once("\n# What is to be done").unwrap();
    let (role, skills) = role.split_once("\n# Skills").unwrap_or((role, ""));
    // Leave out the role's sample reply, which describes another member's work.
    let steps = role.split("## Return").next().unwrap_or_default();
    let mut all = find_demands(rules);
    let has_way = steps.to_lowercase().contains(WITHOUT_SHELL);
    all.extend(
        find_demands(steps)
            .into_iter()
            .filter(|(kind, _)| *kind != Runs || !has_way),
    );
    // Skills are written for every tool, so leave out what the rules replace.
    let of_skills = find_demands(skills)
        .into_iter()
        .filter(|(kind, _)| match kind {
            Runs => !rules.contains(SKIPS_RUNS),
            Commits => !rules.contains(COMMITS),
            MakesWorkTree => !rules.contains(SKIPS_RUNS) && !rules.contains("agent or a work tree"),
            _ => true,
        });
    all.extend(of_skills);
    all.extend(find_demands(&outside_fences(rest)));
    let mut found = Vec::new();
    for (one, other) in PAIRS {
        let of = |kind| all.iter().find(|(told, _)| *told == kind);
        if let (Some((_, one)), Some((_, other))) = (of(one), of(other)) {
            found.push(format!("`{one}` and `{other}`"));
        }
    }
    found
}

/// Returns the lines outside fences: text written by others does not change the rules.
fn outside_fences(text: &str) -> String {
    let mut is_inside = false;
    let mut out = String::new();
    for line in text.lines() {
        match is_inside {
            true => is_inside = !(line.starts_with("data ") && line.ends_with(">>>")),
            false if line.starts_with("<<<data ") => is_inside = true,
            false => out.push_str(&format!("{line}\n")),
        }
    }
    out
}

/// Returns every kind of order, with whether its member works on a task.
fn orders() -> Vec<(&'static str, Option<Order>, bool)> {
    let all = |kind, order| (kind, Some(order), false);
    let of_task = |kind, order| (kind, Some(order), true);
    let diff = ShownDiff::cut("+let a = 1;");
    let change = ChangeBriefing {
        title: "Parse dates",
        spec: "",
        diff: Some(&diff),
        gates: "tests",
    };
    let checks = CHECKERS.iter().flat_map(|checker| {
        let asked = verdict_order("5a", checker, "Parse dates", "minor: a name");
        [
            all("check", check_order("5a", checker, &change)),
            all("verdict", asked),
        ]
    });
    let others = vec![
        ("nothing", None, false),
        ("task", None, true),
        all(
            "plan",
            plan_order(
                "5a",
                &PlanBriefing {
                    goal: "Parse dates",
                    weights: &["standard", "quick"],
                    report: Some("src/date.rs:3 parses them"),
                    objections: Some(("1. Parse", "No test.")),
                    fault: Some("it has 13 tasks"),
                },
            ),
        ),
        all("report", scout_order("5a", "Parse dates")),
        all("objection", critic_order("5a", "1. Parse dates")),
        of_task(
            "repair",
            repair_order("5a", "tests: cargo test", "exit 1", "1 failed"),
        ),
        of_task("returned", returned_order("5a", "a test fails")),
        of_task(
            "repositories",
            remove_repositories_order("5a", "vendor/one"),
        ),
        of_task("conflicts", solve_conflicts_order(2)),
    ];
    others.into_iter().chain(checks).collect()
}

/// Returns the prompt of a member in `role`, for a host's abilities.
fn prompt(role: &Role, host: (&str, bool), order: Option<&Order>, has_task: bool) -> String {
    let dir = tempfile::tempdir().unwrap();
    let task = task("Change src/date.rs; cargo test shows it.");
    let briefing = Briefing {
        member: &"ada".parse().unwrap(),
        role,
        host: host.0,
        may_write: role.may.contains(&Power::Edit),
        runs_programs: host.1,
        task: has_task.then_some(&task),
        order,
        checks: match has_task {
            true => "tests: cargo test",
            false => "",
        },
        handover: None,
        onset: ONSET,
        skills: &role.skills,
        skills_share: 10,
        session: SessionId::new(1),
    };
    write(&caller(dir.path()), &briefing).unwrap().to_string()
}

/// Returns the hosts that members can work in, and whether they let a model run programs.
fn hosts() -> Vec<(String, bool)> {
    let profiles = Profiles::builtin().unwrap();
    let hosts = profiles.iter().filter_map(|profile| {
        let work = profile.work.as_ref()?;
        Some((profile.name.to_string(), work.runs_programs))
    });
    hosts.collect()
}

#[test]
fn no_member_is_told_two_things_that_exclude_each_other() {
    let mut hosts = hosts();
    assert_eq!(hosts.len(), 5, "{hosts:?}");
    if !agon_testkit::is_full() {
        // Keep one that runs programs and one that does not.
        hosts.sort_by_key(|(_, runs)| *runs);
        hosts.dedup_by_key(|(_, runs)| *runs);
        assert_eq!(hosts.len(), 2, "{hosts:?}");
    }
    let mut found = BTreeSet::new();
    for role in &team_content().unwrap().roles {
        let is_writer = role.may.contains(&Power::Edit);
        for (host, runs) in &hosts {
            for (kind, order, has_task) in orders() {
                if has_task && !is_writer && kind != "task" {
                    continue;
                }
                let text = prompt(role, (host, *runs), order.as_ref(), has_task);
                for pair in contradictions(&text) {
                    let runs = if *runs { "with" } else { "without" };
                    found.insert(format!("{} {runs} a shell, {kind}: {pair}", role.name));
                }
            }
        }
    }
    let found: Vec<String> = found.into_iter().collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// Builds a prompt from parts.
fn made_of(rules: &str, role: &str, skills: &str, order: &str) -> String {
    format!(
        "{rules}\n# Your role\n\n{role}\n\n# Skills\n\n{skills}\n# What is to be done\n\n{order}\n"
    )
}

#[test]
fn each_pair_is_found_where_it_stands() {
    let quiet = made_of("- Do not commit.", "1. Read it.", "Read.", "Do it now.");
    assert_eq!(contradictions(&quiet), [""; 0]);
    for (rules, role, skills, order) in [
        (
            "- Do not commit.",
            "1. Build, test, commit, strike it.",
            "",
            "",
        ),
        (
            "- Do not commit.",
            "",
            "4. Commit with the step's number.",
            "",
        ),
        ("- You have no shell.", "2. Run the check.", "", ""),
        ("- You have no shell.", "", "1. `git status` first.", ""),
        ("- You have no shell.", "", "Hold `agon debate` on it.", ""),
        ("- You have no shell. You can run programs.", "", "", ""),
        ("- You only read.", "", "", "Fix it so that it passes."),
        (
            "- Do not start another agent or a work tree.",
            "3. Use `git worktree add`.",
            "",
            "",
        ),
        (
            "",
            "",
            "",
            "End with exactly one JSON object of this form.\n\nEnd with what your role returns.",
        ),
    ] {
        let text = made_of(rules, role, skills, order);
        assert_eq!(contradictions(&text).len(), 1, "{text}");
    }
    // Conditional sentences contradict nothing.
    for (rules, role) in [
        (
            "- Do not commit.",
            "5. Commit, unless you were told that this is done for you.",
        ),
        (
            "- You have no shell.",
            "2. Run the check. If you cannot run a check, name it.",
        ),
    ] {
        assert_eq!(contradictions(&made_of(rules, role, "", "")), [""; 0]);
    }
}
