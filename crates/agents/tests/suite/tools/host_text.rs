//! Texts that the real tools would take for commands of their own, in every way they are spoken to: each
//! reaches the model as it is, and nothing beside it.
//!
//! A sample runs each time. With `AGON_TEST_FULL=1` it is every text, tool, transport and kind of seat.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use agon_agents::profile::{Access, Transport};
use agon_agents::{Ask, Environment, Profiles, Toolbox, WorkOrder, Worker};
use agon_proc::Unwatched;
use agon_record::spec::Effort;
use agon_testkit::models::Request;
use agon_testkit::{FakeModels, Sandbox, Script, TOOLS, real_clis};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::common::{ask, left_of, tool};

const PATIENCE: Duration = Duration::from_secs(120);
/// What stands in every file that a text names, and that no text has.
const CANARY: &str = "nine canaries slept";

/// Texts by what they try; `{OUT}` is a folder of the user's, `{HOME}` their home.
const TEXTS: [(&str, &str); 44] = [
    ("a file by its path", "Why does @{OUT}/canary.txt matter?"),
    ("a file at the start", "@{OUT}/canary.txt"),
    ("a file of the home", "see @~/canary.txt, please"),
    ("a quoted file", "see @\"{OUT}/canary.txt\" there"),
    ("a folder", "list @{OUT}/ and @{OUT}"),
    ("the folder it runs in", "see @. and @./ and @.. too"),
    ("lines of a file", "see @{OUT}/canary.txt#L1-2 there"),
    ("a picture", "see @{OUT}/pic.png there"),
    (
        "an agent",
        "@agent-canary do it; @canary; @agent-Explore @explore @codebase_investigator",
    ),
    (
        "a resource of a server",
        "see @team:file:///etc/hostname and @server:proto://x",
    ),
    ("a file in braces", "see @{{OUT}/canary.txt} there"),
    (
        "files of the copy",
        "see @canary.txt @src/lib.rs @src @../canary.txt",
    ),
    (
        "a file with a hash",
        "#{OUT}/canary.txt and #file:{OUT}/canary.txt",
    ),
    ("a memory", "# remember that it is so"),
    ("help", "/help isn't available here"),
    ("help behind blanks", " \n\t/help"),
    ("logout", "/logout or log in first?"),
    ("clear", "/clear the cache"),
    ("compact", "/compact notation"),
    ("model", "/model of the world"),
    ("init", "/init or systemd?"),
    ("context", "/context is what?"),
    ("goal", "/goal is speed"),
    ("status", "/status codes"),
    ("review", "/review this plan"),
    ("servers", "/mcp list"),
    ("a prompt of a server", "/mcp:server:tool now"),
    ("plan", "/plan"),
    ("a command of the user's", "/canary stripes"),
    ("skills", "/skills"),
    ("exit", "/exit"),
    ("a path at the start", "/usr/lib or /opt?"),
    ("a shell command", "!echo $((6*7))"),
    (
        "a shell command in braces",
        "run !{echo $((6*7))} and !`id`",
    ),
    ("a skill", "$canary and $skill-creator and $imagegen"),
    (
        "a skill by its link",
        "[$canary]({HOME}/.codex/skills/canary/SKILL.md) and [$canary]({HOME}/.agents/skills/canary/SKILL.md)",
    ),
    ("arguments", "$ARGUMENTS $1 {{args}} ${HOME} $(id)"),
    ("a picture's path", "{OUT}/pic.png"),
    (
        "links to files",
        "file://{OUT}/canary.txt [c]({OUT}/canary.txt) '{OUT}/pic.png'",
    ),
    ("placeholders", "[Image #1] [Pasted text #1 +3 lines]"),
    (
        "words for a setting",
        "ultrathink, think harder, ultracode, ultraplan",
    ),
    ("a task in the cloud", "& run this in the cloud"),
    (
        "tags",
        "<command-name>/canary</command-name> <bash-input>id</bash-input>",
    ),
    ("a word that ends it", "exit"),
];

/// Most of them in one.
const SAMPLE: &str = "/logout or not: @{OUT}/canary.txt, @~/canary.txt, @canary.txt @src @. @agent-Explore \
    @codebase_investigator, $canary, [$canary]({HOME}/.agents/skills/canary/SKILL.md), !{id}, /canary, \
    ultrathink?";

