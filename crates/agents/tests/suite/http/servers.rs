//! Model servers on this machine.

use std::time::{Duration, Instant};

use agon_agents::servers::{LOOPBACK_SERVERS, find_servers};
use agon_agents::{Environment, Profiles, Toolbox};
use agon_testkit::{FakeModels, Script, refused_url};

use super::common::{PATIENCE, PROMPT, ask, asked};

#[tokio::test]
async fn servers_that_answer_are_found_at_once_with_their_models() {
    let models = FakeModels::start(Script::job_store());
    // Accepts a connection and sends nothing.
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let set = format!(
        "llama-server={}, Ollama={},vLLM=http://{},gone={},far=http://models.example,nonsense",
        models.url(),
        models.url(),
        silent.local_addr().unwrap(),
        refused_url(),
    );
    let proxy = refused_url();
    let here = Environment::new([(LOOPBACK_SERVERS, set.as_str()), ("HTTP_PROXY", &proxy)]);
    let begun = Instant::now();
    let found = find_servers(&here).await;
    assert!(
        begun.elapsed() < Duration::from_secs(2),
        "{:?}",
        begun.elapsed()
    );
    let told: Vec<_> = found
        .iter()
        .map(|it| (it.name.as_str(), it.models.concat()))
        .collect();
    assert_eq!(
        told,
        [
            ("llama-server", "mock-model".to_owned()),
            ("Ollama", "mock-model:latest".to_owned())
        ]
    );
    let names: Vec<_> = found.iter().flat_map(|server| server.tools()).collect();
    let url = format!("{}/v1", models.url());
    let expected = [
        format!("openai:mock-model@{url}"),
        format!("openai:mock-model:latest@{url}"),
    ];
    assert_eq!(
        names.iter().map(ToString::to_string).collect::<Vec<_>>(),
        expected
    );

    let profiles = Profiles::builtin().unwrap().with_trusted_endpoints(&names);
    let toolbox = Toolbox::detect_only(&profiles, &names, &here).await;
    let agent = toolbox.agent(&names[1]).unwrap();
    asked(agent.as_ref(), ask(PROMPT, PATIENCE)).await.unwrap();
    assert_eq!(models.requests()[0].model, "mock-model:latest");
}

#[tokio::test]
async fn lm_studio_says_how_it_has_loaded_a_model_in_a_list_of_its_own() {
    let models = FakeModels::start(Script::job_store());
    let name = format!("openai:mock-model@{}/v1", models.url());
    for (server, budget) in [("LM Studio", 6_000), ("llama-server", 8_192)] {
        let set = format!("{server}={}", models.url());
        let here = Environment::new([(LOOPBACK_SERVERS, set.as_str())]);
        let names = [name.parse().unwrap()];
        let profiles = Profiles::builtin().unwrap().with_trusted_endpoints(&names);
        let toolbox = Toolbox::detect_only(&profiles, &names, &here).await;
        let agent = toolbox.agent(&names[0]).unwrap();
        assert_eq!(agent.token_budget(None), Some(budget), "{server}");
    }
}

#[tokio::test]
async fn nobody_is_asked_where_the_variable_is_empty() {
    let here = Environment::new([(LOOPBACK_SERVERS, "")]);
    assert_eq!(find_servers(&here).await, []);
}
