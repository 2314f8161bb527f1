//! Sessions in every place and form in which tools leave them.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use agon_sessions::{SessionHost, SessionPlaces, SessionRef, find_sessions};
use serde_json::{Value, json};

/// A home and a project beside it.
struct Desk {
    folder: tempfile::TempDir,
    variables: Vec<(&'static str, String)>,
}

impl Desk {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        for name in ["home", "project"] {
            fs::create_dir(folder.path().join(name)).unwrap();
        }
        Self {
            folder,
            variables: Vec::new(),
        }
    }

    fn path(&self, below: &str) -> PathBuf {
        fs::canonicalize(self.folder.path()).unwrap().join(below)
    }

    fn write(&self, below: &str, lines: &[Value]) {
        let path = self.path(below);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let lines: Vec<String> = lines.iter().map(|it| format!("{it}\n")).collect();
        fs::write(path, lines.concat()).unwrap();
    }

    /// The sessions in a project, as a command in it finds them.
    fn find_in(&self, host: SessionHost, project: &Path) -> Vec<SessionRef> {
        let home = self.path("home");
        let variable = |name: &str| {
            let set = self.variables.iter().find(|it| it.0 == name);
            set.map(|it| it.1.clone())
        };
        let places = SessionPlaces {
            home: &home,
            variable: &variable,
        };
        let mut found = find_sessions(host, places, Some(project));
        found.retain(|it| it.is_within(project));
        found
    }

    fn count(&self, host: SessionHost) -> usize {
        self.find_in(host, &self.path("project")).len()
    }
}

fn slug(project: &Path) -> String {
    let path = project.to_string_lossy();
    let units = path.encode_utf16();
    let dashed = units.map(|it| match u8::try_from(it) {
        Ok(it) if it.is_ascii_alphanumeric() => char::from(it),
        _ => '-',
    });
    dashed.collect()
}

fn claude(project: &Path, content: &Value) -> Value {
    json!({"type": "user", "cwd": project, "sessionId": "s", "uuid": "u",
        "timestamp": "2026-11-23T04:07:25Z", "message": {"role": "user", "content": content}})
}

fn claude_place(project: &Path, name: &str) -> String {
    format!("home/.claude/projects/{}/{name}.jsonl", slug(project))
}

#[test]
fn a_picture_in_the_first_prompt_hides_no_session() {
    let desk = Desk::new();
    let project = desk.path("project");
    let data = "A".repeat(3 << 20);
    let picture = json!([{"type": "image", "source": {"type": "base64", "data": data}}]);
    let before = json!({"type": "queue-operation", "sessionId": "s"});
    desk.write(
        &claude_place(&project, "s"),
        &[before, claude(&project, &picture)],
    );
    assert_eq!(desk.count(SessionHost::Claude), 1);
}

#[test]
fn many_lines_before_the_first_prompt_hide_no_session() {
    let desk = Desk::new();
    let project = desk.path("project");
    let before = json!({"type": "queue-operation", "sessionId": "s"});
    let mut lines = vec![before; 500];
    lines.push(claude(&project, &json!("Begin.")));
    desk.write(&claude_place(&project, "s"), &lines);
    assert_eq!(desk.count(SessionHost::Claude), 1);
}

#[test]
fn a_project_with_an_emoji_in_its_path_is_found() {
    let desk = Desk::new();
    for name in ["🚀 app", "a👩‍💻b", "café"] {
        let project = desk.path(name);
        fs::create_dir(&project).unwrap();
        desk.write(
            &claude_place(&project, "s"),
            &[claude(&project, &json!("Begin."))],
        );
        assert_eq!(
            desk.find_in(SessionHost::Claude, &project).len(),
            1,
            "{name}"
        );
    }
}

#[test]
fn a_session_that_goes_on_in_another_work_tree_is_found_in_both() {
    let desk = Desk::new();
    let (project, tree) = (desk.path("project"), desk.path("tree"));
    fs::create_dir(&tree).unwrap();
    let lines = [
        claude(&project, &json!("Begin.")),
        claude(&tree, &json!("Go on.")),
    ];
    desk.write(&claude_place(&project, "s"), &lines);
    for held in [&project, &tree] {
        assert_eq!(desk.find_in(SessionHost::Claude, held).len(), 1, "{held:?}");
    }
    let turn = |cwd: &Path| json!({"type": "turn_context", "payload": {"cwd": cwd, "model": "m"}});
    let meta = json!({"type": "session_meta", "payload": {"id": "t", "cwd": project}});
    let lines = [meta, turn(&project), turn(&tree)];
    desk.write("home/.codex/sessions/2026/11/23/rollout-x.jsonl", &lines);
    for held in [&project, &tree] {
        assert_eq!(desk.find_in(SessionHost::Codex, held).len(), 1, "{held:?}");
    }
    assert_eq!(
        desk.find_in(SessionHost::Codex, &desk.path("home")).len(),
        0
    );
}

