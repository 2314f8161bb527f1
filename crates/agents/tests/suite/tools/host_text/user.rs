//! A user whose files, commands, agents and skills all contain the canary.

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
use agon_testkit::{FakeModels, Sandbox, Script, real_clis};
use agon_wording::Wording;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::super::common::{ask, tool};

const PATIENCE: Duration = Duration::from_secs(120);
/// The content of every file that a text mentions; no text contains it.
pub(super) const CANARY: &str = "nine canaries slept";

/// Where a tool gets the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// In a debate without a folder.
    Seat(Transport),
    /// In a debate with a copy of a project.
    Reader(Transport),
    /// As a team member.
    Member,
}

/// A home, and a model server that every tool in it uses.
pub(super) struct User {
    pub(super) sandbox: Sandbox,
    models: FakeModels,
    here: Environment,
    tree: PathBuf,
    out: PathBuf,
}

impl User {
    pub(super) fn planted(clis: &Path) -> Self {
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
        for folder in [
            ".claude",
            ".codex",
            ".agents",
            ".gemini",
            ".copilot",
            ".config/opencode",
        ] {
            put(home.join(folder).join("skills/canary/SKILL.md"), &skill);
        }
        for file in [
            ".claude/agents/canary.md",
            ".gemini/agents/canary.md",
            ".copilot/agents/canary.agent.md",
            ".config/opencode/agent/canary.md",
        ] {
            put(home.join(file), &skill);
        }
        // Settings of the user's own sessions do not apply in a debate.
        let on =
            json!({"env": {"CLAUDE_CODE_DISABLE_ATTACHMENTS": "0", "CLAUDE_CODE_SAFE_MODE": "0"}});
        put(home.join(".claude/settings.json"), &on.to_string());
        let mut vars = sandbox.connect_all_tools(&models.url(), clis);
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

    /// A text with this user's folders filled in.
    pub(super) fn fill(&self, text: &str) -> String {
        let home = self.sandbox.home();
        text.replace("{OUT}", &self.out.to_string_lossy())
            .replace("{HOME}", &home.to_string_lossy())
    }

    /// Whether no tool has logged its user out.
    pub(super) fn is_logged_in(&self) -> bool {
        self.sandbox.home().join(".codex/auth.json").exists()
    }

    /// Sends this text to `name` at that place; returns the result and the model requests.
    pub(super) async fn tell(
        &self,
        name: &str,
        place: Place,
        text: &str,
    ) -> (Result<(), String>, Vec<Request>) {
        let before = self.models.requests().len();
        let outcome = match place {
            Place::Member => self.work(name, text).await,
            Place::Seat(way) => self.ask(name, way, text, None).await,
            Place::Reader(way) => self.ask(name, way, text, Some(&self.tree)).await,
        };
        (outcome, self.models.requests().split_off(before))
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

    #[expect(
        clippy::disallowed_methods,
        reason = "a test puts any text at the beginning of a prompt"
    )]
    async fn work(&self, name: &str, text: &str) -> Result<(), String> {
        let profiles = Profiles::builtin().unwrap();
        let profile = profiles.iter().find(|it| it.name.as_str() == name).unwrap();
        let program = real_clis().unwrap().join("node_modules/.bin").join(name);
        let worker = Worker::new(profile, program, self.here.clone()).unwrap();
        let prompt: &'static str = text.to_owned().leak();
        let order = WorkOrder {
            prompt: &Wording::from_literal(prompt),
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
