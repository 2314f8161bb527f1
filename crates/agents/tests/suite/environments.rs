//! Which API keys a tool gets if those of many services are set.
#![expect(clippy::unwrap_used, reason = "tests")]

use std::fs;

use agon_agents::{Environment, Profiles};
use agon_testkit::{OWN_KEYS, key_variables};

/// A home with these files, and the keys that the tool gets in it.
fn keys_of(
    tool: &str,
    files: &[(&str, &str)],
    more: &[(&str, &str)],
    model: Option<&str>,
) -> Vec<String> {
    let home = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = home.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let mut vars: Vec<(String, String)> = key_variables()
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value))
        .collect();
    vars.push(("HOME".into(), home.path().display().to_string()));
    vars.push(("PATH".into(), "/usr/bin".into()));
    vars.extend(
        more.iter()
            .map(|(name, value)| ((*name).into(), (*value).into())),
    );
    let here = Environment::new(vars);
    let profiles = Profiles::builtin().unwrap();
    let profile = profiles.find(&tool.parse().unwrap()).unwrap();
    let given = profile.env.child_env(&here, model);
    let is_placeholder = |value: &str| value.starts_with("placeholder-");
    let keys = given
        .iter()
        .filter(|(_, value)| value.to_str().is_some_and(is_placeholder));
    keys.map(|(name, _)| name.to_str().unwrap().to_owned())
        .collect()
}

#[test]
fn a_tool_gets_the_keys_of_its_own_service_alone() {
    for (tool, own) in OWN_KEYS {
        assert_eq!(keys_of(tool, &[], &[], None), own, "{tool}");
    }
}

#[test]
fn a_cloud_is_given_its_keys_only_where_the_user_has_chosen_it() {
    let aws = [
        "ANTHROPIC_API_KEY",
        "ANTHROPIC_AUTH_TOKEN",
        "AWS_ACCESS_KEY_ID",
        "AWS_BEARER_TOKEN_BEDROCK",
        "AWS_SECRET_ACCESS_KEY",
        "AWS_SESSION_TOKEN",
        "CLAUDE_CODE_OAUTH_TOKEN",
    ];
    let chosen = [("CLAUDE_CODE_USE_BEDROCK", "1")];
    assert_eq!(keys_of("claude", &[], &chosen, None), aws);
    let file = [(
        ".claude/settings.json",
        r#"{"env": {"CLAUDE_CODE_USE_BEDROCK": "1"}}"#,
    )];
    assert_eq!(keys_of("claude", &file, &[], None), aws);
    let off = [
        ("CLAUDE_CODE_USE_BEDROCK", "0"),
        ("CLAUDE_CODE_USE_VERTEX", "false"),
    ];
    let without = keys_of("claude", &[], &off, None);
    assert_eq!(without.len(), 3, "{without:?}");
    let vertex = keys_of("claude", &[], &[("CLAUDE_CODE_USE_VERTEX", "1")], None);
    assert!(vertex.contains(&"GOOGLE_APPLICATION_CREDENTIALS".to_owned()));
    assert!(
        !vertex.iter().any(|name| name.starts_with("AWS_")),
        "{vertex:?}"
    );
    let gemini = keys_of(
        "gemini",
        &[],
        &[("GOOGLE_GENAI_USE_VERTEXAI", "true")],
        None,
    );
    assert!(gemini.contains(&"GOOGLE_APPLICATION_CREDENTIALS".to_owned()));
    let own = [("COPILOT_PROVIDER_BASE_URL", "http://127.0.0.1:1/v1")];
    assert_eq!(
        keys_of("copilot", &[], &own, None),
        [
            "COPILOT_GITHUB_TOKEN",
            "COPILOT_PROVIDER_API_KEY",
            "COPILOT_PROVIDER_BEARER_TOKEN"
        ]
    );
}

#[test]
fn codex_gets_the_key_that_its_chosen_provider_names() {
    let config = |text: &str| keys_of("codex", &[(".codex/config.toml", text)], &[], None);
    let providers = r#"
        [model_providers.ours]
        env_key = "SERVICE_OF_OURS_KEY"
        env_http_headers = { "x-tenant" = "MISTRAL_API_KEY" }
        [model_providers.other]
        env_key = "DEEPSEEK_API_KEY"
        [model_providers.bold]
        env_key = "AGON_TEAM_TOKEN"
        [model_providers.login]
        requires_openai_auth = true
        [profiles.work]
        model_provider = "other"
    "#;
    let with = |choice: &str| config(&format!("{choice}\n{providers}"));
    let own = ["CODEX_ACCESS_TOKEN", "CODEX_API_KEY", "OPENAI_API_KEY"];
    // A service that is configured but not selected adds no names.
    assert_eq!(with(""), own);
    assert_eq!(with("model_provider = 'openai'"), own);
    assert_eq!(with("model_provider = 'login'"), own);
    assert_eq!(
        with("model_provider = 'ours'"),
        ["MISTRAL_API_KEY", "SERVICE_OF_OURS_KEY"]
    );
    let by_profile = with("model_provider = 'ours'\nprofile = 'work'");
    assert_eq!(by_profile, ["DEEPSEEK_API_KEY"]);
    assert_eq!(with("model_provider = 'bold'"), [""; 0]);
    let bedrock = with("model_provider = 'amazon-bedrock'");
    assert_eq!(bedrock.len(), 4, "{bedrock:?}");
    assert!(
        bedrock.iter().all(|name| name.starts_with("AWS_")),
        "{bedrock:?}"
    );
}

#[test]
fn opencode_gets_the_key_of_the_model_that_it_is_asked_with() {
    let file = ".config/opencode/opencode.jsonc";
    let config = r#"{
        // The default service.
        "model": "ours/large",
        "provider": {
            "ours": {"options": {"apiKey": "{env:SERVICE_OF_OURS_KEY}"}, "env": ["HF_TOKEN"]},
            "deepseek": {},
        },
        "mcp": {"github": {"environment": {"GITHUB_TOKEN": "{env:GITHUB_TOKEN}"}}},
    }"#;
    let keys = |text: &str, model: Option<&str>| keys_of("opencode", &[(file, text)], &[], model);
    assert_eq!(keys(config, None), ["HF_TOKEN", "SERVICE_OF_OURS_KEY"]);
    assert_eq!(keys(config, Some("groq/fast")), ["GROQ_API_KEY"]);
    assert_eq!(keys(config, Some("nobody/knows")), [""; 0]);
    let unchosen = config.replace("\"model\": \"ours/large\",", "");
    assert_eq!(
        keys(&unchosen, None),
        ["DEEPSEEK_API_KEY", "HF_TOKEN", "SERVICE_OF_OURS_KEY"]
    );
    // A tool with a login needs no key from the environment.
    let login = [(
        ".local/share/opencode/auth.json",
        r#"{"anthropic": {"type": "oauth"}}"#,
    )];
    assert_eq!(keys_of("opencode", &login, &[], None), [""; 0]);
    let by_variable = [("OPENCODE_CONFIG_CONTENT", r#"{"model": "xai/grok"}"#)];
    let asked = keys_of("opencode", &[(file, config)], &by_variable, None);
    assert_eq!(asked, ["XAI_API_KEY"]);
}
