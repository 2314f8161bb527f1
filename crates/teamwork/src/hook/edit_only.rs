//! Enforces a role's `edit_only` limit before each edit.

use std::path::Path;

use agon_hosts::content::{self, Role};
use agon_hosts::hook::HookCall;
use agon_hosts::host::Host;
use agon_team::store::TeamLocation;

use super::resolve_path::resolve;
use crate::edit_limit::may_edit;

/// Returns why the agent that calls a tool may not make its edit, or `None` if it may.
///
/// A path that cannot be judged is refused: nothing but this limit keeps the agent from other
/// files.
pub(super) fn refusal(host: &Host, call: &HookCall, cwd: &Path) -> Option<String> {
    let agent = call.agent.as_deref().filter(|_| call.is_edit)?;
    let roles = match content::team() {
        Ok(team) => team.roles,
        Err(error) => return Some(format!("Agon cannot read the limits of roles: {error}")),
    };
    let role = roles
        .iter()
        .find(|role| has_edit_limit(role, host, agent))?;
    let cwd = resolve(call.cwd.as_deref().unwrap_or(cwd));
    let root = TeamLocation::find(&cwd).ok();
    let root = root
        .and_then(|location| location.work_tree)
        .unwrap_or_else(|| cwd.clone());
    let outside = call
        .edits
        .iter()
        .find(|edit| !is_within(role, &cwd, &root, edit));
    let what = match outside {
        Some(edit) => edit.escape_default().to_string(),
        None if call.edits.is_empty() => "a file that the hook cannot see".to_owned(),
        None => return None,
    };
    Some(format!(
        "The role {} may edit only these files of the project: {}. It may not edit {what}. \
         Describe the change that file needs in your reply.",
        role.name,
        role.edit_only.join(", "),
    ))
}

/// Returns whether `agent` is this role in the host, and the role has an edit limit.
fn has_edit_limit(role: &Role, host: &Host, agent: &str) -> bool {
    !role.edit_only.is_empty() && host.free_agent_name(&role.name) == agent
}

/// Returns whether `edit` is one of the role's files in the project at `root`, after resolving
/// links.
fn is_within(role: &Role, cwd: &Path, root: &Path, edit: &str) -> bool {
    let named = cwd.join(edit);
    let leads_to = resolve(&named);
    let Some(path) = leads_to.strip_prefix(root).ok().and_then(Path::to_str) else {
        return false;
    };
    may_edit(role, path)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use agon_hosts::host::{find_host, is_edit_tool};
    use serde_json::json;
    use tempfile::TempDir;

    use super::*;

    /// Returns the refusal of an edit by `agent` in a folder with a link `link.md` to `main.rs`.
    fn said(agent: Option<&str>, tool: &str, path: &str) -> Option<String> {
        let dir = TempDir::new().unwrap();
        fs::create_dir(dir.path().join("docs")).unwrap();
        fs::write(dir.path().join("main.rs"), "").unwrap();
        std::os::unix::fs::symlink("main.rs", dir.path().join("link.md")).unwrap();
        let call = json!({"cwd": dir.path(), "agent_type": agent, "tool_name": tool,
            "tool_input": {"file_path": path}});
        let call = HookCall::read(&call.to_string(), is_edit_tool).unwrap();
        refusal(find_host("claude").unwrap(), &call, Path::new("/"))
    }

    #[test]
    fn a_scribe_edits_documentation_and_nothing_else() {
        for path in [
            "README.md",
            "docs/use.md",
            "docs/new/page.rst",
            "docs/../a.md",
            "./b.mdx",
        ] {
            assert_eq!(said(Some("scribe"), "Write", path), None, "{path}");
        }
        for path in [
            "main.rs",
            "docs/main.rs",
            "a.md/../main.rs",
            "link.md",
            "/etc/notes.md",
            "../notes.md",
            "notes.md.sh",
            "",
        ] {
            let why = said(Some("scribe"), "Edit", path);
            let why = why.unwrap_or_else(|| panic!("{path}"));
            assert!(
                why.starts_with("The role scribe may edit only these files"),
                "{why}"
            );
        }
    }

    #[test]
    fn nobody_else_is_held_to_that_and_no_other_tool() {
        assert_eq!(said(None, "Write", "main.rs"), None);
        assert_eq!(said(Some("worker"), "Write", "main.rs"), None);
        assert_eq!(said(Some("mine"), "Write", "main.rs"), None);
        assert_eq!(said(Some("scribe"), "Read", "main.rs"), None);
    }

    #[test]
    fn an_edit_whose_file_is_not_seen_is_refused() {
        let text =
            r#"{"agent_type":"scribe","tool_name":"Write","tool_input":{"where":"main.rs"}}"#;
        let call = HookCall::read(text, is_edit_tool).unwrap();
        let why = refusal(find_host("claude").unwrap(), &call, Path::new("/")).unwrap();
        assert!(why.contains("a file that the hook cannot see"), "{why}");
    }
}
