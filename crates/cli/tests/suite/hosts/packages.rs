//! The packages in `plugins/`, by the tools that they are for.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use agon_testkit::{Sandbox, real_clis};

fn packages() -> PathBuf {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../plugins");
    path.canonicalize().unwrap()
}

/// A home in which tools are run, with Agon on the `PATH`.
struct Tools {
    sandbox: Sandbox,
    bins: PathBuf,
}

impl Tools {
    fn new() -> Option<Self> {
        let bins = real_clis()?.join("node_modules/.bin");
        let sandbox = Sandbox::new();
        std::fs::create_dir(sandbox.home().join(".codex")).unwrap();
        Some(Self { sandbox, bins })
    }

    /// What a tool prints; it must not fail.
    fn run(&self, line: &str) -> String {
        let line = line.replace("PLUGINS", packages().to_str().unwrap());
        let (program, args) = line.split_once(' ').unwrap();
        let mut env = self.sandbox.env_with_path(&self.bins);
        let agon = Path::new(env!("CARGO_BIN_EXE_agon")).parent().unwrap();
        env.insert("PATH".into(), format!("{}:{}", env["PATH"], agon.display()));
        env.insert("COPILOT_OFFLINE".into(), "true".into());
        env.insert("COPILOT_AUTO_UPDATE".into(), "false".into());
        env.insert("DISABLE_AUTOUPDATER".into(), "1".into());
        let mut command = Command::new(self.bins.join(program));
        command
            .args(args.split(' '))
            .current_dir(self.sandbox.project());
        command.env_clear().envs(env).stdin(Stdio::null());
        let Output {
            status,
            stdout,
            stderr,
        } = command.output().unwrap();
        let text = [stdout, stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        let text = text.concat();
        assert!(status.success(), "{line}: {text}");
        text
    }
}

#[test]
fn the_validators_of_tools_accept_the_packages() {
    let Some(tools) = Tools::new() else { return };
    tools.run("claude plugin validate --strict PLUGINS");
    tools.run("claude plugin validate --strict PLUGINS/claude");
    tools.run("gemini extensions validate PLUGINS/gemini");
}

/// Long tests, which only `cargo xtask test --full` runs.
mod full {
    use super::*;

    #[test]
    fn tools_install_the_packages_and_list_what_is_in_them() {
        let Some(tools) = Tools::new() else { return };
        tools.run("claude plugin marketplace add PLUGINS");
        tools.run("claude plugin install agon@agon --scope user");
        let details = tools.run("claude plugin details agon@agon");
        assert!(details.contains("Skills (8)"), "{details}");
        assert!(details.contains("Agents (3)"), "{details}");
        let servers = tools.run("claude mcp list");
        assert!(
            servers.contains("plugin:agon:agon: agon mcp - ✔ Connected"),
            "{servers}"
        );

        tools.run("codex plugin marketplace add PLUGINS");
        tools.run("codex plugin add agon@agon");
        let given = tools.run("codex debug prompt-input");
        assert!(given.contains("mcp__agon"), "no server");
        assert!(given.contains("- agon:verdict: "), "no skill");

        tools.run("copilot plugin marketplace add PLUGINS");
        tools.run("copilot plugin install agon@agon");
        let skills = tools.run("copilot skill list");
        for skill in ["debate", "consult", "verdict", "decision-record"] {
            assert!(
                skills.contains(&format!("\n  {skill} - ")),
                "{skill}: {skills}"
            );
        }
        let servers = tools.run("copilot mcp list");
        assert!(servers.contains("agon (local)"), "{servers}");
    }
}
