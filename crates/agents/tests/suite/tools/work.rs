//! The real tools as used by team members: they write only in their work tree, whatever their model
//! calls, and they offer only listed tools.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use agon_agents::probe::offered_tool_names;
use agon_agents::profile::{Access, Profile};
use agon_agents::{Environment, Profiles, WorkOrder, WorkOutcome, Worker};
use agon_proc::Unwatched;
use agon_record::spec::Effort;
use agon_testkit::{Answer, FakeModels, Sandbox, Script, real_clis};
use agon_wording::Wording;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::common::left_of;

/// A tool call of a model, with its input.
type ToolCall = (String, Value);

const PROMPT: &str = "You work.\nTurn: r1.pro\n";

/// A work tree, and files next to it that must not be changed.
struct Ground {
    sandbox: Sandbox,
    models: FakeModels,
    tree: PathBuf,
    beside: PathBuf,
}

impl Ground {
    fn new() -> Self {
        let sandbox = Sandbox::new();
        let root = sandbox.home().parent().unwrap().to_owned();
        let (tree, beside) = (root.join("tree"), root.join("beside"));
        for made in [&tree, &beside] {
            fs::create_dir(made).unwrap();
        }
        fs::write(tree.join("inside.txt"), "inside\n").unwrap();
        fs::write(beside.join("other.txt"), "other\n").unwrap();
        std::os::unix::fs::symlink(&beside, tree.join("way-out")).unwrap();
        Self {
            models: FakeModels::start(Script::job_store()),
            sandbox,
            tree,
            beside,
        }
    }

    /// Calls that may write inside, and calls that would write outside.
    fn calls(&self, name: &str) -> (Vec<ToolCall>, Vec<ToolCall>) {
        let text = |path: &Path| path.to_string_lossy().into_owned();
        let inside = text(&self.tree.join("made.txt"));
        let old = text(&self.beside.join("other.txt"));
        let outs = [
            text(&self.beside.join("made.txt")),
            "../beside/made.txt".to_owned(),
            text(&self.tree.join("way-out/made.txt")),
            text(&self.sandbox.home().join("made.txt")),
        ];
        let shell = |to: &str| {
            let command = format!("echo x > '{to}'");
            json!({"command": command, "description": "d"})
        };
        let owned = |list: Vec<(&str, Value)>| -> Vec<(String, Value)> {
            let pairs = list.into_iter();
            pairs.map(|(name, args)| (name.to_owned(), args)).collect()
        };
        let patch = |to: &str| {
            json!(format!(
                "*** Begin Patch\n*** Add File: {to}\n+x\n*** End Patch"
            ))
        };
        let each = |of: &dyn Fn(&str) -> (&'static str, Value)| -> Vec<(&'static str, Value)> {
            outs.iter().map(|to| of(to)).collect()
        };
        let (good, bad) = match name {
            "claude" => {
                let write = |to: &str| ("Write", json!({"file_path": to, "content": "x\n"}));
                let mut bad = each(&write);
                bad.extend([
                    ("Read", json!({"file_path": old})),
                    (
                        "Edit",
                        json!({"file_path": old, "old_string": "other", "new_string": "x"}),
                    ),
                    ("Bash", shell(&outs[0])),
                    (
                        "Task",
                        json!({"description": "d", "prompt": "p", "subagent_type": "general-purpose"}),
                    ),
                ]);
                (vec![write(&inside)], bad)
            }
            "codex" => {
                let mut bad = each(&|to| ("apply_patch", patch(to)));
                bad.extend(each(&|to| {
                    ("exec_command", json!({"cmd": format!("echo x > '{to}'")}))
                }));
                (
                    vec![(
                        "exec_command",
                        json!({"cmd": format!("echo x > '{inside}'")}),
                    )],
                    bad,
                )
            }
            "gemini" => {
                let write = |to: &str| ("write_file", json!({"file_path": to, "content": "x\n"}));
                let mut bad = each(&write);
                bad.extend([
                    (
                        "replace",
                        json!({"file_path": old, "old_string": "other", "new_string": "x"}),
                    ),
                    ("run_shell_command", shell(&outs[0])),
                ]);
                (vec![write(&inside)], bad)
            }
            "opencode" => {
                let write = |to: &str| ("write", json!({"filePath": to, "content": "x\n"}));
                let mut bad = each(&write);
                bad.extend([
                    (
                        "edit",
                        json!({"filePath": old, "oldString": "other", "newString": "x"}),
                    ),
                    ("bash", shell(&outs[0])),
                ]);
                (vec![write(&inside)], bad)
            }
            _ => {
                let write = |to: &str| ("create", json!({"path": to, "file_text": "x\n"}));
                let mut bad = each(&write);
                bad.extend([
                    (
                        "edit",
                        json!({"path": old, "old_str": "other", "new_str": "x"}),
                    ),
                    ("bash", shell(&outs[0])),
                ]);
                (vec![write(&inside)], bad)
            }
        };
        (owned(good), owned(bad))
    }

