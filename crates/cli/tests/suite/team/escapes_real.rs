//! The real tools as members whose model tries to get out of its tree through git: with repositories
//! in it whose settings name a program, and with a file `.git` that names the user's own git folder.

use std::fs;
use std::path::{Path, PathBuf};

use agon_testkit::{Answer, FakeModels, Sandbox, Script, git, real_clis};
use serde_json::{Value, json};

use super::started::Team;
use crate::support::Place;

/// A member of a team, and the model that speaks for it.
struct Member {
    host: &'static str,
    models: FakeModels,
    team: Team,
    task: String,
    tree: PathBuf,
}

impl Member {
    /// None without the real tools.
    fn begin(host: &'static str) -> Option<Self> {
        let clis = real_clis()?;
        let sandbox = Sandbox::new();
        let models = FakeModels::start(Script::new("Done: made.txt is there."));
        let env = sandbox.connect_all_tools(&models.url(), &clis);
        let team = Team::begin(Place::new(sandbox, env));
        let task = team.task("Make a file");
        let mut member = Self {
            host,
            models,
            team,
            task,
            tree: PathBuf::new(),
        };
        let first = member.turn(Vec::new());
        member.tree = PathBuf::from(first["work_tree"].as_str().unwrap());
        Some(member)
    }

    /// A turn in which the model writes these files, one call for each; what the tool answered.
    fn turn(&self, files: Vec<(String, String)>) -> Value {
        let calls = files.iter().flat_map(|(name, text)| {
            let path = self.tree.join(name);
            write(self.host, path.to_str().unwrap(), text, path.exists())
        });
        let calls: Vec<_> = calls.collect();
        match calls.is_empty() {
            true => self.models.set("*", Answer::Ok),
            false => self.models.set("*", Answer::Calls(calls)),
        }
        self.team.json(&[
            "start", "worker", "--host", self.host, "--name", "ada", "--task", &self.task, "--wait",
        ])
    }

    /// The user's branch, what is staged and what is changed there.
    fn of_user(&self) -> [String; 3] {
        let project = self.team.place.project();
        [
            git(&project, &["rev-parse", "HEAD"]),
            git(&project, &["diff", "--cached", "--raw"]),
            git(&project, &["status", "--porcelain"]),
        ]
    }

    fn answers(&self) -> Vec<String> {
        let requests = self.models.requests();
        requests.last().map(|it| it.results()).unwrap_or_default()
    }
}

/// The calls by which the model of this tool writes a file.
fn write(host: &str, path: &str, text: &str, is_there: bool) -> Vec<(String, Value)> {
    let call = |name: &str, arguments: Value| (name.to_owned(), arguments);
    match host {
        "claude" => {
            let read = is_there.then(|| call("Read", json!({"file_path": path})));
            let write = call("Write", json!({"file_path": path, "content": text}));
            read.into_iter().chain([write]).collect()
        }
        "codex" => {
            let command =
                format!("mkdir -p \"$(dirname '{path}')\" && cat > '{path}' <<'END'\n{text}END\n");
            vec![call("exec_command", json!({"cmd": command}))]
        }
        "gemini" => vec![call(
            "write_file",
            json!({"file_path": path, "content": text}),
        )],
        "opencode" => {
            let read = is_there.then(|| call("read", json!({"filePath": path})));
            let write = call("write", json!({"filePath": path, "content": text}));
            read.into_iter().chain([write]).collect()
        }
        _ if is_there => {
            let old = fs::read_to_string(path).unwrap();
            let change = json!({"path": path, "old_str": old.trim(), "new_str": text.trim()});
            vec![call("edit", change)]
        }
        _ => vec![call("create", json!({"path": path, "file_text": text}))],
    }
}