/// Where the text reaches a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// A seat without a folder.
    Seat(Transport),
    /// A seat with a copy of a project.
    Reader(Transport),
    /// A member of a team.
    Member,
}

const PLACES: [Place; 5] = [
    Place::Seat(Transport::Cli),
    Place::Seat(Transport::Acp),
    Place::Reader(Transport::Cli),
    Place::Reader(Transport::Acp),
    Place::Member,
];

/// A user whose files, commands, agents and skills all have the canary in them.
struct User {
    sandbox: Sandbox,
    models: FakeModels,
    here: Environment,
    tree: PathBuf,
    out: PathBuf,
}

impl User {
    fn planted(clis: &Path) -> Self {
        let sandbox = Sandbox::new();
        let models = FakeModels::start(Script::new("As it is."));
        let root = sandbox.home().with_file_name("");
        let (home, out, tree) = (sandbox.home(), root.join("out"), root.join("tree"));
        let put = |path: PathBuf, text: &str| {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        for folder in [&home, &out, &tree] {
            put(folder.join("canary.txt"), CANARY);
        }
        put(out.join("pic.png"), &format!("\u{89}PNG {CANARY}"));
        put(tree.join("src/lib.rs"), &format!("// {CANARY}\n"));
        let command = format!("---\ndescription: A command.\n---\n{CANARY} $ARGUMENTS\n");
        for folder in [
            ".claude/commands",
            ".config/opencode/command",
            ".codex/prompts",
        ] {
            put(home.join(folder).join("canary.md"), &command);
        }
        let gemini = format!("description = \"A command.\"\nprompt = \"{CANARY} {{{{args}}}}\"\n");
        put(home.join(".gemini/commands/canary.toml"), &gemini);
        let skill = format!("---\nname: canary\ndescription: A bird.\n---\n{CANARY}\n");
        for folder in [".claude", ".codex", ".agents", ".gemini", ".copilot"] {
            put(home.join(folder).join("skills/canary/SKILL.md"), &skill);
        }
        for file in [
            ".claude/agents/canary.md",
            ".gemini/agents/canary.md",
            ".copilot/agents/canary.agent.md",
        ] {
            put(home.join(file), &skill);
        }
        // What they say of their own sessions is not what a seat gets.
        let on =
            json!({"env": {"CLAUDE_CODE_DISABLE_ATTACHMENTS": "0", "CLAUDE_CODE_SAFE_MODE": "0"}});
        put(home.join(".claude/settings.json"), &on.to_string());
        let mut vars = sandbox.point_all(&models.url(), clis);
        put(
            home.join(".codex/auth.json"),
            "{\"OPENAI_API_KEY\":\"placeholder\"}",
        );
        vars.insert("GH_TOKEN".into(), "dummy".into());
        Self {
            here: Environment::new(vars),
            sandbox,
            models,
            tree,
            out,
        }
    }

    fn fill(&self, text: &str) -> String {
        let home = self.sandbox.home();
        text.replace("{OUT}", &self.out.to_string_lossy())
            .replace("{HOME}", &home.to_string_lossy())
    }

    /// Lets `name` hear this there; gives what is wrong with what its model was asked, if anything.
    async fn tell(&self, name: &str, place: Place, text: &str) -> Option<String> {
        let text = self.fill(text);
        let before = self.models.requests().len();
        let outcome = match place {
            Place::Member => self.work(name, &text).await,
            Place::Seat(way) => self.ask(name, way, &text, None).await,
            Place::Reader(way) => self.ask(name, way, &text, Some(&self.tree)).await,
        };
        let requests = self.models.requests();
        let new = &requests[before..];
        let asked: Vec<_> = new.iter().filter(|it| has(it, text.trim())).collect();
        if !self.sandbox.home().join(".codex/auth.json").exists() {
            return Some("logged out".to_owned());
        }
        match (new.is_empty(), asked.is_empty()) {
            (true, _) => return Some(format!("answered by the host itself: {outcome:?}")),
            (false, true) => return Some("changed".to_owned()),
            (false, false) => {}
        }
        let notes = [
            "requesting deeper reasoning",
            "desire to invoke the agent",
            "explicitly selected the following",
        ];
        let beside = |sign: &&str| new.iter().any(|it| it.body.to_string().contains(*sign));
        let beside = [CANARY].into_iter().chain(notes).find(beside);
        if let Some(beside) = beside {
            return Some(format!("has beside it: {beside}"));
        }
        outcome.err()
    }

    async fn ask(
        &self,
        name: &str,
        way: Transport,
        text: &str,
        reads: Option<&Path>,
    ) -> Result<(), String> {
        let profiles = Profiles::builtin().unwrap();
        let names = [tool(name)];
        let toolbox = Toolbox::detect_only(&profiles, &names, &self.here).await;
        let agent = toolbox.agent_over_transport(&names[0], Some(way)).unwrap();
        let mut session = agent.open(Arc::new(Unwatched));
        let ask = Ask {
            reads,
            ..ask(text, PATIENCE)
        };
        let outcome = session.ask(ask, &CancellationToken::new()).await;
        session.close().await;
        outcome.map(drop).map_err(|error| error.to_string())
    }

    async fn work(&self, name: &str, text: &str) -> Result<(), String> {
        let profiles = Profiles::builtin().unwrap();
        let profile = profiles.iter().find(|it| it.name.as_str() == name).unwrap();
        let program = real_clis().unwrap().join("node_modules/.bin").join(name);
        let worker = Worker::new(profile, program, self.here.clone()).unwrap();
        let order = WorkOrder {
            prompt: text,
            tree: &self.tree,
            access: Access::Writes,
            model: None,
            effort: Effort::Low,
            timeout: PATIENCE,
            agon: Path::new("/nonexistent/agon"),
            policy: None,
            vars: &BTreeMap::new(),
        };
        let ran = worker
            .run(&order, &Unwatched, &|_| {}, &CancellationToken::new())
            .await;
        let outcome = ran.map_err(|error| error.to_string())?;
        outcome.reply.map(drop).map_err(|failure| failure.said)
    }
}

/// Whether one message of a request has the text in it as it is.
fn has(request: &Request, text: &str) -> bool {
    fn inside(value: &Value, text: &str) -> bool {
        match value {
            Value::String(said) => said.contains(text),
            Value::Array(items) => items.iter().any(|it| inside(it, text)),
            Value::Object(fields) => fields.values().any(|it| inside(it, text)),
            Value::Null | Value::Bool(_) | Value::Number(_) => false,
        }
    }
    inside(&request.body, text)
}

fn is_full() -> bool {
    std::env::var_os("AGON_TEST_FULL").is_some_and(|value| value == "1")
}

async fn passes_on(name: &str, places: &[Place]) {
    let Some(clis) = real_clis() else {
        return;
    };
    let user = User::planted(&clis);
    let places = if is_full() { &PLACES[..] } else { places };
    let texts = if is_full() { &TEXTS[..] } else { &[] };
    let texts = texts.iter().chain([&("most of them", SAMPLE)]);
    let mut wrong = Vec::new();
    for (what, text) in texts {
        for place in places {
            let found = user.tell(name, *place, text).await;
            if is_full() {
                eprintln!(
                    "{name} · {place:?} · {what}: {}",
                    found.as_deref().unwrap_or("unchanged")
                );
            }
            wrong.extend(found.map(|found| format!("{place:?} · {what}: {found}")));
        }
    }
    assert_eq!(wrong, Vec::<String>::new(), "{name}");
    assert_eq!(left_of(&user.sandbox), Vec::<String>::new(), "{name}");
}

#[test]
fn the_texts_are_tried_with_every_tool() {
    assert_eq!(TOOLS.len(), 5, "a new tool needs a test of its own here");
}

#[tokio::test]
async fn claude_passes_every_text_on_as_it_is() {
    passes_on(
        "claude",
        &[
            Place::Reader(Transport::Cli),
            Place::Reader(Transport::Acp),
            Place::Member,
        ],
    )
    .await;
}

#[tokio::test]
async fn codex_passes_every_text_on_as_it_is() {
    passes_on(
        "codex",
        &[
            Place::Reader(Transport::Cli),
            Place::Seat(Transport::Acp),
            Place::Member,
        ],
    )
    .await;
}

#[tokio::test]
async fn gemini_passes_every_text_on_as_it_is() {
    passes_on("gemini", &[Place::Reader(Transport::Cli), Place::Member]).await;
}

#[tokio::test]
async fn opencode_passes_every_text_on_as_it_is() {
    if is_full() {
        passes_on("opencode", &[]).await;
    }
}

#[tokio::test]
async fn copilot_passes_every_text_on_as_it_is() {
    passes_on("copilot", &[Place::Seat(Transport::Acp)]).await;
}
