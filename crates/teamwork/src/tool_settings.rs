//! Recognizes project files that configure tools. Changing one of them decides what runs for the
//! user.

mod links;

use agon_agents::Profiles;
use agon_hosts::host::HOSTS;

pub(super) use self::links::Links;

/// Files and folders that configure tools, besides those of the AI tools. A name with a `/` matches
/// at any depth, because the tools look for them that way.
const USUAL: &[&str] = &[
    "agon.toml",
    ".envrc",
    ".env",
    ".githooks",
    ".husky",
    ".gitmodules",
    ".gitattributes",
    ".gitconfig",
    ".pre-commit-config.yaml",
    "lefthook.yml",
    ".lefthook.yml",
    ".vscode",
    ".idea",
    ".zed",
    ".devcontainer",
    ".devcontainer.json",
    ".cursor",
    ".cursorrules",
    ".windsurf",
    ".windsurfrules",
    ".aider.conf.yml",
    ".continue",
    ".agents",
    ".mcp.json",
    "mcp.json",
    ".github/workflows",
    ".cargo/config",
    ".cargo/config.toml",
    ".npmrc",
    ".yarnrc.yml",
    ".tool-versions",
    "mise.toml",
    ".mise.toml",
    ".direnv",
];

/// Returns the paths that configure a tool, in order. A path counts under every name that `links`
/// give it; `hooks` is the folder of git's hooks, if it is in the tree.
pub(super) fn configuring<'a>(
    paths: impl IntoIterator<Item = &'a str>,
    links: &Links,
    hooks: Option<&str>,
) -> Vec<String> {
    let profiles = Profiles::builtin().ok();
    let of_tools = profiles.iter().flat_map(Profiles::iter);
    let mut names: Vec<String> = of_tools
        .flat_map(|profile| profile.config_dirs.iter().map(|it| it.to_lowercase()))
        .collect();
    let of_hosts = HOSTS.iter().flat_map(|host| host.configuration);
    let usual = USUAL.iter().chain(of_hosts).copied().chain(hooks);
    names.extend(usual.map(str::to_lowercase));
    // Some file systems ignore case.
    let is_one = |path: &str| {
        let path = format!("/{}/", path.to_lowercase());
        names.iter().any(|name| path.contains(&format!("/{name}/")))
    };
    let found = paths.into_iter().filter(|path| match links.names(path) {
        Some(names) => names.iter().any(|name| is_one(name)),
        // With too many names to check, report the path, so that a person looks at it.
        None => true,
    });
    found.map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_hooks_and_instructions_are_known_in_any_folder_and_case() {
        for path in [
            ".claude/settings.json",
            ".mcp.json",
            ".codex/config.toml",
            ".envrc",
            ".githooks/pre-commit",
            "agon.toml",
            ".vscode/tasks.json",
            ".idea/workspace.xml",
            ".husky/pre-push",
            "sub/dir/CLAUDE.md",
            "docs/agents.md",
            "opencode.json",
            ".gemini/settings.json",
            ".github/copilot-instructions.md",
            ".devcontainer/devcontainer.json",
            ".Claude/settings.local.json",
            "nest/.gitmodules",
        ] {
            assert_eq!(configuring([path], &Links::default(), None), [path]);
        }
        for path in [
            "src/main.rs",
            "docs/claude.rs",
            ".github/CODEOWNERS",
            "agon.toml.rs",
            "envrc",
            "tools/hooks.md",
        ] {
            let found = configuring([path], &Links::default(), Some("tools/hooks"));
            assert!(found.is_empty(), "{path}");
        }
    }

    #[test]
    fn hooks_that_git_is_told_to_run_configure_it() {
        let found = configuring(
            ["tools/hooks/pre-commit", "tools/x"],
            &Links::default(),
            Some("tools/hooks"),
        );
        assert_eq!(found, ["tools/hooks/pre-commit"]);
    }
}