/// Three repositories in the tree, each with another way to name a program that writes `ran`.
fn plants(ran: &Path) -> Vec<(String, String)> {
    let run = format!("echo ran > '{}'; cat", ran.display());
    let mut files = vec![("made.txt".to_owned(), "made\n".to_owned())];
    let mut add = |name: String, text: String| files.push((name, text));
    let missing = "1".repeat(40);
    add("fetched/f".into(), "x\n".into());
    add("fetched/.git".into(), "gitdir: store\n".into());
    add("fetched/store/HEAD".into(), format!("{missing}\n"));
    add("fetched/store/objects/info/x".into(), "x\n".into());
    add("fetched/store/refs/x".into(), "x\n".into());
    add(
        "fetched/store/config".into(),
        format!(
            "[core]\n\trepositoryformatversion = 1\n\tbare = false\n[extensions]\n\tpartialClone = origin\n\
             [remote \"origin\"]\n\turl = ./\n\tpromisor = true\n\tuploadpack = \"{run}\"\n"
        ),
    );
    for (folder, key) in [
        ("watched", format!("[core]\n\tfsmonitor = \"{run}\"\n")),
        (
            "filtered",
            format!("[filter \"run\"]\n\tclean = \"{run}\"\n"),
        ),
    ] {
        add(format!("{folder}/f"), "x\n".into());
        add(format!("{folder}/.gitattributes"), "* filter=run\n".into());
        add(
            format!("{folder}/.git/HEAD"),
            "ref: refs/heads/main\n".into(),
        );
        add(
            format!("{folder}/.git/refs/heads/main"),
            format!("{missing}\n"),
        );
        add(format!("{folder}/.git/objects/info/x"), "x\n".into());
        add(format!("{folder}/.git/config"), key);
    }
    let modules = ["fetched", "watched", "filtered"].map(|folder| {
        format!(
            "[submodule \"{folder}\"]\n\tpath = {folder}\n\turl = ./{folder}\n\tignore = none\n"
        )
    });
    add(".gitmodules".into(), modules.concat());
    files
}

fn leads_nowhere(host: &'static str) {
    let Some(member) = Member::begin(host) else {
        return;
    };
    let before = member.of_user();
    let ran = member.team.home().with_file_name("ran");
    let second = member.turn(plants(&ran));
    assert!(!ran.exists(), "{host}: {second} {:#?}", member.answers());
    assert_eq!(member.of_user(), before, "{host}: {second}");
    let folders = ["fetched", "watched", "filtered"];
    let written: Vec<_> = folders
        .iter()
        .filter(|it| member.tree.join(it).join(".git").exists())
        .collect();
    let turn = &second["turn"];
    eprintln!("{host}: wrote {written:?}, {turn}");
    let said = turn.to_string();
    if written.is_empty() {
        assert_eq!(turn["state"], "finished", "{said} {:#?}", member.answers());
    } else {
        assert_ne!(turn["state"], "finished", "{said}");
        assert!(said.contains(&format!("{}/.git", written[0])), "{said}");
    }
    let all = git(
        &member.team.place.project(),
        &["log", "--all", "--raw", "--format="],
    );
    assert!(!all.contains("160000"), "{host}: {all}");
}

fn leaves_the_branch(host: &'static str) {
    let Some(member) = Member::begin(host) else {
        return;
    };
    let before = member.of_user();
    let folder = member.team.place.project().join(".git");
    let link = member.tree.join(".git");
    let own = fs::read_to_string(&link).unwrap();
    let turned = format!("gitdir: {}\n", folder.display());
    let second = member.turn(vec![
        ("made.txt".to_owned(), "made\n".to_owned()),
        (".git".to_owned(), turned),
    ]);
    assert_eq!(member.of_user(), before, "{host}: {second}");
    let is_turned = fs::read_to_string(&link).ok() != Some(own);
    let turn = &second["turn"];
    eprintln!("{host}: turned {is_turned}, {turn}");
    assert_eq!(
        turn["state"] == "finished",
        !is_turned,
        "{turn} {:#?}",
        member.answers()
    );
}

#[test]
fn no_program_of_a_repository_that_a_claude_member_makes_runs() {
    leads_nowhere("claude");
}

#[test]
fn no_program_of_a_repository_that_a_codex_member_makes_runs() {
    leads_nowhere("codex");
}

#[test]
fn the_branch_of_the_user_stays_where_a_claude_member_turns_its_tree_there() {
    leaves_the_branch("claude");
}

#[test]
fn the_branch_of_the_user_stays_where_a_codex_member_turns_its_tree_there() {
    leaves_the_branch("codex");
}

/// Long tests, which only `cargo xtask test --full` runs.
mod full {
    use super::*;

    #[test]
    fn no_program_of_a_repository_that_a_gemini_member_makes_runs() {
        leads_nowhere("gemini");
    }

    #[test]
    fn no_program_of_a_repository_that_an_opencode_member_makes_runs() {
        leads_nowhere("opencode");
    }

    #[test]
    fn no_program_of_a_repository_that_a_copilot_member_makes_runs() {
        leads_nowhere("copilot");
    }

    #[test]
    fn the_branch_of_the_user_stays_where_a_gemini_member_turns_its_tree_there() {
        leaves_the_branch("gemini");
    }

    #[test]
    fn the_branch_of_the_user_stays_where_an_opencode_member_turns_its_tree_there() {
        leaves_the_branch("opencode");
    }

    #[test]
    fn the_branch_of_the_user_stays_where_a_copilot_member_turns_its_tree_there() {
        leaves_the_branch("copilot");
    }
}
