//! A hermetic environment for tests.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::json;
use tempfile::TempDir;

/// Environment variables by name.
pub type Env = BTreeMap<String, String>;

/// The first folders in the `PATH` of a sandbox.
const SYSTEM_PATH: [&str; 2] = ["/usr/bin", "/bin"];

/// A private home and an empty project, removed when dropped.
///
/// ```
/// # use agon_testkit::Sandbox;
/// let sandbox = Sandbox::new();
/// assert_eq!(sandbox.command_env()["HOME"], sandbox.home().to_string_lossy());
/// assert!(!sandbox.command_env().contains_key("CI"));
/// ```
#[derive(Debug)]
pub struct Sandbox {
    dir: TempDir,
}

impl Sandbox {
    /// Creates an empty home, and beside it an empty project under git.
    ///
    /// # Panics
    ///
    /// If git is not installed, or the disk is full.
    pub fn new() -> Self {
        let dir = tempfile::Builder::new()
            .prefix("agon-sandbox-")
            .tempdir()
            .unwrap();
        let sandbox = Self { dir };
        for made in [sandbox.home(), sandbox.project()] {
            fs::create_dir(made).unwrap();
        }
        let git = Command::new("git")
            .args(["init", "--quiet"])
            .current_dir(sandbox.project())
            .status();
        assert!(git.expect("git is installed").success(), "git init works");
        sandbox
    }

    /// The private home.
    pub fn home(&self) -> PathBuf {
        self.dir.path().join("home")
    }

    /// The empty project, for use as working directory.
    pub fn project(&self) -> PathBuf {
        self.dir.path().join("project")
    }

    /// The whole environment for a command; it should inherit nothing else.
    ///
    /// `PATH` contains the system's folders and those of node and git, but none of the user's.
    pub fn command_env(&self) -> Env {
        let mut path: Vec<String> = SYSTEM_PATH.map(str::to_owned).into();
        for program in ["node", "git"] {
            let dir = find_on_path(program).and_then(|path| Some(path.parent()?.to_owned()));
            let dir = dir.map(|dir| dir.to_string_lossy().into_owned());
            path.extend(dir.filter(|dir| !path.contains(dir)));
        }
        let home = self.home().to_string_lossy().into_owned();
        env([
            ("PATH", path.join(":")),
            ("HOME", home),
            ("LANG", "C.UTF-8".into()),
            ("TERM", "dumb".into()),
            ("NO_COLOR", "1".into()),
            ("AGON_LOOPBACK_SERVERS", String::new()),
            ("AGON_VENDORS", "all".into()),
        ])
    }

    /// Like [`Sandbox::command_env`], with a folder at the beginning of `PATH`.
    pub fn env_with_path(&self, first: &Path) -> Env {
        let mut env = self.command_env();
        let path = format!("{}:{}", first.display(), env["PATH"]);
        env.insert("PATH".into(), path);
        env
    }

    /// Connects a real tool in this home to a model server: writes its configuration and returns
    /// the environment it needs besides [`Sandbox::command_env`].
    ///
    /// `url` is that of [`crate::FakeModels::url`]. Retries are disabled if the tool has an option
    /// for it.
    ///
    /// # Panics
    ///
    /// If the tool is not in [`crate::TOOLS`].
    pub fn point(&self, tool: &str, url: &str) -> Env {
        let home = self.home();
        let at = |name: &str| home.join(name).to_string_lossy().into_owned();
        match tool {
            "claude" => env([
                ("ANTHROPIC_BASE_URL", url.into()),
                ("ANTHROPIC_API_KEY", "sk-dummy".into()),
                ("CLAUDE_CONFIG_DIR", at(".claude")),
                ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1".into()),
                ("DISABLE_AUTOUPDATER", "1".into()),
                ("DISABLE_TELEMETRY", "1".into()),
                ("CLAUDE_CODE_MAX_RETRIES", "0".into()),
            ]),
            "codex" => {
                self.write(".codex/config.toml", &codex_config(url));
                env([
                    ("CODEX_HOME", at(".codex")),
                    ("OPENAI_API_KEY", "sk-dummy".into()),
                ])
            }
            "gemini" => {
                self.write(".gemini/settings.json", &gemini_settings());
                env([
                    ("GEMINI_API_KEY", "dummy".into()),
                    ("GOOGLE_GEMINI_BASE_URL", url.into()),
                    ("GEMINI_CLI_NO_RELAUNCH", "true".into()),
                ])
            }
            "opencode" => {
                self.write("opencode.json", &opencode_config(url));
                env([
                    ("OPENCODE_CONFIG", at("opencode.json")),
                    ("OPENCODE_DISABLE_AUTOUPDATE", "1".into()),
                    ("OPENCODE_DISABLE_MODELS_FETCH", "1".into()),
                    ("OPENCODE_DISABLE_LSP_DOWNLOAD", "1".into()),
                    ("OPENCODE_DISABLE_DEFAULT_PLUGINS", "1".into()),
                ])
            }
            "copilot" => env([
                ("COPILOT_HOME", at(".copilot")),
                ("COPILOT_OFFLINE", "true".into()),
                ("COPILOT_PROVIDER_BASE_URL", format!("{url}/v1")),
                ("COPILOT_PROVIDER_API_KEY", "dummy".into()),
                ("COPILOT_MODEL", "mock-model".into()),
                ("COPILOT_AUTO_UPDATE", "false".into()),
            ]),
            other => panic!("no tool is called {other}"),
        }
    }

