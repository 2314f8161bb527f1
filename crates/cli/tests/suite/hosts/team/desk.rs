//! A real tool with all of Agon in it, a model server, and what the tool did.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Stdio};

use agon_hosts::compile::Target;
use agon_hosts::content::{Content, ContentSet};
use agon_hosts::host::{Host, SERVER, find_host};
use agon_hosts::matrix::{MatrixRow, matrix};
use agon_testkit::models::Request;
use agon_testkit::{FakeModels, Sandbox, Script, add, git, real_clis};
use serde_json::Value;

use super::driver::Driver;
use crate::support::Place;

/// A real tool with all of Agon in it, and its model server.
pub(super) struct Desk {
    pub(super) driver: &'static Driver,
    pub(super) host: &'static Host,
    pub(super) models: FakeModels,
    pub(super) place: Place,
    pub(super) content: Content,
    /// What was waived.
    waived: Vec<String>,
    /// Whether a team was joined in the project.
    pub(super) is_joined: bool,
}

impl Desk {
    /// From an empty home; with every waiver that the output of an installation names, where
    /// `is_waived`.
    pub(super) fn new(driver: &'static Driver, is_waived: bool) -> Option<Self> {
        Self::with_servers(driver, is_waived, None)
    }

    /// The same, with this file of servers beside the user's configuration.
    pub(super) fn with_servers(
        driver: &'static Driver,
        is_waived: bool,
        servers: Option<&str>,
    ) -> Option<Self> {
        let clis = real_clis()?;
        let models = FakeModels::start(Script::new("It is done."));
        let sandbox = Sandbox::new();
        let bins = clis.join("node_modules/.bin");
        let mut env = sandbox.env_with_path(&bins);
        env.extend(sandbox.point(driver.host, &models.url()));
        let program = Path::new(env!("CARGO_BIN_EXE_agon")).parent().unwrap();
        let path = format!("{}:{}", env["PATH"], program.display());
        env.insert("PATH".into(), path);
        let mut desk = Self {
            driver,
            host: find_host(driver.host).unwrap(),
            models,
            place: Place::new(sandbox, env),
            content: ContentSet::All.content().unwrap(),
            waived: Vec::new(),
            is_joined: false,
        };
        if let Some(servers) = servers {
            let config = desk.place.home().join(".config/agon");
            std::fs::create_dir_all(&config).unwrap();
            std::fs::write(config.join("mcp.toml"), servers).unwrap();
        }
        let installed = desk.install();
        if is_waived {
            let left_out = installed["hosts"][0]["left_out"].as_array().unwrap();
            let waivers = left_out.iter().map(|left| left["waiver"].as_str().unwrap());
            desk.waived = waivers.map(str::to_owned).collect();
            let installed = desk.install();
            assert_eq!(installed["hosts"][0]["left_out"], serde_json::json!([]));
        }
        Some(desk)
    }

    /// Makes a team in the project, and a member of it of whoever works there.
    pub(super) fn join_team(&mut self) {
        let project = self.place.project();
        git(&project, &["init", "-q", "-b", "main"]);
        add(&project, "a.txt", "a\n");
        git(&project, &["add", "."]);
        git(&project, &["commit", "-q", "-m", "begin"]);
        let host = self.driver.host;
        for args in [
            &["team", "init", "--json"][..],
            &[
                "team", "join", "ada", "--role", "lead", "--host", host, "--json",
            ],
        ] {
            let ran = self.place.run(args);
            assert_eq!(ran.code, Some(0), "{ran:#?}");
        }
        self.is_joined = true;
    }

    /// Takes out of the configuration of tests what it denies the sessions of OpenCode: edits, commands.
    pub(super) fn allow_sessions(&self) {
        let file = self.place.home().join("opencode.json");
        if let Ok(text) = std::fs::read_to_string(&file) {
            let mut settings: Value = serde_json::from_str(&text).unwrap();
            settings.as_object_mut().unwrap().remove("permission");
            std::fs::write(&file, settings.to_string()).unwrap();
        }
    }

    fn install(&self) -> Value {
        let mut args = vec!["install", self.driver.host, "--what", "all", "--json"];
        for waiver in &self.waived {
            args.extend(["--waive", waiver]);
        }
        let ran = self.place.run(&args);
        assert_eq!(ran.code, Some(0), "{ran:#?}");
        ran.json()
    }

    /// What the table says of this tool.
    pub(super) fn rows(&self) -> Vec<MatrixRow> {
        let target = Target {
            host: self.host,
            server: SERVER,
            waived: &self.waived,
            is_for_project: false,
        };
        matrix(&self.content, &target)
    }

    /// What the tool prints, without a terminal and without an input.
    pub(super) fn run(&self, args: &[&str]) -> String {
        let bins = real_clis().unwrap().join("node_modules/.bin");
        let mut command = Command::new(bins.join(self.driver.host));
        command.args(args).current_dir(self.place.project());
        command.env_clear().envs(&self.place.env);
        let output = command.stdin(Stdio::null()).output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let wrong = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{args:?}: {said}\n{wrong}");
        said
    }

    /// What the tool prints when its user asks for this turn.
    pub(super) fn ask(&self, turn: &str) -> String {
        let prompt = format!("Do it.\nTurn: {turn}\n");
        self.run(&self.driver.args_for(&prompt))
    }

    /// The requests of a turn so far.
    pub(super) fn requests(&self, turn: &str) -> Vec<Request> {
        let requests = self.models.requests().into_iter();
        requests
            .filter(|request| request.turn.as_deref() == Some(turn))
            .collect()
    }
}

/// The tools that a request offers, those of the model's own service too.
pub(super) fn offered(request: &Request) -> BTreeSet<String> {
    let named = request.tools.iter().cloned();
    let offers = request.body["tools"].as_array().into_iter().flatten();
    // What its service does by itself has a type and no name.
    let own = offers
        .filter(|offer| offer["name"].is_null())
        .filter_map(|offer| offer["type"].as_str())
        .filter(|kind| *kind != "function");
    let all: BTreeSet<String> = named.chain(own.map(str::to_owned)).collect();
    // A name space stands in the list beside what is in it.
    let is_space = |name: &String| all.iter().any(|tool| tool.starts_with(&format!("{name}/")));
    all.iter().filter(|name| !is_space(name)).cloned().collect()
}
