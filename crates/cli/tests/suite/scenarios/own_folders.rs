//! What Agon writes into a project changes nothing of what the next debate is given, and nothing of it
//! appears in the repository without a word.

use std::fs;
use std::path::Path;

use agon_testkit::{add, git};
use serde_json::Value;

use crate::scenarios::place::{Fakes, debate};
use crate::support::Ran;

/// A place with a commit and a change that is not committed, inside a host.
fn place(sign: &str) -> Fakes {
    let mut fakes = Fakes::new();
    let project = fakes.place.project();
    add(&project, "src/claim.rs", "fn claim() {}\n");
    git(&project, &["add", "."]);
    git(&project, &["commit", "-q", "-m", "begin"]);
    add(&project, "src/claim.rs", "fn claim() { todo!() }\n");
    fakes.place.env.insert(sign.to_owned(), "1".to_owned());
    fakes
}

fn start(fakes: &Fakes, context: &str) -> Ran {
    let ran = fakes
        .place
        .run(&debate(&["--quick", "--detach", "--context", context]));
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    let waited = fakes.place.run(&["wait", "s", "--json"]);
    assert_eq!(waited.json()["state"], "done", "{waited:#?}");
    ran
}

fn untracked(project: &Path) -> Vec<String> {
    let status = git(project, &["status", "--porcelain", "--untracked-files=all"]);
    let new = status.lines().filter_map(|line| line.strip_prefix("?? "));
    new.map(|path| path.split('/').next().unwrap_or_default().to_owned())
        .collect()
}

#[test]
fn the_same_start_is_the_same_debate_inside_each_host_whatever_agon_wrote_meanwhile() {
    for (sign, state) in [
        ("CLAUDECODE", ".claude"),
        ("OPENCODE", ".opencode"),
        ("CODEX_THREAD_ID", ".codex"),
        ("GEMINI_CLI", ""),
    ] {
        // Each way to give the project once; the folders are the same for all.
        let contexts: &[&str] = match sign {
            "CLAUDECODE" => &["repo", "diff", "dir=."],
            _ => &["repo"],
        };
        for context in contexts {
            let fakes = place(sign);
            let project = fakes.place.project();
            let first: Value = start(&fakes, context).json();
            let calls = fakes.asks().len();
            if !state.is_empty() {
                let file = project.join(state).join("debate/last-debate.json");
                assert!(file.exists(), "{sign} {context}");
            }
            let second = start(&fakes, context).json();
            assert_eq!(second["id"], first["id"], "{sign} {context}: {second}");
            assert_eq!(fakes.asks().len(), calls, "{sign} {context}");
            let debates = fs::read_dir(project.join("debates")).unwrap().flatten();
            let debates = debates.filter(|it| !it.file_name().to_string_lossy().starts_with('.'));
            assert_eq!(debates.count(), 1, "{sign} {context}");
            let mut new = untracked(&project);
            new.dedup();
            assert_eq!(new, ["debates"], "{sign} {context}");
        }
    }
}

#[test]
fn the_first_folder_of_debates_and_the_line_that_hides_the_hosts_state_are_said_once() {
    let fakes = place("CLAUDECODE");
    let debates = "note: debates are kept in debates/, a new folder of this repository";
    let state = "so that git ignores .claude/debate/";
    let ran = fakes.debate(&["--quick"]);
    assert!(ran.stderr.contains(debates), "{}", ran.stderr);
    assert!(ran.stderr.contains(state), "{}", ran.stderr);
    let again = fakes
        .place
        .run(&["debate", "Another?", "--quick", "--json"]);
    assert!(
        !again.stderr.contains("note: debates are"),
        "{}",
        again.stderr
    );
    assert!(!again.stderr.contains(state), "{}", again.stderr);
}
