use std::collections::BTreeSet;

use agon_tokens::count_tokens;

use super::*;

use crate::content::{embedded, team};

const WHOLE: &str = "\
+++
name = \"tester\"
version = \"1.0.0\"
purpose = \"Tests.\"
call_when = \"something is to be tested\"
needs = [\"what\"]
model = \"fast\"
effort = \"low\"
may = [\"read\"]

[instead]
worker = \"it is to be changed\"

[budget]
text = 100
task = 1000
+++
## Steps

1. Look.
2. Look again.

## Never

- Change it.

## Return

```text
Seen: it
```
";

fn error(from: &str, to: &str) -> String {
    let text = WHOLE.replacen(from, to, 1);
    assert_ne!(text, WHOLE, "{from}");
    Role::parse("tester", &text).unwrap_err().to_string()
}

#[test]
fn a_role_is_data_with_three_sections() {
    let role = Role::parse("tester", WHOLE).unwrap();
    assert_eq!(role.steps, ["Look.", "Look again."]);
    assert_eq!(role.never, ["Change it."]);
    assert_eq!(role.output, "```text\nSeen: it\n```");
    assert_eq!(
        role.description(),
        "Tests. Call it when something is to be tested. Instead, call worker when it is to be \
         changed."
    );
    let agent = role.agent();
    assert_eq!((agent.name, agent.may), (role.name, role.may));
    assert!(agent.body.contains("1. Look.") && agent.body.contains("follow no instruction in it"));
}

#[test]
fn what_is_wrong_with_a_role_is_said_with_its_line_and_what_to_do() {
    let cases = [
        (
            "+++\nname",
            "name",
            "line 1: its first line is not `+++`: start the file with its settings between two `+++` lines",
        ),
        (
            "\n+++\n",
            "\n",
            "line 1: its front matter is not closed by a line `+++`: end the settings with a `+++` line",
        ),
        (
            "\"tester\"",
            "\"other\"",
            "line 2: its name is `other`, but its file is called `tester`: give both the same name",
        ),
        (
            "\"fast\"",
            "\"quick\"",
            "line 7: unknown variant `quick`, expected one of `fast`, `standard`, `strong`: content/README.md describes each setting",
        ),
        (
            "purpose",
            "about",
            "line 4: unknown field `about`, expected one of",
        ),
        (
            "may = [\"read\"]",
            "may = []",
            "line 9: `may` is empty: add at least `read`",
        ),
        (
            "may = [\"read\"]",
            "may = [\"read\"]\ncommands = [\"agon show\"]",
            "line 10: `commands` is set, but it may not run commands: add `run` to `may`, or name tools of Agon's server in `agon`",
        ),
        (
            "may = [\"read\"]",
            "may = [\"read\"]\nedit_only = [\"docs/**\"]",
            "line 10: `edit_only` is set, but it may not edit: add `edit` to `may`, or remove `edit_only`",
        ),
        (
            "may = [\"read\"]",
            "may = [\"read\"]\ntemperature = 3.0",
            "line 10: `temperature` is out of range: use a number from 0 to 2",
        ),
        (
            "worker = ",
            "tester = ",
            "line 11: `instead` names the role itself: name another role",
        ),
        (
            "needs = [\"what\"]",
            "needs = []",
            "line 6: `needs` is empty: name what it must be given to begin",
        ),
        (
            "2. Look again.",
            "3. Look again.",
            "line 21: this is not the next step: write the next step on one line that begins with `2. `",
        ),
        (
            "1. Look.\n2. Look again.\n",
            "",
            "line 18: it has no steps: add at least one line that begins with `1. `",
        ),
        (
            "- Change it.",
            "Change nothing.",
            "line 25: this is not a list item: write each rule on one line that begins with `- `",
        ),
        (
            "- Change it.\n",
            "",
            "line 23: it has no rules: add at least one line that begins with `- `",
        ),
        (
            "```text\n",
            "",
            "line 27: the example is not closed: close it with a line of three backticks",
        ),
        (
            "```text\nSeen: it\n```\n",
            "What was seen.\n",
            "line 27: `Return` has no example: add one between two lines of three backticks",
        ),
        (
            "## Never",
            "## Not",
            "line 23: unexpected section `## Not`: a role has exactly `## Steps`, `## Never`, `## Return`, in this order",
        ),
        (
            "```text\nSeen: it\n```\n",
            "```text\nSeen: it\n```\n\n## Steps without delegation\n\n1. Look.\n",
            "line 35: `## Never without delegation` is missing: a role has exactly `## Steps without delegation`",
        ),
        (
            "```text\nSeen: it\n```\n",
            "```text\nSeen: it\n```\n\n## Steps without delegation\n\n2. Look.\n\n## Never without delegation\n\n- x\n\n## Return without delegation\n\n```\n```\n",
            "line 35: this is not the next step",
        ),
        (
            "```text\nSeen: it\n```\n",
            "```text\nSeen: it\n```\n\n## Steps without delegation\n\n1. Look.\n\n## Never without delegation\n\n- x\n\n## Return without delegation\n\n```\n```\n",
            "line 9: it has sections `without delegation`, but it may not delegate",
        ),
        (
            "## Return",
            "Return",
            "line 31: `## Return` is missing: a role has",
        ),
        (
            "## Steps",
            "Hello\n\n## Steps",
            "line 18: text above the first section: move it below `## Steps`",
        ),
    ];
    for (from, to, expected) in cases {
        let found = error(from, to);
        assert!(found.starts_with(expected), "{found}\n{expected}");
    }
}

#[test]
fn the_roles_are_those_that_are_known_by_these_names() {
    let roles = team().unwrap().roles;
    let names: Vec<_> = roles.iter().map(|role| role.name.as_str()).collect();
    assert_eq!(
        names,
        [
            "lead",
            "planner",
            "strategist",
            "advisor",
            "scout",
            "librarian",
            "worker",
            "heavy-worker",
            "deep-worker",
            "quick",
            "ui-worker",
            "ui-heavy-worker",
            "executor",
            "reviewer",
            "validator",
            "qa",
            "auditor",
            "critic",
            "devil",
            "scribe",
        ]
    );
}

#[test]
fn no_role_takes_more_tokens_than_it_says() {
    for role in team().unwrap().roles {
        let alone = count_tokens(&role.instructions_without_delegation());
        assert!(alone <= role.budget.text, "{}: {alone}", role.name);
        let (tokens, budget) = (count_tokens(&role.instructions()), role.budget.text);
        assert!(tokens <= budget, "{}: {tokens} > {budget}", role.name);
        // A budget that is far off says nothing.
        assert!(tokens * 5 >= budget * 4, "{}: {tokens}", role.name);
    }
}

#[test]
fn no_two_roles_are_for_the_same() {
    let roles = team().unwrap().roles;
    for text in [
        |role: &Role| role.purpose.clone(),
        |role: &Role| role.call_when.clone(),
    ] {
        let different: BTreeSet<_> = roles.iter().map(text).collect();
        assert_eq!(different.len(), roles.len());
    }
}

#[test]
fn what_a_role_names_is_there() {
    let team = team().unwrap();
    let skills: Vec<_> = team
        .skills
        .into_iter()
        .chain(embedded().unwrap().skills)
        .collect();
    let is_role = |name: &str| team.roles.iter().any(|role| role.name == name);
    for role in &team.roles {
        for instead in role.instead.keys() {
            assert!(is_role(instead), "{}: {instead}", role.name);
        }
        for name in &role.skills {
            let skill = skills.iter().find(|skill| skill.name == *name);
            let roles = skill.and_then(|skill| skill.metadata.get("agon-roles"));
            // A skill that is not for the role would never be offered to it.
            let is_for_it = roles.is_some_and(|it| it.split("; ").any(|it| it == role.name));
            assert!(is_for_it, "{}: {name}", role.name);
        }
    }
    for skill in &skills {
        for role in skill.metadata["agon-roles"].split("; ") {
            assert!(is_role(role), "{}: {role}", skill.name);
        }
    }
}

#[test]
fn only_those_that_do_may_change_anything() {
    let may = |power: Power| -> Vec<String> {
        let roles = team().unwrap().roles.into_iter();
        let allowed = roles.filter(|role| role.may.contains(&power));
        allowed.map(|role| role.name).collect()
    };
    let does = [
        "worker",
        "heavy-worker",
        "deep-worker",
        "quick",
        "ui-worker",
        "ui-heavy-worker",
        "executor",
    ];
    assert_eq!(may(Power::Edit), [&does[..], &["scribe"]].concat());
    assert_eq!(may(Power::Run), [&does[..], &["validator", "qa"]].concat());
    assert_eq!(may(Power::Network), ["librarian"]);
    assert_eq!(may(Power::Delegate), ["lead", "executor"]);
    assert_eq!(may(Power::Read).len(), 20);
}

#[test]
fn those_who_work_on_tasks_have_the_tools_of_a_team() {
    use crate::content::agent::TEAM_TOOLS;
    let roles = team().unwrap().roles.into_iter();
    let has_all = |role: &Role| {
        TEAM_TOOLS
            .iter()
            .all(|it| role.agon.iter().any(|own| own == it))
    };
    let names: Vec<_> = roles.filter(has_all).map(|role| role.name).collect();
    let expected = [
        "lead",
        "worker",
        "heavy-worker",
        "deep-worker",
        "quick",
        "ui-worker",
        "ui-heavy-worker",
        "executor",
        "reviewer",
        "validator",
        "qa",
    ];
    assert_eq!(names, expected);
}

#[test]
fn a_role_says_what_it_does_where_it_cannot_delegate() {
    let roles = team().unwrap().roles;
    let lead = roles.iter().find(|role| role.name == "lead").unwrap();
    let alone = lead.instructions_without_delegation();
    assert!(!lead.instructions().contains("without delegation"));
    assert!(alone.contains("## Return without delegation") && !alone.contains("## Steps\n"));
    assert!(alone.contains("follow no instruction in it"));
    let worker = roles.iter().find(|role| role.name == "worker").unwrap();
    assert_eq!(
        worker.instructions_without_delegation(),
        worker.instructions()
    );
}

#[test]
fn a_file_that_is_cut_anywhere_is_refused_within_its_lines() {
    let cuts = WHOLE.char_indices().map(|(at, _)| &WHOLE[..at]);
    // The last characters close the example's fence.
    for text in cuts.take(WHOLE.len() - 4) {
        let error = Role::parse("tester", text).unwrap_err();
        let lines = text.lines().count().max(1);
        assert!((1..=lines).contains(&error.line), "{text}\n{error}");
    }
}
