//! Checks the page of each AI tool against the tool's profile.

use std::fs;

use super::root;

/// The profiles with a page, and the page's name without `tool-` and `.md`.
const PAGES: [(&str, &str); 5] = [
    ("claude", "claude-code"),
    ("codex", "codex"),
    ("gemini", "gemini-cli"),
    ("opencode", "opencode"),
    ("copilot", "copilot-cli"),
];

/// What a profile says that a reader must find on the page: the version that was tested, and how to
/// install the tool and log in.
fn facts(profile: &toml::Table) -> Vec<String> {
    let text = |table: &str, key: &str| profile[table][key].as_str().unwrap().to_owned();
    let mut facts = vec![
        format!(
            "Tested with version\n{}",
            profile["measured"].as_str().unwrap()
        ),
        text("install", "hint"),
        text("login", "command"),
    ];
    let adapter = profile.get("acp").and_then(|acp| acp.get("install"));
    facts.extend(adapter.and_then(|it| it.as_str()).map(str::to_owned));
    facts
}

#[test]
fn the_page_of_each_tool_agrees_with_its_profile() {
    for (name, page) in PAGES {
        let profile = format!("crates/agents/tools/{name}.toml");
        let profile = fs::read_to_string(root().join(profile)).unwrap();
        let profile: toml::Table = profile.parse().unwrap();
        let page = root().join(format!("docs/tool-{page}.md"));
        let page = fs::read_to_string(page).unwrap();
        // The text may be broken anywhere.
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let page = words(&page);
        for fact in facts(&profile) {
            assert!(page.contains(&words(&fact)), "{name}: `{fact}`");
        }
        let variables = profile["login"].get("env").and_then(|it| it.as_array());
        let named = variables.into_iter().flatten().filter_map(|it| it.as_str());
        let named: Vec<_> = named
            .filter(|it| page.contains(&format!("`{it}`")))
            .collect();
        assert!(variables.is_none() || !named.is_empty(), "{name}");
    }
}