    /// Connects every tool to one server and returns the whole environment, with the real tools on
    /// `PATH`.
    pub fn connect_all_tools(&self, url: &str, clis: &Path) -> Env {
        let mut all = self.env_with_path(&clis.join("node_modules/.bin"));
        for tool in crate::TOOLS {
            all.extend(self.point(tool, url));
        }
        all
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.home().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

impl Default for Sandbox {
    fn default() -> Self {
        Self::new()
    }
}

/// Returns the folder named by `AGON_TEST_CLIS`, with the real tools in its `node_modules/.bin`.
///
/// Without the variable it prints that tests are skipped, and returns `None`.
///
/// # Panics
///
/// If the variable is set but the tools are missing: a configured test must run.
#[expect(clippy::print_stderr, reason = "a skipped test must be seen")]
pub fn real_clis() -> Option<PathBuf> {
    let Some(dir) = std::env::var_os("AGON_TEST_CLIS").filter(|dir| !dir.is_empty()) else {
        eprintln!("skipped: AGON_TEST_CLIS names no folder with the real tools");
        return None;
    };
    let dir = PathBuf::from(dir);
    let missing = crate::TOOLS
        .iter()
        .find(|tool| !dir.join("node_modules/.bin").join(tool).exists());
    assert!(
        missing.is_none(),
        "{} has no {}: run npm ci there",
        dir.display(),
        missing.unwrap()
    );
    Some(dir)
}

/// Returns the folder named by `AGON_TEST_PROTOCOL`, with clients of the Model Context Protocol and
/// their Node in its `node_modules`.
///
/// Without the variable it prints that tests are skipped, and returns `None`.
///
/// # Panics
///
/// If the variable is set but the clients are missing: a configured test must run.
#[expect(clippy::print_stderr, reason = "a skipped test must be seen")]
pub fn protocol_clients() -> Option<PathBuf> {
    let Some(dir) = std::env::var_os("AGON_TEST_PROTOCOL").filter(|dir| !dir.is_empty()) else {
        eprintln!("skipped: AGON_TEST_PROTOCOL names no folder with clients of the protocol");
        return None;
    };
    let dir = PathBuf::from(dir);
    let node = dir.join("node_modules/.bin/node");
    assert!(node.exists(), "{} is missing: run npm ci", node.display());
    Some(dir)
}

/// Returns one real tool of [`real_clis`].
///
/// # Panics
///
/// As [`real_clis`].
pub fn real_cli(name: &str) -> Option<PathBuf> {
    Some(real_clis()?.join("node_modules/.bin").join(name))
}

fn env<const N: usize>(pairs: [(&str, String); N]) -> Env {
    pairs
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value))
        .collect()
}

fn find_on_path(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .map(|dir| dir.join(program))
        .find(|path| path.is_file())
}

fn codex_config(url: &str) -> String {
    format!(
        "model = \"gpt-5.5\"\nmodel_provider = \"mock\"\n\n\
         [model_providers.mock]\nname = \"mock\"\nbase_url = \"{url}/v1\"\nwire_api = \"responses\"\n\
         env_key = \"OPENAI_API_KEY\"\nrequest_max_retries = 0\nstream_max_retries = 0\n"
    )
}

fn gemini_settings() -> String {
    json!({
        "security": {"auth": {"selectedType": "gemini-api-key"}},
        "privacy": {"usageStatisticsEnabled": false},
        "telemetry": {"enabled": false},
        "general": {"enableAutoUpdate": false, "enableAutoUpdateNotification": false,
            "maxAttempts": 1, "retryFetchErrors": false},
        "model": {"name": "gemini-3.1-pro-preview"},
    })
    .to_string()
}

fn opencode_config(url: &str) -> String {
    let model = json!({"name": "Mock", "reasoning": true, "tool_call": true,
        "limit": {"context": 100_000, "output": 8000}, "cost": {"input": 1, "output": 2}});
    let options = json!({"baseURL": format!("{url}/v1"), "apiKey": "dummy", "timeout": 60_000});
    json!({
        "autoupdate": false, "share": "disabled", "snapshot": false,
        "model": "mock/mock-model", "small_model": "mock/mock-model", "enabled_providers": ["mock"],
        "provider": {"mock": {"npm": "@ai-sdk/openai-compatible", "name": "Mock",
            "options": options, "models": {"mock-model": model}}},
        "permission": {"edit": "deny", "bash": "deny", "webfetch": "deny"},
    })
    .to_string()
}

/// Runs git in a folder and returns its output.
///
/// # Panics
///
/// If it fails.
pub fn git(folder: &Path, args: &[&str]) -> String {
    let who = [
        "-c",
        "user.name=Test",
        "-c",
        "user.email=test@example.invalid",
    ];
    let mut git = Command::new("git");
    let git = git
        .args(who)
        .args(args)
        .current_dir(folder)
        .output()
        .unwrap();
    assert!(git.status.success(), "git {args:?}: {git:?}");
    String::from_utf8(git.stdout).unwrap()
}

/// Returns whether the installed git supports reftables, as it does since 2.45.
pub fn git_has_reftable() -> bool {
    has_reftable(&mut Command::new("git"))
}

/// As [`git_has_reftable`], but also for the git of a sandbox, because a machine may have two.
pub fn sandbox_has_reftable() -> bool {
    let system_path = SYSTEM_PATH.join(":");
    git_has_reftable() && has_reftable(Command::new("git").env("PATH", system_path))
}

fn has_reftable(git: &mut Command) -> bool {
    let help = git.args(["init", "-h"]).output();
    // Search stdout and stderr: versions of git differ in where they print this help.
    help.is_ok_and(|help| {
        let printed = [help.stdout, help.stderr].concat();
        String::from_utf8_lossy(&printed).contains("--ref-format")
    })
}

/// Writes a file below a folder and creates the missing folders.
///
/// # Panics
///
/// If it cannot be written.
pub fn add(folder: &Path, path: &str, text: &str) {
    let path = folder.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}