    /// Allows the user's own sessions to write outside the work tree.
    fn widen(&self, name: &str) {
        let home = self.sandbox.home();
        let beside = self.beside.display();
        if name == "codex" {
            let file = home.join(".codex/config.toml");
            let text = fs::read_to_string(&file).unwrap_or_default();
            let more = format!("\n[sandbox_workspace_write]\nwritable_roots = [\"{beside}\"]\n");
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(&file, text + &more).unwrap();
        }
        if name == "claude" {
            let file = home.join(".claude/settings.json");
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            let rules = json!({"allow": ["Edit(//**)", "Write", "Bash"], "additionalDirectories": [self.beside]});
            fs::write(&file, json!({"permissions": rules}).to_string()).unwrap();
        }
    }

    fn untouched(&self) -> Vec<String> {
        let mut wrong = Vec::new();
        let names = fs::read_dir(&self.beside).unwrap().flatten();
        wrong.extend(
            names
                .map(|it| it.file_name().to_string_lossy().into_owned())
                .filter(|name| name != "other.txt"),
        );
        if fs::read_to_string(self.beside.join("other.txt")).unwrap() != "other\n" {
            wrong.push("a file outside is changed".to_owned());
        }
        if self.sandbox.home().join("made.txt").exists() {
            wrong.push("a file was made in the home".to_owned());
        }
        wrong
    }
}

fn profile(name: &str) -> Profile {
    let profiles = Profiles::builtin().unwrap();
    let found = profiles.iter().find(|it| it.name.as_str() == name);
    found.unwrap().clone()
}

async fn work(ground: &Ground, name: &str, access: Access, clis: &Path) -> WorkOutcome {
    let here = Environment::new(ground.sandbox.connect_all_tools(&ground.models.url(), clis));
    // Permissions of the user's own sessions do not apply to a member.
    ground.widen(name);
    let program = clis.join("node_modules/.bin").join(name);
    let worker = Worker::new(&profile(name), program, here).unwrap();
    let order = WorkOrder {
        prompt: &Wording::from_literal(PROMPT),
        tree: &ground.tree,
        access,
        model: None,
        effort: Effort::Low,
        timeout: Duration::from_secs(240),
        agon: Path::new("/nonexistent/agon"),
        policy: None,
        vars: &BTreeMap::new(),
    };
    worker
        .run(&order, &Unwatched, &|_| {}, &CancellationToken::new())
        .await
        .unwrap()
}

async fn holds(name: &'static str) {
    let Some(clis) = real_clis() else {
        return;
    };
    let ground = Ground::new();
    if profile(name).work.unwrap().follows_links {
        fs::remove_file(ground.tree.join("way-out")).unwrap();
        fs::create_dir(ground.tree.join("way-out")).unwrap();
    }
    let (good, bad) = ground.calls(name);
    let count = good.len() + bad.len();
    ground
        .models
        .set("*", Answer::Calls([good.clone(), bad].concat()));
    let outcome = work(&ground, name, Access::Writes, &clis).await;
    let requests = ground.models.requests();
    let results = requests.last().unwrap().results();
    assert_eq!(ground.untouched(), Vec::<String>::new(), "{results:#?}");
    let made = fs::read_to_string(ground.tree.join("made.txt"));
    assert_eq!(made.ok().as_deref(), Some("x\n"), "{results:#?}");
    assert_eq!(results.len(), count, "{outcome:?}");
    assert!(outcome.reply.is_ok(), "{outcome:?}");
    let offered = offered_tool_names(&requests[0].body);
    let listed: BTreeSet<String> = profile(name).work.unwrap().offer;
    let unlisted: Vec<&String> = offered
        .iter()
        .filter(|it| !listed.contains(*it) && !it.contains("team"))
        .collect();
    assert_eq!(unlisted, Vec::<&String>::new(), "{name}");
    assert_eq!(left_of(&ground.sandbox), Vec::<String>::new());

    let ground = Ground::new();
    ground.models.set("*", Answer::Calls(good));
    work(&ground, name, Access::Reads, &clis).await;
    assert!(!ground.tree.join("made.txt").exists(), "{name} only reads");
}

#[tokio::test]
async fn claude_works_in_its_tree_and_writes_nowhere_else() {
    holds("claude").await;
}

#[tokio::test]
async fn codex_works_in_its_tree_and_writes_nowhere_else() {
    holds("codex").await;
}

/// Long tests, which only `cargo xtask test --full` runs.
mod full {
    use super::*;

    #[tokio::test]
    async fn gemini_works_in_its_tree_and_writes_nowhere_else() {
        holds("gemini").await;
    }

    #[tokio::test]
    async fn opencode_works_in_its_tree_and_writes_nowhere_else() {
        holds("opencode").await;
    }

    #[tokio::test]
    async fn copilot_works_in_its_tree_and_writes_nowhere_else() {
        holds("copilot").await;
    }
}
