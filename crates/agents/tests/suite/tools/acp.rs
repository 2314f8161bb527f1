//! Conversations over the Agent Client Protocol with the fake tool, with every behaviour.

use std::sync::Arc;
use std::time::Duration;

use super::common::{ask, environment, left_of, tool};
use agon_agents::profile::Transport;
use agon_agents::{Agent, Environment, Profiles, Session, Toolbox};
use agon_proc::Unwatched;
use agon_testkit::acp::{Act, FakeAgent};
use agon_testkit::{FakeTools, Sandbox, Script};
use tokio_util::sync::CancellationToken;

pub(crate) const PROMPT: &str = "You argue.\nTurn: r1.pro\n";
pub(crate) const LONG: Duration = Duration::from_secs(30);

pub(crate) async fn agent(name: &str, here: &Environment) -> Arc<dyn Agent> {
    let names = [tool(name)];
    let profiles = Profiles::builtin().unwrap();
    let toolbox = Toolbox::detect_only(&profiles, &names, here).await;
    toolbox
        .agent_over_transport(&names[0], Some(Transport::Acp))
        .unwrap()
}

pub(crate) async fn session(fakes: &FakeTools, sandbox: &Sandbox) -> Box<dyn Session> {
    let agent = agent("gemini", &environment(sandbox, fakes.dir())).await;
    agent.open(Arc::new(Unwatched))
}

#[tokio::test]
async fn two_prompts_are_one_conversation_with_one_process() {
    let plan = FakeAgent::default().then([]).then([Act::Recall]);
    let fakes = FakeTools::new().agent("gemini", &plan);
    let sandbox = Sandbox::new();
    let mut session = session(&fakes, &sandbox).await;
    assert!(!session.retains_context());
    let never = CancellationToken::new();
    let first = session.ask(ask(PROMPT, LONG), &never).await.unwrap();
    assert_eq!(first.text, Script::job_store().turns["r1.pro"][0]);
    assert_eq!(
        (first.usage.input, first.usage.cached, first.usage.output),
        (1000, 300, 50)
    );
    assert!(session.retains_context());
    assert_eq!(session.id(), Some("ses-fake"));
    let second = session.ask(ask("And now?", LONG), &never).await.unwrap();
    assert_eq!(second.text, "You argue.\nAnd now?");
    assert_eq!(second.stop_reason.as_deref(), Some("end_turn"));
    session.close().await;
    assert!(!session.retains_context());
    assert_eq!(fakes.count_notes("start"), 1);
    assert_eq!(left_of(&sandbox), Vec::<String>::new());
}

#[tokio::test]
async fn bytes_that_are_no_utf8_are_replaced_in_what_an_agent_says() {
    let mut piece = br#"{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"ses-fake","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"gr?n"}}}}"#.to_vec();
    let at = piece.iter().position(|&byte| byte == b'?').unwrap();
    piece[at] = 0xff;
    let plan = FakeAgent::default().then([Act::Raw(piece), Act::Stop("end_turn".into())]);
    let fakes = FakeTools::new().agent("gemini", &plan);
    let sandbox = Sandbox::new();
    let mut session = session(&fakes, &sandbox).await;
    let never = CancellationToken::new();
    let answer = session.ask(ask(PROMPT, LONG), &never).await.unwrap();
    assert_eq!(answer.text, "gr\u{fffd}n");
}

#[tokio::test]
async fn the_model_that_an_agent_is_set_to_is_told() {
    let plan = FakeAgent {
        models: vec!["large".into(), "small".into()],
        ..FakeAgent::default()
    };
    let fakes = FakeTools::new().agent("gemini", &plan);
    let sandbox = Sandbox::new();
    let mut session = session(&fakes, &sandbox).await;
    let never = CancellationToken::new();
    let answer = session.ask(ask(PROMPT, LONG), &never).await.unwrap();
    assert_eq!(answer.model.as_deref(), Some("large"));
}
