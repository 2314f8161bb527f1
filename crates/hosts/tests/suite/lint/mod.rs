//! Each malformed file that a host takes in its own way is refused, and whole ones are not.

mod malformed;

use agon_hosts::compile::{Kind, Target, compile};
use agon_hosts::content;
use agon_hosts::host::{HOSTS, SERVER};
use agon_hosts::lint::{Finding, LintFile, lint};

use self::malformed::{CASES, Case};

fn file(path: &str, text: &str) -> LintFile {
    LintFile {
        path: path.to_owned(),
        bytes: text.as_bytes().to_vec(),
    }
}

fn codes(findings: &[Finding]) -> Vec<&str> {
    findings.iter().map(|finding| finding.code).collect()
}

#[test]
fn every_malformed_file_is_refused_for_its_own_fault() {
    let mut wrong = Vec::new();
    for Case {
        path, text, code, ..
    } in CASES
    {
        let lint = lint(&[file(path, text)], None);
        // One fault in a file is one finding, or a reader would look for a second one.
        if lint.checked != 1 || codes(&lint.findings) != [*code] {
            wrong.push(format!("{path} {text:?}: {code}, but {:#?}", lint.findings));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_every_host_takes_is_a_warning_and_all_else_an_error() {
    for Case {
        path, text, host, ..
    } in CASES
    {
        let all_take_it = host.starts_with("all take it");
        for finding in lint(&[file(path, text)], None).findings {
            assert_eq!(finding.is_error(), !all_take_it, "{path} {text:?}: {host}");
        }
    }
}

#[test]
fn files_of_the_same_kinds_without_a_fault_pass() {
    for (path, text) in malformed::WHOLE {
        let lint = lint(&[file(path, text)], None);
        assert_eq!((lint.checked, lint.findings), (1, vec![]), "{path}");
    }
}

#[test]
fn what_the_content_compiles_to_is_accepted_for_every_host() {
    let contents = [content::embedded().unwrap(), content::team().unwrap()];
    let cases = contents
        .iter()
        .flat_map(|content| HOSTS.iter().map(move |host| (content, host)));
    for (content, host) in cases {
        let agents = content.agents.iter().map(|agent| &agent.name);
        let waived: Vec<_> = agents
            .chain(content.roles.iter().map(|role| &role.name))
            .flat_map(|agent| {
                [
                    "read",
                    "edit",
                    "run",
                    "network",
                    "delegate",
                    "agon-tools",
                    "edit-only",
                ]
                .map(|field| format!("{agent}.{field}"))
            })
            .collect();
        let target = Target {
            host,
            server: SERVER,
            waived: &waived,
            is_for_project: false,
        };
        let compiled = compile(content, &target);
        let files: Vec<_> = compiled
            .files
            .iter()
            .map(|compiled| {
                let folder = match compiled.kind {
                    Kind::Skill => "skills",
                    Kind::Command => "commands",
                    Kind::Agent => "agents",
                };
                file(&format!("{folder}/{}", compiled.path), &compiled.text)
            })
            .collect();
        let lint = lint(&files, Some(host));
        assert_eq!(
            (lint.checked, lint.findings),
            (files.len(), vec![]),
            "{}",
            host.name
        );
        assert!(compiled.failed.is_empty(), "{:?}", compiled.failed);
    }
}

#[test]
fn the_content_itself_is_accepted() {
    let files: Vec<_> = content::FILES
        .iter()
        .chain(content::TEAM_FILES)
        .map(|(path, text)| file(path, text))
        .collect();
    let lint = lint(&files, None);
    assert_eq!((lint.checked, lint.findings), (files.len(), vec![]));
}

#[test]
fn a_context_file_that_is_there_is_found() {
    let (path, text) = (
        "x/gemini-extension.json",
        "{\"name\": \"a\", \"version\": \"1.0.0\", \"contextFileName\": \"G.md\"}",
    );
    let missing = lint(&[file(path, text)], None);
    assert_eq!(codes(&missing.findings), ["missing-file"]);
    let there = lint(&[file(path, text), file("x/G.md", "Hello")], None);
    assert_eq!(there.findings, []);
}

#[test]
fn bytes_that_are_no_such_file_are_refused() {
    let texts: [&[u8]; 8] = [
        b"",
        b"---",
        b"---\n",
        b"---\n---\n",
        b"\xef\xbb\xbf---\n",
        b"\xff",
        b"{",
        b"+++\n+++\n",
    ];
    // Nothing at all is a configuration without a setting.
    let paths = CASES.iter().map(|case| case.path);
    for path in paths.filter(|path| *path != ".codex/config.toml") {
        for bytes in texts {
            let file = LintFile {
                path: path.to_owned(),
                bytes: bytes.to_vec(),
            };
            assert!(!lint(&[file], None).findings.is_empty(), "{path} {bytes:?}");
        }
    }
}

const ROLE: &str = "\
+++
name = \"a\"
version = \"1.0.0\"
purpose = \"Tests.\"
call_when = \"something is to be tested\"
needs = [\"what\"]
model = \"fast\"
effort = \"low\"
may = [\"read\", \"run\"]
agon = [\"recall\"]
commands = [\"agon show\"]

[instead]

[budget]
text = 120
task = 1000
+++
## Steps

1. Look.

## Never

- Change it.

## Return

```text
Seen: it
```
";

#[test]
fn each_fault_of_a_role_is_found_in_its_line() {
    let whole = lint(&[file("roles/a.md", ROLE)], None);
    assert_eq!((whole.checked, whole.findings), (1, vec![]));
    for (from, to, code, line) in [
        ("\"fast\"", "\"quick\"", "source", 7),
        ("1. Look.", "- Look.", "source", 21),
        ("text = 120", "text = 20", "budget", 16),
        ("recall", "recal", "unknown-tool", 10),
        ("agon show", "show", "unknown-command", 11),
        ("Tests.", "Tests", "bad-value", 4),
        ("to be tested", "to be tested.", "bad-value", 5),
        ("needs = [", "needs = [\"\", ", "bad-value", 6),
    ] {
        let lint = lint(&[file("roles/a.md", &ROLE.replacen(from, to, 1))], None);
        let places: Vec<_> = lint.findings.iter().map(|it| (it.code, it.line)).collect();
        assert_eq!(places, [(code, line)], "{to}");
    }
    let long = format!("Tests{}.", " and tests".repeat(110));
    let lint = lint(
        &[file("roles/a.md", &ROLE.replacen("Tests.", &long, 1))],
        None,
    );
    assert_eq!(codes(&lint.findings), ["bad-value", "budget"]);
}

#[test]
fn a_folder_of_roles_of_another_program_is_passed_over() {
    let lint = lint(&[file("ansible/roles/web.md", "# Web servers\n")], None);
    assert_eq!((lint.checked, lint.findings), (0, vec![]));
}