#[test]
fn a_link_and_a_move_of_the_project_hide_no_session() {
    let desk = Desk::new();
    let project = desk.path("project");
    // The tool recorded the way through a link.
    let link = desk.path("link");
    symlink(&project, &link).unwrap();
    desk.write(
        &claude_place(&link, "s"),
        &[claude(&link, &json!("Begin."))],
    );
    assert_eq!(desk.count(SessionHost::Claude), 1);
    // The project and its records were moved, and the records name a folder that is gone.
    let gone = desk.path("gone");
    desk.write(
        &claude_place(&project, "moved"),
        &[claude(&gone, &json!("Begin."))],
    );
    assert_eq!(desk.count(SessionHost::Claude), 2);
    // Another project whose folder has the same name in the tool's home is not this one.
    let other = desk.path("pro-ject");
    fs::create_dir(&other).unwrap();
    desk.write(
        &claude_place(&project, "other"),
        &[claude(&other, &json!("Begin."))],
    );
    assert_eq!(desk.count(SessionHost::Claude), 2);
}

#[test]
fn archived_sessions_of_codex_are_found() {
    let desk = Desk::new();
    let meta = json!({"type": "session_meta", "payload": {"id": "t", "cwd": desk.path("project")}});
    desk.write("home/.codex/archived_sessions/rollout-x.jsonl", &[meta]);
    assert_eq!(desk.count(SessionHost::Codex), 1);
}

fn database(path: &Path, project: &Path) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let database = rusqlite::Connection::open(path).unwrap();
    database
        .execute_batch(
            "CREATE TABLE session(id TEXT, directory TEXT, parent_id TEXT, time_updated INT)",
        )
        .unwrap();
    let row = (path.to_string_lossy(), project.to_string_lossy());
    database
        .execute("INSERT INTO session VALUES(?1, ?2, NULL, 1)", row)
        .unwrap();
}

#[test]
fn databases_of_every_channel_of_opencode_are_found_and_the_one_that_is_set() {
    let mut desk = Desk::new();
    let project = desk.path("project");
    for name in [
        "opencode.db",
        "opencode-local.db",
        "opencode-dev.2.db",
        "other.db",
    ] {
        let path = desk.path("home/.local/share/opencode").join(name);
        database(&path, &project);
    }
    assert_eq!(desk.count(SessionHost::Opencode), 3);
    database(&desk.path("elsewhere/my.db"), &project);
    let set = desk.path("elsewhere/my.db").to_string_lossy().into_owned();
    desk.variables.push(("OPENCODE_DB", set));
    assert_eq!(desk.count(SessionHost::Opencode), 1);
    desk.variables = vec![("OPENCODE_DB", "other.db".to_owned())];
    assert_eq!(desk.count(SessionHost::Opencode), 1);
}

#[test]
fn a_variable_that_moves_a_home_is_heeded() {
    let mut desk = Desk::new();
    let project = desk.path("project");
    let place = format!("moved dir/projects/{}/s.jsonl", slug(&project));
    desk.write(&place, &[claude(&project, &json!("Begin."))]);
    assert_eq!(desk.count(SessionHost::Claude), 0);
    let moved = desk.path("moved dir").to_string_lossy().into_owned() + "/";
    desk.variables.push(("CLAUDE_CONFIG_DIR", moved));
    assert_eq!(desk.count(SessionHost::Claude), 1);
    let chats = "gem/.gemini/tmp/p/chats";
    let header = json!({"sessionId": "g", "projectHash": "x", "kind": "main"});
    desk.write(&format!("{chats}/session-1.jsonl"), &[header]);
    let root = desk.path("gem/.gemini/tmp/p/.project_root");
    fs::write(root, project.to_string_lossy().as_bytes()).unwrap();
    let moved = desk.path("gem").to_string_lossy().into_owned();
    desk.variables.push(("GEMINI_CLI_HOME", moved));
    assert_eq!(desk.count(SessionHost::Gemini), 1);
}
