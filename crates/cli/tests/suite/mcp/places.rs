//! Where the debates of a server go, and that its answers name places that are there.

use std::fs;
use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};

use super::LATEST;
use super::client::Client;
use crate::scenarios::place::Fakes;
use crate::support::TOPIC;

fn connect(fakes: &Fakes, cwd: &Path) -> Client {
    let mut command = fakes.place.command(&["mcp"]);
    command.current_dir(cwd);
    Client::initialized(command, LATEST).0
}

/// Every path of a folder of debates that an answer has.
fn paths(document: &Value) -> Vec<String> {
    match document {
        Value::String(text) if text.contains("debates/") && !text.contains(' ') => {
            vec![text.clone()]
        }
        Value::Array(all) => all.iter().flat_map(paths).collect(),
        Value::Object(all) => all.values().flat_map(paths).collect(),
        _ => Vec::new(),
    }
}

/// Starts a debate, waits for its end, and gives the paths in all the answers about it.
fn debate(client: &mut Client, arguments: Value) -> Vec<String> {
    let started = client.document("debate_start", arguments.clone());
    let project = &arguments["project"];
    for _ in 0..200 {
        let wanted = json!({"debate": started["id"], "cursor": 99, "project": project});
        if client.document("debate_wait", wanted)["state"] != "running" {
            break;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    let mut found = paths(&started);
    assert!(!found.is_empty(), "{started}");
    let wanted = json!({"debate": started["id"], "project": project});
    found.extend(paths(&client.document("debate_result", wanted)));
    let near = json!({"topic": TOPIC, "project": project});
    found.extend(paths(&client.document("recall", near)));
    found
}

fn quick() -> Value {
    json!({"topic": TOPIC, "depth": "quick"})
}

#[test]
fn a_folder_without_git_has_its_own_debates_and_no_other_folder_sees_them() {
    let fakes = Fakes::new();
    let home = fakes.place.home();
    // Debates of the folders above are of other folders, too.
    let (one, two) = (home.join("plain/one"), home.join("plain/one/two"));
    fs::create_dir_all(&one).unwrap();
    fs::create_dir_all(&two).unwrap();
    let mut client = connect(&fakes, &one);
    for path in debate(&mut client, quick()) {
        assert!(one.join(&path).exists(), "{path}");
    }
    assert_eq!(
        fs::read_dir(one.join("debates"))
            .unwrap()
            .flatten()
            .filter(|entry| !entry.file_name().to_string_lossy().starts_with('.'))
            .count(),
        1
    );
    assert_eq!(client.close(), Some(0));
    for elsewhere in [two.as_path(), &home, Path::new("/")] {
        let mut client = connect(&fakes, elsewhere);
        for tool in ["debate_result", "debate_wait"] {
            let error = client.error(tool, json!({}));
            assert_eq!(
                error["code"],
                "missing_parameter",
                "{}: {error}",
                elsewhere.display()
            );
        }
        let near = client.document("recall", json!({"topic": TOPIC}));
        assert_eq!(near["decisions"], json!([]), "{}", elsewhere.display());
        assert_eq!(client.close(), Some(0));
    }
}

#[test]
fn a_server_that_was_started_nowhere_names_whole_paths_and_shares_no_debate() {
    let fakes = Fakes::new();
    let home = fakes.place.home();
    for (nowhere, elsewhere) in [
        (home.as_path(), Path::new("/")),
        (Path::new("/"), Path::new("/usr")),
    ] {
        let mut client = connect(&fakes, nowhere);
        for path in debate(&mut client, quick()) {
            assert!(
                Path::new(&path).is_absolute() && Path::new(&path).exists(),
                "{path}"
            );
            assert!(Path::new(&path).starts_with(&home), "{path}");
        }
        assert_eq!(client.close(), Some(0));
        let mut other = connect(&fakes, elsewhere);
        if nowhere == home {
            assert_eq!(
                other.error("debate_result", json!({}))["code"],
                "missing_parameter"
            );
        }
        assert_eq!(other.close(), Some(0));
    }
    assert!(!home.join("debates").exists());
}

#[test]
fn a_path_in_a_folder_that_the_call_names_is_whole() {
    let fakes = Fakes::new();
    let inside = fakes.place.project().join("inside/deep");
    fs::create_dir_all(&inside).unwrap();
    let mut client = connect(&fakes, &fakes.place.project());
    let mut wanted = quick();
    wanted["project"] = inside.display().to_string().into();
    for path in debate(&mut client, wanted) {
        assert!(
            Path::new(&path).is_absolute() && Path::new(&path).exists(),
            "{path}"
        );
    }
    assert_eq!(client.close(), Some(0));
}
