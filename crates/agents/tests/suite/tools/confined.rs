//! Real tools whose model calls them to read inside and outside their folder.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use agon_agents::Environment;
use agon_testkit::{Answer, FakeModels, Sandbox, Script, real_clis};

use super::common::{agent, ask, asked, left_of};

const TOOLS: [&str; 5] = ["claude", "codex", "gemini", "opencode", "copilot"];
const PROMPT: &str = "You argue.\nTurn: r1.pro\n";
const PATIENCE: Duration = Duration::from_secs(120);
const INSIDE: &str = "the words of a file inside";
const OUTSIDE: &str = "the words of a file outside";

/// A folder to read, and a file next to it.
struct Ground {
    sandbox: Sandbox,
    folder: PathBuf,
    outside: PathBuf,
}

impl Ground {
    fn new() -> Self {
        let sandbox = Sandbox::new();
        let root = sandbox.home().parent().unwrap().to_owned();
        let (folder, outside) = (root.join("copy"), root.join("outside.txt"));
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join("inside.txt"), INSIDE).unwrap();
        fs::write(&outside, OUTSIDE).unwrap();
        Self {
            sandbox,
            folder,
            outside,
        }
    }
}

/// Makes the model of `name` call this tool; returns the tool's result.
async fn told(name: &str, ground: &Ground, clis: &Path, answer: Answer) -> Vec<String> {
    let models = FakeModels::start(Script::job_store());
    models.set("*", answer.clone());
    let here = Environment::new(ground.sandbox.connect_all_tools(&models.url(), clis));
    let agent = agent(name, &here).await;
    let asking = agon_agents::Ask {
        reads: Some(&ground.folder),
        ..ask(PROMPT, PATIENCE)
    };
    let (outcome, _) = asked(agent.as_ref(), asking).await;
    let reply = Script::job_store().turns["r1.pro"][0].trim_end().to_owned();
    match outcome {
        Ok(said) => assert_eq!(said.text.trim_end(), reply, "{name}: {answer:?}"),
        // Some stop if the model calls a tool that they do not offer.
        Err(error) => assert!(error.usage.is_some(), "{name}: {answer:?}: {error}"),
    }
    assert_eq!(left_of(&ground.sandbox), Vec::<String>::new(), "{name}");
    let requests = models.requests();
    assert!(!requests.is_empty(), "{name} asked nothing");
    let bodies = requests.iter().map(|request| request.body.to_string());
    bodies.collect()
}

/// Codex reads through a shell in the system's sandbox, which restricts writing but not reading; its
/// profile and the documentation say so.
#[tokio::test]
async fn what_lies_outside_is_not_read_but_by_codex() {
    let Some(clis) = real_clis() else {
        return;
    };
    for name in TOOLS {
        let ground = Ground::new();
        let shown = |bodies: Vec<String>, words: &str| bodies.iter().any(|it| it.contains(words));
        let inside = Answer::Read(ground.folder.join("inside.txt"));
        let seen = shown(told(name, &ground, &clis, inside).await, INSIDE);
        assert!(seen, "{name} cannot read in its folder");
        let outside = Answer::Read(ground.outside.clone());
        let seen = shown(told(name, &ground, &clis, outside).await, OUTSIDE);
        assert_eq!(seen, name == "codex", "{name}");
    }
}
