//! Where an API key is sent, and where it is not.

use std::collections::BTreeMap;

use agon_agents::{Environment, Login, Profile, Profiles, ProfilesError, Toolbox};
use agon_record::event::{CauseCode, Class};
use agon_testkit::{Answer, FakeModels, Script};

use super::common::{KEY, PATIENCE, PROMPT, ask, asked, here};

fn configured(name: &str, table: &str) -> Result<Profiles, ProfilesError> {
    let table = toml::from_str(table).unwrap();
    Profiles::with_overrides(&BTreeMap::from([(name.to_owned(), table)]))
}

fn keys(name: &str, table: &str) -> Vec<String> {
    let profiles = configured(name, table).unwrap();
    let profile = profiles.find(&name.parse().unwrap()).unwrap();
    profile.http.clone().unwrap().key_env
}

#[test]
fn a_table_binds_a_key_to_an_address_by_naming_it_and_by_nothing_else() {
    let at = |url: &str| format!("transports = [\"http\"]\nhttp = {{ {url} }}");
    let own = "url = \"https://api.openai.com/v1/\"";
    assert_eq!(keys("mine", &at(own)), ["OPENAI_API_KEY"]);
    assert_eq!(
        keys("mine", &at("adapter = \"anthropic\"")),
        ["ANTHROPIC_API_KEY"]
    );
    for url in ["https://evil.example/v1", "http://127.0.0.1:1/v1"] {
        let url = format!("url = \"{url}\"");
        assert_eq!(keys("mine", &at(&url)), [""; 0]);
        assert_eq!(keys("openai:gpt-5.2", &at(&url)), [""; 0]);
        assert_eq!(
            keys("anthropic:claude@https://models.example", &at(&url)),
            [""; 0]
        );
        let bound = format!("{url}, key_env = [\"MODELS_KEY\"]");
        assert_eq!(keys("mine", &at(&bound)), ["MODELS_KEY"]);
        assert_eq!(keys("openai:gpt-5.2", &at(&bound)), ["MODELS_KEY"]);
    }
    let named = "openai:m@https://models.example/v1";
    assert_eq!(
        keys(named, "http = { key_env = [\"MODELS_KEY\"] }"),
        ["MODELS_KEY"]
    );
}

#[test]
fn a_table_that_would_tell_others_is_refused() {
    for (http, says) in [
        (
            "url = \"http://models.example/v1\"",
            "http is allowed only for servers on this machine",
        ),
        (
            "url = \"https://a:b@models.example/v1\"",
            "must not contain a user name or password",
        ),
        ("key_env = [\"sk-made-up-0123\"]", "names of variables"),
        ("adapter = \"soap\"", "unknown variant `soap`"),
    ] {
        let table = format!("transports = [\"http\"]\nhttp = {{ {http} }}");
        let error = configured("mine", &table).unwrap_err().cause.to_string();
        assert!(error.contains(says), "{http}: {error}");
        assert!(!error.contains("sk-made-up"), "{error}");
    }
}

#[tokio::test]
async fn a_typed_address_gets_no_key_and_says_what_to_set() {
    let models = FakeModels::start(Script::job_store());
    models.set("*", Answer::Status(401));
    for (service, path) in [
        ("openai", "/v1"),
        ("anthropic", "/v1"),
        ("gemini", "/v1beta"),
    ] {
        let name = format!("{service}:m@{}{path}", models.url())
            .parse()
            .unwrap();
        let profiles = Profiles::builtin().unwrap().with_user_named([&name]);
        let toolbox = Toolbox::detect_only(&profiles, std::slice::from_ref(&name), &here()).await;
        let agent = toolbox.agent(&name).unwrap();
        let error = asked(agent.as_ref(), ask(PROMPT, PATIENCE))
            .await
            .unwrap_err();
        let cause = error.cause();
        assert_eq!(
            (cause.code, error.class()),
            (CauseCode::LoggedOut, Class::User)
        );
        let says = "the server requires a key (status 401); set key_env in table [tools.\"";
        assert!(cause.detail.starts_with(says), "{cause:?}");
    }
    assert_eq!(models.requests().len(), 3);
    assert!(
        models
            .requests()
            .iter()
            .all(|request| request.key.is_none())
    );
}

#[tokio::test]
async fn a_service_without_its_key_is_logged_out() {
    let name = "openrouter:a/model".parse().unwrap();
    let profiles = Profiles::builtin().unwrap().with_user_named([&name]);
    let found = async |here: Environment| {
        let toolbox = Toolbox::detect(&profiles, &here).await;
        let found = toolbox.tool(&name).unwrap();
        (found.login.clone(), toolbox.agent(&name).map(drop))
    };
    let (login, agent) = found(here()).await;
    let command = "export OPENROUTER_API_KEY=…".to_owned();
    assert_eq!(login, Login::LoggedOut { command });
    assert!(
        agent
            .unwrap_err()
            .hint()
            .typed()
            .contains("export OPENROUTER_API_KEY")
    );
    let (login, agent) = found(Environment::new([("OPENROUTER_API_KEY", KEY)])).await;
    assert_eq!((login, agent), (Login::LoggedIn, Ok(())));
}

#[test]
fn a_record_names_what_is_near_and_nothing_else() {
    let names = [
        "openai:gpt-5.2",
        "openai:m@http://127.0.0.1:11434/v1",
        "openai:m@https://openrouter.ai/api/v1",
        "openai:m@https://evil.example/v1",
        "acp:my-agent",
    ]
    .map(|name| name.parse().unwrap());
    let near = Profiles::builtin().unwrap().with_trusted_endpoints(&names);
    let known = names.each_ref().map(|name| near.find(name).is_some());
    assert_eq!(known, [true, true, true, false, false]);
    let typed = Profiles::builtin().unwrap().with_user_named(&names);
    assert!(names.iter().all(|name| typed.find(name).is_some()));
}

#[test]
fn a_model_reads_no_folder() {
    let profile = Profile::from_model_name(&"openai:gpt-5.2".parse().unwrap()).unwrap();
    assert!(!profile.unwrap().can_read_folder());
}
